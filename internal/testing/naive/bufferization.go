package naive

import (
	"math/big"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/shapes"
)

func bufferOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"bufferization.alloc_tensor": func(f *frame, op *ir.Op) {
			if start, n := op.OperandGroupRange(1); n == 1 {
				f.set(op, 0, f.operand(op, start))
				return
			}
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			f.set(op, 0, undefined(ir.ElementType(op.Result(0).Type()), f.mixed(op, shapes.Mixed(shape, op.OperandGroup(0).Values()))))
		},
		"bufferization.dealloc_tensor": func(*frame, *ir.Op) {},
		"bufferization.clone": func(f *frame, op *ir.Op) {
			src := f.memref(op, 0)
			m := NewMemRef(f.contents(op, src))
			f.fitsType(op, m.Sizes)
			f.onHeap(m.Memory)
			f.set(op, 0, m)
		},
		"bufferization.to_tensor": func(f *frame, op *ir.Op) { f.set(op, 0, f.contents(op, f.memref(op, 0))) },
		"bufferization.to_memref": func(f *frame, op *ir.Op) {
			m := NewMemRef(f.tensor(op, 0))
			m.Memory.readOnly = op.Attr(bufferization.ReadOnlyAttr) != nil
			f.set(op, 0, m)
		},
		"bufferization.materialize_in_destination": func(f *frame, op *ir.Op) {
			if m, ok := f.operand(op, 1).(*MemRef); ok {
				f.copyElements(op, m, NewMemRef(f.tensor(op, 0)))
				return
			}
			if !equal(f.tensor(op, 0).Sizes, f.tensor(op, 1).Sizes) {
				f.wrong(op, SizeMismatch, "a destination of another size")
			}
			f.set(op, 0, f.operand(op, 0))
		},
		// What is owned is freed once, unless it is retained.
		"bufferization.dealloc": func(f *frame, op *ir.Op) {
			memrefs, conditions, retained := op.OperandGroup(0), op.OperandGroup(1), op.OperandGroup(2)
			kept := map[*Memory]bool{}
			owned := map[*Memory]*MemRef{} // by what sees them first
			for i := range memrefs {
				m := f.get(memrefs[i].Value()).(*MemRef)
				if f.defined(op, f.get(conditions[i].Value())).Sign() != 0 && owned[m.Memory] == nil {
					owned[m.Memory] = m
				}
			}
			for i := range retained {
				m := f.get(retained[i].Value()).(*MemRef).Memory
				kept[m] = true
				f.set(op, i, new(big.Int).Set(truth(owned[m] != nil)))
			}
			for m, by := range owned {
				if !kept[m] {
					f.free(op, by)
				}
			}
		},
	}
}
