package debugging_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform/generic/debugging"
)

// What passes print goes where the runner says.
func ExampleOpStats() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  %b = arith.addi %a, %x : i32
  return %b : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	pipeline := pass.NewManager("builtin.module")
	pipeline.AddNested(debugging.OpStats.Instance())
	runner := pass.Runner{Text: func(text []byte) { fmt.Printf("%s", text) }}
	if err := runner.Run(pipeline, module); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Operations encountered:
	// -----------------------
	//     arith.addi   , 2
	//   builtin.module , 1
	//      func.func   , 1
	//      func.return , 1
}
