package emitc

import (
	"fmt"
	"slices"

	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/shapes"
)

func memrefEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		memref.Alloc:   emitAlloc,
		memref.Alloca:  emitAlloca,
		memref.Dealloc: emitDealloc,
		memref.Realloc: emitRealloc,
		memref.Load:    emitLoad,
		memref.Store:   emitStore,
		memref.Copy: func(f *function, op *ir.Op) {
			f.copy(op, memref.CopyOp{Op: op}.Source(), memref.CopyOp{Op: op}.Target())
		},
		memref.AtomicRMW:        emitAtomic,
		memref.GenericAtomicRMW: emitGenericAtomic,
		memref.Prefetch:         func(*function, *ir.Op) {},
		memref.AssumeAlignment:  emitAssumption,
		memref.DistinctObjects:  emitAssumption,
		memref.AllocaScope: func(f *function, op *ir.Op) {
			f.variables(op, op.Results().Values(), nil)
			f.openf("")
			f.body(op, op.RegionAt(0), true, f.yields(op, op.Results().Values()))
			f.close()
		},
	}
}

// emitAssumption passes the operands on as they are: what is assumed about them changes nothing.
func emitAssumption(f *function, op *ir.Op) {
	for i, r := range op.Results().Values() {
		f.memrefs[r] = f.memref(op.Operand(i))
	}
}

// sizeExpr returns a size that is a constant or a value.
func (f *function) sizeExpr(s shapes.OpFoldResult) string {
	if s.Value != nil {
		return f.value(s.Value)
	}
	return constant(s.Const)
}

func (f *function) sizeExprs(list []shapes.OpFoldResult) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f.sizeExpr(s)
	}
	return out
}

// allocation returns the memref of a new buffer without its address, and how many elements it spans.
func (f *function) allocation(op *ir.Op) (r *ref, count string) {
	o := memref.AllocOp{Op: op}
	t := o.Type()
	r = &ref{elem: t.Elem, offset: "0", sizes: f.sizeExprs(o.Sizes()), kind: allocated, root: op.Result(0)}
	r.strides = rowMajorOf(r.sizes)
	count = "1"
	for _, s := range r.sizes {
		count = mul(count, s)
	}
	if strides, offset, ok := t.StridesAndOffset(); ok && t.Layout != nil && offset != ir.Dynamic && ir.IsStaticShape(strides) {
		r.offset, r.strides = constant(offset), constants(strides)
		count = constant(offset + 1)
		for i, s := range r.sizes {
			count = sum(count, mul(sumOf(s, -1), r.strides[i]))
		}
	}
	if n, ok := number(count); ok {
		r.from, r.to, r.bounded = 0, n*ir.StorageBytes(t.Elem), true
	}
	return r, count
}

func sumOf(e string, n int64) string { return sum(e, constant(n)) }

// alignmentOf returns the alignment of an allocation.
func alignmentOf(op *ir.Op) int64 {
	if a, ok := (memref.AllocOp{Op: op}).Alignment(); ok {
		return max(a, 16)
	}
	return 16
}

// bytes returns the size of a number of elements.
func (f *function) bytes(op *ir.Op, count string, elem ir.Type) string {
	c := f.ctype(op, elem)
	if n, ok := number(count); ok && n >= 0 {
		return fmt.Sprintf("%s * sizeof(%s)", constant(n), c)
	}
	return fmt.Sprintf("(size_t)(%s) * sizeof(%s)", count, c)
}

func emitAlloc(f *function, op *ir.Op) {
	r, count := f.allocation(op)
	elem := f.ctype(op, r.elem)
	f.m.helper("fh_alloc")
	name := f.define(nameOf(op.Result(0)), pointerTo(elem), fmt.Sprintf("fh_alloc(%s, %d)", f.bytes(op, count, r.elem), alignmentOf(op)))
	r.data, r.allocated = name, name
	f.memrefs[op.Result(0)] = r
}

// largestArray is the size in bytes from which on stack allocations are taken from the heap, and freed where their scope ends.
const largestArray = 64 << 10

func emitAlloca(f *function, op *ir.Op) {
	r, count := f.allocation(op)
	elem := f.ctype(op, r.elem)
	s := f.scopes[len(f.scopes)-1]
	if n, ok := number(count); ok && n*max(ir.StorageBytes(r.elem), 1) <= largestArray && !repeats(op, s.region) {
		f.m.alignMacro()
		name := f.names.fresh(nameOf(op.Result(0)))
		f.in(s.arrays, func() {
			f.linef("FH_ALIGNED(%d) %s[%d];", alignmentOf(op), declaration(elem, name), max(n, 1))
			// It may be only written.
			f.linef("(void)%s;", name)
		})
		r.data, r.allocated = name, name
		f.memrefs[op.Result(0)] = r
		return
	}
	if s.chain == "" {
		s.chain = f.names.fresh("reserved")
		f.in(s.arrays, func() { f.linef("void *%s = NULL;", s.chain) })
		f.m.helper("fh_release")
		f.m.helpers.headers["stddef.h"] = true
	}
	f.m.helper("fh_reserve")
	r.data = f.define(nameOf(op.Result(0)), pointerTo(elem), fmt.Sprintf("fh_reserve(&%s, %s, %d)", s.chain, f.bytes(op, count, r.elem), alignmentOf(op)))
	r.allocated = r.data
	f.memrefs[op.Result(0)] = r
}

// repeats tells whether an operation may be executed more than once while a region around it is.
func repeats(op *ir.Op, scope *ir.Region) bool {
	for r := op.Region(); ; r = r.Op().Region() {
		if r.NumBlocks() > 1 {
			return true
		}
		if r == scope {
			return false
		}
		if r.Op().Is(scf.While) {
			return true
		}
	}
}

func emitDealloc(f *function, op *ir.Op) {
	switch (memref.DeallocOp{Op: op}).MemRef().Type().(type) {
	case *ir.UnrankedMemRefType:
		f.linef("%s(%s.allocated);", f.m.helper("fh_free"), f.value(memref.DeallocOp{Op: op}.MemRef()))
	default:
		f.linef("%s(%s);", f.m.helper("fh_free"), f.memref(memref.DeallocOp{Op: op}.MemRef()).allocated)
	}
}

// emitRealloc moves a buffer to one of another size.
func emitRealloc(f *function, op *ir.Op) {
	o := memref.ReallocOp{Op: op}
	old := f.memref(o.Source())
	size := constant(o.Type().Shape[0])
	if v := o.DynamicSize(); v != nil {
		size = f.value(v)
	}
	elem := f.ctype(op, o.Type().Elem)
	f.m.helper("fh_alloc")
	f.m.helpers.headers["string.h"] = true
	name := f.define(nameOf(op.Result(0)), pointerTo(elem), fmt.Sprintf("fh_alloc(%s, %d)", f.bytes(op, size, o.Type().Elem), alignmentOf(op)))
	n := f.pinned("count", size)
	least := fmt.Sprintf("%s < %s ? %s : %s", n, old.sizes[0], n, old.sizes[0])
	if a, ok := number(n); ok {
		if b, ok := number(old.sizes[0]); ok {
			least = constant(min(a, b))
		}
	}
	f.linef("memcpy(%s, %s, %s);", name, plus(old.data, old.offset), f.bytes(op, least, o.Type().Elem))
	f.linef("%s(%s);", f.m.helper("fh_free"), old.allocated)
	f.memrefs[op.Result(0)] = &ref{elem: o.Type().Elem, data: name, allocated: name, offset: "0", sizes: []string{n}, strides: []string{"1"},
		kind: allocated, root: op.Result(0)}
}

func emitLoad(f *function, op *ir.Op) {
	f.load(op, memref.LoadOp{Op: op}.MemRef(), f.values(op.OperandGroup(1).Values()))
}

// load defines the result of an operation as an element of a buffer.
func (f *function) load(op *ir.Op, buffer *ir.Value, idx []string) {
	v := op.Result(0)
	name := f.define(nameOf(v), f.ctype(op, v.Type()), f.accessed(f.memref(buffer), idx))
	f.bind(v, name)
}

func emitStore(f *function, op *ir.Op) {
	f.store(op, memref.StoreOp{Op: op}.Value(), memref.StoreOp{Op: op}.MemRef(), f.values(op.OperandGroup(2).Values()))
}

func (f *function) store(op *ir.Op, v, buffer *ir.Value, idx []string) {
	f.linef("%s = %s;", f.accessed(f.memref(buffer), idx), f.passed(op, v))
}

// accessed returns the expression for an element that is read or written. Compilers complain of one that is known to be out of bounds also where it is never accessed:
// there, no execution may come.
func (f *function) accessed(r *ref, idx []string) string {
	var within []string
	for i, x := range idx {
		n, known := number(x)
		size, sized := number(r.sizes[i])
		if !known || !sized || n >= 0 && n < size {
			continue
		}
		if within == nil {
			f.linef("%s(0);", f.m.helper("fh_assert"))
			within = slices.Clone(idx)
		}
		within[i] = "0"
	}
	if within == nil {
		within = idx
	}
	return r.element(within)
}

// copy copies all elements of one buffer to another.
func (f *function) copy(op *ir.Op, from, to *ir.Value) {
	_, u1 := from.Type().(*ir.UnrankedMemRefType)
	_, u2 := to.Type().(*ir.UnrankedMemRefType)
	if u1 || u2 {
		f.linef("%s(%s, %s, sizeof(%s));", f.m.helper("fh_copy"), f.unranked(op, from), f.unranked(op, to), f.ctype(op, ir.ElementType(from.Type())))
		return
	}
	f.copyRef(op, f.memref(from), f.memref(to))
}

// unranked returns a memref as one of unknown rank.
func (f *function) unranked(op *ir.Op, v *ir.Value) string {
	if _, ok := v.Type().(*ir.UnrankedMemRefType); ok {
		return f.value(v)
	}
	return f.toUnranked(op, f.memref(v))
}

// copyRef copies all elements, in one piece where both are in one piece.
func (f *function) copyRef(op *ir.Op, a, b *ref) {
	n := commonExtent(a, b)
	if n == 0 {
		count := "1"
		for _, s := range a.sizes {
			count = mul(count, s)
		}
		f.m.helpers.headers["string.h"] = true
		f.linef("memmove(%s, %s, %s);", plus(b.data, b.offset), plus(a.data, a.offset), f.bytes(op, count, a.elem))
		return
	}
	var idx []string
	for i := range n {
		idx = append(idx, f.count(knownSize(a.sizes[i], b.sizes[i])))
	}
	if rest := a.sizes[n:]; len(rest) > 0 {
		count := "1"
		for _, s := range rest {
			count = mul(count, s)
		}
		start := func(r *ref) string {
			p := r.offset
			for i, x := range idx {
				p = sum(p, mul(x, r.strides[i]))
			}
			return plus(r.data, p)
		}
		f.m.helpers.headers["string.h"] = true
		f.linef("memmove(%s, %s, %s);", start(b), start(a), f.bytes(op, count, a.elem))
	} else {
		f.linef("%s = %s;", b.element(idx), a.element(idx))
	}
	for range idx {
		f.close()
	}
}

// knownSize returns the one of two equal sizes that is a constant, if one is.
func knownSize(a, b string) string {
	if _, ok := number(b); ok {
		return b
	}
	return a
}

// commonExtent returns how many leading dimensions two buffers must be walked along until what is left is in one piece in both.
func commonExtent(a, b *ref) int {
	n := len(a.sizes)
	x, y := rowMajorOf(a.sizes), rowMajorOf(b.sizes)
	for n > 0 && (a.strides[n-1] == x[n-1] && b.strides[n-1] == y[n-1] || a.sizes[n-1] == "1" && b.sizes[n-1] == "1") {
		n--
	}
	return n
}

// emitAtomic replaces an element by a combination with a value, and returns the old one. There is one thread only.
func emitAtomic(f *function, op *ir.Op) {
	o := memref.AtomicRMWOp{Op: op}
	t := o.Value().Type()
	e := f.accessed(f.memref(o.MemRef()), f.values(o.Indices().Values()))
	old := f.variable("old", f.ctype(op, t), e)
	f.linef("%s = %s;", e, f.combined(op, o.Kind(), t, f.value(o.Value()), old))
	f.scalars[op.Result(0)] = old
}

// combined returns what a kind of atomic operation or reduction makes of a new and an old value.
func (f *function) combined(op *ir.Op, kind string, t ir.Type, v, old string) string {
	s := map[string]scalar{"addf": floatBinary("+"), "mulf": floatBinary("*"), "maximumf": floatExtreme(">", false), "minimumf": floatExtreme("<", false),
		"maxnumf": floatExtreme(">", true), "minnumf": floatExtreme("<", true), "addi": intBinary("+"), "muli": intBinary("*"), "maxs": extreme(">", true),
		"maxu": extreme(">", false), "mins": extreme("<", true), "minu": extreme("<", false), "ori": intBinary("|"), "andi": intBinary("&"),
		"xori": intBinary("^")}[kind]
	if kind == "assign" {
		return v
	}
	if s == nil {
		f.fail(op, "there is nothing for the kind %s in C", kind)
	}
	return s(&element{f: f, op: op, in: []ir.Type{t, t}, out: t, args: []string{v, old}})
}

func emitGenericAtomic(f *function, op *ir.Op) {
	o := memref.GenericAtomicRMWOp{Op: op}
	e := f.accessed(f.memref(o.MemRef()), f.values(o.Indices().Values()))
	c := f.ctype(op, op.Result(0).Type())
	result := f.variable(nameOf(op.Result(0)), c, "")
	f.scalars[op.Result(0)] = result
	f.openf("")
	f.bind(o.Body().Arg(0), f.define("old", c, e))
	f.region(op, op.RegionAt(0), func(t *ir.Op) {
		f.linef("%s = %s;", e, f.value(memref.GenericAtomicRMWOp{Op: t}.MemRef()))
		f.assign(result, f.value(memref.GenericAtomicRMWOp{Op: t}.MemRef()))
	})
	f.close()
}

// alignMacro makes sure that there is the macro for the alignment of variables.
func (m *module) alignMacro() {
	m.helpers.define("FH_ALIGNED", `
#ifndef FH_ALIGNED
#ifdef __GNUC__
#define FH_ALIGNED(n) __attribute__((aligned(n)))
#else
#define FH_ALIGNED(n)
#endif
#endif`)
}
