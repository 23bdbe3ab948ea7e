package irgen_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
)

// madeUp are generators that find operations by their definitions, with how many kinds of operations a few programs have at least, and some that they have
// though no text names them.
var madeUp = []struct {
	name  string
	kinds int
	some  string
}{
	{"accesses", 50, "gpu.memcpy vector.scatter vector.maskedload affine.vector_store"},
	{"algebra", 100, "vector.gather tensor.concat"},
	{"lanes", 100, "vector.multi_reduction vector.shuffle"},
	{"imported", 80, ""},
	{"freed", 12, "memref.realloc scf.reduce memref.collapse_shape"},
}

// Programs that are made up from definitions are valid, can be executed to the end but for those that must be lowered first, and have most of the operations
// that there are.
func TestMadeUp(t *testing.T) {
	for _, tt := range madeUp {
		t.Run(tt.name, func(t *testing.T) {
			g := irgen.Generators[slices.IndexFunc(irgen.Generators, func(g irgen.Generator) bool { return g.Name == tt.name })]
			seen := map[string]bool{}
			for seed := range uint64(100) {
				src := g.Generate(rand.New(rand.NewPCG(seed, 5)).IntN, 40)
				m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "program.mlir", asm.ParseOptions{})
				if err == nil {
					err = ir.Verify(m)
				}
				if err != nil {
					t.Fatalf("%v\n%s", err, src)
				}
				m.Walk(func(op *ir.Op) bool { seen[op.Name()] = true; return true })
				if g.Lower == "" {
					executed(t, m, src)
				}
			}
			if len(seen) < tt.kinds {
				t.Errorf("only %d kinds of operations", len(seen))
			}
			for _, name := range strings.Fields(tt.some) {
				if !seen[name] {
					t.Errorf("there is no %s", name)
				}
			}
		})
	}
}

// executed executes a program, which must come to its end.
func executed(t *testing.T, m *ir.Op, src string) {
	t.Helper()
	fn, err := interp.Entry(m, "main")
	if err != nil {
		t.Fatal(err)
	}
	args, _, err := interp.Generator{Natural: true}.Arguments(fn)
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
