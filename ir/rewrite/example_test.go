package rewrite_test

import (
	"fmt"
	"os"

	"freehold/dialect"
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
)

// A pattern that makes a subtraction of a value from itself zero.
func ExampleApplyPatternsGreedily() {
	c := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32) -> i32 {
  %y = arith.subi %x, %x : i32
  return %y : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	zero := rewrite.Pattern{Root: arith.SubI, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		if op.Operand(0) != op.Operand(1) {
			return false
		}
		r.Replace(op, arith.ConstantInt(r.At(op), op.Result(0).Type(), 0))
		return true
	}}
	rewrite.ApplyPatternsGreedily(module, rewrite.NewPatternSet(c, []rewrite.Pattern{zero}), rewrite.Config{})
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i32) -> i32 {
	//     %c0_i32 = arith.constant 0 : i32
	//     return %c0_i32 : i32
	//   }
	// }
}
