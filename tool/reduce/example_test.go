package reduce_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/tool/reduce"
)

// The smallest program with a multiplication.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @g(%x: i32) -> i32 {
  return %x : i32
}
func.func @f(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  %z = arith.muli %y, %x : i32
  %r = call @g(%z) : (i32) -> i32
  return %r : i32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	result := reduce.Run(p.Module, reduce.Options{Interesting: func(module *ir.Op) bool {
		found := false
		module.Walk(func(op *ir.Op) bool {
			found = found || op.Name() == "arith.muli"
			return true
		})
		return found
	}})
	os.Stdout.Write(asm.Print(result.Module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i32) {
	//     %0 = arith.muli %arg0, %arg0 : i32
	//     return
	//   }
	// }
}
