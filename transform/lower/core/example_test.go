package core_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
	"freehold/transform/lower/core"
)

// A loop becomes branches between blocks.
func ExampleConvertSCFToCF() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, cf.Dialect, funcd.Dialect, memref.Dialect, scf.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%m: memref<?xf32>, %n: index, %step: index, %x: f32) {
  scf.for %i = %n to %n step %step {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	patterns := rewrite.NewPatternSet(c, core.ControlFlowPatterns())
	if err := core.ConvertSCFToCF(module, patterns, func(d *ir.Diagnostic) { fmt.Println(d) }); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: memref<?xf32>, %arg1: index, %arg2: index, %arg3: f32) {
	//     cf.br ^bb1(%arg1 : index)
	//   ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
	//     %1 = arith.cmpi slt, %0, %arg1 : index
	//     cf.cond_br %1, ^bb2, ^bb3
	//   ^bb2:  // pred: ^bb1
	//     memref.store %arg3, %arg0[%0] : memref<?xf32>
	//     %2 = arith.addi %0, %arg2 : index
	//     cf.br ^bb1(%2 : index)
	//   ^bb3:  // pred: ^bb1
	//     return
	//   }
	// }
}
