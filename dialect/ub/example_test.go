package ub_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/asm"
)

// A result whose value means nothing is poison.
func ExamplePoisonAttr() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, ub.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f() -> i32 {
  %p = ub.poison : i32
  %one = arith.constant 1 : i32
  %x = arith.addi %p, %one : i32
  return %x : i32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(arith.AddI) {
			results := ir.Evaluate(op, []ir.Attribute{ub.PoisonAttr(c), c.I32Attr(1)})
			fmt.Println(results[0], ub.IsPoison(results[0]))
		}
		return true
	})
	// Output:
	// #ub.poison true
}
