package oneshot

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// TestDiamondsInLoop asks for the type of an argument that 2^64 ways lead to.
func TestDiamondsInLoop(t *testing.T) {
	const n, tensor = 64, "tensor<4xf32>"
	var src strings.Builder
	fmt.Fprintf(&src, "func.func @f(%%c: i1, %%f: f32, %%i: index, %%t: %s) -> %[1]s {\n  cf.br ^h0(%%t : %[1]s)\n", tensor)
	for i := range n {
		fmt.Fprintf(&src, `^h%d(%%p%[1]d: %[2]s):
  cf.cond_br %%c, ^l%[1]d, ^r%[1]d
^l%[1]d:
  %%a%[1]d = tensor.insert %%f into %%p%[1]d[%%i] : %[2]s
  cf.br ^h%[3]d(%%a%[1]d : %[2]s)
^r%[1]d:
  cf.br ^h%[3]d(%%p%[1]d : %[2]s)
`, i, tensor, i+1)
	}
	fmt.Fprintf(&src, "^h%d(%%p: %s):\n  cf.cond_br %%c, ^h0(%%p : %[2]s), ^e\n^e:\n  return %%p : %[2]s\n}\n", n, tensor)
	c := ir.NewContext(dialect.All()...)
	m, err := asm.Parse(c, []byte(src.String()), "diamonds.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	o.BufferizeFunctionBoundaries = true
	if err := Run(m, o); err != nil {
		t.Fatal(err)
	}
	want, err := asm.ParseType(c, "memref<4xf32, strided<[?], offset: ?>>")
	if err != nil {
		t.Fatal(err)
	}
	for b := range m.BodyBlock(0).First().RegionAt(0).Blocks() {
		for _, a := range b.Args() {
			if ir.IsMemRef(a.Type()) && a.Type() != want {
				t.Errorf("an argument has the type %s, want %s", a.Type(), want)
			}
		}
	}
}
