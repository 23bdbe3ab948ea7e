package quant_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/funcd"
	"freehold/dialect/math"
	dialect "freehold/dialect/quant"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/lower/quant"
)

// A quantized number becomes the integer that is stored.
func ExampleLower() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, math.Dialect, dialect.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: !quant.uniform<i8:f32, 0.5>) -> f32 {
  %y = "quant.dcast"(%x) : (!quant.uniform<i8:f32, 0.5>) -> f32
  return %y : f32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := quant.Lower(module); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i8) -> f32 {
	//     %cst = arith.constant 5.000000e-01 : f32
	//     %cst_0 = arith.constant 0.000000e+00 : f32
	//     %0 = arith.sitofp %arg0 : i8 to f32
	//     %1 = arith.subf %0, %cst_0 : f32
	//     %2 = arith.mulf %1, %cst : f32
	//     return %2 : f32
	//   }
	// }
}
