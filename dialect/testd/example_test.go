package testd_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	testd "freehold/dialect/testd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
)

// Tests of what depends on traits alone use operations that have nothing else.
func Example() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, testd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %y = "test.op_commutative"(%two, %x, %two, %x) : (i32, i32, i32, i32) -> i32
  return %y : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(testd.Commutative) {
			new(rewrite.Folder).Fold(op) // puts constants last
		}
		return true
	})
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i32) -> i32 {
	//     %c2_i32 = arith.constant 2 : i32
	//     %0 = "test.op_commutative"(%arg0, %arg0, %c2_i32, %c2_i32) : (i32, i32, i32, i32) -> i32
	//     return %0 : i32
	//   }
	// }
}
