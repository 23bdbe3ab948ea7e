package bufferize

import (
	"math/rand/v2"
	"slices"

	"freehold/iface"
	"freehold/ir"
)

// analysis is a state that takes decisions, which it writes into the plan.
type analysis struct {
	state
	dom   *ir.Dominance
	first int // the plan's first entry that is about the root
}

// Analyze decides for each tensor operand in root whether its operation may work in the
// operand's own buffer. If the options say that function boundaries are bufferized, root
// is a module. The error is about programs that can't be bufferized, or not under the
// options.
func Analyze(root *ir.Op, o *Options) (*Plan, error) {
	p := NewPlan()
	p.calls = newCalls()
	if o.BufferizeFunctionBoundaries {
		if err := analyzeModule(root, p, o); err != nil {
			return nil, err
		}
		return p, nil
	}
	a := newAnalysis(root, p, o)
	if err := a.analyze(root); err != nil {
		return nil, err
	}
	a.planCopies(root, p)
	return p, nil
}

// newAnalysis prepares the analysis of everything in root: what must be in place
// is.
func newAnalysis(root *ir.Op, p *Plan, o *Options) *analysis {
	a := &analysis{dom: ir.NewDominance(), first: len(p.entries), state: state{opts: o, plan: p, functions: p.functions, calls: p.calls,
		definitions: &definitions{base: len(p.values.values)}}}
	root.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			if u := op.OperandUse(i); ir.IsTensor(u.Value().Type()) {
				p.add(u)
			}
		}
		return true
	})
	root.Walk(func(op *ir.Op) bool {
		m, ok := a.Model(op)
		if !ok {
			return true
		}
		for i := range op.NumOperands() {
			u := op.OperandUse(i)
			if ir.IsTensor(u.Value().Type()) && m.MustBeInPlace(u, a) {
				p.at(u).facts |= required
				a.bufferizeInPlace(u)
			}
		}
		a.joinCallResults(op)
		return true
	})
	return a
}

// joinCallResults lets the results of a call alias each other that do so in the
// callee, wherever their buffer comes from. (mlir-opt of LLVM 19 knows only
// aliases of arguments.)
func (a *analysis) joinCallResults(op *ir.Op) {
	if len(a.functions) == 0 {
		return
	}
	f := a.functions[a.Callee(op)]
	if f == nil || !f.analyzed {
		return
	}
	for i := range op.NumResults() {
		for _, j := range f.AliasingOtherResults(i) {
			a.plan.aliases.join(op.Result(i), op.Result(j))
		}
	}
}

func (a *analysis) bufferizeInPlace(u *ir.Use) {
	e := a.plan.at(u)
	if e.facts&inPlace != 0 {
		return
	}
	e.facts |= inPlace
	for _, v := range a.AliasingValues(u) {
		a.plan.aliases.join(v.Value, u.Value())
	}
}

// analyze decides for every tensor operand in root whether it bufferizes in place.
func (a *analysis) analyze(root *ir.Op) error {
	if err := a.checkAssumptions(root); err != nil {
		return err
	}
	for _, op := range a.order(root) {
		for i := range op.NumOperands() {
			if u := op.OperandUse(i); ir.IsTensor(u.Value().Type()) {
				a.decide(u)
			}
		}
	}
	a.findEquivalences(root)
	a.findUndefined(root)
	var errs ir.Diagnostics
	root.WalkPostOrder(func(op *ir.Op) {
		if m, ok := a.Model(op); ok {
			if err := m.Verify(op, a); err != nil {
				errs = appendErr(errs, err)
			}
		}
	})
	if len(errs) > 0 {
		return errs
	}
	return nil
}

func appendErr(errs ir.Diagnostics, err error) ir.Diagnostics {
	switch e := err.(type) {
	case *ir.Diagnostic:
		return append(errs, e)
	case ir.Diagnostics:
		return append(errs, e...)
	}
	return append(errs, ir.Errorf(ir.Unknown, "%s", err.Error()))
}

func (a *analysis) decide(u *ir.Use) {
	e := a.plan.at(u)
	if e.facts&inPlace != 0 {
		return
	}
	reason, ok := a.writesReadOnly(u, false)
	if !ok {
		reason, ok = a.readsAfterWrite(u, false)
	}
	if ok {
		a.plan.refuse(e, reason)
		return
	}
	a.bufferizeInPlace(u)
}

// order lists the operations with tensors in the order that the heuristic says.
func (a *analysis) order(root *ir.Op) []*ir.Op {
	var ops []*ir.Op
	root.WalkPostOrder(func(op *ir.Op) {
		if hasTensors(op) {
			ops = append(ops, op)
		}
	})
	switch a.opts.Heuristic {
	case BottomUp:
		reverse(ops)
	case Fuzzer:
		rng := rand.New(rand.NewPCG(a.opts.Seed, 0))
		rng.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	case BottomUpFromTerminators:
		return a.fromTerminators(root)
	}
	return ops
}

func reverse(ops []*ir.Op) {
	for i, j := 0, len(ops)-1; i < j; i, j = i+1, j-1 {
		ops[i], ops[j] = ops[j], ops[i]
	}
}

// fromTerminators visits first each terminator of a region, from the innermost, and
// what makes the tensors that it passes on, as far as aliases lead back within the
// region; then all other operations bottom-up.
func (a *analysis) fromTerminators(root *ir.Op) []*ir.Op {
	var out []*ir.Op
	seen := map[*ir.Op]bool{}
	add := func(op *ir.Op) bool {
		if seen[op] || !hasTensors(op) {
			return false
		}
		seen[op] = true
		out = append(out, op)
		return true
	}
	root.WalkPostOrder(func(term *ir.Op) {
		if !iface.IsRegionTerminator(term) || !add(term) {
			return
		}
		var stack []*ir.Value
		push := func(v *ir.Value) {
			if ir.IsTensor(v.Type()) && v.DefiningOp() != nil {
				stack = append(stack, v)
			}
		}
		for i := range term.NumOperands() {
			push(term.Operand(i))
		}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			// What made a tensor outside of the region is next, too, but not what that
			// depends on.
			if !add(v.DefiningOp()) || !term.Region().IsAncestorOf(v.DefiningOp().Region()) {
				continue
			}
			for _, alias := range a.AliasingOperands(v) {
				push(alias.Use.Value())
			}
		}
	})
	walkBackwards(root, func(op *ir.Op) { add(op) })
	return out
}

// walkBackwards visits op and what is in it from the end; what is in an operation
// comes before it.
func walkBackwards(op *ir.Op, visit func(*ir.Op)) {
	for i := op.NumRegions() - 1; i >= 0; i-- {
		for b := op.RegionAt(i).Last(); b != nil; b = b.Prev() {
			for inner := b.Last(); inner != nil; {
				prev := inner.Prev()
				walkBackwards(inner, visit)
				inner = prev
			}
		}
	}
	visit(op)
}

// findEquivalences joins results with the operands whose buffers they have, where
// the decisions make that certain.
func (a *analysis) findEquivalences(root *ir.Op) {
	root.WalkPostOrder(func(op *ir.Op) {
		m, ok := a.Model(op)
		if !ok {
			return
		}
		for i := range op.NumResults() {
			r := op.Result(i)
			if !ir.IsTensor(r.Type()) {
				continue
			}
			operands := a.AliasingOperands(r)
			if len(operands) == 0 {
				continue
			}
			first := operands[0].Use.Value()
			all := true
			for _, alias := range operands {
				v := alias.Use.Value()
				equivalent := alias.Relation == iface.Equivalent && a.IsInPlace(alias.Use)
				if equivalent && alias.Definite {
					// There is one definite alias at most; others have nothing to say.
					a.plan.equivalent.join(r, v)
					all = false
					break
				}
				if !equivalent || !a.plan.equivalent.same(v, first) {
					all = false
				}
			}
			if all && !m.Allocates(r) {
				a.plan.equivalent.join(r, first)
			}
		}
	})
}

// findUndefined collects the uses of values whose contents nothing has written.
func (a *analysis) findUndefined(root *ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		if _, ok := a.Model(op); !ok {
			return true
		}
		for i := range op.NumResults() {
			r := op.Result(i)
			if !ir.IsTensor(r.Type()) || !r.HasUses() || len(a.findDefinitions(r)) > 0 {
				continue
			}
			for u := r.FirstUse(); u != nil; u = u.Next() {
				if e := a.plan.at(u); e != nil {
					e.facts |= undefined
				}
			}
		}
		return true
	})
}

// checkAssumptions finds programs that the analysis can't treat: to_tensor
// without restrict, and buffers that were decided on before but conflict.
func (a *analysis) checkAssumptions(root *ir.Op) error {
	var errs ir.Diagnostics
	root.Walk(func(op *ir.Op) bool {
		m, ok := a.Model(op)
		if ok && !m.UnstructuredControlFlow() && hasTensors(op) {
			for _, r := range op.Regions() {
				if r.NumBlocks() > 1 {
					errs = append(errs, op.Errorf("op or BufferizableOpInterface implementation does not support unstructured control flow, but at least one region has multiple blocks"))
					return false
				}
			}
		}
		if c, ok := iface.AnalysisPrecondition.Of(op); ok {
			if err := c(op); err != nil {
				errs = appendErr(errs, err)
			}
		}
		return true
	})
	if len(errs) > 0 {
		return errs
	}
	// Operands that must be in place were not checked for conflicts. There are none as long
	// as nothing writes.
	if !slices.ContainsFunc(a.plan.entries[a.first:], func(e entry) bool { return e.facts&inPlace != 0 && a.Writes(e.use) }) {
		return nil
	}
	var err error
	root.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			u := op.OperandUse(i)
			if err != nil || !ir.IsTensor(u.Value().Type()) {
				continue
			}
			if _, ok := a.readsAfterWrite(u, true); ok {
				err = op.Errorf("not bufferizable under the given constraints: cannot avoid RaW conflict")
			} else if a.IsInPlace(u) {
				if _, ok := a.writesReadOnly(u, true); ok {
					err = op.Errorf("not bufferizable under the given constraints: would write to read-only buffer")
				}
			}
		}
		return err == nil
	})
	return err
}
