package bufferization_test

import (
	"fmt"

	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// A buffer is freed if a condition holds and unless it is the one that is retained; the
// result tells whether the retained buffer is owned.
func ExampleNewDealloc() {
	c := ir.NewContext(bufferization.Dialect, builtin.Dialect, funcd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%own: i1, %m: memref<8xf32>, %kept: memref<8xf32>) {
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetStart(entry)
	own, m, kept := entry.Arg(0), entry.Arg(1), entry.Arg(2)
	dealloc := bufferization.NewDealloc(b, []*ir.Value{m}, []*ir.Value{own}, []*ir.Value{kept})
	fmt.Println(bufferization.DeallocOp{Op: dealloc}.Retained().Types(), "is retained")
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// [memref<8xf32>] is retained
	// module {
	//   func.func @f(%arg0: i1, %arg1: memref<8xf32>, %arg2: memref<8xf32>) {
	//     %0 = bufferization.dealloc (%arg1 : memref<8xf32>) if (%arg0) retain (%arg2 : memref<8xf32>)
	//     return
	//   }
	// }
}
