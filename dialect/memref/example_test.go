package memref_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/shapes"
)

// A column of a buffer is a view, whose type has a layout that says where it is.
func ExampleNewSubView() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, memref.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%column: index) {
  %m = memref.alloc() : memref<4x8xf32>
  memref.dealloc %m : memref<4x8xf32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if alloc, ok := memref.AsAlloc(op); ok {
			b := ir.NewBuilder(c)
			b.SetAfter(op)
			view := memref.NewSubView(b, nil, alloc.Result(0), shapes.Slice{
				Offsets: []shapes.OpFoldResult{shapes.ConstSize(0), shapes.SizeOf(op.Block().Arg(0))},
				Sizes:   []shapes.OpFoldResult{shapes.ConstSize(4), shapes.ConstSize(1)},
				Strides: []shapes.OpFoldResult{shapes.ConstSize(1), shapes.ConstSize(1)},
			})
			strides, _, _ := view.Type().(*ir.MemRefType).StridesAndOffset()
			fmt.Println("strides", strides)
		}
		return true
	})
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// strides [8 1]
	// module {
	//   func.func @f(%arg0: index) {
	//     %alloc = memref.alloc() : memref<4x8xf32>
	//     %subview = memref.subview %alloc[0, %arg0] [4, 1] [1, 1] : memref<4x8xf32> to memref<4x1xf32, strided<[8, 1], offset: ?>>
	//     memref.dealloc %alloc : memref<4x8xf32>
	//     return
	//   }
	// }
}
