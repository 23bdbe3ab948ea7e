package emitc

import (
	"strings"

	"freehold/dialect/vector"
	"freehold/ir"
)

func vectorMemoryEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		vector.Load:          emitVectorLoad,
		vector.Store:         emitVectorStore,
		vector.MaskedLoad:    emitMaskedLoad,
		vector.ExpandLoad:    emitMaskedLoad,
		vector.MaskedStore:   emitMaskedStore,
		vector.CompressStore: emitMaskedStore,
		vector.Gather:        emitGather,
		vector.Scatter:       emitScatter,
		vector.TransferRead:  emitTransfer,
		vector.TransferWrite: emitTransfer,
	}
}

// buffer returns what is known of the buffer that an operation on vectors accesses.
func (f *function) buffer(op *ir.Op, v *ir.Value) *ref {
	if ir.IsTensor(v.Type()) {
		f.fail(op, "%s", whyNot(op))
	}
	return f.memref(v)
}

// vectorAccess copies between a vector and the elements of a buffer from a position on, in its last dimensions.
func (f *function) vectorAccess(op *ir.Op, buffer *ir.Value, idx []string, v *ir.Value, store bool) {
	t := v.Type().(*ir.VectorType)
	r := f.buffer(op, buffer)
	name := ""
	if store {
		name = f.value(v)
	} else {
		name = f.newVector(op, v)
	}
	if ir.IsVector(r.elem) {
		f.vectorElement(op, r.element(idx), name, t, store)
		return
	}
	if len(t.Shape) > len(idx) {
		f.fail(op, "a vector of rank %d has no place in a buffer of rank %d", len(t.Shape), len(idx))
	}
	at := append([]string(nil), idx...)
	counters, linear := f.nestOver(t.Shape)
	for d, i := range counters {
		k := len(idx) - len(t.Shape) + d
		at[k] = sum(at[k], i)
	}
	f.transfer(r.element(at), name+".e["+linear+"]", store)
	f.closeAll(len(t.Shape))
}

// vectorElement copies between a vector and an element of a buffer that is a vector itself.
func (f *function) vectorElement(op *ir.Op, element, name string, t *ir.VectorType, store bool) {
	i := f.loopOver(t)
	f.transfer(element+".e["+i+"]", name+".e["+i+"]", store)
	f.close()
}

// transfer assigns one of two places to the other.
func (f *function) transfer(memory, register string, store bool) {
	if store {
		f.linef("%s = %s;", memory, register)
	} else {
		f.linef("%s = %s;", register, memory)
	}
}

func emitVectorLoad(f *function, op *ir.Op) {
	f.vectorAccess(op, vector.LoadOp{Op: op}.Base(), f.values(op.OperandGroup(1).Values()), op.Result(0), false)
}

func emitVectorStore(f *function, op *ir.Op) {
	f.vectorAccess(op, vector.StoreOp{Op: op}.Base(), f.values(op.OperandGroup(2).Values()), vector.StoreOp{Op: op}.ValueToStore(), true)
}

// linearly returns the element that lies a number of elements behind the one at the indices of group 1, in memory.
func (f *function) linearly(op *ir.Op) func(distance string) string {
	r := f.buffer(op, vector.MaskedAccessOp{Op: op}.Base())
	p := r.offset
	for i, x := range f.values(op.OperandGroup(1).Values()) {
		p = sum(p, mul(x, r.strides[i]))
	}
	p = f.pinned("start", p)
	return func(distance string) string { return r.data + "[" + sum(p, distance) + "]" }
}

func emitMaskedLoad(f *function, op *ir.Op) {
	at, mask := f.linearly(op), op.OperandGroup(2).At(0)
	name := f.variable(nameOf(op.Result(0)), f.ctype(op, op.Result(0).Type()), f.value(op.OperandGroup(3).At(0)))
	f.scalars[op.Result(0)] = name
	f.eachEnabled(op, mask, op.Result(0).Type(), op.Is(vector.ExpandLoad), func(i, k string) { f.linef("%s.e[%s] = %s;", name, i, at(k)) })
}

func emitMaskedStore(f *function, op *ir.Op) {
	at, mask, v := f.linearly(op), op.OperandGroup(2).At(0), op.OperandGroup(3).At(0)
	f.eachEnabled(op, mask, v.Type(), op.Is(vector.CompressStore), func(i, k string) { f.linef("%s = %s;", at(k), f.elementOf(v, i)) })
}

// eachEnabled writes something for each element that a mask selects, given its number and that of its place in memory.
func (f *function) eachEnabled(op *ir.Op, mask *ir.Value, t ir.Type, dense bool, fn func(i, place string)) {
	if n := len(t.(*ir.VectorType).Shape); n > 1 && !op.Is(vector.Gather) && !op.Is(vector.Scatter) {
		f.fail(op, "masked accesses to vectors of %d dimensions can't be written in C", n)
	}
	next := ""
	if dense {
		next = f.names.fresh("next")
		f.linef("%s %s = 0;", f.m.types.index(), next)
	}
	i := f.loopOver(t.(*ir.VectorType))
	f.openf("if (%s)", f.elementOf(mask, i))
	if dense {
		fn(i, next)
		f.linef("%s++;", next)
	} else {
		fn(i, i)
	}
	f.closeAll(2)
}

// scattered returns the element of a buffer that element i of the vector of indices chooses.
func (f *function) scattered(op *ir.Op) func(i string) string {
	at, index := f.linearly(op), op.OperandGroup(2).At(0)
	r := f.buffer(op, vector.MaskedAccessOp{Op: op}.Base())
	step := "1"
	if n := len(r.strides); n > 0 {
		step = r.strides[n-1]
	}
	t := ir.ElementType(index.Type())
	return func(i string) string { return at(mul(f.asIndex(t, f.elementOf(index, i)), step)) }
}

func emitGather(f *function, op *ir.Op) {
	at := f.scattered(op)
	mask, pass := op.OperandGroup(3).At(0), op.OperandGroup(4).At(0)
	name := f.variable(nameOf(op.Result(0)), f.ctype(op, op.Result(0).Type()), f.value(pass))
	f.scalars[op.Result(0)] = name
	f.eachEnabled(op, mask, op.Result(0).Type(), false, func(i, _ string) {
		k := f.masked(op, i)
		f.linef("%s.e[%s] = %s;", name, i, at(i))
		f.closeAll(k)
	})
}

func emitScatter(f *function, op *ir.Op) {
	at := f.scattered(op)
	mask, v := op.OperandGroup(3).At(0), op.OperandGroup(4).At(0)
	f.eachEnabled(op, mask, v.Type(), false, func(i, _ string) { f.linef("%s = %s;", at(i), f.elementOf(v, i)) })
}

// emitTransfer copies between a vector and a part of a buffer. What is outside, or what the mask leaves out, is not written, and is read as the
// padding.
func emitTransfer(f *function, op *ir.Op) {
	o := vector.TransferOp{Op: op}
	r := f.buffer(op, o.Source())
	t, m := o.VectorType(), o.PermutationMap()
	rest := shapeOf(r.elem)
	sizes := t.Shape[:len(t.Shape)-len(rest)]
	row := elements(rest)
	name := ""
	if o.IsWrite() {
		name = f.value(vector.TransferWriteOp{Op: op}.Vector())
	} else {
		name = f.newVector(op, op.Result(0))
	}
	pos := f.values(o.Indices().Values())
	idx, linear := f.nestOver(sizes)
	var tests []string
	for _, mask := range []*ir.Value{o.Mask(), maskAround(op)} {
		if mask != nil {
			tests = append(tests, f.elementOf(mask, transferMask(m, idx, shapeOf(mask.Type()))))
		}
	}
	inBounds := o.InBounds()
	for d, e := range m.Results {
		if e.Kind != ir.AffineDim {
			continue
		}
		pos[e.Value] = sum(pos[e.Value], idx[d])
		if d < len(inBounds) && inBounds[d] {
			continue
		}
		x := f.define("at", f.m.types.index(), pos[e.Value])
		pos[e.Value] = x
		tests = append(tests, x+" >= 0", x+" < "+r.sizes[e.Value])
	}
	opened := len(sizes)
	one := func(body func(at string)) {
		if row == 1 && len(rest) == 0 {
			body(linear)
			return
		}
		i := f.count(constant(row))
		body(sum(mul(linear, constant(row)), i))
		f.close()
	}
	if len(tests) > 0 {
		f.openf("if (%s)", strings.Join(tests, " && "))
		opened++
	}
	element := r.element(pos)
	one(func(at string) {
		memory := element
		if len(rest) > 0 {
			memory += ".e[" + lastCounter(at) + "]"
		}
		f.transfer(memory, name+".e["+at+"]", o.IsWrite())
	})
	if len(tests) > 0 && !o.IsWrite() {
		f.otherwise()
		one(func(at string) {
			f.linef("%s.e[%s] = %s;", name, at, f.elementOf(o.Padding(), lastCounter(at)))
		})
	}
	f.closeAll(opened)
}

// lastCounter returns the last name in a sum.
func lastCounter(at string) string { return at[strings.LastIndexByte(at, ' ')+1:] }

// transferMask returns the number of the element of a mask for the indices of a vector that is transferred.
func transferMask(m *ir.AffineMap, idx []string, shape []int64) string {
	at, j := "0", 0
	for d := range m.Dims {
		for i, e := range m.Results {
			if e.Kind == ir.AffineDim && e.Value == int64(d) {
				at = sum(mul(at, constant(shape[j])), idx[i])
				j++
				break
			}
		}
	}
	return at
}
