package analysis

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// PassedTo returns what structured control flow passes on as a value, which is a result of a region branch operation or an argument of one of its regions: operands of
// the operation, and of the ends of its regions. It isn't known of other values, nor of those that something else makes, such as the counter of a loop. Linear in the
// size of the branches.
func PassedTo(v *ir.Value) (from []*ir.Value, known bool) {
	op := interfaces.OwnerOf(v)
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok {
		return nil, false
	}
	known = true
	interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
		switch k := slices.Index(inputs, v); {
		case k >= 0 && len(operands) == len(inputs):
			from = append(from, operands.At(k))
		case k >= 0:
			known = false
		}
	})
	return from, known && len(from) > 0
}

// Sources returns where a value comes from: from tells the values that one is taken from, and those of which it tells none are the sources, in no order. There is
// none if a value only comes from itself. Linear in the number of values on the way.
func Sources(v *ir.Value, from func(v *ir.Value) []*ir.Value) (sources []*ir.Value) {
	seen := map[*ir.Value]bool{v: true}
	work := []*ir.Value{v}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		before := from(x)
		if len(before) == 0 {
			sources = append(sources, x)
		}
		for _, y := range before {
			if !seen[y] {
				seen[y] = true
				work = append(work, y)
			}
		}
	}
	return sources
}
