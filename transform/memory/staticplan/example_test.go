package staticplan_test

import (
	"fmt"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/memory/staticplan"
)

// Two buffers that are never alive at the same time share the memory of one.
func ExampleRun() {
	const text = `func.func @f() {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}`
	p, err := driver.Freehold().NewSession().Parse([]byte(text), "f.mlir")
	if err != nil {
		panic(err)
	}
	done, err := staticplan.Run(p.Module.BodyBlock(0).First(), staticplan.Options{Algorithm: staticplan.BestFit, Mode: staticplan.Allocate})
	fmt.Println(done.Planned, err)
	out, _ := p.Text(asm.PrintOptions{})
	fmt.Printf("%s\n", out)
	// Output:
	// 2 <nil>
	// module {
	//   func.func @f() {
	//     %alloc = memref.alloc() {alignment = 1 : i64} : memref<32xi8>
	//     %c0 = arith.constant 0 : index
	//     %view = memref.view %alloc[%c0][] : memref<32xi8> to memref<8xf32>
	//     %c0_0 = arith.constant 0 : index
	//     %view_1 = memref.view %alloc[%c0_0][] : memref<32xi8> to memref<4xf32>
	//     memref.dealloc %alloc : memref<32xi8>
	//     return
	//   }
	// }
}
