// Package fuzz has the fuzz targets of the passes, and what all fuzz targets share: the
// programs in the script tests are the seeds.
package fuzz

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
)

// AddPrograms makes seeds of the programs in scripts, those of less than limit bytes.
// The patterns tell where the scripts are; it is an error if there are none, except
// away from the source tree, where fuzz targets run that were built elsewhere.
func AddPrograms(f *testing.F, limit int, patterns ...string) {
	if tests, _ := filepath.Glob("*_test.go"); len(tests) == 0 {
		return
	}
	for _, program := range Programs(f, limit, patterns...) {
		f.Add(program)
	}
}

// Programs returns the programs in scripts, those of less than limit bytes. The patterns tell
// where the scripts are; it is an error if there are none.
func Programs(t testing.TB, limit int, patterns ...string) (programs [][]byte) {
	for _, pattern := range patterns {
		scripts, err := filepath.Glob(pattern)
		if err != nil || len(scripts) == 0 {
			t.Fatalf("no scripts %s: %v", pattern, err)
		}
		for _, path := range scripts {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range archive.Files {
				if filepath.Ext(file.Name) == ".mlir" && len(file.Data) < limit {
					programs = append(programs, file.Data)
				}
			}
		}
	}
	return programs
}

// Pipelines runs pipelines on programs that are derived from those in the scripts that
// match a pattern. They may reject a valid program, but not panic, nor make it
// invalid. Each program is text; what doesn't parse and verify is skipped. Give go test
// -fuzzminimizetime 1x with -fuzz: making the inputs small takes long otherwise.
func Pipelines(f *testing.F, scripts string, pipelines ...string) {
	CheckedPipelines(f, scripts, nil, pipelines...)
}

// Oracle says what is wrong with programs after a pipeline.
type Oracle struct {
	// Judges tells whether it can judge what is made of a program.
	Judges func(before *ir.Op) bool
	// Check returns what is wrong afterwards.
	Check func(after *ir.Op) error
}

// CheckedPipelines is [Pipelines], with an oracle, which may be nil.
func CheckedPipelines(f *testing.F, scripts string, check *Oracle, pipelines ...string) {
	AddPrograms(f, 1<<20, scripts)
	tool := driver.Freehold()
	registry := tool.Registry()
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		for _, p := range pipelines {
			ctx := tool.NewContext()
			ctx.AllowUnregistered = true
			m, err := asm.Parse(ctx, src, "fuzz.mlir", asm.ParseOptions{})
			if err != nil || ir.Verify(m) != nil {
				return
			}
			manager, err := registry.ParsePipeline(p)
			if err != nil {
				t.Fatal(err)
			}
			skip := check != nil && !check.Judges(m)
			if (&pass.Runner{}).Run(manager, m) != nil {
				continue // rejected
			}
			if err := ir.Verify(m); err != nil {
				t.Errorf("%s: the result is invalid: %v", p, err)
			} else if check != nil && !skip {
				if err := check.Check(m); err != nil {
					t.Errorf("%s: %v", p, err)
				}
			}
		}
	})
}
