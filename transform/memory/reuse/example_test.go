package reuse_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/memory/reuse"
)

// A buffer is freed once nobody needs it any more.
func ExampleFreeAfterLastUse() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %x = memref.load %a[%i] : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  %y = memref.load %b[%i] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return %y : f32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	moved, frees := reuse.FreeAfterLastUse(p.Module, 1)
	fmt.Println(moved, "of", frees, "moved")
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// 1 of 2 moved
	// module {
	//   func.func @f(%arg0: index) -> f32 {
	//     %alloc = memref.alloc() : memref<8xf32>
	//     %0 = memref.load %alloc[%arg0] : memref<8xf32>
	//     memref.dealloc %alloc : memref<8xf32>
	//     %alloc_0 = memref.alloc() : memref<8xf32>
	//     memref.store %0, %alloc_0[%arg0] : memref<8xf32>
	//     %1 = memref.load %alloc_0[%arg0] : memref<8xf32>
	//     memref.dealloc %alloc_0 : memref<8xf32>
	//     return %1 : f32
	//   }
	// }
}
