package ownership

import (
	"slices"

	"freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// passed are the truth values that go from region to region, from block to block, or to functions.
type passed struct {
	order []*ir.Value // what gets one
	// sources are what each of these may be, with nil for what isn't known; targets the other way around.
	sources, targets map[*ir.Value][]*ir.Value
	// handed are what gets the value of an operand that is passed on.
	handed map[*ir.Use][]*ir.Value
}

func newPassed() *passed {
	return &passed{sources: map[*ir.Value][]*ir.Value{}, targets: map[*ir.Value][]*ir.Value{}, handed: map[*ir.Use][]*ir.Value{}}
}

// addEdges adds what is passed on in a function.
func (p *passed) addEdges(fn *ir.Op) {
	fn.Walk(func(op *ir.Op) bool {
		if m, ok := interfaces.RegionBranch.Of(op); ok {
			interfaces.ForEachRegionEdge(op, m, p.pass)
		}
		m, known := interfaces.Branch.Of(op)
		for i := range op.NumSuccessors() {
			args := op.Successor(i).Args()
			produced := len(args)
			if known {
				var start, n int
				start, n, produced = m.SuccessorOperands(op, i)
				p.pass(op.Operands()[start:start+n], args[produced:])
			}
			for _, v := range args[:produced] {
				p.add(nil, v)
			}
		}
		return true
	})
}

// addCalls adds what the calls of a function pass to it, which are all that there are.
func (p *passed) addCalls(fn *ir.Op, calls []*ir.Op) {
	args := funcd.Body(fn).Entry().Args()
	for _, call := range calls {
		p.pass(call.Operands(), args)
	}
}

func (p *passed) pass(values ir.Operands, inputs []*ir.Value) {
	for i, v := range inputs {
		switch {
		case v.Type() != ir.I1:
		case i < len(values):
			p.add(values.At(i), v)
			p.handed[&values[i]] = append(p.handed[&values[i]], v)
		default:
			p.add(nil, v)
		}
	}
}

// add adds that v may get a value, which is nil if it isn't known.
func (p *passed) add(value, v *ir.Value) {
	if v.Type() != ir.I1 {
		return
	}
	if p.sources[v] == nil {
		p.order = append(p.order, v)
	}
	p.sources[v] = append(p.sources[v], value)
	p.targets[value] = append(p.targets[value], v)
}

// needed returns those that something needs that neither passes them on nor computes what is passed on, for nothing else; of those that are equal, also the first.
// Linear in the values and their uses.
func (p *passed) needed(equal map[*ir.Value]*ir.Value) map[*ir.Value]bool {
	needed, seen := map[*ir.Value]bool{}, map[*ir.Value]bool{}
	sources := map[*ir.Value][]*ir.Value{} // what is needed with a value
	for v, w := range equal {
		sources[v] = append(sources[v], w)
	}
	var look, work []*ir.Value
	see := func(v *ir.Value) {
		if !seen[v] {
			seen[v] = true
			look = append(look, v)
		}
	}
	for _, v := range p.order {
		see(v)
	}
	for len(look) > 0 {
		v := look[len(look)-1]
		look = look[:len(look)-1]
		for u := v.FirstUse(); u != nil; u = u.Next() {
			to := p.handed[u]
			if len(to) == 0 && isExpression(u.Owner()) {
				to = u.Owner().Results().Values()
			}
			for _, w := range to {
				sources[w] = append(sources[w], v)
				see(w)
			}
			if len(to) == 0 && !needed[v] {
				needed[v] = true
				work = append(work, v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range sources[v] {
			if !needed[s] {
				needed[s] = true
				work = append(work, s)
			}
		}
	}
	return needed
}

// isExpression tells whether an operation computes a truth value, and does nothing else.
func isExpression(op *ir.Op) bool {
	return op.NumResults() == 1 && op.Result(0).Type() == ir.I1 && op.NumRegions() == 0 && interfaces.IsPure(op)
}

// closedFunctions returns the private functions in a module of which all calls are known, in their order, with these calls.
func closedFunctions(module *ir.Op) (list []*ir.Op, calls map[*ir.Op][]*ir.Op) {
	callers := analysis.NewCallers(module, ir.NewSymbolTables())
	calls = map[*ir.Op][]*ir.Op{}
	for _, fn := range functionsIn(module) {
		if !fn.Is(funcd.Func) || funcd.Body(fn).Empty() || !ir.IsPrivate(fn) || !callers.OnlyCalled(fn) {
			continue
		}
		if of := callers.Calls(fn); len(of) > 0 && !slices.ContainsFunc(of, func(op *ir.Op) bool { return !op.Is(funcd.Call) }) {
			list, calls[fn] = append(list, fn), of
		}
	}
	return list, calls
}
