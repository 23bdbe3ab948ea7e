package twin

import (
	"fmt"

	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// outline makes private functions of runs of operations in the entry blocks of functions: what is defined before becomes their arguments,
// and what is needed later their results. Constants come first, and stay: which buffer is returned may depend on one, and no pass asks what constants a call returns.
func outline(module *ir.Op, choose func(n int) int) (n int) {
	var entries []*ir.Block
	for op := range module.BodyBlock(0).Ops() {
		if b := op.BodyBlock(0); op.Is(funcd.Func) && b != nil {
			entries = append(entries, b)
		}
	}
	for _, b := range entries {
		var ops, constants []*ir.Op
		for op := range b.Ops() {
			switch {
			case op == b.Last():
			case op.Has(ir.TraitConstantLike):
				constants = append(constants, op)
			default:
				ops = append(ops, op)
			}
		}
		for first := 0; first < len(ops); {
			size := 1 + choose(6)
			run := ops[first:min(first+size, len(ops))]
			if choose(3) > 0 && movable(run) {
				for _, op := range constants {
					if op != b.First() {
						op.MoveBefore(b.First())
					}
				}
				constants = nil
				outlineRun(module, run, fmt.Sprintf("outlined_%d", n))
				n++
			}
			first += len(run)
		}
	}
	return n
}

// movable tells whether operations may be in another function: memory on the stack ends with it, and owners and tokens are only
// understood where they are.
func movable(run []*ir.Op) bool {
	for _, op := range run {
		effects, known := interfaces.EffectsOf(op)
		if !known && op.NumRegions() == 0 && !interfaces.Call.Has(op) || op.NumSuccessors() > 0 {
			return false
		}
		for _, e := range effects {
			if e.Kind == interfaces.Allocate && e.On() == interfaces.AutomaticAllocationScopeResource {
				return false
			}
		}
	}
	return true
}

func outlineRun(module *ir.Op, run []*ir.Op, name string) {
	inside := map[*ir.Op]bool{}
	for _, op := range run {
		inside[op] = true
	}
	top := func(op *ir.Op) bool { // tells whether op is in the run, or in a region of it
		for ; op != nil; op = op.Parent() {
			if inside[op] {
				return true
			}
		}
		return false
	}
	var inputs, outputs []*ir.Value
	seen := map[*ir.Value]bool{}
	for _, op := range run {
		op.Walk(func(o *ir.Op) bool {
			for _, v := range o.Operands().Values() {
				owner := v.DefiningOp()
				if v.IsBlockArg() {
					owner = v.ArgOwner().ParentOp()
				}
				if !top(owner) && !seen[v] {
					seen[v] = true
					inputs = append(inputs, v)
				}
			}
			return true
		})
		for _, v := range op.Results().Values() {
			for _, u := range v.Uses() {
				if !top(u.Owner()) {
					outputs = append(outputs, v)
					break
				}
			}
		}
	}
	c := module.Context()
	b := ir.NewBuilder(c)
	b.Loc = run[0].Loc()
	fn := funcd.New(b, name, c.Function(ir.TypesOf(inputs), ir.TypesOf(outputs)))
	fn.SetAttr(ir.SymbolVisibilityAttr, c.StringAttr("private"))
	entry := funcd.AddEntryBlock(fn)
	m := ir.NewMapping()
	for i, v := range inputs {
		m.Map(v, entry.Arg(i))
	}
	b.SetEnd(entry)
	for _, op := range run {
		b.Clone(op, m)
	}
	results := make([]*ir.Value, len(outputs))
	for i, v := range outputs {
		results[i] = m.Value(v)
	}
	funcd.NewReturn(b, results...)
	b.SetBefore(run[0])
	call := funcd.NewCall(b, name, ir.TypesOf(outputs), inputs...)
	for i, v := range outputs {
		v.ReplaceAllUsesWith(call.Result(i))
	}
	for i := len(run) - 1; i >= 0; i-- {
		run[i].Erase()
	}
	b.SetEnd(module.BodyBlock(0))
	b.Insert(fn)
}
