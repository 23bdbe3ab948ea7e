package check_test

import (
	"math/rand/v2"
	"testing"

	"freehold/ir"
	"freehold/proof/check"
)

// Whatever limits the work, or interrupts it, what is answered isn't the opposite of what is answered without; what
// isn't answered is said not to be judged.
func TestLimitsAnywhere(t *testing.T) {
	found := answers{}
	for seed := range seeds(5 * *programs) {
		r := rand.New(rand.NewPCG(seed, 67))
		m := changeable(t, r)
		if m == nil {
			continue
		}
		stop, names := make(chan struct{}), r.IntN(40)
		o := check.Options{Threads: 1, Unroll: 1 + r.IntN(4)}
		switch r.IntN(5) {
		case 0:
			o.MaxSteps = 1 << r.IntN(12)
		case 1:
			o.MaxNodes = 1 << r.IntN(12)
		case 2:
			o.MaxSolved = 1 << r.IntN(10)
		case 3: // when some name is told
			o.Interrupt, o.Name = stop, func(*ir.Value) string {
				if names--; names == -1 {
					close(stop)
				}
				return ""
			}
		default:
			o.Interrupt = stop
			close(stop)
		}
		got, want := check.Module(m, o), check.Module(m, check.Options{Threads: 1})
		if got.Safe() && !want.Safe() || len(got.Findings) > 0 && want.Safe() {
			t.Errorf("seed %d: %+v: %d findings, safe %v, but without limits %d, safe %v\n%s", seed, o, len(got.Findings), got.Safe(), len(want.Findings), want.Safe(), text(m))
		}
		found.add(got)
	}
	if t.Log(found); found["safe"] == 0 || found["not judged"] == 0 || found["leak"] == 0 {
		t.Error("some answer was never given")
	}
}
