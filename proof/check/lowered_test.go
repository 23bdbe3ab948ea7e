package check_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/dialect/llvm"
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
		// What frees by another name, or is written here, isn't what frees.
		for _, other := range []string{
			strings.NewReplacer("@free(", "@release(", "@retainBuffers(", "@keepBuffers(").Replace(text(m)),
			strings.Replace(text(m), "llvm.func @free(!llvm.ptr)", "llvm.func @free(%arg0: !llvm.ptr) {\n    llvm.return\n  }", 1),
			strings.Replace(text(m), "llvm.func @free(!llvm.ptr)", "llvm.func @free(!llvm.ptr) -> i32", 1),
		} {
			if other == text(m) {
				continue
			}
			m := load([]byte(other))
			if m == nil || verdict(m) != "safe" {
				continue
			}
			var calls []*ir.Op
			m.Walk(func(op *ir.Op) bool {
				if op.Is(llvm.Call) && op.NumResults() == 0 {
					calls = append(calls, op)
				}
				return true
			})
			for _, op := range calls {
				op.Erase()
			}
			if v := verdict(load([]byte(text(m)))); v != "safe" {
				t.Fatalf("program %d, %s: called safe without what frees\n%s", seed, pipeline, other)
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
