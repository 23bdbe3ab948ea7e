package check

import (
	"freehold/dialect/affine"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
)

// counted is a loop that is known to run some number of times, with its variable.
type counted struct {
	variable           *ir.Value
	lower, step, trips int64
}

// trips returns how often a loop runs from lower to below upper, as signed numbers, in
// positive steps. It doesn't know of loops that count beyond the largest number.
func trips(lower, upper, step int64, bits int) (int64, bool) {
	if step <= 0 || bits > 64 {
		return 0, false
	}
	if upper <= lower {
		return 0, true
	}
	largest := uint64(1)<<(bits-1) - 1
	// These are positive, and may be beyond the largest signed number.
	distance := uint64(upper) - uint64(lower)
	n := (distance-1)/uint64(step) + 1
	room := largest - uint64(lower)
	if n > room/uint64(step) || n > 1<<40 {
		return 0, false
	}
	return int64(n), true
}

// bounds returns the bounds of a loop, if they are constants.
func (a *analysis) bounds(fr *kernel.Frame, op *ir.Op) (counted, bool) {
	if !op.Is(scf.For) {
		return counted{}, false
	}
	o := scf.ForOp{Op: op}
	l, u, s := a.Get(fr, o.LowerBound()), a.Get(fr, o.UpperBound()), a.Get(fr, o.Step())
	if l.Kind != kernel.Integer || u.Kind != kernel.Integer || s.Kind != kernel.Integer {
		return counted{}, false
	}
	bits := 64 // of an index
	if t, ok := o.LowerBound().Type().(*ir.IntegerType); ok {
		bits = t.Width
	}
	n, ok := trips(l.Number, u.Number, s.Number, bits)
	return counted{o.InductionVar(), l.Number, s.Number, n}, ok
}

// regionConditions returns for each region successor the condition under which
// control goes there, from the operation itself (t is nil) or from a terminator.
func (a *analysis) regionConditions(fr *kernel.Frame, op, t *ir.Op, succs []interfaces.RegionSuccessor) []kernel.Lit {
	byCondition := func(c kernel.Lit, then *ir.Region) []kernel.Lit {
		out := make([]kernel.Lit, len(succs))
		for i, s := range succs {
			if out[i] = c.Not(); s.Region == then {
				out[i] = c
			}
		}
		return out
	}
	switch {
	case len(succs) == 1:
		return []kernel.Lit{kernel.Yes}
	case t == nil && op.Is(scf.If):
		return byCondition(a.Truth(fr, op.Operand(0)), op.RegionAt(0))
	case t != nil && t.Is(scf.Condition):
		return byCondition(a.Truth(fr, t.Operand(0)), op.RegionAt(1))
	case t == nil && op.Is(affine.If) && a.unroll:
		return byCondition(a.inSet(fr, op), op.RegionAt(0))
	case t == nil && op.Is(scf.IndexSwitch):
		if v := a.Get(fr, op.Operand(0)); v.Kind == kernel.Integer {
			taken := op.RegionAt(0)
			for i, c := range (scf.IndexSwitchOp{Op: op}).Cases() {
				if c == v.Number {
					taken = op.RegionAt(i + 1)
				}
			}
			return byCondition(kernel.Yes, taken)
		}
		if len(succs) == op.NumRegions() {
			return a.AnyCase(a.Get(fr, op.Operand(0)), (scf.IndexSwitchOp{Op: op}).Cases())
		}
	}
	return a.AnyOf(len(succs))
}
