package oneshot

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// state answers the questions of interfaces.AnalysisState, by the models of operations and a
// plan. Without a plan it assumes the worst: an operand that is written is not in place,
// and nothing is known to be equivalent.
type state struct {
	opts *Options
	plan *Plan // nil without analysis; else what was decided so far
	// functions and calls are those of the plan, if there is one.
	functions map[*ir.Op]*function
	calls     *calls
	// definitions caches the writes that a value may see, by its number. It is nil unless
	// the program stays as it is; then what models say about uses is kept in the plan, too.
	definitions *definitions
	paths       paths
	// extracted tells of values whether they are parts of tensors; see isExtracted.
	extracted map[*ir.Value]bool
	// lasting is what is known of readers that give out buffers.
	lasting map[*ir.Op]lasting
	// last is the operation whose model was asked for last.
	last      *ir.Op
	lastModel interfaces.BufferizableModel
	// seen is an empty set for the next search, with the room of the last one.
	seen orderedSet[*ir.Value]
}

// newState returns a state that knows no decisions.
func newState(o *Options, functions map[*ir.Op]*function, c *calls) *state {
	return &state{opts: o, functions: functions, calls: c}
}

func (s *state) Model(op *ir.Op) (interfaces.BufferizableModel, bool) {
	if op != s.last {
		s.lastModel, _ = s.opts.model(op)
		s.last = op
	}
	return s.lastModel, s.lastModel != nil
}

func (s *state) AllowReturnAllocsFromLoops() bool {
	return s.opts.AllowReturnAllocsFromLoops || s.opts.allowReturnAllocs
}

func (s *state) CarryThroughConditions() bool { return s.opts.CarryThroughConditions }

func (s *state) EmptyParallelLoops() bool { return s.opts.EmptyParallelLoops }

func (s *state) LLVM() uint32 {
	const usual = 19
	switch {
	case s.opts.LLVM == 0:
		return usual
	case s.opts.LLVM > usual:
		return max(usual, min(s.opts.Rules, s.opts.LLVM))
	}
	return s.opts.LLVM
}

func (s *state) Callee(call *ir.Op) *ir.Op { return s.calls.callee(call) }

func (s *state) Function(fn *ir.Op) interfaces.FunctionAnalysis {
	if f := s.functions[fn]; f != nil {
		return f
	}
	return nil
}

func (s *state) Reads(u *ir.Use) bool { return s.access(u, readsKnown, reads) }

func (s *state) Writes(u *ir.Use) bool { return s.access(u, writesKnown, writes) }

// access tells whether the use reads or writes. The model is asked once while the program
// stays as it is: the answer doesn't depend on decisions.
func (s *state) access(u *ir.Use, known, what fact) bool {
	var e *entry
	if s.definitions != nil {
		if e = s.plan.at(u); e != nil && e.facts&known != 0 {
			return e.facts&what != 0
		}
	}
	yes := true
	if m, ok := s.Model(u.Owner()); ok && what == reads {
		yes = m.Reads(u, s)
	} else if ok {
		yes = m.Writes(u, s)
	}
	if e != nil {
		e.facts |= known
		if yes {
			e.facts |= what
		}
	}
	return yes
}

func (s *state) WritesResult(v *ir.Value) bool {
	if v.IsBlockArg() {
		return true
	}
	if m, ok := s.Model(v.DefiningOp()); ok {
		return m.WritesResult(v, s)
	}
	return true
}

func (s *state) AliasingValues(u *ir.Use) []interfaces.AliasingValue {
	if m, ok := s.Model(u.Owner()); ok {
		return m.AliasingValues(u, s)
	}
	return unknownAliasingValues(u.Owner())
}

func (s *state) AliasingOperands(v *ir.Value) []interfaces.AliasingOperand {
	op := interfaces.OwnerOf(v)
	if m, ok := s.Model(op); ok {
		return m.AliasingOperands(v, s)
	}
	if op == nil || v.IsBlockArg() && !v.ArgOwner().IsEntry() {
		return nil
	}
	var out []interfaces.AliasingOperand
	for i := range op.NumOperands() {
		if u := op.OperandUse(i); interfaces.IsTensorLike(u.Value().Type()) {
			out = append(out, interfaces.AliasingOperand{Use: u})
		}
	}
	return out
}

// unknownAliasingValues lists what an operand may alias if nothing is known about
// its operation: every tensor result, and every tensor argument of the entry
// blocks of its regions.
func unknownAliasingValues(op *ir.Op) []interfaces.AliasingValue {
	var out []interfaces.AliasingValue
	for i := range op.NumResults() {
		if r := op.Result(i); interfaces.IsTensorLike(r.Type()) {
			out = append(out, interfaces.AliasingValue{Value: r})
		}
	}
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		for _, a := range r.Entry().Args() {
			if interfaces.IsTensorLike(a.Type()) {
				out = append(out, interfaces.AliasingValue{Value: a})
			}
		}
	}
	return out
}

func (s *state) IsInPlace(u *ir.Use) bool {
	if s.plan == nil {
		return !s.Writes(u)
	}
	e := s.plan.at(u)
	return e != nil && e.facts&inPlace != 0
}

func (s *state) AreEquivalent(a, b *ir.Value) bool {
	return s.plan != nil && s.plan.equivalent.same(a, b)
}

func (s *state) AreAliasing(a, b *ir.Value) bool {
	return s.plan == nil || s.plan.aliases.same(a, b)
}

func (s *state) Aliases(v *ir.Value) ([]*ir.Value, bool) {
	if s.plan == nil {
		return nil, false
	}
	return s.plan.Aliases(v), true
}

// HasUndefinedContents tells whether nothing has written what a result, which the use
// uses, contains.
func (s *state) HasUndefinedContents(u *ir.Use) bool {
	if s.definitions == nil || u.Value().IsBlockArg() {
		return false
	}
	_, ok := s.Model(u.Value().DefiningOp())
	return ok && len(s.findDefinitions(u.Value())) == 0
}

// aliasOnly tells whether an operand is neither read nor written but has aliases.
func (s *state) aliasOnly(u *ir.Use) bool {
	m, ok := s.Model(u.Owner())
	return ok && !m.Reads(u, s) && !m.Writes(u, s) && len(m.AliasingValues(u, s)) > 0
}

func (s *state) IsValueRead(v *ir.Value) bool {
	var work []*ir.Use
	seen := map[*ir.Use]bool{}
	push := func(v *ir.Value) {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if !seen[u] {
				seen[u] = true
				work = append(work, u)
			}
		}
	}
	push(v)
	for len(work) > 0 {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		if s.aliasOnly(u) {
			for _, a := range s.AliasingValues(u) {
				push(a.Value)
			}
		}
		if s.Reads(u) {
			return true
		}
	}
	return false
}

func (s *state) FindInReverse(v *ir.Value, accept func(*ir.Value) bool, c interfaces.TraversalConfig) []*ir.Value {
	return s.findInReverse(v, accept, c, func(*ir.Use) {})
}

// findInReverse is FindInReverse that tells of each use that it follows.
func (s *state) findInReverse(v *ir.Value, accept func(*ir.Value) bool, c interfaces.TraversalConfig, followed func(*ir.Use)) []*ir.Value {
	var found orderedSet[*ir.Value]
	seen := s.seen // accept may search, too
	s.seen = orderedSet[*ir.Value]{}
	defer func() {
		seen.clear()
		s.seen = seen
	}()
	seen.add(v)
	work := []*ir.Value{v}
	leaf := func(v *ir.Value) {
		if !c.OmitLeaves {
			found.add(v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if accept(v) {
			found.add(v)
			continue
		}
		op := interfaces.OwnerOf(v)
		if _, ok := s.Model(op); !ok && !c.FollowUnknownOps {
			leaf(v)
			continue
		}
		operands := s.AliasingOperands(v)
		if len(operands) == 0 {
			leaf(v)
			continue
		}
		for _, a := range operands {
			w := a.Use.Value()
			switch {
			case c.EquivalentOnly && a.Relation != interfaces.Equivalent,
				c.InPlaceOnly && !s.IsInPlace(a.Use),
				c.SameTypeOrCastsOnly && w.Type() != v.Type() && !interfaces.IsCast(op):
				leaf(v)
				continue
			}
			followed(a.Use)
			if seen.add(w) {
				work = append(work, w)
			}
		}
	}
	return found.list
}

// definitions keeps, by the number of a value, the values whose defining operations may
// have written what it contains; nil if that is not known.
type definitions struct{ known [][]*ir.Value }

// findDefinitions returns the values whose defining operations may have written
// what v contains.
func (s *state) findDefinitions(v *ir.Value) []*ir.Value {
	find := func() []*ir.Value {
		return s.FindInReverse(v, s.WritesResult, interfaces.TraversalConfig{OmitLeaves: true})
	}
	if s.definitions == nil {
		return find()
	}
	d, values := s.definitions, s.plan.values
	i := values.number(v)
	d.known = grow(d.known, i, cap(values.values))
	if d.known[i] == nil {
		if s.WritesResult(v) {
			d.known[i] = values.values[i : i+1 : i+1] // v itself
			return d.known[i]
		}
		found := find()
		if found == nil {
			found = []*ir.Value{}
		}
		d.known[i] = found
	}
	return d.known[i]
}

// canOmitCopy tells whether an operand that is not in place needs no copy of its
// contents, because they are undefined, overwritten, or not read.
func (s *state) canOmitCopy(u *ir.Use) bool {
	if s.HasUndefinedContents(u) {
		return true
	}
	if s.Writes(u) && !s.Reads(u) {
		return true
	}
	if s.Reads(u) {
		return false
	}
	for _, a := range s.AliasingValues(u) {
		if s.IsValueRead(a.Value) {
			return false
		}
	}
	return true
}
