package inline_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/generic/inline"
)

// A call becomes the body of what is called. A function that is private isn't needed any more.
func ExampleRun() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @main(%x: i32) -> i32 {
  %y = call @twice(%x) : (i32) -> i32
  %z = call @twice(%y) : (i32) -> i32
  return %z : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := inline.Run(module, inline.Options{Threshold: inline.NoThreshold}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @main(%arg0: i32) -> i32 {
	//     %0 = arith.addi %arg0, %arg0 : i32
	//     %1 = arith.addi %0, %0 : i32
	//     return %1 : i32
	//   }
	// }
}
