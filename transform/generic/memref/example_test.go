package memref_test

import (
	"fmt"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	memrefd "freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/generic/memref"
)

// A buffer whose layout exchanges its dimensions becomes one without a layout, and what
// reads it says where its elements are.
func ExampleNormalize() {
	c := ir.NewContext(affine.Dialect, arith.Dialect, builtin.Dialect, funcd.Dialect, memrefd.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%i: index, %j: index) -> f32 {
  %m = memref.alloc() : memref<4x16xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %x = affine.load %m[%i, %j] : memref<4x16xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return %x : f32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(memref.Normalize(module))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// true
	// module {
	//   func.func @f(%arg0: index, %arg1: index) -> f32 {
	//     %alloc = memref.alloc() : memref<16x4xf32>
	//     %0 = affine.load %alloc[symbol(%arg1), symbol(%arg0)] : memref<16x4xf32>
	//     return %0 : f32
	//   }
	// }
}
