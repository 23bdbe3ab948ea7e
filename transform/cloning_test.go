package transform_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/dialect/memref"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/check"
)

const bufferize = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map}"

// What comes out of random programs is safe, and comes out of itself. That it computes what it did is for campaigns.
func TestCloningOfPrograms(t *testing.T) {
	clones, frees, safe := 0, 0, 0
	for seed := range *programs {
		rnd := rand.New(rand.NewPCG(seed, 3))
		for kind, generate := range []func() string{
			func() string { return irgen.Tensors(rnd.IntN, 25) },
			func() string { return irgen.Views(rnd.IntN, 25) },
			func() string { return irgen.Buffers(rnd.IntN, irgen.BufferKnobs{Size: 25}) },
		} {
			src := generate()
			m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "p.mlir", asm.ParseOptions{})
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			if kind == 0 && run(m, bufferize) != nil {
				continue // what can't be bufferized
			}
			passes := "func.func(buffer-deallocation{function-boundaries})"
			if seed%2 == 0 {
				passes = "func.func(buffer-hoisting,buffer-loop-hoisting,buffer-deallocation{function-boundaries})"
			}
			if err := run(m, passes); err != nil {
				if strings.Contains(err.Error(), "Only structured control-flow loops") {
					continue
				}
				t.Fatalf("seed %d: %v\n%s", seed, err, src)
			}
			once := string(asm.Print(m, asm.PrintOptions{}))
			clones += strings.Count(once, "bufferization.clone")
			frees += strings.Count(once, "memref.dealloc")
			r := check.Module(m, check.Options{})
			if len(r.Findings) > 0 {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, r.Findings[0], src, once)
			}
			if len(r.Unjudged) == 0 {
				safe++
			}
			const again = "func.func(buffer-deallocation{function-boundaries})"
			if err := run(m, again); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, once)
			}
			if twice := string(asm.Print(m, asm.PrintOptions{})); twice != once {
				t.Fatalf("seed %d: the second time, something changes:\n%s\n%s", seed, once, twice)
			}
			// What lacks some of the frees gets them back.
			var lost []*ir.Op
			m.Walk(func(op *ir.Op) bool {
				if op.Is(memref.Dealloc) && rnd.IntN(2) == 0 {
					lost = append(lost, op)
				}
				return true
			})
			for _, op := range lost {
				op.Erase()
			}
			some := string(asm.Print(m, asm.PrintOptions{}))
			if err := run(m, again); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, some)
			}
			if r := check.Module(m, check.Options{}); len(r.Findings) > 0 {
				t.Fatalf("seed %d: %v\n%s\n%s", seed, r.Findings[0], some, asm.Print(m, asm.PrintOptions{}))
			}
		}
	}
	if t.Logf("%d clones, %d frees, %d safe", clones, frees, safe); min(clones, frees, safe) < 5*int(*programs)/3 {
		t.Error("these are few")
	}
}
