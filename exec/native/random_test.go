package native_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"freehold/compile"
	"freehold/driver"
	"freehold/exec/interp"
	"freehold/exec/native"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/pass"
)

var programs = flag.Int("programs", 2, "number of random programs of each kind")

// Random programs, compiled, do natively what they do in checked memory.
func TestRandomPrograms(t *testing.T) {
	command := compiler(t)
	kinds := append([]irgen.Generator{{Name: "scalars", Generate: irgen.Scalars}}, irgen.Generators...)
	for _, g := range kinds {
		if g.Idle {
			continue
		}
		t.Run(g.Name, func(t *testing.T) {
			refused := 0
			for seed := range uint64(*programs) {
				text := g.Generate(rand.New(rand.NewPCG(seed, 7)).IntN, 30)
				if !randomProgram(t, command, text) {
					refused++
				}
			}
			if refused == *programs && *programs > 4 {
				t.Errorf("none of %d programs was executed", refused)
			}
		})
	}
}

// randomProgram executes a program both ways; it returns false if that is not possible.
func randomProgram(t *testing.T, command, text string) bool {
	t.Helper()
	s := driver.Freehold().NewSession()
	p, err := s.Parse([]byte(text), "random.mlir")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Passes.ParsePipeline(compile.Options{}.Pipeline())
	if err != nil {
		t.Fatal(err)
	}
	if err := (&pass.Runner{Sink: func(*ir.Diagnostic) {}}).Run(m, p.Module); err != nil {
		return false
	}
	fn, err := interp.Entry(p.Module, "main")
	if err != nil {
		t.Fatal(err)
	}
	args, err := interp.Texts{Random: true, Seed: 3, Limit: 1 << 26}.Arguments(fn)
	if err != nil {
		return false
	}
	want, err := interp.Run(p.Module, fn, args, interp.Options{MaxSteps: 1 << 22, MaxBytes: 1 << 26})
	if err != nil || want.Stopped() != nil {
		return false
	}
	got, err := native.Run(context.Background(), p.Module, fn, args, native.Options{Compiler: command, Timeout: time.Minute})
	var refused ir.Diagnostics
	var one *ir.Diagnostic
	switch {
	case errors.As(err, &refused), errors.As(err, &one):
		return false
	case err != nil:
		t.Errorf("%v\n%s", err, text)
		return true
	}
	if got.Inexact {
		return true
	}
	for i, w := range want.Values {
		if d := interp.Difference(w, got.Values[i], interp.Tolerance{}); d != "" {
			t.Errorf("result %d: %s\n%s", i, d, text)
		}
	}
	for i, w := range want.Buffers {
		if w.Type == nil {
			continue
		}
		if d := interp.Difference(w, got.Buffers[i], interp.Tolerance{}); d != "" {
			t.Errorf("argument %d: %s\n%s", i, d, text)
		}
	}
	if want.Output() != got.Output {
		t.Errorf("%q is printed, not %q\n%s", got.Output, want.Output(), text)
	}
	return true
}
