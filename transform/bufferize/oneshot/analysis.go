package oneshot

import (
	"math/rand/v2"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// analysis is a state that takes decisions, which it writes into the plan. It looks at one
// root after another.
type analysis struct {
	state
	groups *groups
	dom    *ir.Dominance
	first  int // the plan's first entry that is about the root
	// tensorOps lists the operations in the root that have tensors and models, in the
	// order of the program.
	tensorOps []*ir.Op
	// threads tells whether there are parallel regions.
	threads bool
	errs    ir.Diagnostics // about the root
	broken  *ir.Op         // the last operation with an error; no others are collected in it
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
	a := newAnalysis(p, o)
	if err := a.analyze(root); err != nil {
		return nil, err
	}
	a.planCopies(a.tensorOps, p)
	return p, nil
}

func newAnalysis(p *Plan, o *Options) *analysis {
	a := &analysis{state: state{opts: o, plan: p, functions: p.functions, calls: p.calls, definitions: &definitions{}}}
	a.groups = &groups{analysis: a}
	return a
}

// prepare starts the analysis of everything in root: what must be in place is. It collects
// errors about what the analysis can't treat.
func (a *analysis) prepare(root *ir.Op) {
	a.dom, a.paths, a.first = ir.NewDominance(), paths{}, len(a.plan.entries)
	a.errs, a.broken = nil, nil
	a.tensorOps = a.tensorOps[:0]
	a.threads = a.parallel(root.Region()) != nil
	ops := a.reserve(root)
	a.tensorOps = slices.Grow(a.tensorOps, ops)
	root.Walk(func(op *ir.Op) bool {
		a.prepareOp(op)
		return true
	})
}

// reserve makes room for the tensors in root. It returns how many operations have some.
func (a *analysis) reserve(root *ir.Op) (ops int) {
	uses, values := 0, 0
	root.Walk(func(op *ir.Op) bool {
		before := uses + values
		for i := range op.NumOperands() {
			if interfaces.IsTensorLike(op.Operand(i).Type()) {
				uses++
			}
		}
		for i := range op.NumResults() {
			if interfaces.IsTensorLike(op.Result(i).Type()) {
				values++
			}
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					if interfaces.IsTensorLike(v.Type()) {
						values++
					}
				}
			}
		}
		if uses+values > before {
			ops++
		}
		return true
	})
	a.plan.reserve(uses, values)
	return ops
}

func (a *analysis) prepareOp(op *ir.Op) {
	m, ok := a.Model(op)
	for i := range op.NumOperands() {
		u := op.OperandUse(i)
		if !interfaces.IsTensorLike(u.Value().Type()) {
			continue
		}
		e := a.plan.add(u)
		if ok && m.MustBeInPlace(u, a) {
			e.facts |= inPlace | required
			for _, alias := range a.AliasingValues(u) {
				a.plan.aliases.join(alias.Value, u.Value())
			}
		}
	}
	if err := check(op, m); err != nil && (a.broken == nil || !a.broken.IsAncestorOf(op)) {
		a.errs = appendErr(a.errs, err)
		a.broken = op
	}
	for _, r := range op.Regions() {
		a.threads = a.threads || a.hasThreads(r)
	}
	if !ok {
		return
	}
	if m.HasTensors(op) {
		a.tensorOps = append(a.tensorOps, op)
	}
	a.joinCallResults(op)
}

// check returns an error if the analysis can't treat the operation, which may have a model.
func check(op *ir.Op, m interfaces.BufferizableModel) error {
	if m != nil && op.NumRegions() > 0 && m.HasTensors(op) && !m.UnstructuredControlFlow() {
		for _, r := range op.Regions() {
			if r.NumBlocks() > 1 {
				return op.Errorf("op or BufferizableOpInterface implementation does not support unstructured control flow, but at least one region has multiple blocks")
			}
		}
	}
	if c, ok := interfaces.AnalysisPrecondition.Of(op); ok {
		return c(op)
	}
	return nil
}

// joinCallResults lets the results of a call alias each other that do so in the
// callee, wherever their buffer comes from. (mlir-opt of LLVM 19 knows only
// aliases of arguments.)
func (a *analysis) joinCallResults(op *ir.Op) {
	if len(a.functions) == 0 {
		return
	}
	callee := a.Callee(op)
	f := a.functions[callee]
	if f == nil || !f.analyzed {
		if callee != nil && a.opts.recursive() {
			a.joinTensorResults(op) // not known yet, in a cycle of calls
		}
		return
	}
	for i := range op.NumResults() {
		for _, j := range f.AliasingOtherResults(i) {
			a.plan.aliases.join(op.Result(i), op.Result(j))
		}
	}
}

func (a *analysis) joinTensorResults(op *ir.Op) {
	var first *ir.Value
	for i := range op.NumResults() {
		switch v := op.Result(i); {
		case !interfaces.IsTensorLike(v.Type()):
		case first == nil:
			first = v
		default:
			a.plan.aliases.join(first, v)
		}
	}
}

// analyze decides for every tensor operand in root whether it bufferizes in place.
func (a *analysis) analyze(root *ir.Op) error {
	a.prepare(root)
	if len(a.errs) > 0 {
		return a.errs
	}
	if err := a.checkRequired(); err != nil {
		return err
	}
	// Those with models, and with tensors, parents last.
	modelled, ops := make([]*ir.Op, 0, len(a.tensorOps)), make([]*ir.Op, 0, len(a.tensorOps))
	root.WalkPostOrder(func(op *ir.Op) {
		if m, ok := a.Model(op); ok {
			modelled = append(modelled, op)
			if m.HasTensors(op) {
				ops = append(ops, op)
			}
		} else if hasTensors(op) {
			ops = append(ops, op)
		}
	})
	for _, op := range a.order(root, ops) {
		for i := range op.NumOperands() {
			if u := op.OperandUse(i); interfaces.IsTensorLike(u.Value().Type()) {
				a.decide(u)
			}
		}
	}
	for _, op := range modelled {
		a.findEquivalences(op)
	}
	for _, op := range modelled {
		if m, ok := a.Model(op); ok {
			if err := m.Verify(op, a); err != nil {
				a.errs = appendErr(a.errs, err)
			}
		}
	}
	if len(a.errs) > 0 {
		return a.errs
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

// decide bufferizes the operand in place, unless that makes a conflict.
func (a *analysis) decide(u *ir.Use) {
	if a.IsInPlace(u) {
		return
	}
	values := a.AliasingValues(u)
	if reason, ok := a.groups.conflict(u, values); ok {
		if a.collectsAll() {
			reason, ok = a.firstReason(u)
		}
		if ok {
			a.plan.refuse(a.plan.at(u), reason)
			return
		}
	}
	a.plan.at(u).facts |= inPlace
	a.groups.write(u)
	for _, alias := range values {
		a.groups.join(alias.Value, u.Value())
	}
}

// firstReason is the first reason against bufferizing the operand in place, in the order of MLIR, with all others if these are asked for.
func (a *analysis) firstReason(u *ir.Use) (Reason, bool) {
	reason, ok := a.writesReadOnly(u, false)
	if !ok {
		reason, ok = a.readsAfterWrite(u, false)
	}
	if ok && a.opts.AllReasons {
		reason.More = a.otherReasons(u, reason)
	}
	return reason, ok
}

// order puts operations, parents last, into the order that the heuristic says.
func (a *analysis) order(root *ir.Op, ops []*ir.Op) []*ir.Op {
	switch a.opts.Heuristic {
	case BottomUp:
		slices.Reverse(ops)
	case Fuzzer:
		rng := rand.New(rand.NewPCG(uint64(a.opts.Seed), 0))
		rng.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	case BottomUpFromTerminators:
		return a.fromTerminators(root)
	}
	return ops
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
		if !interfaces.IsRegionTerminator(term) || !add(term) {
			return
		}
		var stack []*ir.Value
		push := func(v *ir.Value) {
			if interfaces.IsTensorLike(v.Type()) && v.DefiningOp() != nil {
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

// findEquivalences joins the results of an operation with the operands whose buffers
// they have, where the decisions make that certain.
func (a *analysis) findEquivalences(op *ir.Op) {
	m, ok := a.Model(op)
	if !ok {
		return
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		if !interfaces.IsTensorLike(r.Type()) {
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
			equivalent := alias.Relation == interfaces.Equivalent && a.IsInPlace(alias.Use)
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
}

// checkRequired looks for conflicts of operands that must be in place. There are none as
// long as nothing writes. Of what conflicts with them, the first is named, as MLIR does; but
// MLIR also refuses where only operands conflict that can be copied still.
func (a *analysis) checkRequired() error {
	if !slices.ContainsFunc(a.plan.entries[a.first:], func(e entry) bool { return e.facts&inPlace != 0 && a.Writes(e.use) }) {
		return nil
	}
	var first error
	for _, e := range a.plan.entries[a.first:] {
		required, problem := e.facts&inPlace != 0, ""
		if _, ok := a.readsAfterWrite(e.use, true); ok {
			problem = "cannot avoid RaW conflict"
		} else if required {
			if _, ok := a.writesReadOnly(e.use, true); ok {
				problem = "would write to read-only buffer"
			}
		}
		if problem == "" {
			continue
		}
		if first == nil {
			first = e.use.Owner().Errorf("not bufferizable under the given constraints: %s", problem)
		}
		if required {
			return first
		}
	}
	return nil
}
