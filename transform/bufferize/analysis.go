package bufferize

import (
	"math/rand/v2"

	"freehold/iface"
	"freehold/ir"
)

// analysis is a state that takes decisions.
type analysis struct {
	state
	dom   *ir.Dominance
	notes *annotations
}

// newAnalysis prepares the analysis of everything in root: what must be in place
// is.
func newAnalysis(o *Options, root *ir.Op, funcs map[*ir.Op]*function, notes *annotations) *analysis {
	numbers := &ir.Numbering{}
	a := &analysis{state: state{opts: o, decided: map[*ir.Use]struct{}{}, aliases: newUnionFind(numbers), equiv: newUnionFind(numbers),
		undefined: map[*ir.Use]struct{}{}, funcs: funcs, definitions: map[*ir.Value][]*ir.Value{}}}
	a.dom = ir.NewDominance()
	a.notes = notes
	root.Walk(func(op *ir.Op) bool {
		m, ok := a.Model(op)
		if !ok {
			return true
		}
		for i := range op.NumOperands() {
			u := op.OperandUse(i)
			if ir.IsTensor(u.Value().Type()) && m.MustBeInPlace(u, a) {
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
	m, ok := iface.Call.Of(op)
	if !ok || len(a.funcs) == 0 {
		return
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return
	}
	f := a.funcs[ir.LookupSymbol(op, ref)]
	if f == nil || !f.analyzed {
		return
	}
	for i := range op.NumResults() {
		for _, j := range f.AliasingOtherResults(i) {
			a.aliases.join(op.Result(i), op.Result(j))
		}
	}
}

func (s *analysis) bufferizeInPlace(u *ir.Use) {
	if _, ok := s.decided[u]; ok {
		return
	}
	s.decided[u] = struct{}{}
	for _, a := range s.AliasingValues(u) {
		s.aliases.join(a.Value, u.Value())
	}
}

// analyze decides for every tensor operand in root whether it bufferizes in place.
func (s *analysis) analyze(root *ir.Op) error {
	if err := s.checkAssumptions(root); err != nil {
		return err
	}
	for _, op := range s.order(root) {
		for i := range op.NumOperands() {
			if u := op.OperandUse(i); ir.IsTensor(u.Value().Type()) {
				s.decide(u)
			}
		}
	}
	s.findEquivalences(root)
	s.findUndefined(root)
	var errs ir.Diagnostics
	root.WalkPostOrder(func(op *ir.Op) {
		if m, ok := s.Model(op); ok {
			if err := m.Verify(op, s); err != nil {
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

func (s *analysis) decide(u *ir.Use) {
	if _, ok := s.decided[u]; ok {
		return
	}
	if s.writesReadOnly(u, false) || s.readsAfterWrite(u, false) {
		return
	}
	s.bufferizeInPlace(u)
}

// order lists the operations with tensors in the order that the heuristic says.
func (s *analysis) order(root *ir.Op) []*ir.Op {
	var ops []*ir.Op
	root.WalkPostOrder(func(op *ir.Op) {
		if hasTensors(op) {
			ops = append(ops, op)
		}
	})
	switch s.opts.Heuristic {
	case BottomUp:
		reverse(ops)
	case Fuzzer:
		rng := rand.New(rand.NewPCG(s.opts.Seed, 0))
		rng.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
	case BottomUpFromTerminators:
		return s.fromTerminators(root)
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
func (s *analysis) fromTerminators(root *ir.Op) []*ir.Op {
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
			for _, a := range s.AliasingOperands(v) {
				push(a.Use.Value())
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
func (s *analysis) findEquivalences(root *ir.Op) {
	root.WalkPostOrder(func(op *ir.Op) {
		m, ok := s.Model(op)
		if !ok {
			return
		}
		for i := range op.NumResults() {
			r := op.Result(i)
			if !ir.IsTensor(r.Type()) {
				continue
			}
			operands := s.AliasingOperands(r)
			if len(operands) == 0 {
				continue
			}
			first := operands[0].Use.Value()
			all := true
			for _, a := range operands {
				v := a.Use.Value()
				equivalent := a.Relation == iface.Equivalent && s.IsInPlace(a.Use)
				if equivalent && a.Definite {
					// There is one definite alias at most; others have nothing to say.
					s.equiv.join(r, v)
					all = false
					break
				}
				if !equivalent || !s.equiv.same(v, first) {
					all = false
				}
			}
			if all && !m.Allocates(r) {
				s.equiv.join(r, first)
			}
		}
	})
}

// findUndefined collects the uses of values whose contents nothing has written.
func (s *analysis) findUndefined(root *ir.Op) {
	root.Walk(func(op *ir.Op) bool {
		if _, ok := s.Model(op); !ok {
			return true
		}
		for i := range op.NumResults() {
			r := op.Result(i)
			if !ir.IsTensor(r.Type()) || !r.HasUses() || len(s.findDefinitions(r)) > 0 {
				continue
			}
			for u := r.FirstUse(); u != nil; u = u.Next() {
				s.undefined[u] = struct{}{}
			}
		}
		return true
	})
}

// checkAssumptions finds programs that the analysis can't treat: to_tensor
// without restrict, and buffers that were decided on before but conflict.
func (s *analysis) checkAssumptions(root *ir.Op) error {
	var errs ir.Diagnostics
	root.Walk(func(op *ir.Op) bool {
		m, ok := s.Model(op)
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
	if len(s.decided) == 0 {
		return nil
	}
	// Operands that must be in place were not checked for conflicts.
	var err error
	root.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			u := op.OperandUse(i)
			if err != nil || !ir.IsTensor(u.Value().Type()) {
				continue
			}
			if s.readsAfterWrite(u, true) {
				err = op.Errorf("not bufferizable under the given constraints: cannot avoid RaW conflict")
			} else if s.IsInPlace(u) && s.writesReadOnly(u, true) {
				err = op.Errorf("not bufferizable under the given constraints: would write to read-only buffer")
			}
		}
		return err == nil
	})
	return err
}
