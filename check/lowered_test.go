package check_test

import (
	"math/rand/v2"
	"testing"

	"freehold/exec"
	"freehold/ir"
)

// What owners become when they are lowered to pointers is judged as before, but that nothing may be freed; and none that
// goes wrong when it is executed is called safe.
func TestLoweredOwners(t *testing.T) {
	all, same, wrong := 0, 0, 0
	for seed := range seeds(2 * *programs) {
		r := rand.New(rand.NewPCG(seed, 31))
		src, pipeline := owned(t, r)
		m := load(src)
		if what := misown(m, r); r.IntN(2) == 0 || what == "" || ir.Verify(m) != nil {
			m = load(src)
		}
		before := verdict(m)
		m = transformed(t, m, "hlo-convert-deallocation-ops-to-llvm")
		if m == nil {
			t.Fatalf("program %d, %s: the lowering fails\n%s", seed, pipeline, src)
		}
		m = load([]byte(text(m)))
		v := verdict(m)
		var found *exec.Finding
		for _, fn := range functions(m) {
			for input := range uint64(3) {
				if f := refuted(m, fn, input); f != nil {
					found = f
				}
			}
		}
		switch {
		case found != nil && v == "safe":
			t.Fatalf("program %d, %s: %v\n%s", seed, pipeline, found.Diagnostic, text(m))
		case before == "safe" && v == "unsafe":
			t.Errorf("program %d, %s: unsafe, but was safe\n%s", seed, pipeline, text(m))
		case found != nil:
			wrong++
		}
		if all++; v == before {
			same++
		}
	}
	t.Logf("%d of %d are judged as before; %d go wrong", same, all, wrong)
	if wrong == 0 || 10*same < 9*all {
		t.Errorf("%d of %d are judged as before; %d go wrong", same, all, wrong)
	}
}
