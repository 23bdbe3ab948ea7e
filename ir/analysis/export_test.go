package analysis

import "freehold/ir"

// ForgetForward lets values be looked for as in regions in which control goes back.
func (l *Lifetimes) ForgetForward() {
	l.forwards = map[*ir.Region]*forwardRegion{}
	l.fn.Walk(func(op *ir.Op) bool {
		for _, r := range op.Regions() {
			l.forwards[r] = nil
		}
		return true
	})
}

// GoesForward tells whether control only goes forward in the function's body.
func (l *Lifetimes) GoesForward() bool { return l.forward(l.fn.RegionAt(0)) != nil }
