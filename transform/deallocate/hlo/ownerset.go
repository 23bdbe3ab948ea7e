package hlo

import "freehold/ir"

// ownerSet is a set of owners that remembers the order in which they came.
type ownerSet struct {
	order []*ir.Value
	in    map[*ir.Value]bool
}

func (s *ownerSet) add(o *ir.Value) {
	if s.in == nil {
		s.in = map[*ir.Value]bool{}
	}
	if !s.in[o] {
		s.order = append(s.order, o)
		s.in[o] = true
	}
}

// remove removes an owner, and tells whether it was there. It doesn't come back.
func (s *ownerSet) remove(o *ir.Value) bool {
	was := s.in[o]
	delete(s.in, o)
	return was
}

func (s *ownerSet) has(o *ir.Value) bool { return s.in[o] }

func (s *ownerSet) list() (out []*ir.Value) {
	for _, o := range s.order {
		if s.in[o] {
			out = append(out, o)
		}
	}
	return out
}
