package emitc

import (
	"errors"
	"fmt"
	"strings"

	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// Views are no code: they are further ways to find elements.
func viewEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		memref.Cast:                         emitCast,
		memref.MemorySpaceCast:              emitCast,
		memref.Dim:                          emitDim,
		memref.Rank:                         emitRank,
		memref.SubView:                      emitSubView,
		memref.ReinterpretCast:              emitReinterpretCast,
		memref.ExpandShape:                  emitExpandShape,
		memref.CollapseShape:                emitCollapseShape,
		memref.View:                         emitView,
		memref.Transpose:                    emitTranspose,
		memref.Reshape:                      emitReshape,
		memref.ExtractStridedMetadata:       emitMetadata,
		memref.ExtractAlignedPointerAsIndex: emitPointerAsIndex,
		memref.GetGlobal:                    emitGetGlobal,
	}
}

// view makes a value a memref, of which its type tells some parts.
func (f *function) view(v *ir.Value, r *ref) {
	if t, ok := v.Type().(*ir.MemRefType); ok {
		r.elem = t.Elem
		strides, offset, strided := t.StridesAndOffset()
		if strided && offset != ir.Dynamic {
			r.offset = constant(offset)
		}
		for i, n := range t.Shape {
			if n != ir.Dynamic {
				r.sizes[i] = constant(n)
			}
			if strided && strides[i] != ir.Dynamic {
				r.strides[i] = constant(strides[i])
			}
		}
	}
	r.offset = f.pinned("offset", r.offset)
	for i := range r.sizes {
		r.sizes[i] = f.pinned("size", r.sizes[i])
		r.strides[i] = f.pinned("stride", r.strides[i])
	}
	f.memrefs[v] = r
}

func emitCast(f *function, op *ir.Op) {
	from, to := op.OnlyOperand(), op.Result(0)
	_, u1 := from.Type().(*ir.UnrankedMemRefType)
	target, ranked := to.Type().(*ir.MemRefType)
	switch {
	case u1 && !ranked:
		f.scalars[to] = f.value(from)
	case u1:
		f.fromUnranked(op, to, target, f.value(from))
	case !ranked:
		f.scalars[to] = f.define(nameOf(to), f.ctype(op, to.Type()), f.toUnranked(op, f.memref(from)))
	default:
		f.view(to, f.memref(from).clone())
	}
}

// toUnranked returns a memref as one of unknown rank.
func (f *function) toUnranked(op *ir.Op, r *ref) string {
	if len(r.sizes) > maxRank {
		f.fail(op, "memrefs of unknown rank have at most %d dimensions", maxRank)
	}
	if len(r.sizes) == 0 {
		return fmt.Sprintf("(%s){%s, %s, %s, 0, {0}, {0}}", f.m.types.unranked(), r.allocated, r.pointer(), r.offset)
	}
	return fmt.Sprintf("(%s){%s, %s, %s, %d, {%s}, {%s}}", f.m.types.unranked(), r.allocated, r.pointer(), r.offset, len(r.sizes), commas(r.sizes), commas(r.strides))
}

func commas(list []string) string {
	out := ""
	for i, s := range list {
		if i > 0 {
			out += ", "
		}
		out += s
	}
	return out
}

// fromUnranked makes a value the memref that one of unknown rank is.
func (f *function) fromUnranked(op *ir.Op, v *ir.Value, t *ir.MemRefType, u string) {
	r := &ref{elem: t.Elem, data: f.define("data", pointerTo(f.ctype(op, t.Elem)), u+".data"), allocated: u + ".allocated", offset: u + ".offset"}
	for i := range t.Shape {
		r.sizes = append(r.sizes, fmt.Sprintf("%s.sizes[%d]", u, i))
		r.strides = append(r.strides, fmt.Sprintf("%s.strides[%d]", u, i))
	}
	f.view(v, r)
}

func emitDim(f *function, op *ir.Op) {
	o := memref.DimOp{Op: op}
	n, known := o.ConstantIndex()
	if _, ok := o.Source().Type().(*ir.UnrankedMemRefType); ok {
		f.result(op.Result(0), f.value(o.Source())+".sizes["+f.value(o.Index())+"]")
		return
	}
	r := f.memref(o.Source())
	switch {
	case known && n >= 0 && n < int64(len(r.sizes)):
		f.scalars[op.Result(0)] = r.sizes[n]
	case len(r.sizes) == 0 || known:
		f.fail(op, "there is no such dimension")
	default:
		c := f.m.types.index()
		f.result(op.Result(0), fmt.Sprintf("((const %s[]){%s})[%s]", c, commas(r.sizes), f.value(o.Index())))
	}
}

func emitRank(f *function, op *ir.Op) {
	if t, ok := (memref.RankOp{Op: op}).MemRef().Type().(*ir.MemRefType); ok {
		f.scalars[op.Result(0)] = constant(int64(len(t.Shape)))
		return
	}
	f.result(op.Result(0), f.value(memref.RankOp{Op: op}.MemRef())+".rank")
}

func emitSubView(f *function, op *ir.Op) {
	o := memref.SubViewOp{Op: op}
	s := o.Slice()
	from := f.memref(o.Source())
	r := from.clone()
	r.sizes, r.strides = nil, nil
	dropped := droppedDims(o)
	if dropped == nil {
		f.fail(op, "its types do not fit")
	}
	sizes := f.sizeExprs(s.Sizes)
	for i := range s.Offsets {
		r.offset = sum(r.offset, mul(f.sizeExpr(s.Offsets[i]), from.strides[i]))
		if !dropped[i] {
			r.sizes = append(r.sizes, sizes[i])
			r.strides = append(r.strides, mul(f.sizeExpr(s.Strides[i]), from.strides[i]))
		}
	}
	f.view(op.Result(0), r)
}

// droppedDims tells which dimensions the type of a subview leaves out: where its strides say others than its sizes, what the sizes say.
func droppedDims(o memref.SubViewOp) []bool {
	sizes, shape := shapes.StaticOf(interfaces.MixedSizes(o.Op)), o.Type().Shape
	dropped := o.DroppedDims()
	kept := []int64{}
	for i, d := range dropped {
		if !d {
			kept = append(kept, sizes[i])
		}
	}
	if dropped != nil && len(kept) == len(shape) {
		same := true
		for i := range kept {
			same = same && kept[i] == shape[i]
		}
		if same {
			return dropped
		}
	}
	if bySize, ok := shapes.RankReduction(sizes, shape); ok {
		return bySize
	}
	return dropped
}

func emitReinterpretCast(f *function, op *ir.Op) {
	s := interfaces.SliceOf(op)
	var r *ref
	if _, ok := (memref.ReinterpretCastOp{Op: op}).Source().Type().(*ir.UnrankedMemRefType); ok {
		u, t := f.value(memref.ReinterpretCastOp{Op: op}.Source()), op.Result(0).Type().(*ir.MemRefType)
		r = &ref{data: f.define("data", pointerTo(f.ctype(op, t.Elem)), u+".data"), allocated: u + ".allocated"}
	} else {
		r = f.memref(memref.ReinterpretCastOp{Op: op}.Source()).clone()
	}
	r.offset = f.sizeExpr(s.Offsets[0])
	r.sizes, r.strides = f.sizeExprs(s.Sizes), f.sizeExprs(s.Strides)
	f.view(op.Result(0), r)
}

func emitExpandShape(f *function, op *ir.Op) {
	o := memref.ExpandShapeOp{Op: op}
	from := f.memref(o.Source())
	r := from.clone()
	r.sizes = f.sizeExprs(interfaces.MixedList(op, 1, memref.StaticOutputShapeAttr))
	r.strides = make([]string, len(r.sizes))
	for i := range r.strides {
		r.strides[i] = "1"
	}
	for d, g := range o.Reassociation() {
		n := from.strides[d]
		for i := len(g) - 1; i >= 0; i-- {
			r.strides[g[i]] = n
			n = mul(n, r.sizes[g[i]])
		}
	}
	f.view(op.Result(0), r)
}

func emitCollapseShape(f *function, op *ir.Op) {
	o := memref.CollapseShapeOp{Op: op}
	from := f.memref(o.Source())
	r := from.clone()
	r.sizes, r.strides = nil, nil
	for _, g := range o.Reassociation() {
		size, stride := "1", ""
		for i := len(g) - 1; i >= 0; i-- {
			// The stride is that of the last dimension that has more than one element, which may be known only at run time.
			n, known := number(from.sizes[g[i]])
			switch {
			case known && n == 1:
			case stride == "":
				stride = from.strides[g[i]]
				if !known && len(g) > 1 {
					stride = f.collapsedStride(from, g[:i+1])
				}
			}
			size = mul(size, from.sizes[g[i]])
		}
		if stride == "" {
			stride = from.strides[g[len(g)-1]]
		}
		r.sizes, r.strides = append(r.sizes, size), append(r.strides, stride)
	}
	f.view(op.Result(0), r)
}

// collapsedStride returns the stride of a group of dimensions as one.
func (f *function) collapsedStride(r *ref, g []int64) string {
	e := r.strides[g[len(g)-1]]
	for k := 0; k < len(g)-1; k++ {
		// From the outermost to the innermost, so that the last one that isn't 1 decides.
		rest := "1"
		for _, d := range g[k+1:] {
			rest = mul(rest, r.sizes[d])
		}
		if n, ok := number(rest); ok && n != 1 {
			continue
		}
		if n, ok := number(r.sizes[g[k]]); ok && n == 1 {
			continue
		}
		e = fmt.Sprintf("(%s == 1 && %s != 1 ? %s : %s)", rest, r.sizes[g[k]], r.strides[g[k]], e)
	}
	return e
}

func emitView(f *function, op *ir.Op) {
	o := memref.ViewOp{Op: op}
	from := f.memref(o.Source())
	r := &ref{elem: o.Type().Elem, allocated: from.allocated, offset: "0", kind: from.kind, root: from.root}
	r.sizes = f.sizeExprs(shapes.Mixed(o.Type().Shape, o.Sizes().Values()))
	r.strides = rowMajorOf(r.sizes)
	shift := sum(from.offset, f.value(o.ByteShift()))
	elem := f.ctype(op, o.Type().Elem)
	at := plus("(char *)"+from.data, shift)
	if o := f.ctype(op, from.elem); o == "uint8_t" || shift == "0" {
		at = plus(from.data, shift)
	}
	name := "view"
	if c, ok := number(shift); ok {
		name = fmt.Sprintf("at_%d", c)
	}
	// A cast by way of void keeps compilers from warning of the alignment.
	at = "(" + pointerTo(elem) + ")(void *)(" + at + ")"
	if elem == "uint8_t" && f.ctype(op, from.elem) == elem {
		at = plus(from.pointer(), shift)
	}
	r.data = f.define(name, pointerTo(elem), at)
	if s, ok := number(shift); ok && from.bounded {
		if n, ok := ir.NumElements(o.Type().Shape); ok {
			r.from, r.to, r.bounded = from.from+s, from.from+s+n*ir.StorageBytes(o.Type().Elem), true
		}
	}
	f.view(op.Result(0), r)
}

func emitTranspose(f *function, op *ir.Op) {
	o := memref.TransposeOp{Op: op}
	from := f.memref(o.Source())
	r := from.clone()
	for i, e := range o.Permutation().Results {
		r.sizes[i], r.strides[i] = from.sizes[e.Value], from.strides[e.Value]
	}
	f.view(op.Result(0), r)
}

func emitReshape(f *function, op *ir.Op) {
	o := memref.ReshapeOp{Op: op}
	shape := f.memref(o.Shape())
	t, ranked := op.Result(0).Type().(*ir.MemRefType)
	if !ranked {
		f.reshapeUnranked(op, shape)
		return
	}
	var r *ref
	if _, unranked := o.Source().Type().(*ir.UnrankedMemRefType); unranked {
		u := f.value(o.Source())
		r = &ref{data: f.define("data", pointerTo(f.ctype(op, t.Elem)), u+".data"), allocated: u + ".allocated", offset: u + ".offset"}
	} else {
		r = f.memref(o.Source()).clone()
	}
	r.sizes = make([]string, len(t.Shape))
	for i := range r.sizes {
		r.sizes[i] = constant(t.Shape[i])
		if t.Shape[i] == ir.Dynamic {
			r.sizes[i] = f.define("size", f.m.types.index(), f.asIndex(shape.elem, shape.element([]string{constant(int64(i))})))
		}
	}
	r.strides = rowMajorOf(r.sizes)
	f.view(op.Result(0), r)
}

// reshapeUnranked makes the result the source with sizes, and a rank, that are in another buffer.
func (f *function) reshapeUnranked(op *ir.Op, shape *ref) {
	name := f.names.fresh(nameOf(op.Result(0)))
	f.linef("%s = %s;", declaration(f.m.types.unranked(), name), f.unranked(op, memref.ReshapeOp{Op: op}.Source()))
	f.linef("%s.rank = %s;", name, shape.sizes[0])
	d := f.count(shape.sizes[0])
	f.linef("%s.sizes[%s] = %s;", name, d, f.asIndex(shape.elem, shape.element([]string{d})))
	f.close()
	d = f.names.fresh("d")
	count := f.variable("stride", f.m.types.index(), "1")
	f.openf("for (%s %s = %s.rank - 1; %s >= 0; %s--)", f.m.types.index(), d, name, d, d)
	f.linef("%s.strides[%s] = %s;", name, d, count)
	f.linef("%s *= %s.sizes[%s];", count, name, d)
	f.close()
	f.scalars[op.Result(0)] = name
}

// asIndex returns an integer as an index, by its sign.
func (f *function) asIndex(t ir.Type, e string) string {
	if t == ir.Type(ir.Index) {
		return e
	}
	return f.m.wrapped(ir.Index, f.m.signed(t, e))
}

func emitMetadata(f *function, op *ir.Op) {
	o := memref.ExtractStridedMetadataOp{Op: op}
	from := f.memref(o.Source())
	base := from.clone()
	base.offset, base.sizes, base.strides = "0", nil, nil
	f.memrefs[o.BaseBuffer()] = base
	f.scalars[o.Offset()] = f.pinned("offset", from.offset)
	for i, v := range o.Sizes().Values() {
		f.scalars[v] = f.pinned("size", from.sizes[i])
	}
	for i, v := range o.Strides().Values() {
		f.scalars[v] = f.pinned("stride", from.strides[i])
	}
}

func emitPointerAsIndex(f *function, op *ir.Op) {
	p := ""
	if _, ok := (memref.ExtractAlignedPointerAsIndexOp{Op: op}).Source().Type().(*ir.UnrankedMemRefType); ok {
		p = f.value(memref.ExtractAlignedPointerAsIndexOp{Op: op}.Source()) + ".data"
	} else {
		p = f.memref(memref.ExtractAlignedPointerAsIndexOp{Op: op}.Source()).data
	}
	f.result(op.Result(0), "("+f.m.types.index()+")(uintptr_t)"+p)
}

func emitGetGlobal(f *function, op *ir.Op) {
	t := op.Result(0).Type().(*ir.MemRefType)
	g, err := f.m.globals.use(op)
	var elided *exec.ElidedError
	switch {
	case errors.As(err, &elided):
		panic(refused{err})
	case err != nil:
		f.fail(op, "%v", err)
	}
	data, constant, elem := g.name, "", f.ctype(op, t.Elem)
	switch {
	case g.pointer != g.name && g.constant:
		data = f.define(strings.TrimLeft(memref.GetGlobalOp{Op: op}.Symbol(), "_"), pointerTo(elem), "("+pointerTo(elem)+")"+g.pointer)
	case g.pointer != g.name:
		data = f.define(strings.TrimLeft(memref.GetGlobalOp{Op: op}.Symbol(), "_"), pointerTo(elem), g.pointer)
	case g.constant:
		constant = "(" + pointerTo(elem) + ")"
	}
	r := &ref{elem: t.Elem, data: data, constant: constant, allocated: constant + data, offset: "0", sizes: constants(t.Shape), strides: constants(rowMajor(t.Shape)), kind: fromGlobal, root: g.op}
	if strides, offset, ok := t.StridesAndOffset(); ok && t.Layout != nil && offset != ir.Dynamic && ir.IsStaticShape(strides) {
		r.strides = constants(strides)
		if offset != 0 {
			f.fail(op, "its layout is not supported")
		}
	}
	n, _ := ir.NumElements(t.Shape)
	r.from, r.to, r.bounded = 0, n*ir.StorageBytes(t.Elem), true
	f.view(op.Result(0), r)
}
