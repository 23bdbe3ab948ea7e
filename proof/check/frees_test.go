package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"freehold/exec"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
)

// someFrees returns a program that frees what it likes, of either kind.
func someFrees(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return irgen.FlaggedFrees(r.IntN)
	}
	return irgen.Frees(r.IntN, 4+r.IntN(16))
}

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
		// The addresses of memory that ended may be used again, or not.
		for k := range 4 {
			res, err := interp.Run(m, main, values, interp.Options{MaxSteps: 100_000, ReuseAddress: reuse(k)})
			if err != nil {
				t.Fatalf("%v\n%s", err, text(m))
			}
			for _, f := range res.Findings {
				if slices.Contains(append(kinds, exec.UseAfterFree, exec.DoubleFree, exec.InvalidFree, exec.Leak), f.Kind) {
					return f, fmt.Sprint(texts)
				}
			}
		}
	}
	return nil, ""
}

// reuse returns ways in which new memory may have the addresses of memory that ended: not at all, as often as it can, and
// others.
func reuse(way int) func(n int) int {
	switch way {
	case 0:
		return nil
	case 1:
		return func(n int) int { return max(n-1, 0) }
	}
	r := rand.New(rand.NewPCG(uint64(way), 0))
	return func(n int) int { return r.IntN(n + 1) }
}

// Programs that free what they like are executed in all ways there are. None that is
// called safe goes wrong, and most of those that never do are proved.
func TestFreesAnywhere(t *testing.T) {
	compareFrees(t, 60, func(r *rand.Rand) string { return irgen.Frees(r.IntN, 4+r.IntN(16)) })
}

// The same for programs that make memory again, whose address is that of other memory, or not. Few of the right ones
// are right wherever memory is.
func TestReservedAnywhere(t *testing.T) {
	compareFrees(t, 10, func(r *rand.Rand) string { return irgen.Reserved(r.IntN) })
}

// The same for programs that keep in memory what they have freed.
func TestFlagsAnywhere(t *testing.T) {
	compareFrees(t, 60, func(r *rand.Rand) string { return irgen.FlaggedFrees(r.IntN) })
}

// compareFrees compares verdicts with executions of programs as [irgen.Frees] makes them, of which so many out of a hundred
// that do nothing wrong are to be proved.
func compareFrees(t *testing.T, share int, generate func(*rand.Rand) string) {
	right, proved, wrong, shown, blamed := 0, 0, 0, 0, 0
	for seed := range seeds(10 * *programs) {
		src := generate(rand.New(rand.NewPCG(seed, 7)))
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
			switch v {
			case "safe":
				proved++
			case "unsafe":
				blamed++
			}
		}
	}
	t.Logf("%d of %d right programs proved, %d called unsafe, %d of %d wrong ones shown", proved, right, blamed, shown, wrong)
	if wrong == 0 || right >= 100 && 100*proved < share*right {
		t.Errorf("%d of %d right programs proved, %d wrong ones", proved, right, wrong)
	}
}
