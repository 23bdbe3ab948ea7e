package interfaces

import (
	"slices"

	"freehold/ir"
	"freehold/ir/shapes"
)

// ReassociationAttr is the attribute of reshapes that collapse or expand
// dimensions: for each dimension of the collapsed shape, the list of dimensions of
// the expanded shape it stands for.
const ReassociationAttr = "reassociation"

// Reassociation returns the groups of dimensions of a reshape operation.
func Reassociation(op *ir.Op) [][]int64 { return shapes.ReassociationOf(op.Attr(ReassociationAttr)) }

// VerifyReassociation checks a reshape between an expanded and a collapsed type:
// that the groups cover the expanded dimensions in order, and that the shapes
// agree with them.
func VerifyReassociation(op *ir.Op, expanded, collapsed ir.Type) error {
	es, _ := ir.ShapeOf(expanded)
	cs, _ := ir.ShapeOf(collapsed)
	if len(es) < len(cs) {
		return op.Errorf("expected the expanded type, '%s' to have a higher (or same) rank than the collapsed type, '%s'.", expanded, collapsed)
	}
	groups := Reassociation(op)
	if len(cs) != len(groups) {
		return op.Errorf("expected collapsed rank (%d) to equal the number of reassociation maps (%d).", len(cs), len(groups))
	}
	size := uint32(0) // of a map's domain, as MLIR counts it: a negative dimension is a large one
	for _, d := range slices.Concat(groups...) {
		if size = max(size, uint32(d)+1); d == -1 {
			size = 0
			break
		}
	}
	if len(groups) > 0 && int64(size) != int64(len(es)) {
		return op.Errorf("expected reassociation map #0 to have size equal to the expanded rank (%d), but it is  %d.", len(es), size)
	}
	next := int64(0)
	for i, g := range groups {
		for _, d := range g {
			if d != next {
				return op.Errorf("expected reassociation map #%d to be valid and contiguous.", i)
			}
			next++
		}
	}
	next = 0
	for i, g := range groups {
		dynamic, n := false, int64(1)
		for range g {
			if es[next] == ir.Dynamic {
				dynamic = true
			} else {
				n *= es[next]
			}
			next++
		}
		switch {
		case dynamic && cs[i] != ir.Dynamic:
			return op.Errorf("expected dimension %d of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic", i)
		case !dynamic && cs[i] != n:
			return op.Errorf("expected dimension %d of collapsed type to be static value of %d", i, n)
		}
	}
	return nil
}
