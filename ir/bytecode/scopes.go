package bytecode

import (
	"math"

	"freehold/ir"
)

// scopes finds the operations whose regions use values from outside, and leaves with each
// use its place in the text.
type scopes struct {
	open    map[*ir.Op]bool
	regions []*ir.Region // around the operation at work, the outermost first
	next    uint32       // use
}

// visit looks at an operation and all that is nested in it. It returns the number, in
// regions, of the outermost region whose values these use.
func (s *scopes) visit(op *ir.Op) int {
	outermost := math.MaxInt
	uses := op.Operands()
	for i := range uses {
		uses[i].SetHint(s.next)
		s.next++
		r := uses[i].Value().ParentRegion()
		k := len(s.regions) - 1
		for k >= 0 && s.regions[k] != r {
			k--
		}
		outermost = min(outermost, k)
	}
	if op.NumRegions() == 0 {
		return outermost
	}
	inside := math.MaxInt
	for _, r := range op.Regions() {
		s.regions = append(s.regions, r)
		for b := range r.Blocks() {
			for x := b.First(); x != nil; x = x.Next() {
				inside = min(inside, s.visit(x))
			}
		}
		s.regions = s.regions[:len(s.regions)-1]
	}
	if inside < len(s.regions) {
		s.open[op] = true
	}
	return min(outermost, inside)
}
