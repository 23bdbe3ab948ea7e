package conversion

import (
	"slices"
	"strings"

	"freehold/ir"
)

// finish makes the replacements take effect and resolves materializations. The error
// is that of a materialization that nothing resolves; all can still be undone then.
func (s *state) finish() error {
	s.materializeSources()
	// Without materializations nothing can fail any more.
	undoable := len(s.casts) > 0 || s.unreplaced
	for i, n := 0, len(s.log); i < n; i++ {
		if c, ok := s.log[i].(*mapped); ok && !c.lookup {
			s.rewire(c.value, undoable)
		}
	}
	s.materializeErased()
	if err := s.resolveCasts(); err != nil {
		return err
	}
	s.commit()
	return nil
}

// materializeSources makes, for values that are still used and whose replacement is of
// another type, a materialization of their own type.
func (s *state) materializeSources() {
	for i, n := 0, len(s.log); i < n; i++ {
		c, ok := s.log[i].(*mapped)
		if !ok || c.lookup || !hasLiveUse(c.value) {
			continue
		}
		v := c.value
		inputs, ok := s.many[v]
		if !ok {
			w := s.replacementOf(v)
			if list, split := s.many[w]; split {
				inputs = list
			} else if w.Type() == v.Type() {
				continue
			} else {
				inputs = []*ir.Value{w}
			}
		}
		kind := SourceMaterialization
		if v.IsBlockArg() {
			kind = ArgumentMaterialization
		}
		if len(inputs) == 0 {
			s.placeFor(v)
		}
		op := s.materialize(kind, c.types, inputs, []ir.Type{v.Type()}, v.Loc())
		if !v.IsBlockArg() {
			s.casts[len(s.casts)-1].of = v
		}
		delete(s.many, v)
		s.record(&mapped{value: v, old: s.one[v], types: c.types, lookup: true})
		s.one[v] = op.Result(0)
	}
}

// replacementOf returns the latest replacement of v that has its type, or else the
// latest.
func (s *state) replacementOf(v *ir.Value) *ir.Value {
	if s.one[v] == nil {
		return v
	}
	return s.leafOf(s.one[v], v.Type())
}

// placeFor moves the insertion point to where v is defined, or, if that place was
// erased, before its first user.
func (s *state) placeFor(v *ir.Value) {
	if op := v.DefiningOp(); op != nil {
		s.rewriter.SetBefore(op)
		return
	}
	if b := v.ArgOwner(); b.Region() != nil {
		s.rewriter.SetStart(b)
		return
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !ignored(u.Owner()) {
			s.rewriter.SetBefore(u.Owner())
		}
	}
}

func hasLiveUse(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !ignored(u.Owner()) {
			return true
		}
	}
	return false
}

// rewire makes the uses of v uses of its replacement.
func (s *state) rewire(v *ir.Value, undoable bool) {
	w := s.replacementOf(v)
	if w == v || w.Type() != v.Type() {
		return
	}
	if !undoable {
		v.ReplaceAllUsesWith(w)
		return
	}
	for u := v.FirstUse(); u != nil; {
		next := u.Next()
		if !ignored(u.Owner()) && u.Owner() != w.DefiningOp() {
			s.record(&rewired{u, v})
			u.Set(w)
		}
		u = next
	}
}

// materializeErased makes values of what was erased without replacement, but is used.
func (s *state) materializeErased() {
	if !s.unreplaced {
		return
	}
	for i, n := 0, len(s.log); i < n; i++ {
		c, ok := s.log[i].(*erased)
		if !ok {
			continue
		}
		for j := range c.op.NumResults() {
			v := c.op.Result(j)
			if !hasLiveUse(v) || s.replacementOf(v) != v {
				continue
			}
			s.placeFor(v)
			op := s.materialize(SourceMaterialization, c.types, nil, []ir.Type{v.Type()}, v.Loc())
			s.record(&mapped{value: v, types: c.types, lookup: true})
			s.one[v] = op.Result(0)
			s.rewire(v, true)
		}
	}
}

// resolveCasts folds materializations, erases those that nothing uses and replaces the
// others by what their type converters create.
func (s *state) resolveCasts() error {
	for i := range s.casts {
		s.foldCast(s.casts[i].op)
	}
	for i := len(s.casts) - 1; i >= 0; i-- {
		if op := s.casts[i].op; !ignored(op) && !resultsLive(op) {
			s.markErased(op)
		}
	}
	for i, n := 0, len(s.casts); i < n; i++ {
		m := s.casts[i]
		if ignored(m.op) {
			continue
		}
		if err := s.resolve(m); err != nil {
			return err
		}
	}
	return nil
}

func resultsLive(op *ir.Op) bool {
	for i := range op.NumResults() {
		if hasLiveUse(op.Result(i)) {
			return true
		}
	}
	return false
}

// foldCast replaces a cast that undoes another one.
func (s *state) foldCast(op *ir.Op) {
	inputs := CastInputs(op)
	if inputs == nil {
		return
	}
	for i, v := range inputs {
		s.rewireTo(op.Result(i), v)
	}
}

func (s *state) rewireTo(v, w *ir.Value) {
	for u := v.FirstUse(); u != nil; {
		next := u.Next()
		if !ignored(u.Owner()) {
			s.record(&rewired{u, v})
			u.Set(w)
		}
		u = next
	}
}

func (s *state) resolve(m materialization) error {
	op := m.op
	if m.types != nil && op.NumResults() == 1 {
		s.rewriter.SetBefore(op)
		v := m.types.Materialize(m.kind, s.rewriter.Builder, op.Result(0).Type(), op.Operands().Values(), op.Loc())
		if v != nil {
			s.rewireTo(op.Result(0), v)
			s.markErased(op)
			return nil
		}
	}
	// The cast is gone when the error is shown, and so is a user that the conversion made.
	d := ir.Errorf(op.Loc(), "failed to legalize unresolved materialization from (%s) to %s that remained live after conversion",
		quoted(op.Operands().Types()), quoted(op.Results().Types()))
	if m.of != nil && m.types != nil {
		def := m.of.DefiningOp()
		d = def.PlainErrorf("failed to materialize conversion for result #%d of operation '%s' that remained live after conversion", m.of.Index(), def.Name())
	}
	for i := range op.NumResults() {
		for u := op.Result(i).FirstUse(); u != nil; u = u.Next() {
			if user := u.Owner(); !ignored(user) && !s.made(user) {
				n := d.WithNote(user.Loc(), "see existing live user here: ")
				n.Notes[len(n.Notes)-1].Suffix = user
				return n
			}
		}
	}
	return d
}

// made tells whether the conversion created the operation, in time linear in its changes.
func (s *state) made(op *ir.Op) bool {
	return slices.ContainsFunc(s.log, func(c change) bool {
		switch c := c.(type) {
		case created:
			return c.op == op
		case *castCreated:
			return c.op == op
		}
		return false
	})
}

func quoted(types []ir.Type) string {
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = "'" + t.String() + "'"
	}
	return strings.Join(out, ", ")
}

// commit erases what was erased, and forgets how to undo changes.
func (s *state) commit() {
	for _, c := range s.log {
		if e, ok := c.(*erased); ok {
			s.rewriter.Builder.Erase(e.op)
		}
	}
	for _, b := range s.removed {
		b.Erase()
	}
	clear(s.log)
	s.log = s.log[:0]
}
