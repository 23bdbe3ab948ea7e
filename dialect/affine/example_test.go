package affine_test

import (
	"fmt"

	"freehold/dialect/affine"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// The maps of operations that are operands of each other become one map of what the
// last of them stands on.
func ExampleCompose() {
	c := ir.NewContext(affine.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%i: index) -> index {
  %row = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
  %place = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0 mod 8)>(%row)[%i]
  return %place : index
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(affine.Apply) {
			m, operands := affine.Compose(c, affine.MapOf(op), op.Operands().Values())
			fmt.Println(c.AffineMapAttr(m), "with", len(operands), "operand")
		}
		return true
	})
	// Output:
	// affine_map<()[s0] -> (s0 floordiv 8)> with 1 operand
	// affine_map<()[s0] -> (s0 + (s0 floordiv 8) * 8)> with 1 operand
}
