package explain

import (
	"testing"

	"freehold/memory/footprint"
)

// A program needs less only if each of its peaks is within one of the other program: what needs all at once that the other needs one after the other needs more,
// though the sums of their largest summands are the same.
func TestWithin(t *testing.T) {
	n := footprint.Size{Terms: []footprint.Term{{Sizes: []string{"%n"}, Bytes: 4}}}
	m := footprint.Size{Terms: []footprint.Term{{Sizes: []string{"%m"}, Bytes: 8}}}
	of := func(peaks ...footprint.Size) Measure {
		out := Measure{Peaks: peaks}
		for _, p := range peaks {
			out.Peak = out.Peak.Max(p)
		}
		return out
	}
	turns, both := of(n, m), of(n.Plus(m))
	if turns.Peak.String() != both.Peak.String() {
		t.Fatalf("%s and %s", turns.Peak, both.Peak)
	}
	for _, x := range []struct {
		before, after Measure
		helps         bool
	}{{both, turns, true}, {turns, both, false}, {turns, of(n), true}, {turns, turns, false}, {of(n), turns, false}, {of(n), of(m), false}} {
		if e := (&Effect{Before: x.before, After: x.after}); e.helps(&Item{}, true) != x.helps || e.helps(&Item{}, false) != x.helps {
			t.Errorf("%v for %v: it helps is not %t", x.after.Peaks, x.before.Peaks, x.helps)
		}
	}
}
