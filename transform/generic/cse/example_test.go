package cse_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/generic/cse"
)

// The same sum is computed once, also where its operands are in another order.
func ExampleRun() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %z = arith.muli %a, %b : i32
  return %z : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", cse.Run(module))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// {CSE:1 DCE:0}
	// module {
	//   func.func @f(%arg0: i32, %arg1: i32) -> i32 {
	//     %0 = arith.addi %arg0, %arg1 : i32
	//     %1 = arith.muli %0, %0 : i32
	//     return %1 : i32
	//   }
	// }
}
