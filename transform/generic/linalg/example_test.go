package linalg_test

import (
	"fmt"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	linalgd "freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/rewrite"
	"freehold/transform/generic/linalg"
)

// A structured operation on buffers becomes loops.
func ExampleLoopPatterns() {
	c := ir.NewContext(affine.Dialect, arith.Dialect, builtin.Dialect, funcd.Dialect, linalgd.Dialect, memref.Dialect, scf.Dialect, tensor.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: f32, %m: memref<4x8xf32>) {
  linalg.fill ins(%x : f32) outs(%m : memref<4x8xf32>)
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	patterns := rewrite.NewPatternSet(c, linalg.LoopPatterns(c, linalg.SCFLoops))
	rewrite.ApplyPatternsGreedily(module, patterns, rewrite.Config{})
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: f32, %arg1: memref<4x8xf32>) {
	//     %c0 = arith.constant 0 : index
	//     %c4 = arith.constant 4 : index
	//     %c1 = arith.constant 1 : index
	//     %c8 = arith.constant 8 : index
	//     scf.for %arg2 = %c0 to %c4 step %c1 {
	//       scf.for %arg3 = %c0 to %c8 step %c1 {
	//         memref.store %arg0, %arg1[%arg2, %arg3] : memref<4x8xf32>
	//       }
	//     }
	//     return
	//   }
	// }
}
