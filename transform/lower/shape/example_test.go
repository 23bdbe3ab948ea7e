package shape_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/scf"
	shaped "freehold/dialect/shape"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
	"freehold/transform/lower/shape"
)

// Computing with shapes becomes computing with numbers.
func ExampleConvertToStd() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, scf.Dialect, shaped.Dialect, tensor.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%t: tensor<?x8xf32>, %i: index) -> index {
  %shape = shape.shape_of %t : tensor<?x8xf32> -> tensor<2xindex>
  %n = shape.get_extent %shape, %i : tensor<2xindex>, index -> index
  return %n : index
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	patterns := rewrite.NewPatternSet(c, shape.StdPatterns())
	if err := shape.ConvertToStd(module, patterns, func(d *ir.Diagnostic) { fmt.Println(d) }); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: tensor<?x8xf32>, %arg1: index) -> index {
	//     %c0 = arith.constant 0 : index
	//     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
	//     %c8 = arith.constant 8 : index
	//     %from_elements = tensor.from_elements %dim, %c8 : tensor<2xindex>
	//     %cast = tensor.cast %from_elements : tensor<2xindex> to tensor<2xindex>
	//     %dim_0 = tensor.dim %arg0, %arg1 : tensor<?x8xf32>
	//     return %dim_0 : index
	//   }
	// }
}
