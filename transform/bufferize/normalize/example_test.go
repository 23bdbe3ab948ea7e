package normalize_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/bufferize/normalize"
)

// One filled tensor for two products would be kept for the second one; filled again, it isn't.
func ExampleDuplicateCheap() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, linalg.Dialect, tensor.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: tensor<8x8xf32>, %zero: f32) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = linalg.matmul ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(normalize.DuplicateCheap(module.BodyBlock(0).First()) > 0)
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// true
	// module {
	//   func.func @f(%arg0: tensor<8x8xf32>, %arg1: f32) -> tensor<8x8xf32> {
	//     %0 = tensor.empty() : tensor<8x8xf32>
	//     %1 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
	//     %2 = linalg.matmul ins(%arg0, %arg0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
	//     %3 = tensor.empty() : tensor<8x8xf32>
	//     %4 = linalg.fill ins(%arg1 : f32) outs(%3 : tensor<8x8xf32>) -> tensor<8x8xf32>
	//     %5 = linalg.matmul ins(%2, %arg0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<8x8xf32>) -> tensor<8x8xf32>
	//     return %5 : tensor<8x8xf32>
	//   }
	// }
}
