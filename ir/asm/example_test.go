package asm_test

import (
	"fmt"
	"os"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// A program is read, and printed in the form that leaves nothing out.
func ExampleParse() {
	c := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(c, []byte("func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}"), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{Generic: true}))
	// Output:
	// "builtin.module"() ({
	//   "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
	//   ^bb0(%arg0: i32):
	//     "func.return"(%arg0) : (i32) -> ()
	//   }) : () -> ()
	// }) : () -> ()
}
