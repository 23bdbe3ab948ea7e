package ownership_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/deallocate/ownership"
)

// Frees are inserted, and simplified.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%i: index, %x: f32) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  %y = memref.load %a[%i] : memref<8xf32>
  return %y : f32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := ownership.Run(p.Module, ownership.Options{}, 1); err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Run("builtin.module(buffer-deallocation-simplification,canonicalize)"); err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: index, %arg1: f32) -> f32 {
	//     %true = arith.constant true
	//     %alloc = memref.alloc() : memref<8xf32>
	//     memref.store %arg1, %alloc[%arg0] : memref<8xf32>
	//     %0 = memref.load %alloc[%arg0] : memref<8xf32>
	//     bufferization.dealloc (%alloc : memref<8xf32>) if (%true)
	//     return %0 : f32
	//   }
	// }
}
