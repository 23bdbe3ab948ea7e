package canonicalize_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/generic/canonicalize"
)

// What is computed from constants becomes a constant, and what nothing uses goes.
func ExampleRun() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %four = arith.muli %two, %two : i32
  %five = arith.addi %four, %x : i32
  %six = arith.addi %five, %two : i32
  %unused = arith.muli %six, %x : i32
  return %six : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, converged := canonicalize.Run(module, canonicalize.DefaultOptions(), 1)
	fmt.Println(changed, converged)
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// true true
	// module {
	//   func.func @f(%arg0: i32) -> i32 {
	//     %c6_i32 = arith.constant 6 : i32
	//     %0 = arith.addi %arg0, %c6_i32 : i32
	//     return %0 : i32
	//   }
	// }
}
