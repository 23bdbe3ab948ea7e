package canonicalize_test

import (
	"fmt"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/generic/canonicalize"
)

// Operations on two tensors of which one knows its size, and the other one doesn't, fold to what is of their type, whatever one of them is.
func TestMixedTypes(t *testing.T) {
	numbers := map[string][]string{"i32": {"0", "1", "-1", "2147483647", "-2147483648"}, "i1": {"true", "false"}, "f32": {"0.0", "-0.0", "1.0", "0x7FC00000", "0x7F800000"}}
	c := ir.NewContext(dialect.All()...)
	valid := func(src string) *ir.Op {
		m, err := asm.Parse(c, []byte(src), "f.mlir", asm.ParseOptions{})
		if err != nil || ir.Verify(m) != nil {
			return nil
		}
		return m
	}
	ran := 0
	for _, n := range c.OpNames() {
		for elem, list := range numbers {
			known, unknown := fmt.Sprintf("tensor<4x%s>", elem), fmt.Sprintf("tensor<?x%s>", elem)
			for _, form := range []string{"%q(%%c, %%d) : (%s, %s)", "%q(%%d, %%c) : (%[3]s, %[2]s)"} {
				for _, result := range []string{known, unknown} {
					use := fmt.Sprintf("  %%r = "+form+" -> %[4]s\n  return %%r : %[4]s\n}", n.String(), known, unknown, result)
					if valid(fmt.Sprintf("func.func @f(%%d: %s, %%c: %s) -> %s {\n%s", unknown, known, result, use)) == nil {
						continue
					}
					for _, number := range list {
						src := fmt.Sprintf("func.func @f(%%d: %s) -> %s {\n  %%c = arith.constant dense<%s> : %s\n%s", unknown, result, number, known, use)
						m := valid(src)
						if m == nil {
							t.Errorf("not valid:\n%s", src)
							continue
						}
						ran++
						canonicalize.Run(m, canonicalize.DefaultOptions(), 10)
						if err := ir.Verify(m); err != nil {
							t.Errorf("%v\n%s", err, src)
						}
					}
				}
			}
		}
	}
	if ran < 250 {
		t.Errorf("only %d programs are valid", ran)
	}
}
