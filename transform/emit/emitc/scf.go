package emitc

import (
	"strconv"

	"fmt"

	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/shapes"
)

func scfEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		scf.For:           emitFor,
		scf.If:            emitIf,
		scf.While:         emitWhile,
		scf.Parallel:      emitParallel,
		scf.Forall:        emitForall,
		scf.IndexSwitch:   emitIndexSwitch,
		scf.ExecuteRegion: emitExecuteRegion,
	}
}

func scoped(op *ir.Op) bool { return op.Has(ir.TraitAutomaticAllocationScope) }

// results declares a variable for each result of an operation with regions.
func (f *function) results(op *ir.Op) []*ir.Value {
	f.variables(op, op.Results().Values(), nil)
	return op.Results().Values()
}

func emitExecuteRegion(f *function, op *ir.Op) {
	results := f.results(op)
	f.openf("")
	f.body(op, op.RegionAt(0), scoped(op), f.yields(op, results))
	f.close()
}

// loop opens a loop from a lower to below an upper bound.
func (f *function) loop(op *ir.Op, iv *ir.Value, lower, upper, step string, unsigned bool) {
	t := iv.Type()
	c := f.ctype(op, t)
	name := f.names.fresh("i")
	f.scalars[iv] = name
	if t != ir.Type(ir.Index) || unsigned || !f.m.staysInRange(upper, step) {
		// The number of iterations is counted, so that the counter may pass the end of its range.
		m := f.m
		n := f.names.fresh("trips")
		lo, hi, by := m.signed(t, lower), m.signed(t, upper), m.signed(t, step)
		if unsigned {
			lo, hi = m.natural(t, lower), m.natural(t, upper)
		}
		f.linef("%s = %s;", declaration(c, name), lower)
		span := "(uint64_t)" + factor(hi)
		if lo != "0" {
			span += " - (uint64_t)" + factor(lo)
		}
		f.openf("for (uint64_t %s = %s < %s ? (%s - 1) / (uint64_t)%s + 1 : 0; %s > 0; %s--, %s = %s)",
			n, lo, hi, span, factor(by), n, n, name, m.wrapped(t, m.wide(t, name)+" + "+m.wide(t, step)))
		return
	}
	next := name + " += " + step
	if step == "1" {
		next = name + "++"
	}
	f.openf("for (%s %s = %s; %s < %s; %s)", c, name, lower, name, upper, next)
}

// staysInRange tells whether a counter that is below upper can't pass the end of the range of index by one more step.
func (m *module) staysInRange(upper, step string) bool {
	by, err := strconv.ParseInt(step, 10, 64)
	if err != nil || by == 1 {
		return err == nil
	}
	end, err := strconv.ParseInt(upper, 10, 64)
	return err == nil && by > 0 && end <= 1<<(m.o.IndexBits-1)-1-by
}

func emitFor(f *function, op *ir.Op) {
	o := scf.ForOp{Op: op}
	f.carried(op, o.Inits().Values(), o.IterArgs())
	f.loop(op, o.InductionVar(), f.value(o.LowerBound()), f.value(o.UpperBound()), f.value(o.Step()), o.Unsigned())
	f.body(op, op.RegionAt(0), scoped(op), f.yields(op, o.IterArgs()))
	f.close()
	f.left(op, o.IterArgs())
}

// carried declares the variables that carry values from one iteration to the next.
func (f *function) carried(op *ir.Op, inits, args []*ir.Value) { f.variables(op, args, inits) }

// left makes the results of a loop what its variables hold at the end.
func (f *function) left(op *ir.Op, args []*ir.Value) {
	for i, a := range args {
		f.bind(op.Result(i), f.variableOf(a))
	}
}

func emitIf(f *function, op *ir.Op) {
	results := f.results(op)
	f.openf("if (%s)", f.value(scf.IfOp{Op: op}.Condition()))
	f.body(op, op.RegionAt(0), scoped(op), f.yields(op, results))
	if !op.RegionAt(1).Empty() && !isEmpty(op.RegionAt(1)) {
		f.otherwise()
		f.body(op, op.RegionAt(1), scoped(op), f.yields(op, results))
	}
	f.close()
}

// isEmpty tells whether a region does nothing.
func isEmpty(r *ir.Region) bool {
	return r.NumBlocks() == 1 && r.Entry().First() == r.Entry().Last() && r.Entry().Last().NumOperands() == 0
}

// otherwise closes a block and opens the one for else.
func (f *function) otherwise() {
	f.indent--
	f.line("} else {")
	f.indent++
}

func emitWhile(f *function, op *ir.Op) {
	o := scf.WhileOp{Op: op}
	results := f.results(op)
	f.carried(op, o.Inits().Values(), o.Before().Args())
	for i, a := range o.After().Args() {
		f.bind(a, f.variableOf(results[i]))
	}
	f.openf("for (;;)")
	f.region(op, op.RegionAt(0), func(t *ir.Op) {
		c := scf.ConditionOp{Op: t}
		goOn := f.value(c.Condition())
		if f.isVariableOf(goOn, results) {
			goOn = f.define("go_on", "uint8_t", goOn)
		}
		f.move(op, c.Args().Values(), results)
		f.linef("if (!%s) break;", factor(goOn))
	})
	f.region(op, op.RegionAt(1), f.yields(op, o.Before().Args()))
	f.close()
}

// isVariableOf tells whether an expression is the variable of one of the values.
func (f *function) isVariableOf(e string, values []*ir.Value) bool {
	for _, v := range values {
		if f.variableOf(v) == e {
			return true
		}
	}
	return false
}

// nestOf opens a loop for each dimension, and returns how many there are.
func (f *function) nestOf(op *ir.Op, ivs []*ir.Value, lower, upper, steps []shapes.OpFoldResult) int {
	// The bounds are those of the beginning.
	lo, hi, by := f.sizeExprs(lower), f.sizeExprs(upper), f.sizeExprs(steps)
	for i, v := range ivs {
		f.loop(op, v, lo[i], hi[i], by[i], false)
	}
	return len(ivs)
}

func (f *function) closeAll(n int) {
	for range n {
		f.close()
	}
}

func mixed(operands ir.Operands) []shapes.OpFoldResult {
	out := make([]shapes.OpFoldResult, len(operands))
	for i := range operands {
		out[i] = shapes.SizeOf(operands.At(i))
	}
	return out
}

func emitForall(f *function, op *ir.Op) {
	o := scf.ForallOp{Op: op}
	if op.NumResults() > 0 {
		f.fail(op, "%s", whyNot(op))
	}
	n := f.nestOf(op, o.InductionVars(), o.LowerBounds(), o.UpperBounds(), o.Steps())
	if n == 0 {
		f.openf("")
		n = 1
	}
	f.body(op, op.RegionAt(0), scoped(op), func(*ir.Op) {})
	f.closeAll(n)
}

func emitParallel(f *function, op *ir.Op) {
	o := scf.ParallelOp{Op: op}
	f.variables(op, op.Results().Values(), o.Inits().Values())
	n := f.nestOf(op, o.InductionVars(), mixed(o.LowerBounds()), mixed(o.UpperBounds()), mixed(o.Steps()))
	f.body(op, op.RegionAt(0), scoped(op), func(t *ir.Op) {
		for i := range t.NumOperands() {
			f.reduce(op, t, i)
		}
	})
	f.closeAll(n)
}

// reduce writes one reduction at the end of an iteration of scf.parallel.
func (f *function) reduce(op, t *ir.Op, i int) {
	total := op.Result(i)
	b := t.BodyBlock(i)
	if b == nil || b.NumArgs() != 2 {
		f.fail(t, "its structure is not supported")
	}
	f.openf("")
	f.alias(b.Arg(0), total)
	f.alias(b.Arg(1), t.Operand(i))
	f.region(t, t.RegionAt(i), f.yields(t, []*ir.Value{total}))
	f.close()
}

// alias makes a value another name of one that doesn't change while it is used.
func (f *function) alias(v, of *ir.Value) {
	if r := f.memrefs[of]; r != nil {
		f.memrefs[v] = r
		return
	}
	f.scalars[v] = f.value(of)
}

func emitIndexSwitch(f *function, op *ir.Op) {
	o := scf.IndexSwitchOp{Op: op}
	results := f.results(op)
	f.openf("switch (%s)", f.value(o.Arg()))
	one := func(head string, r *ir.Region) {
		f.openf("%s", head)
		f.body(op, r, scoped(op), f.yields(op, results))
		f.line("break;")
		f.close()
	}
	for i, n := range o.Cases() {
		one(fmt.Sprintf("case %s:", constant(n)), op.RegionAt(i+1))
	}
	one("default:", op.RegionAt(0))
	f.close()
}
