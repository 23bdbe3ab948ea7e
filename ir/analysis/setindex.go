package analysis

// setIndex finds small sets by each of their numbers: who asks which of many sets have a number in common with a small one doesn't
// have to look at all, such as those of a long chain of branches, each of which is one of two buffers.
type setIndex map[int][]*intSet

const (
	// smallSet is how many numbers a set in an index has at most. Chains of sets that grow would fill it with the square of their length.
	smallSet = 4
	// fewMet is how many sets are looked at rather than those that were added last.
	fewMet = 32
)

// isSmall tells whether a set can be in an index.
func (a *intSet) isSmall() bool { return a.fewerThan(smallSet + 1) }

// add adds a small set that isn't there yet.
func (x setIndex) add(s *intSet) {
	s.each(func(t int) { x[t] = append(x[t], s) })
}

// fewMeet tells whether a set is small, and those that have a number in common with it are few.
func (x setIndex) fewMeet(s *intSet) bool {
	if !s.isSmall() {
		return false
	}
	n := 0
	s.each(func(t int) { n += len(x[t]) })
	return n <= fewMet
}
