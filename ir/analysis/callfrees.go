package analysis

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// freeing tells when something frees a buffer.
type freeing struct {
	// may tells that it may; certain that it does whenever under holds, or always if that is nil.
	may, certain bool
	under        *ir.Value
}

// and returns when it is freed by what is executed under a condition, or always if that is nil.
func (x freeing) and(condition *ir.Value) freeing {
	switch {
	case x.under == nil || x.under == condition:
		x.under = condition
	case condition != nil:
		x.certain = false
	}
	if x.under != nil && ir.IsConstantBool(x.under, true) {
		x.under = nil
	}
	if x.under != nil && ir.IsConstantBool(x.under, false) {
		return freeing{}
	}
	return x
}

// findFrees finds out which arguments a function frees, and tells whether that is more than what was known. Linear in the function.
func (s *CallSummaries) findFrees(fn *ir.Op) (more bool) {
	if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() || !anyMemRef(ir.TypesOf(fn.BodyBlock(0).Args())) || !s.freesAny(fn) {
		return false
	}
	b := NewBuffers(fn, BufferOptions{Calls: s})
	freed := b.mayBeFreed(s.MayFree)
	for i, a := range fn.BodyBlock(0).Args() {
		if !ir.IsMemRef(a.Type()) {
			continue
		}
		x := s.freeingIn(fn, a)
		x.may = x.may || freed[b.node(a)] // by another name, which may be that of something else
		k := s.known[fn]
		if !x.may || k != nil && k.frees != nil && k.frees[i].may {
			continue
		}
		if k == nil {
			k = &callSummary{}
			s.known[fn] = k
		}
		if k.frees == nil {
			k.frees = make([]freeing, fn.BodyBlock(0).NumArgs())
		}
		k.frees[i], more = x, true
	}
	return more
}

// freesAny tells whether something in a function, or what it calls, may free what it is given.
func (s *CallSummaries) freesAny(fn *ir.Op) (frees bool) {
	fn.Walk(func(op *ir.Op) bool {
		effects, _ := interfaces.EffectsOf(op)
		frees = frees || interfaces.ConditionalFree.Has(op) || slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == interfaces.Free })
		if !frees && interfaces.Call.Has(op) {
			k := s.of(op)
			frees = k != nil && slices.ContainsFunc(k.frees, func(x freeing) bool { return x.may })
		}
		return !frees
	})
	return frees
}

// freeingIn returns when a function frees its argument a, by that name or those of views of it.
func (s *CallSummaries) freeingIn(fn *ir.Op, a *ir.Value) (all freeing) {
	names := []*ir.Value{a}
	for k := 0; k < len(names); k++ {
		for u := names[k].FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if x := s.freeing(op, u.Index()); x.may {
				if x = within(fn, op, x); x.may && !all.certain {
					all = x
				}
			} else if m, ok := interfaces.ViewLike.Of(op); ok && m(op) == names[k] {
				for _, r := range op.Results().Values() {
					if ir.IsMemRef(r.Type()) {
						names = append(names, r)
					}
				}
			}
		}
	}
	return all
}

// within returns when a call of a function frees, given when an operation in it does. What it depends on must be
// an argument of the function.
func within(fn, op *ir.Op, x freeing) freeing {
	if p := op.Parent(); p != fn {
		condition, ok := interfaces.EntryCondition.Of(p)
		x.certain = x.certain && ok && p.Parent() == fn && op.Region() == p.RegionAt(0) && op.Block().IsEntry()
		if x.certain {
			x = x.and(condition(p))
		}
		op = p
	}
	if x.certain {
		entry := fn.BodyBlock(0)
		x.certain = op.Block() == entry && (x.under == nil || x.under.IsBlockArg() && x.under.ParentBlock() == entry)
	}
	return x
}

// freeing returns when an operation frees an operand.
func (s *CallSummaries) freeing(op *ir.Op, operand int) freeing {
	if m, ok := interfaces.ConditionalFree.Of(op); ok {
		start, n := m(op)
		if operand < start || operand >= start+n {
			return freeing{}
		}
		if i := operand + n; start+2*n == op.NumOperands() {
			return freeing{may: true, certain: true}.and(op.Operand(i))
		}
		return freeing{may: true}
	}
	if MayFree(op, operand) {
		return freeing{may: true, certain: true}
	}
	m, ok := interfaces.Call.Of(op)
	if !ok || s == nil {
		return freeing{}
	}
	k := s.of(op)
	start, n := m.Args(op)
	if i := operand - start; k != nil && i >= 0 && i < n && i < len(k.frees) {
		x := k.frees[i]
		if x.under == nil || !x.certain {
			return freeing{may: x.may, certain: x.certain}
		}
		if j := start + x.under.Index(); j < op.NumOperands() {
			return freeing{may: true, certain: true}.and(op.Operand(j))
		}
	}
	return freeing{}
}

// MayFree tells whether an operation, or what it calls, may free an operand. It may be called by several goroutines; s may be nil, and what
// is called isn't known to free anything then.
func (s *CallSummaries) MayFree(op *ir.Op, operand int) bool { return s.freeing(op, operand).may }

// freesCertainly tells whether an operation, or what it calls, frees an operand whenever it is executed. s may be nil.
func (s *CallSummaries) freesCertainly(op *ir.Op, operand int) bool {
	x := s.freeing(op, operand)
	return x.certain && x.under == nil
}
