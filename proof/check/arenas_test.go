package check_test

import (
	"math/rand/v2"
	"testing"

	"freehold/exec"
	"freehold/internal/testing/irgen"
)

// Programs with parts of arenas wherever they like are executed in all ways there are. None that is called safe
// reads what another part took, and what is called unsafe does.
func TestArenasAnywhere(t *testing.T) {
	right, proved, wrong, shown := 0, 0, 0, 0
	for seed := range seeds(4 * *programs) {
		r := rand.New(rand.NewPCG(seed, 17))
		src := irgen.Arenas(r.IntN, 1+r.IntN(10))
		m := load([]byte(src))
		if m == nil {
			t.Fatalf("seed %d: not valid:\n%s", seed, src)
		}
		found, args := wrongSomewhere(t, m, exec.Overlap)
		v := verdict(m)
		switch {
		case found != nil && v == "safe":
			t.Errorf("seed %d: called safe, but with %s: %v\n%s", seed, args, found.Diagnostic, src)
		case found != nil:
			wrong++
			if v == "unsafe" {
				shown++
			}
		case v == "unsafe":
			// What ended for another reason may have got there.
			if other, _ := wrongSomewhere(t, m, exec.Undefined, exec.Uninitialized); other != nil {
				continue
			}
			t.Errorf("seed %d: called unsafe, but does nothing wrong\n%s", seed, src)
		default:
			right++
			if v == "safe" {
				proved++
			}
		}
	}
	t.Logf("%d of %d right programs proved, %d of %d wrong ones shown", proved, right, shown, wrong)
	if wrong == 0 || shown == 0 || 3*proved < right {
		t.Errorf("%d of %d right programs proved, %d of %d wrong ones shown", proved, right, shown, wrong)
	}
}
