package tile

import (
	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// dimension is one of a tensor.
type dimension struct {
	of *ir.Value
	at int
}

// sizes are those of tensors that only an execution knows, computed before the first step.
type sizes struct {
	after *ir.Op
	of    map[dimension]*ir.Op
	made  []*ir.Op
}

// size returns the size of a dimension.
func (s *sizes) size(d dimension) shapes.OpFoldResult {
	shape, _ := ir.ShapeOf(d.of.Type())
	if shape[d.at] != ir.Dynamic {
		return shapes.ConstSize(shape[d.at])
	}
	return shapes.SizeOf(s.value(d))
}

// value returns the size of a dimension as a value.
func (s *sizes) value(d dimension) *ir.Value {
	op := s.of[d]
	if op == nil {
		b := ir.NewBuilder(s.after.Context())
		b.SetAfter(s.after)
		b.Loc = s.after.Loc()
		op = tensor.NewDim(b, d.of, int64(d.at)).DefiningOp()
		s.of[d], s.made = op, append(s.made, op)
	}
	return op.Result(0)
}

// resolve puts the sizes of what operations of a block make from a place on in terms of what these operations are given, since they may be gone afterwards. It takes the time
// of as many sizes as there are on the way.
func (s *sizes) resolve(b *block, first int) {
	for left := s.made; len(left) > 0; {
		op := left[len(left)-1]
		left = left[:len(left)-1]
		def := tensor.DimOp{Op: op}.Source().DefiningOp()
		if at, here := b.at[def]; here && (at >= first || b.place[at]) {
			left = append(left, reified(op, def)...)
		}
	}
}

// reified replaces a size of the result of an operation by what that computes it from, and returns the sizes that are needed for it.
func reified(op, def *ir.Op) (needed []*ir.Op) {
	reify, ok := interfaces.ReifyShapes.Of(def)
	at, constant := tensor.DimOp{Op: op}.ConstantIndex()
	if !ok || !constant {
		return nil
	}
	b := ir.NewBuilder(op.Context())
	b.SetBefore(op)
	b.Loc = op.Loc()
	before := op.Prev()
	sizes := reify(b, def)
	if len(sizes) != 1 {
		return nil
	}
	op.Result(0).ReplaceAllUsesWith(arith.ValueOf(b, sizes[0][at]))
	for x := op.Prev(); x != before; {
		made := x
		x = x.Prev()
		switch {
		case !made.HasUses():
			made.Erase()
		case made.Is(tensor.Dim):
			needed = append(needed, made)
		}
	}
	number := tensor.DimOp{Op: op}.Index().DefiningOp()
	op.Erase()
	if !number.HasUses() {
		number.Erase()
	}
	return needed
}
