package transform_test

import (
	"fmt"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform"
)

// All passes, by their names, run on a program.
func ExampleRegister() {
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(`func.func @f(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  %b = arith.addi %x, %x : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var passes pass.Registry
	transform.Register(&passes)
	pipeline, err := passes.ParsePipeline("builtin.module(cse)")
	if err == nil {
		err = (&pass.Runner{VerifyEach: true}).Run(pipeline, m)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(m, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i32) -> i32 {
	//     %0 = arith.addi %arg0, %arg0 : i32
	//     %1 = arith.muli %0, %0 : i32
	//     return %1 : i32
	//   }
	// }
}
