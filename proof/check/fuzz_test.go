package check_test

import (
	"testing"

	"freehold/internal/testing/fuzz"
	"freehold/proof/check"
)

// FuzzModule looks for valid programs on which the check panics, or takes too long,
// and for programs that it calls safe although an execution shows that they aren't.
func FuzzModule(f *testing.F) {
	fuzz.AddPrograms(f, 1<<20, "testdata/script/*.txtar")
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		m := loadIn(newContext(), src)
		if m == nil {
			return
		}
		if !check.Module(m, check.Options{Threads: 1, MaxSteps: 1 << 16, MaxNodes: 1 << 16, MaxSolved: 1 << 20}).Safe() {
			return
		}
		for _, fn := range functions(m) {
			if found := refuted(m, fn, 1); found != nil {
				t.Fatalf("called safe, but: %v", found.Diagnostic)
			}
		}
	})
}
