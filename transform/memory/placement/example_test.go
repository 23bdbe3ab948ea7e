package placement_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/memory/placement"
)

// The buffer of an iteration becomes one for all iterations and, since it is small, one
// on the stack.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, memref.Dialect, scf.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%n: index, %step: index, %in: memref<8xf32>, %out: memref<8xf32>) {
  scf.for %i = %step to %n step %step {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %in, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  }
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fn := module.BodyBlock(0).First()
	fmt.Println(placement.HoistFromLoops(fn, ir.NewDominance(), nil), "moved")
	fmt.Println(placement.Promote(fn, placement.PromoteOptions{MaxBytes: 1024}, nil), "on the stack")
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// 1 moved
	// 1 on the stack
	// module {
	//   func.func @f(%arg0: index, %arg1: index, %arg2: memref<8xf32>, %arg3: memref<8xf32>) {
	//     %alloca = memref.alloca() : memref<8xf32>
	//     scf.for %arg4 = %arg1 to %arg0 step %arg1 {
	//       memref.copy %arg2, %alloca : memref<8xf32> to memref<8xf32>
	//       memref.copy %alloca, %arg3 : memref<8xf32> to memref<8xf32>
	//     }
	//     return
	//   }
	// }
}
