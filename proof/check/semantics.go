package check

import (
	"freehold/dialect/affine"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
	"freehold/proof/models"
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
	n := rounds(lower, upper, step)
	room := largest - uint64(lower)
	if n > room/uint64(step) || n > maxIterations {
		return 0, false
	}
	return int64(n), true
}

// maxIterations limits the iterations that are counted.
const maxIterations = 1 << 40

// rounds returns how often a loop runs from lower to below upper, which is greater, in positive steps, if no number wraps.
func rounds(lower, upper, step int64) uint64 {
	// The distance is positive, and may be beyond the largest signed number.
	return (uint64(upper)-uint64(lower)-1)/uint64(step) + 1
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
	if o.Unsigned() && min(l.Number, u.Number) < 0 {
		return counted{}, false // the order is another one
	}
	bits := 64 // of an index
	if t, ok := o.LowerBound().Type().(*ir.IntegerType); ok {
		bits = t.Width
	}
	n, ok := trips(l.Number, u.Number, s.Number, bits)
	return counted{o.InductionVar(), l.Number, s.Number, n}, ok
}

// runsOnce tells whether a loop is known to run just once, so that it is proved like what is executed in a row. Where it is looked for a
// path, and where all loops are executed step by step, it makes no difference.
func (a *analysis) runsOnce(fr *kernel.Frame, op *ir.Op) bool {
	if a.unroll || fr.Unroll {
		return false
	}
	b, ok := models.Bounds(a.Machine, fr, op)
	return ok && b.Trips == 1
}

// counts tells whether a loop is to carry whether there was an iteration before, so that it is known when its counter is the first one, and
// whether it ran at all. It takes an attempt of its own, since what follows the loop depends on a condition more. It is so whenever the loop is
// followed, also step by step.
func (a *analysis) counts(fr *kernel.Frame, op *ir.Op) bool {
	if a.unroll || !models.MayCount(op) {
		return false
	}
	a.countable = true
	if a.counting {
		a.notes.counts(fr, op)
	}
	return a.counting
}

// regionConditions returns for each region successor the condition under which
// control goes there, from the operation itself, or from a terminator t.
func (a *analysis) regionConditions(fr *kernel.Frame, op, t *ir.Op, succs []interfaces.RegionSuccessor) []kernel.Lit {
	if t == op && op.Is(affine.If) && a.unroll {
		a.knowSet(fr, op)
	}
	return models.RegionConditions(a.Machine, fr, op, t, succs)
}
