package hlo_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/deallocate/hlo"
)

// Owners are inserted, which free at the end of their blocks.
func ExampleDeallocate() {
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
	if err := hlo.Deallocate(p.Module, hlo.DeallocateOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: index, %arg1: f32) -> f32 {
	//     %alloc = memref.alloc() : memref<8xf32>
	//     %0 = deallocation.own %alloc : memref<8xf32>
	//     memref.store %arg1, %alloc[%arg0] : memref<8xf32>
	//     %1 = memref.load %alloc[%arg0] : memref<8xf32>
	//     deallocation.retain() of(%0) : (!deallocation.ownership) -> ()
	//     return %1 : f32
	//   }
	// }
}
