package check_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/check"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// A check compares tensors, or the buffers that they become.
func Example() {
	c := ir.NewContext(builtin.Dialect, check.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: tensor<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  check.expect_close %x, %x {max_ulp_difference = 1 : i64} : tensor<4xf32>
  check.expect_eq %y, %z : memref<4xf32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(check.ExpectClose) {
			fmt.Println(op.Attr(check.MaxULPAttr))
		}
		return true
	})
	// Output: 1 : i64
}
