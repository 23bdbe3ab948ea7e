package tosa_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/asm"
)

// What follows about the shapes of results from those of operands.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, tosa.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%a: tensor<4x1xf32>, %b: tensor<1x8xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<4x1xf32>, tensor<1x8xf32>) -> tensor<?x?xf32>
  %max = tosa.reduce_max %sum {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %max : tensor<?x?xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if infer, ok := tosa.ShapeInference.Of(op); ok {
			fmt.Println(op.Name(), infer(op))
		}
		if op.Is(tosa.ReduceMax) {
			fmt.Println("along dimension", tosa.Axis(op))
		}
		return true
	})
	// Output:
	// tosa.add [tensor<4x8xf32>]
	// tosa.reduce_max [tensor<?x1xf32>]
	// along dimension 1
}
