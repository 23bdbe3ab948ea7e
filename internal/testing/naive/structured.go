package naive

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// structured executes an operation with indexing maps: for each point of the iteration
// space, in order, it reads an element of each operand, executes the body, and writes the
// elements of all results.
func (f *frame) structured(op *ir.Op) {
	maps, iters := interfaces.IndexingMaps(op), interfaces.Iterators(op)
	first := op.NumOperands() - len(interfaces.DpsInits(op))
	body := op.BodyBlock(0)
	if len(maps) != op.NumOperands() || body == nil {
		panic(fmt.Errorf("%s: %w", op.Name(), ErrUnknown))
	}
	// Each result is a place of its own: a copy of the tensor, or the buffer itself.
	operands := f.all(op)
	for i := first; i < len(operands); i++ {
		if t, ok := operands[i].(*Tensor); ok {
			operands[i] = &Tensor{t.Type, t.Sizes, append([]any(nil), t.Elems...)}
		}
	}
	// The sizes of the space are those of the dimensions that a map gives as they are.
	sizes := make([]int64, len(iters))
	for i := range sizes {
		sizes[i] = -1
	}
	shape := func(v any) []int64 {
		switch v := v.(type) {
		case *Tensor:
			return v.Sizes
		case *MemRef:
			return v.Sizes
		}
		return nil
	}
	for i, m := range maps {
		for r, e := range m.Results {
			if e.Kind == ir.AffineDim && shape(operands[i]) != nil {
				n := shape(operands[i])[r]
				if sizes[e.Value] >= 0 && sizes[e.Value] != n {
					f.wrong(op, SizeMismatch, "operands of different sizes")
				}
				sizes[e.Value] = n
			}
		}
	}
	for _, n := range sizes {
		if n < 0 {
			panic(fmt.Errorf("%s: %w", op.Name(), ErrUnknown))
		}
	}
	points(sizes, func(idx []int64) {
		if f.steps -= 4; f.steps < 0 {
			panic(ErrSteps)
		}
		at := make([][]int64, len(maps))
		args := make([]any, len(maps))
		for i, m := range maps {
			args[i] = operands[i]
			for r, e := range m.Results {
				x, ok := e.Eval(idx, nil)
				if !ok || shape(operands[i]) != nil && (x < 0 || x >= shape(operands[i])[r]) {
					f.wrong(op, OutOfBounds, "an index is out of bounds")
				}
				at[i] = append(at[i], x)
			}
			switch v := operands[i].(type) {
			case *Tensor:
				if ir.IsTensor(op.Operand(i).Type()) { // a vector is read as a whole
					args[i] = v.at(at[i])
				}
			case *MemRef:
				args[i] = f.load(op, v, at[i])
			}
			if i < len(body.Args()) && computesWith(op, body.Arg(i)) && (args[i] == Undefined{}) && (ir.IsTensor(op.Operand(i).Type()) || ir.IsMemRef(op.Operand(i).Type())) {
				f.wrong(op, Uninitialized, "an undefined element is read")
			}
		}
		f.index = append(f.index, idx)
		yields := f.region(op.RegionAt(0), args)
		f.index = f.index[:len(f.index)-1]
		for k, v := range yields {
			switch o := operands[first+k].(type) {
			case *Tensor:
				o.Elems[o.position(at[first+k])] = v
			case *MemRef:
				f.store(op, o, at[first+k], v)
			}
		}
	})
	for k := range op.NumResults() {
		f.set(op, k, operands[first+k])
	}
}

// computesWith tells whether the body does anything with an argument but yield it.
func computesWith(op *ir.Op, arg *ir.Value) bool {
	for _, u := range arg.Uses() {
		if u.Owner() != op.BodyBlock(0).Last() {
			return true
		}
	}
	return false
}
