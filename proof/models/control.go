package models

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	"freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	testd "freehold/dialect/testd"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
)

// assert continues only where the condition holds.
func assert(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	fr.Cond = v.F.And(fr.Cond, v.Truth(fr, op.Operands().At(0)))
	return true
}

// IsModule tells whether an operation is a module: its body is no code.
func IsModule(op *ir.Op) bool { return op.Is(builtin.Module) }

// IsFunction tells whether an operation is a function with code.
func IsFunction(op *ir.Op) bool { return op.Is(funcd.Func) }

// IsGlobal tells whether an operation declares a global buffer.
func IsGlobal(op *ir.Op) bool { return op.Is(memref.Global) }

// IsCall tells whether an operation calls a function.
func IsCall(op *ir.Op) bool { return interfaces.Call.Has(op) && kernel.Dialect(op) == "func" }

// PassesControl tells whether an operation that has regions passes control to them just as its interface says.
func PassesControl(op *ir.Op) bool {
	switch kernel.Dialect(op) {
	case "scf", "shape":
		return true
	case "affine":
		return !op.Is(affine.Parallel)
	}
	return op.Is(memref.AllocaScope) || op.Is(testd.RegionIf)
}

// Terminates tells whether an operation at the end of a block passes control and values on as its interfaces say.
func Terminates(t *ir.Op) bool {
	if !slices.Contains([]string{"affine", "cf", "func", "linalg", "memref", "scf", "shape", "test", "vector"}, kernel.Dialect(t)) {
		return false
	}
	return t.NumSuccessors() > 0 || t.NumRegions() > 0 || interfaces.IsRegionTerminator(t) || t.Is(memref.AtomicYield) || t.Is(scf.ReduceReturn)
}

// BranchConditions returns the conditions under which control goes to each successor of a
// terminator.
func BranchConditions(v *kernel.Machine, fr *kernel.Frame, t *ir.Op) []kernel.Lit {
	switch {
	case t.NumSuccessors() == 1:
		return []kernel.Lit{kernel.Yes}
	case t.Is(cf.CondBranch):
		c := v.Truth(fr, cf.CondBranchOp{Op: t}.Condition())
		return []kernel.Lit{c, c.Not()}
	case t.Is(cf.Switch):
		if out := AnyCase(v, v.Get(fr, cf.SwitchOp{Op: t}.Flag()), switchCases(t)); len(out) == t.NumSuccessors() {
			return out
		}
	}
	return v.AnyOf(t.NumSuccessors())
}

// AnyCase returns the conditions that a number is none of the cases, and that it is each.
func AnyCase(v *kernel.Machine, x kernel.Value, cases []int64) []kernel.Lit {
	out, rest := []kernel.Lit{kernel.No}, kernel.Yes
	for _, c := range cases {
		y := kernel.Constant(c)
		if x.Kind == kernel.Boolean {
			y = kernel.TruthOf(kernel.LitOf(c != 0))
		}
		is := v.Compare(kernel.Signed, kernel.Equal, x, y)
		out = append(out, v.F.And(rest, is))
		rest = v.F.And(rest, is.Not())
	}
	out[0] = rest
	return out
}

// switchCases returns the numbers that a switch looks for.
func switchCases(t *ir.Op) (out []int64) {
	values, _ := t.Attr("case_values").(*ir.DenseElementsAttr)
	for i := int64(0); values != nil && i < values.Len(); i++ {
		n, ok := values.Elem(t.Context(), i).(*ir.IntegerAttr)
		if !ok || n.Big != nil {
			return nil
		}
		out = append(out, n.Value)
	}
	return out
}

// RegionConditions returns the conditions under which control goes to each successor, from
// the operation, or from a terminator t.
func RegionConditions(v *kernel.Machine, fr *kernel.Frame, op, t *ir.Op, succs []interfaces.RegionSuccessor) []kernel.Lit {
	var c kernel.Lit
	var then *ir.Region
	switch {
	case len(succs) == 1:
		return []kernel.Lit{kernel.Yes}
	case t == op && op.Is(scf.If):
		c, then = v.Truth(fr, scf.IfOp{Op: op}.Condition()), op.RegionAt(0)
	case t == op && op.Is(affine.If):
		c, then = InSet(v, fr, op), op.RegionAt(0)
	case t != nil && t.Is(scf.Condition):
		c, then = v.Truth(fr, scf.ConditionOp{Op: t}.Condition()), op.RegionAt(1)
	case t == op && op.Is(scf.IndexSwitch) && len(succs) == op.NumRegions():
		return AnyCase(v, v.Get(fr, scf.IndexSwitchOp{Op: op}.Arg()), (scf.IndexSwitchOp{Op: op}).Cases())
	}
	if then == nil || len(succs) != 2 || (succs[0].Region == then) == (succs[1].Region == then) {
		return v.AnyOf(len(succs))
	}
	if succs[0].Region == then {
		return []kernel.Lit{c, c.Not()}
	}
	return []kernel.Lit{c.Not(), c}
}

// InSet returns the condition that numbers are in the set of an affine.if: the same one for the same numbers.
func InSet(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) kernel.Lit {
	key := "in " + op.Attr(affine.ConditionAttr).String()
	for _, x := range v.GetAll(fr, op.Operands()) {
		id := kernel.Identity(x)
		if id == "" {
			return v.F.Variable()
		}
		key += id
	}
	return v.SameFor(key, func() kernel.Value { return v.Fresh(kernel.Boolean) }).Truth
}

// MayCount tells whether an operation is a loop that counts signed numbers, as large as an index.
func MayCount(op *ir.Op) bool {
	o := scf.ForOp{Op: op}
	return op.Is(scf.For) && !o.Unsigned() && HoldsAddress(o.LowerBound().Type())
}

// Counts returns the number from which a loop counts up, and the condition that it runs at all; false for other loops. Executions count
// iterations, so that no number wraps around.
func Counts(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) (lower kernel.Value, runs kernel.Lit, ok bool) {
	o := scf.ForOp{Op: op}
	if !MayCount(op) {
		return lower, runs, false
	}
	lower = v.Get(fr, o.LowerBound())
	step := v.Get(fr, o.Step())
	return lower, v.Compare(kernel.Signed, kernel.Less, lower, v.Get(fr, o.UpperBound())), step.Kind != kernel.Integer || step.Number > 0
}

// Counted is how a loop counts.
type Counted struct{ Lower, Step, Trips int64 }

// Bounds returns how a loop counts, if its bounds are constants and no number that it counts
// wraps: as signed numbers, in positive steps.
func Bounds(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) (c Counted, ok bool) {
	if !op.Is(scf.For) {
		return c, false
	}
	l, u, s := v.Get(fr, scf.ForOp{Op: op}.LowerBound()), v.Get(fr, scf.ForOp{Op: op}.UpperBound()), v.Get(fr, scf.ForOp{Op: op}.Step())
	if l.Kind != kernel.Integer || u.Kind != kernel.Integer || s.Kind != kernel.Integer || s.Number <= 0 {
		return c, false
	}
	if (scf.ForOp{Op: op}).Unsigned() && min(l.Number, u.Number) < 0 {
		return c, false // the order is another one
	}
	const limit = 1 << 30
	if u.Number <= l.Number {
		return Counted{l.Number, s.Number, 0}, true
	}
	if t := (scf.ForOp{Op: op}).LowerBound().Type(); t != ir.Type(ir.Index) && t != ir.Type(ir.I64) || min(l.Number, u.Number) < -limit || max(l.Number, u.Number, s.Number) > limit {
		return c, false
	}
	return Counted{l.Number, s.Number, (u.Number-l.Number-1)/s.Number + 1}, true
}
