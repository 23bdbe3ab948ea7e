package boundary_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/bufferize/boundary"
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

// Who gets the first rows of a buffer needn't keep all of it.
func ExampleCopyReturnedParts() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @first(%x: f32) -> memref<2xf32> {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %s = memref.subview %a[0] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1]>>
  %r = memref.cast %s : memref<2xf32, strided<[1]>> to memref<2xf32>
  return %r : memref<2xf32>
}`), "first.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	done := boundary.CopyReturnedParts(p.Module, boundary.PartOptions{KeepFrom: 50})
	fmt.Println(done.Copies, "copy of", done.Bytes, "bytes")
	// Output: 1 copy of 8 bytes
}

// Who gets one buffer twice has to find out before freeing it; who gets it once hasn't.
func ExampleDropDuplicateResults() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func private @f() -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  return %a, %a : memref<8xf32>, memref<8xf32>
}
func.func @g() -> memref<8xf32> {
  %r:2 = call @f() : () -> (memref<8xf32>, memref<8xf32>)
  return %r#1 : memref<8xf32>
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	boundary.DropDuplicateResults(p.Module, false)
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func private @f() -> memref<8xf32> {
	//     %alloc = memref.alloc() : memref<8xf32>
	//     return %alloc : memref<8xf32>
	//   }
	//   func.func @g() -> memref<8xf32> {
	//     %0 = call @f() : () -> memref<8xf32>
	//     return %0 : memref<8xf32>
	//   }
	// }
}
