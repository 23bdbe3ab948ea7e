package twin_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"testing"

	"freehold/dialect"
	"freehold/exec/difftest"
	"freehold/internal/testing/irgen"
	"freehold/internal/testing/twin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform"
)

var programs = flag.Int("programs", 8, "the number of random programs of each kind that are rewritten")

// Each twin changes some of the programs, and computes the same.
func TestTwins(t *testing.T) {
	var registry pass.Registry
	transform.Register(&registry)
	for _, x := range twin.All() {
		t.Run(x.Name, func(t *testing.T) {
			changed, all := 0, 0
			for _, g := range irgen.Generators {
				if g.Name != "tensors" && g.Name != "loops" && g.Name != "calls" && g.Name != "buffers" {
					continue
				}
				for seed := range uint64(*programs) {
					all++
					if rewritten(t, &registry, x, g, seed) {
						changed++
					}
				}
			}
			t.Logf("%d of %d programs are changed (%d %%)", changed, all, 100*changed/all)
			if changed == 0 {
				t.Error("no program is changed")
			}
		})
	}
}

// rewritten tells whether the twin of a program is another one.
func rewritten(t *testing.T, registry *pass.Registry, x twin.Twin, g irgen.Generator, seed uint64) bool {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 7))
	src := g.Generate(rnd.IntN, 15)
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "program.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	other := ir.CloneDetached(m)
	n, err := x.Rewrite(registry, other, rnd.IntN)
	if errors.Is(err, twin.ErrNone) {
		return false
	}
	if err == nil {
		err = ir.Verify(other)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, src)
		return false
	}
	text := asm.Print(other, asm.PrintOptions{})
	if differs := string(text) != string(asm.Print(m, asm.PrintOptions{})); differs != (n > 0) {
		t.Errorf("%d changes, but differs: %v\n%s", n, differs, text)
	}
	o := difftest.Options{Inputs: 2, Only: []string{"main"}}
	if g.Sizes != nil {
		o.Sizes = func(t ir.Type) []int64 { shape, _ := ir.ShapeOf(t); return g.Sizes(len(shape)) }
	}
	for _, f := range difftest.Run(m, other, o).Functions {
		for _, d := range f.Mismatches {
			t.Errorf("%s: %s\n%s\n%s", d.What, d.Difference, src, text)
		}
		for _, d := range f.Findings {
			t.Errorf("%v\n%s\n%s", d.Diagnostic, src, text)
		}
		if f.Skipped != nil {
			t.Errorf("%v\n%s\n%s", f.Skipped, src, text)
		}
	}
	return n > 0
}
