package check

import (
	"maps"
	"testing"

	"freehold/ir"
)

// A certificate names the pairs of results that may be the same buffer as they were found, or, where nothing was looked for, all pairs of buffers.
func TestSameBuffers(t *testing.T) {
	ctx := ir.NewContext()
	buffer := ctx.MemRefOf([]int64{4}, ir.F32, nil, nil)
	types := []ir.Type{buffer, ir.F32, buffer, buffer}
	pairs := func(of ...[2]int) map[[2]int]bool {
		out := map[[2]int]bool{}
		for _, p := range of {
			out[p] = true
		}
		return out
	}
	for _, x := range []struct {
		name        string
		found, want map[[2]int]bool
	}{
		{"not looked for", nil, pairs([2]int{0, 2}, [2]int{0, 3}, [2]int{2, 3})},
		{"none", pairs(), pairs()},
		{"some", pairs([2]int{0, 3}, [2]int{0, 1}), pairs([2]int{0, 3})},
		{"denied", map[[2]int]bool{{0, 2}: false, {2, 3}: true}, pairs([2]int{2, 3})},
	} {
		c := &contract{promise: promise{same: x.found}}
		if got := c.sameBuffers(types); !maps.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
}
