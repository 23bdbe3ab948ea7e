package ir_test

import (
	"fmt"
	"os"

	"freehold/dialect"
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
)

// A program is changed: additions of a value to itself become multiplications.
func ExampleBuilder() {
	c := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := ir.NewBuilder(c)
	module.Walk(func(op *ir.Op) bool {
		if op.Is(arith.AddI) && op.Operand(0) == op.Operand(1) {
			b.SetBefore(op)
			sum := op.Result(0)
			two := arith.ConstantInt(b, sum.Type(), 2)
			product := b.CreateOp(arith.MulI, []ir.Type{sum.Type()}, []*ir.Value{op.Operand(0), two})
			sum.ReplaceAllUsesWith(product.Result(0))
			op.Erase()
		}
		return true
	})
	if err := ir.Verify(module); err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: i32) -> i32 {
	//     %c2_i32 = arith.constant 2 : i32
	//     %0 = arith.muli %arg0, %c2_i32 : i32
	//     return %0 : i32
	//   }
	// }
}
