package emitc

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
)

// level tells how many loops must be open before a value of the body is known. Only computations with floating-point numbers are known before all of
// them are, as they have no meaning that depends on whether the loops have iterations.
func (n *nest) level(v *ir.Value) int {
	body := n.op.BodyBlock(0)
	if v.ArgOwner() == body {
		for k, o := range n.operands {
			switch {
			case o.arg != v:
			case o.r == nil:
				return 0
			case k < n.inits:
				return n.depth(o)
			}
		}
		return len(n.loops)
	}
	op := v.DefiningOp()
	if op == nil || op.Block() != body {
		return 0
	}
	if !hoistable(op) {
		return len(n.loops)
	}
	level := 0
	for _, x := range op.Operands().Values() {
		level = max(level, n.level(x))
	}
	return level
}

// hoistable tells whether an operation may be done before it is known that the innermost loops have iterations.
func hoistable(op *ir.Op) bool {
	if operations().scalars[op.ID()] == nil || !ir.IsFloat(op.Result(0).Type()) {
		return false
	}
	return !slices.ContainsFunc(op.Operands().Values(), func(v *ir.Value) bool { return !ir.IsFloat(v.Type()) })
}

// isHoisted tells whether an operation of the body is written before the innermost loop.
func (n *nest) isHoisted(op *ir.Op) bool {
	return n.free && hoistable(op) && n.level(op.Result(0)) < len(n.loops)
}

// hoist writes what the body computes that is known with so many loops open.
func (n *nest) hoist(level int) {
	if !n.free || level == len(n.loops) {
		return
	}
	for op := range n.op.BodyBlock(0).Ops() {
		if hoistable(op) && n.level(op.Result(0)) == level {
			n.f.operation(op)
			n.hoisted = append(n.hoisted, op)
		}
	}
}

// hoists tells whether something costly leaves the innermost loop of a nest in which nothing that is written overlaps what is read.
func (n *nest) hoists() bool {
	for op := range n.op.BodyBlock(0).Ops() {
		costly := op.Is(arith.DivF) || op.Dialect() == math.Dialect && operations().scalars[op.ID()] != nil
		if costly && hoistable(op) && n.level(op.Result(0)) < len(n.loops) {
			return true
		}
	}
	return false
}

// ifApart returns the nest as it were if nothing that is written overlapped what is read.
func (n *nest) ifApart() *nest {
	free := *n
	free.free, free.loops = true, slices.Clone(n.loops)
	free.arrange()
	return &free
}
