package clone_test

import (
	"fmt"

	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/deallocate/clone"
)

// The buffer that is written depends on a condition: it is copied from one of two, so
// that what to free is certain.
func ExampleDeallocate() {
	c := ir.NewContext(bufferization.Dialect, builtin.Dialect, cf.Dialect, funcd.Dialect, memref.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%c: i1, %a: memref<8xf32>, %out: memref<8xf32>) {
  cf.cond_br %c, ^new, ^end(%a : memref<8xf32>)
^new:
  %b = memref.alloc() : memref<8xf32>
  cf.br ^end(%b : memref<8xf32>)
^end(%m: memref<8xf32>):
  memref.copy %m, %out : memref<8xf32> to memref<8xf32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fn := module.BodyBlock(0).First()
	counts, _, err := clone.Deallocate(fn, ir.NewDominance(), clone.Options{})
	fmt.Printf("%+v, error: %v\n", counts, err)
	fmt.Printf("%s", asm.Print(fn, asm.PrintOptions{}))
	// Output:
	// {Clones:2 Frees:2 Moved:0 Edges:1}, error: <nil>
	// func.func @f(%arg0: i1, %arg1: memref<8xf32>, %arg2: memref<8xf32>) {
	//   cf.cond_br %arg0, ^bb1, ^bb2
	// ^bb1:  // pred: ^bb0
	//   %alloc = memref.alloc() : memref<8xf32>
	//   %0 = bufferization.clone %alloc : memref<8xf32> to memref<8xf32>
	//   memref.dealloc %alloc : memref<8xf32>
	//   cf.br ^bb3(%0 : memref<8xf32>)
	// ^bb2:  // pred: ^bb0
	//   %1 = bufferization.clone %arg1 : memref<8xf32> to memref<8xf32>
	//   cf.br ^bb3(%1 : memref<8xf32>)
	// ^bb3(%2: memref<8xf32>):  // 2 preds: ^bb1, ^bb2
	//   memref.copy %2, %arg2 : memref<8xf32> to memref<8xf32>
	//   memref.dealloc %2 : memref<8xf32>
	//   return
	// }
}
