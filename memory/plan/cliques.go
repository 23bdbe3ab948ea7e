package plan

import (
	"math/bits"
	"slices"
)

// maxCliques is the number of cliques that are looked at.
const maxCliques = 400

// cliquesOf returns the largest sets of buffers that are in each other's way: those that are alive at one time, and, since with gaps there may be larger
// ones, others (Bron and Kerbosch 1973), up to a number.
func cliquesOf(conflict, alive []uint64) (out []uint64) {
	var extend func(set, more, without uint64)
	extend = func(set, more, without uint64) {
		if more|without == 0 {
			out = append(out, set)
			return
		}
		pivot, most := 0, -1
		for w := more | without; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			if n := bits.OnesCount64(more & conflict[i]); n > most {
				pivot, most = i, n
			}
		}
		for w := more &^ conflict[pivot]; w != 0 && len(out) < maxCliques; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			extend(set|1<<i, more&conflict[i], without&conflict[i])
			more &^= 1 << i
			without |= 1 << i
		}
	}
	if n := len(conflict); n > 0 {
		extend(0, ^uint64(0)>>(64-n), 0)
	}
	for _, set := range alive {
		if !slices.ContainsFunc(out, func(o uint64) bool { return o&set == set }) {
			out = append(out, set)
		}
	}
	return out
}
