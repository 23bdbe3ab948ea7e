package explain_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/exec/difftest"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/tool/explain"
)

// tried explains a program, and tries all advice; nil if the program isn't compiled.
func tried(t *testing.T, name string, src []byte) (given *ir.Op, c *explain.Compilation, groups []*explain.Group) {
	t.Helper()
	session := driver.Freehold().NewSession()
	p, err := session.Parse(src, name)
	if err != nil {
		return nil, nil, nil
	}
	given = ir.CloneDetached(p.Module)
	c = &explain.Compilation{Registry: session.Passes, Source: func(string) []byte { return src }}
	e, err := c.Explain(p.Module)
	if err != nil {
		return nil, nil, nil
	}
	groups = explain.Groups(e.Items)
	items := 0
	for _, g := range groups {
		items += len(g.Items)
	}
	if items != len(e.Items) {
		t.Errorf("%s: %d items in groups, of %d", name, items, len(e.Items))
	}
	if left, _ := c.Try(given, e, groups, 1000); left != 0 {
		t.Errorf("%s: %d pieces of advice weren't tried", name, left)
	}
	return given, c, groups
}

// Advice that was tried changes what it is about, and what is followed by itself keeps what the program does.
func TestTriedAdvice(t *testing.T) {
	programs := map[string]string{}
	for _, f := range programsIn(t, "../../examples") {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs[f] = string(src)
	}
	// Two reads that come too late, of which one is in a loop.
	programs["late reads"] = `func.func @main(%t: tensor<8xf32>, %u: tensor<8xf32>, %x: f32) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %new = tensor.insert %x into %t[%c1] : tensor<8xf32>
  %old = tensor.extract %t[%c1] : tensor<8xf32>
  %y = tensor.extract %new[%c1] : tensor<8xf32>
  %a, %b = scf.for %i = %c0 to %c8 step %c1 iter_args(%v = %u, %s = %x) -> (tensor<8xf32>, f32) {
    %w = tensor.insert %s into %v[%i] : tensor<8xf32>
    %before = tensor.extract %v[%i] : tensor<8xf32>
    %sum = arith.addf %s, %before : f32
    scf.yield %w, %sum : tensor<8xf32>, f32
  }
  %z = tensor.extract %a[%c1] : tensor<8xf32>
  return %y, %old, %z, %b : f32, f32, f32, f32
}`
	random := 60
	if testing.Short() {
		random = 10
	}
	for seed := range uint64(random) {
		programs["random "+string(rune('a'+seed%26))+strings.Repeat("'", int(seed/26))] = irgen.Tensors(rand.New(rand.NewPCG(seed, 7)).IntN, 30)
	}
	advised, applied := 0, 0
	for name, src := range programs {
		given, c, groups := tried(t, name, []byte(src))
		for _, g := range groups {
			for _, a := range g.First().Advice {
				advised++
				b, after := a.Effect.Before, a.Effect.After
				if after.Copies >= b.Copies && after.Allocations >= b.Allocations && after.Peak.AtLeast(b.Peak) && after.Copied.AtLeast(b.Copied) {
					t.Errorf("%s: %s: %s: %v", name, g.First().Title, a.Text, a.Effect)
				}
			}
		}
		if given == nil {
			continue
		}
		changed := ir.CloneDetached(given)
		n := c.Apply(changed, groups)
		if applied += n; n == 0 {
			continue
		}
		if err := ir.Verify(changed); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r := difftest.Run(given, changed, difftest.Options{Inputs: 2, MaxSteps: 1 << 14, MaxBytes: 1 << 24}); r.Mismatches+r.Findings > 0 {
			t.Errorf("%s: followed advice changes what the program does: %+v", name, r.Functions)
		}
	}
	t.Logf("%d pieces of advice, %d followed", advised, applied)
	if advised == 0 || applied == 0 {
		t.Error("nothing was advised, or nothing followed")
	}
}
