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

// Programs of numbers can be read and executed, and have most of the operations on numbers that there are.
func TestScalars(t *testing.T) {
	seen, executed := map[string]bool{}, 0
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		src := irgen.Scalars(rnd.IntN, 40)
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
		args, _, err := interp.Generator{Seed: seed, Special: 2}.Arguments(fn)
		if err != nil {
			t.Fatal(err)
		}
		res, err := interp.Run(m, fn, args, interp.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if res.Stopped() == nil {
			executed++
		}
	}
	t.Logf("%d kinds of operations, %d of 150 programs executed to the end", len(seen), executed)
	if len(seen) < 80 || executed < 40 {
		t.Errorf("only %d kinds of operations, %d of 150 programs executed to the end", len(seen), executed)
	}
}
