package arith_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// The smaller of two numbers, by a comparison and a selection: the constructors infer
// the types of results.
func ExampleNewSelect() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @smaller(%x: i32, %y: i32) -> i32 {
  return %x : i32
}`), "smaller.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetBefore(entry.Terminator())
	x, y := entry.Arg(0), entry.Arg(1)
	less := arith.NewCmpI(b, arith.SLT, x, y)
	entry.Terminator().SetOperand(0, arith.NewSelect(b, less, x, y))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @smaller(%arg0: i32, %arg1: i32) -> i32 {
	//     %0 = arith.cmpi slt, %arg0, %arg1 : i32
	//     %1 = arith.select %0, %arg0, %arg1 : i32
	//     return %1 : i32
	//   }
	// }
}
