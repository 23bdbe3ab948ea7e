package tosa_test

import (
	"fmt"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	tosad "freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/lower/tosa"
)

// All of tosa becomes operations of other dialects, which compute the same.
func ExampleLower() {
	c := ir.NewContext(affine.Dialect, arith.Dialect, builtin.Dialect, funcd.Dialect, linalg.Dialect, math.Dialect, scf.Dialect, tensor.Dialect, tosad.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tosa.tanh %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := tosa.Lower(module, func(d *ir.Diagnostic) { fmt.Println(d) }); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// #map = affine_map<(d0, d1) -> (d0, d1)>
	// module {
	//   func.func @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
	//     %0 = tensor.empty() : tensor<4x8xf32>
	//     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
	//     ^bb0(%in: f32, %out: f32):
	//       %2 = math.tanh %in : f32
	//       linalg.yield %2 : f32
	//     } -> tensor<4x8xf32>
	//     return %1 : tensor<4x8xf32>
	//   }
	// }
}
