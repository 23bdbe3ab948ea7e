package naive

import (
	"math/big"

	"freehold/dialect/vector"
	"freehold/ir"
)

// elementOf and setElement read and write an element of a tensor or memref.
func (f *frame) elementOf(op *ir.Op, v any, idx []int64) any {
	if m, ok := v.(*MemRef); ok {
		return f.load(op, m, idx)
	}
	t := v.(*Tensor)
	return t.at(f.inBounds(op, t, idx))
}

func (f *frame) setElement(op *ir.Op, v any, idx []int64, x any) any {
	if m, ok := v.(*MemRef); ok {
		f.store(op, m, idx, x)
		return m
	}
	t := v.(*Tensor)
	f.inBounds(op, t, idx)
	return t.with(func(set func([]int64, any)) { set(idx, x) })
}

// elementAt reads the element that lies k elements behind one: in memory, or in row-major order.
func (f *frame) elementAt(op *ir.Op, v any, idx []int64, k int64) any {
	if m, ok := v.(*MemRef); ok {
		return f.loadFrom(m, f.address(op, m, idx, k))
	}
	t := v.(*Tensor)
	for i, s := range rowMajor(t.Sizes) {
		k += idx[i] * s
	}
	if k < 0 || k >= int64(len(t.Elems)) {
		f.wrong(op, OutOfBounds, "element %d of %d", k, len(t.Elems))
	}
	return t.Elems[k]
}

func (f *frame) setAt(op *ir.Op, m *MemRef, idx []int64, k int64, x any) {
	f.storeTo(op, m, f.address(op, m, idx, k), x)
}

// lastStride returns how many elements further the next one in the last dimension is.
func lastStride(v any) int64 {
	if m, ok := v.(*MemRef); ok && len(m.Strides) > 0 {
		return m.Strides[len(m.Strides)-1]
	}
	return 1
}

func sizesOf(v any) []int64 {
	if m, ok := v.(*MemRef); ok {
		return m.Sizes
	}
	return v.(*Tensor).Sizes
}

// transferPoints calls fn for the elements of a vector that is transferred, with the place
// of each, and whether it is inside of the bounds. Elements that the mask leaves out have
// no place.
func (f *frame) transferPoints(op *ir.Op, sizes []int64, source any, fn func(idx, place []int64, inside bool)) {
	o := vector.TransferOp{Op: op}
	if ir.IsShaped(ir.ElementType(o.Source().Type())) {
		panic(ErrUnknown) // elements that are vectors
	}
	first := f.numbers(op, o.Indices().Values())
	m := o.PermutationMap()
	masks := []*Tensor{f.masked(op)}
	if v := o.Mask(); v != nil {
		masks = append(masks, f.get(v).(*Tensor))
	}
	n := sizesOf(source)
	points(sizes, func(idx []int64) {
		place := append([]int64(nil), first...)
		var inMask []int64
		for r, e := range m.Results {
			if e.Kind == ir.AffineDim {
				place[e.Value] += idx[r]
			}
		}
		// A mask has the order of the memory's dimensions, without broadcast ones.
		for d := range m.Dims {
			for r, e := range m.Results {
				if e.Kind == ir.AffineDim && int(e.Value) == d {
					inMask = append(inMask, idx[r])
				}
			}
		}
		for _, mask := range masks {
			if mask != nil && !enabled(mask, inMask) {
				fn(idx, nil, false)
				return
			}
		}
		inside := true
		for i, x := range place {
			inside = inside && x >= 0 && x < n[i]
		}
		fn(idx, place, inside)
	})
}

// promisedInside stops where an element is accessed that isn't in bounds: along a dimension
// that is promised to be, or along which the vector doesn't extend, or before the first one.
// What is beyond the end of another dimension isn't accessed.
func (f *frame) promisedInside(op *ir.Op, source any, place []int64) {
	o := vector.TransferOp{Op: op}
	promised := make([]bool, len(place))
	for d := range promised {
		promised[d] = true
	}
	for r, e := range o.PermutationMap().Results {
		if e.Kind == ir.AffineDim {
			promised[e.Value] = o.InBounds()[r]
		}
	}
	accessed, broken := true, false
	for d, x := range place {
		switch {
		case x < 0:
			broken = true
		case x >= sizesOf(source)[d]:
			accessed = accessed && promised[d]
			broken = broken || promised[d]
		}
	}
	if accessed && broken {
		f.wrong(op, OutOfBounds, "an index is out of bounds")
	}
}

func (f *frame) mask(op *ir.Op, group int) *Tensor {
	return f.get(op.OperandGroup(group)[0].Value()).(*Tensor)
}

func vectorMemory() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"vector.transfer_read": func(f *frame, op *ir.Op) {
			o := vector.TransferOp{Op: op}
			t := vectorType(op.Result(0).Type())
			source, padding := f.get(o.Source()), f.get(o.Padding())
			elems := map[string]any{}
			f.transferPoints(op, t.Shape, source, func(idx, place []int64, inside bool) {
				v := padding
				if place != nil {
					f.promisedInside(op, source, place)
				}
				if inside {
					v = f.elementOf(op, source, place)
				}
				elems[key(idx)] = v
			})
			f.set(op, 0, build(t.Elem, t.Shape, func(idx []int64) any { return elems[key(idx)] }))
		},
		"vector.transfer_write": func(f *frame, op *ir.Op) {
			o := vector.TransferOp{Op: op}
			v, dst := f.tensor(op, 0), f.get(o.Source())
			f.transferPoints(op, v.Sizes, dst, func(idx, place []int64, inside bool) {
				if place != nil {
					f.promisedInside(op, dst, place)
				}
				if inside {
					dst = f.setElement(op, dst, place, v.at(idx))
				}
			})
			if op.NumResults() > 0 {
				f.set(op, 0, dst)
			}
		},
		"vector.load": func(f *frame, op *ir.Op) {
			m, at := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			if ir.IsShaped(m.Type) {
				panic(ErrUnknown)
			}
			f.made(op, 0, func(idx []int64) any { return f.elementAt(op, m, plusLast(at, idx), 0) })
		},
		"vector.store": func(f *frame, op *ir.Op) {
			v, m, at := f.tensor(op, 0), f.memref(op, 1), f.numbers(op, op.OperandGroup(2).Values())
			if ir.IsShaped(m.Type) {
				panic(ErrUnknown)
			}
			points(v.Sizes, func(idx []int64) { f.setAt(op, m, plusLast(at, idx), 0, v.at(idx)) })
		},
		"vector.maskedload": func(f *frame, op *ir.Op) {
			m, at := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			mask, pass := f.mask(op, 2), f.mask(op, 3)
			f.made(op, 0, func(idx []int64) any {
				if enabled(mask, idx) {
					return f.elementAt(op, m, at, idx[0])
				}
				return pass.at(idx)
			})
		},
		"vector.expandload": func(f *frame, op *ir.Op) {
			m, at := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			mask, pass := f.mask(op, 2), f.mask(op, 3)
			k := int64(0)
			f.made(op, 0, func(idx []int64) any {
				if !enabled(mask, idx) {
					return pass.at(idx)
				}
				k++
				return f.elementAt(op, m, at, k-1)
			})
		},
		"vector.maskedstore": func(f *frame, op *ir.Op) {
			m, at := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			mask, v := f.mask(op, 2), f.mask(op, 3)
			points(v.Sizes, func(idx []int64) {
				if enabled(mask, idx) {
					f.setAt(op, m, at, idx[0], v.at(idx))
				}
			})
		},
		"vector.compressstore": func(f *frame, op *ir.Op) {
			m, at := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			mask, v := f.mask(op, 2), f.mask(op, 3)
			k := int64(0)
			points(v.Sizes, func(idx []int64) {
				if enabled(mask, idx) {
					f.setAt(op, m, at, k, v.at(idx))
					k++
				}
			})
		},
		"vector.gather": func(f *frame, op *ir.Op) {
			src, at := f.operand(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			idxs, mask, pass := f.mask(op, 2), f.mask(op, 3), f.mask(op, 4)
			around := f.masked(op)
			f.made(op, 0, func(idx []int64) any {
				if !enabled(mask, idx) || !enabled(around, idx) {
					return pass.at(idx)
				}
				k := signed(f.defined(op, idxs.at(idx)), width(idxs.Type)).Int64()
				return f.elementAt(op, src, at, k*lastStride(src))
			})
		},
		"vector.scatter": func(f *frame, op *ir.Op) {
			m, at := f.memref(op, 0), f.numbers(op, op.OperandGroup(1).Values())
			idxs, mask, v := f.mask(op, 2), f.mask(op, 3), f.mask(op, 4)
			around := f.masked(op)
			points(v.Sizes, func(idx []int64) {
				if enabled(mask, idx) && enabled(around, idx) {
					k := signed(f.defined(op, idxs.at(idx)), width(idxs.Type)).Int64()
					f.setAt(op, m, at, k*lastStride(m), v.at(idx))
				}
			})
		},
	}
}

func key(idx []int64) string {
	s := ""
	for _, x := range idx {
		s += big.NewInt(x).String() + ","
	}
	return s
}
