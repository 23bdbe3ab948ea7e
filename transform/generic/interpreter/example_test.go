package interpreter_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	transformd "freehold/dialect/transformd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/generic/cse"
	"freehold/transform/generic/interpreter"
)

// A script says which pass runs on what; the program says how passes are run.
func ExampleRun() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, transformd.Dialect)
	module, err := asm.Parse(c, []byte(`module attributes {transform.with_named_sequence} {
  func.func @f(%x: i32) -> (i32, i32) {
    %a = arith.addi %x, %x : i32
    %b = arith.addi %x, %x : i32
    return %a, %b : i32, i32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "cse" to %functions : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = interpreter.Run(module, interpreter.Options{
		EntryPoint: "__transform_main",
		RunPass: func(name, _ string, op *ir.Op) error {
			fmt.Println(name, "on", op.Name())
			cse.Run(op)
			return nil
		},
	})
	fmt.Println("error:", err)
	fmt.Printf("%s", asm.Print(module.BodyBlock(0).First(), asm.PrintOptions{}))
	// Output:
	// cse on func.func
	// error: <nil>
	// func.func @f(%arg0: i32) -> (i32, i32) {
	//   %0 = arith.addi %arg0, %arg0 : i32
	//   return %0, %0 : i32, i32
	// }
}
