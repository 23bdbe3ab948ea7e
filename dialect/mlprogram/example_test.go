package mlprogram_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/mlprogram"
	"freehold/ir"
	"freehold/ir/asm"
)

// The variables of a program.
func ExampleGlobalOp() {
	c := ir.NewContext(builtin.Dialect, mlprogram.Dialect)
	module, err := asm.Parse(c, []byte(`ml_program.global private mutable @steps(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private @weights(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>`), "globals.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(mlprogram.Global) {
			name, _ := ir.SymbolName(op)
			global := mlprogram.GlobalOp{Op: op}
			fmt.Println(name, global.Type(), global.IsMutable(), global.Value())
		}
		return true
	})
	// Output:
	// steps tensor<i64> true dense<0> : tensor<i64>
	// weights tensor<2xf32> false dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
}
