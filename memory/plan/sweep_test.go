package plan_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"freehold/memory/plan"
)

// What a sweep says of a subset of buffers, and one more, is the lower bound of a problem of just these.
func TestSweep(t *testing.T) {
	interval := func(t *rapid.T, label string) plan.Interval {
		from := rapid.Int64Range(0, 12).Draw(t, label+" from")
		return plan.Interval{Lower: from, Upper: from + rapid.Int64Range(0, 6).Draw(t, label+" length")}
	}
	rapid.Check(t, func(t *rapid.T) {
		var p plan.Problem
		for i := range rapid.IntRange(0, 8).Draw(t, "buffers") {
			b := plan.Buffer{ID: fmt.Sprint(i), Size: rapid.Int64Range(0, 5).Draw(t, "size")}
			for range rapid.IntRange(1, 3).Draw(t, "intervals") {
				b.Live = append(b.Live, interval(t, "live"))
			}
			p.Buffers = append(p.Buffers, b)
		}
		sweep := plan.NewSweep(&p)
		for range 3 {
			var part plan.Problem
			in := make([]bool, len(p.Buffers))
			for i := range in {
				if in[i] = rapid.Bool().Draw(t, "in"); in[i] {
					part.Buffers = append(part.Buffers, p.Buffers[i])
				}
			}
			size, live := rapid.Int64Range(0, 5).Draw(t, "size of one more"), interval(t, "one more")
			part.Buffers = append(part.Buffers, plan.Buffer{Size: size, Live: []plan.Interval{live}})
			if got, want := sweep.Peak(func(i int) bool { return in[i] }, size, live), plan.LowerBound(&part).Bytes; got != want {
				t.Fatalf("peak %d, want %d, of %+v", got, want, part.Buffers)
			}
		}
	})
}
