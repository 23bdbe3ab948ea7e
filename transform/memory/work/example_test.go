package work_test

import (
	"fmt"

	"freehold/driver"
	"freehold/transform/memory/work"
)

// A product of matrices multiplies and adds for each element of each row; what only moves or fills takes nothing.
func ExampleOf() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%x: tensor<8x4xf32>, %y: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %p = linalg.matmul ins(%x, %y : tensor<8x4xf32>, tensor<4x2xf32>) outs(%i : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %p : tensor<8x2xf32>
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(work.Of(p.Module))
	// Output: 128
}
