package boundary_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/boundary"
)

// A function needn't return what it was given.
func ExampleDropEquivalentResults() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func private @f(%m: memref<8xf32>) -> memref<8xf32> {
  return %m : memref<8xf32>
}
func.func @g(%m: memref<8xf32>) -> memref<8xf32> {
  %r = call @f(%m) : (memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	boundary.DropEquivalentResults(p.Module, false)
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func private @f(%arg0: memref<8xf32>) {
	//     return
	//   }
	//   func.func @g(%arg0: memref<8xf32>) -> memref<8xf32> {
	//     call @f(%arg0) : (memref<8xf32>) -> ()
	//     return %arg0 : memref<8xf32>
	//   }
	// }
}
