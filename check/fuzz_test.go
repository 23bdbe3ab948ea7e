package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"freehold/check"
)

// FuzzModule looks for valid programs on which the check panics, or takes too long,
// and for programs that it calls safe although an execution shows that they aren't.
func FuzzModule(f *testing.F) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		f.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if filepath.Ext(file.Name) == ".mlir" {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		m := load(src)
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
