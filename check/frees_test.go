package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"freehold/exec"
	"freehold/internal/irgen"
	"freehold/interp"
	"freehold/ir"
)

// wrongSomewhere executes @main of [irgen.Frees] with all its arguments. It returns what
// goes wrong with the lives of buffers, or otherwise in one of the given ways, if anything does.
func wrongSomewhere(t *testing.T, m *ir.Op, kinds ...exec.Kind) (found *exec.Finding, args string) {
	main := functions(m)[0]
	for n := range 12 {
		texts := []string{fmt.Sprint(n&1 != 0), fmt.Sprint(n&2 != 0), fmt.Sprint(n >> 2)}
		var values []interp.Value
		for i, typ := range []ir.Type{ir.I1, ir.I1, ir.Index} {
			v, err := interp.Parse(m.Context(), texts[i], typ, nil)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
		res, err := interp.Run(m, main, values, interp.Options{MaxSteps: 100_000})
		if err != nil {
			t.Fatalf("%v\n%s", err, text(m))
		}
		for _, f := range res.Findings {
			if slices.Contains(append(kinds, exec.UseAfterFree, exec.DoubleFree, exec.InvalidFree, exec.Leak), f.Kind) {
				return f, fmt.Sprint(texts)
			}
		}
	}
	return nil, ""
}

// Programs that free what they like are executed in all ways there are. None that is
// called safe goes wrong, and most of those that never do are proved.
func TestFreesAnywhere(t *testing.T) {
	right, proved, wrong, shown := 0, 0, 0, 0
	for seed := range seeds(10 * *programs) {
		r := rand.New(rand.NewPCG(seed, 7))
		src := irgen.Frees(r.IntN, 4+r.IntN(16))
		m := load([]byte(src))
		if m == nil {
			t.Fatalf("seed %d: not valid:\n%s", seed, src)
		}
		found, args := wrongSomewhere(t, m)
		v := verdict(m)
		switch {
		case found != nil && v == "safe":
			t.Errorf("seed %d: called safe, but with %s: %v\n%s", seed, args, found.Diagnostic, src)
		case found != nil:
			wrong++
			if v == "unsafe" {
				shown++
			}
		default:
			right++
			if v == "safe" {
				proved++
			}
		}
	}
	t.Logf("%d of %d right programs proved, %d of %d wrong ones shown", proved, right, shown, wrong)
	if wrong == 0 || right >= 100 && 10*proved < 6*right {
		t.Errorf("%d of %d right programs proved, %d wrong ones", proved, right, wrong)
	}
}
