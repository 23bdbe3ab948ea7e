package tile_test

import (
	"fmt"

	"freehold/driver"
	"freehold/transform/memory/tile"
)

// Of what is between two operations, there is a row at a time.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%x: tensor<64x16xf32>, %y: tensor<16x64xf32>, %z: tensor<64x4xf32>) -> tensor<64x4xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %y : tensor<64x16xf32>, tensor<16x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x4xf32>
  %j = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x4xf32>) -> tensor<64x4xf32>
  %q = linalg.matmul ins(%p, %z : tensor<64x64xf32>, tensor<64x4xf32>) outs(%j : tensor<64x4xf32>) -> tensor<64x4xf32>
  return %q : tensor<64x4xf32>
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := tile.Run(p.Module, tile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Println(r.Before, "became", r.After, "by", r.Operations, "operations in tiles")
	}
	// Output: 17408 became 1280 by 2 operations in tiles
}
