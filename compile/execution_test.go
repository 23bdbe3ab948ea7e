package compile

import (
	"testing"

	"freehold/exec/interp"
	"freehold/ir"
)

// NaNs are the same whatever their bits are, and zeros are told apart by their signs.
func TestResultsAreCompared(t *testing.T) {
	for _, c := range []struct {
		before, after uint64
		differences   int
	}{
		{0x7fc00000, 0xffc00000, 0},
		{0x7fc00000, 0x7fc00001, 0},
		{0x7fc00000, 0x3f800000, 1},
		{0x3f800000, 0x3f800000, 0},
		{0, 0x80000000, 1},
	} {
		var r Runs
		result := func(word uint64) *interp.Result {
			return &interp.Result{Values: []interp.Value{{Type: ir.F32, Word: word}}}
		}
		r.Before = &Run{}
		r.compareCalls(result(c.before), result(c.after), false)
		if len(r.Differences) != c.differences {
			t.Errorf("%#x and %#x: %d differences, want %d", c.before, c.after, len(r.Differences), c.differences)
		}
	}
}
