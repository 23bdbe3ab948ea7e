package footprint_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/check"
)

var programs = flag.Int("programs", 75, "how many random programs to try")

// The peak is never below what executions need, also of programs that free anywhere, or only on some paths.
func TestPeakIsBoundOfFreesAnywhere(t *testing.T) {
	tight := 0
	for seed := range uint64(*programs) {
		r := rand.New(rand.NewPCG(seed, 11))
		m := parse(t, irgen.Frees(r.IntN, 4+r.IntN(12)))
		fn, err := interp.Entry(m, "main")
		if err != nil {
			t.Fatal(err)
		}
		f := check.Footprint(m, 1).Of(fn)
		if f.Unknown || !f.Peak().IsStatic() {
			continue
		}
		need := most(t, m, fn)
		if f.Peak().Bytes < need {
			t.Fatalf("%d: the peak is %d, but an execution needs %d\n%s", seed, f.Peak().Bytes, need, asm.Print(m, asm.PrintOptions{}))
		} else if f.Peak().Bytes == need && need > 0 {
			tight++
		}
	}
	t.Logf("%d programs need exactly their peak", tight)
}

// most returns how many bytes executions of a function of two conditions and a count need that go wrong in no other way
// than to leave buffers.
func most(t *testing.T, m, fn *ir.Op) (need int64) {
	t.Helper()
	for n := range 12 {
		var args []interp.Value
		for i, text := range []string{fmt.Sprint(n&1 != 0), fmt.Sprint(n&2 != 0), fmt.Sprint(n >> 2)} {
			v, err := interp.Parse(m.Context(), text, []ir.Type{ir.I1, ir.I1, ir.Index}[i], nil)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, v)
		}
		res, err := interp.Run(m, fn, args, interp.Options{MaxSteps: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if res.Stopped() == nil {
			need = max(need, res.Stats.PeakBytes)
		}
	}
	return need
}
