package prepare_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/bufferize/prepare"
)

// Where a function returns in several places, it gets one place.
func ExampleJoinReturns() {
	c := ir.NewContext(builtin.Dialect, cf.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%c: i1, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  cf.cond_br %c, ^then, ^else
^then:
  return %a : tensor<8xf32>
^else:
  return %b : tensor<8xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prepare.JoinReturns(module), "changed")
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// 1 changed
	// module {
	//   func.func @f(%arg0: i1, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
	//     cf.cond_br %arg0, ^bb1, ^bb2
	//   ^bb1:  // pred: ^bb0
	//     cf.br ^bb3(%arg1 : tensor<8xf32>)
	//   ^bb2:  // pred: ^bb0
	//     cf.br ^bb3(%arg2 : tensor<8xf32>)
	//   ^bb3(%0: tensor<8xf32>):  // 2 preds: ^bb1, ^bb2
	//     return %0 : tensor<8xf32>
	//   }
	// }
}
