package shape_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/shape"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
)

// A shape is computed from those of two tensors, and folded once these are known.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, shape.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f() -> !shape.shape {
  %a = shape.const_shape [4, 1, 8] : !shape.shape
  %b = shape.const_shape [2, 8] : !shape.shape
  %c = shape.broadcast %a, %b : !shape.shape, !shape.shape -> !shape.shape
  return %c : !shape.shape
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var folder rewrite.Folder
	module.Walk(func(op *ir.Op) bool {
		if op.Is(shape.Broadcast) {
			results, _ := folder.Fold(op)
			fmt.Println(results[0].Attr, shape.IsNumbers(op.Result(0).Type()))
		}
		return true
	})
	// Output:
	// dense<[4, 2, 8]> : tensor<3xindex> true
}
