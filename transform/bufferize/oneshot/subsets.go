package oneshot

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// insertsSubsetOf tells whether v, wherever it comes from, is just the subset of
// the destination that the insertion overwrites.
func (s *state) insertsSubsetOf(v *ir.Value, op *ir.Op, m interfaces.SubsetInsertionModel) bool {
	if !s.isExtracted(v) {
		return false
	}
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if !x.IsBlockArg() && m.EquivalentSubset(op, x, s.AreEquivalent) {
			continue
		}
		from := s.comesFrom(x)
		if len(from) == 0 {
			return false
		}
		for _, w := range from {
			if !s.isExtracted(w) {
				return false
			}
			if !seen[w] {
				seen[w] = true
				work = append(work, w)
			}
		}
	}
	return true
}

// comesFrom returns the values that a value may share its buffer with and that its operation is given; none if nothing is known of that.
func (s *state) comesFrom(v *ir.Value) (from []*ir.Value) {
	if _, ok := s.Model(interfaces.OwnerOf(v)); !ok {
		return nil
	}
	for _, a := range s.AliasingOperands(v) {
		from = append(from, a.Use.Value())
	}
	return from
}

// isExtracted tells whether a value, wherever it comes from, is or comes from what an operation extracts from a tensor. While the program stays as it is, the answers
// are kept, with those for the values on the way, so that all together take linear time.
func (s *state) isExtracted(v *ir.Value) bool {
	if s.extracted == nil || s.definitions == nil {
		s.extracted = map[*ir.Value]bool{}
	}
	if known, ok := s.extracted[v]; ok {
		return known
	}
	via := map[*ir.Value]*ir.Value{v: nil} // the value by which one was reached
	for work := []*ir.Value{v}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if def := x.DefiningOp(); def != nil && interfaces.SubsetExtraction.Has(def) {
			continue
		}
		known, ok := s.extracted[x]
		if ok && known {
			continue
		}
		from := s.comesFrom(x)
		if ok || len(from) == 0 {
			for ; x != nil; x = via[x] {
				s.extracted[x] = false
			}
			return false
		}
		for _, w := range from {
			if _, seen := via[w]; !seen {
				via[w] = x
				work = append(work, w)
			}
		}
	}
	for x := range via {
		s.extracted[x] = true
	}
	return true
}
