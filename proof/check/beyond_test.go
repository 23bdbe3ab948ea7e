package check_test

import (
	"math/rand/v2"
	"testing"

	"freehold/internal/testing/irgen"
)

// A program with something that nothing is known about is never called safe; what does nothing to buffers makes no
// difference, nor to whether there is a certificate.
func TestBeyondIsNotJudged(t *testing.T) {
	same, safe := 0, 0
	for seed := range seeds(4 * *programs) {
		r := rand.New(rand.NewPCG(seed, 19))
		without, with, harmful := irgen.Beyond(r.IntN, 1+r.IntN(6))
		m := load([]byte(with))
		if m == nil {
			t.Fatalf("seed %d: not valid:\n%s", seed, with)
		}
		v := verdict(m)
		if harmful {
			if v == "safe" {
				t.Errorf("seed %d: called safe\n%s", seed, with)
			}
			continue
		}
		if before := verdict(load([]byte(without))); v != before {
			t.Errorf("seed %d: %s, but %s without\n%s", seed, v, before, with)
		}
		same++
		if v == "safe" {
			safe++
			if _, why := certify(t, m); why != "" {
				t.Errorf("seed %d: not certified: %s\n%s", seed, why, with)
			}
		}
	}
	t.Logf("%d programs are the same, %d of them safe", same, safe)
	if safe == 0 {
		t.Error("none is safe")
	}
}
