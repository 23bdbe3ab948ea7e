package oneshot

import "slices"

// orderedSet is a set of things in the order they were added. It has few members usually,
// and is searched linearly as long as it has.
type orderedSet[T comparable] struct {
	list []T
	in   map[T]struct{} // once the list is long
}

// clear removes all elements. The room of the list stays.
func (s *orderedSet[T]) clear() {
	clear(s.list)
	s.list, s.in = s.list[:0], nil
}

// add adds x, and reports whether it was not there.
func (s *orderedSet[T]) add(x T) bool {
	if len(s.list) < 16 {
		if slices.Contains(s.list, x) {
			return false
		}
		s.list = append(s.list, x)
		return true
	}
	if s.in == nil {
		s.in = map[T]struct{}{}
		for _, old := range s.list {
			s.in[old] = struct{}{}
		}
	}
	if _, ok := s.in[x]; ok {
		return false
	}
	s.in[x] = struct{}{}
	s.list = append(s.list, x)
	return true
}
