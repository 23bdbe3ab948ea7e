package licm_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/generic/licm"
)

// What is the same in each iteration is computed once, before the loop.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%m: memref<8xi32>, %x: i32, %lower: index, %upper: index, %step: index) {
  scf.for %i = %lower to %upper step %step {
    %y = arith.muli %x, %x : i32
    memref.store %y, %m[%i] : memref<8xi32>
  }
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(licm.Run(p.Module), "moved")
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// 1 moved
	// module {
	//   func.func @f(%arg0: memref<8xi32>, %arg1: i32, %arg2: index, %arg3: index, %arg4: index) {
	//     %0 = arith.muli %arg1, %arg1 : i32
	//     scf.for %arg5 = %arg2 to %arg3 step %arg4 {
	//       memref.store %0, %arg0[%arg5] : memref<8xi32>
	//     }
	//     return
	//   }
	// }
}
