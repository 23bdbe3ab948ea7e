package cf_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// A block is put on the way to a block that other ways lead to, too.
func ExampleSplitEdge() {
	c := ir.NewContext(builtin.Dialect, cf.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^end(%x : i32), ^end(%y : i32)
^end(%z: i32):
  return %z : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(cf.CondBranch) {
			cf.SplitEdge(ir.NewBuilder(c), op, 1)
		}
		return true
	})
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
	//     cf.cond_br %arg0, ^bb2(%arg1 : i32), ^bb1
	//   ^bb1:  // pred: ^bb0
	//     cf.br ^bb2(%arg2 : i32)
	//   ^bb2(%0: i32):  // 2 preds: ^bb0, ^bb1
	//     return %0 : i32
	//   }
	// }
}
