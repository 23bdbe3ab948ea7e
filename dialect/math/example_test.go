package math_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/ir/asm"
)

// The length of a vector of two components.
func ExampleNew() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, math.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @length(%x: f32, %y: f32) -> f32 {
  return %x : f32
}`), "length.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetStart(entry)
	x, y := entry.Arg(0), entry.Arg(1)
	square := math.New(b, math.Fma, x, x, arith.New(b, arith.MulF, y, y))
	entry.Terminator().SetOperand(0, math.New(b, math.Sqrt, square))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @length(%arg0: f32, %arg1: f32) -> f32 {
	//     %0 = arith.mulf %arg1, %arg1 : f32
	//     %1 = math.fma %arg0, %arg0, %0 : f32
	//     %2 = math.sqrt %1 : f32
	//     return %2 : f32
	//   }
	// }
}
