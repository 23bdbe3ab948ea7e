package irgen_test

import (
	"math/rand/v2"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
)

// Programs of corners can be read and executed to the end.
func TestCorners(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		generate := irgen.Corners
		if seed%4 == 3 {
			generate = irgen.Kept
		}
		src := generate(rnd.IntN, 25)
		m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "program.mlir", asm.ParseOptions{})
		if err == nil {
			err = ir.Verify(m)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		m.Walk(func(op *ir.Op) bool { seen[op.Name()] = true; return true })
		fn, err := interp.Entry(m, "main")
		if err != nil {
			t.Fatal(err)
		}
		args, _, err := interp.Generator{Seed: seed}.Arguments(fn)
		if err != nil {
			t.Fatal(err)
		}
		res, err := interp.Run(m, fn, args, interp.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if f := res.Stopped(); f != nil {
			t.Fatalf("%v\n%s", f, src)
		}
	}
	if len(seen) < 70 {
		t.Errorf("only %d kinds of operations", len(seen))
	}
}
