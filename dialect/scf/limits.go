package scf

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// counterLimits is the model of loops whose arguments count from constant bounds to constant bounds.
func counterLimits(bounds func(op *ir.Op, i int) (lower, upper, step shapes.OpFoldResult), counters func(op *ir.Op) int) ir.Model {
	return interfaces.CounterLimits.Model(func(op *ir.Op, arg *ir.Value) (lowest, highest int64, ok bool) {
		if arg.Index() >= counters(op) {
			return 0, 0, false
		}
		lower, upper, step := bounds(op, arg.Index())
		from, ok1 := lower.Int()
		to, ok2 := upper.Int()
		by, ok3 := step.Int()
		if !ok1 || !ok2 || !ok3 || by < 1 || to <= from || to-from < 0 || from < 0 && unsignedBounds(op) {
			return 0, 0, false
		}
		return from, to - 1 - (to-1-from)%by, true
	})
}

func forBounds(op *ir.Op, _ int) (lower, upper, step shapes.OpFoldResult) {
	o := ForOp{op}
	return shapes.SizeOf(o.LowerBound()), shapes.SizeOf(o.UpperBound()), shapes.SizeOf(o.Step())
}

func parallelBounds(op *ir.Op, i int) (lower, upper, step shapes.OpFoldResult) {
	o := ParallelOp{op}
	return shapes.SizeOf(o.LowerBounds().At(i)), shapes.SizeOf(o.UpperBounds().At(i)), shapes.SizeOf(o.Steps().At(i))
}

func forallBounds(op *ir.Op, i int) (lower, upper, step shapes.OpFoldResult) {
	o := ForallOp{op}
	return o.LowerBounds()[i], o.UpperBounds()[i], o.Steps()[i]
}

// unsignedBounds tells whether a loop compares its bounds as unsigned numbers. Those that aren't negative have the same order as signed ones.
func unsignedBounds(op *ir.Op) bool { return op.Is(For) && ForOp{op}.Unsigned() }
