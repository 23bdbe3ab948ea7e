package stablehlo_test

import (
	"fmt"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/lower/stablehlo"
)

// StableHLO becomes operations that bufferize in place, which compute the same.
func ExampleLower() {
	c := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(c, []byte(`func.func @f(%cache: tensor<8xf32>, %x: tensor<1xf32>) -> tensor<8xf32> {
  %at = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cache, %x, %at : (tensor<8xf32>, tensor<1xf32>, tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := stablehlo.Lower(module); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: tensor<8xf32>, %arg1: tensor<1xf32>) -> tensor<8xf32> {
	//     %inserted_slice = tensor.insert_slice %arg1 into %arg0[3] [1] [1] : tensor<1xf32> into tensor<8xf32>
	//     return %inserted_slice : tensor<8xf32>
	//   }
	// }
}
