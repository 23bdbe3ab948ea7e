package tensor_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/shapes"
)

// A row of a tensor is taken out, and put into another place of it. The type of a slice
// may leave out dimensions of size 1.
func ExampleNewExtractSlice() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, tensor.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%t: tensor<4x8xf32>, %to: index) -> tensor<4x8xf32> {
  return %t : tensor<4x8xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := func(at shapes.OpFoldResult) shapes.Slice {
		one := shapes.ConstSize(1)
		return shapes.Slice{
			Offsets: []shapes.OpFoldResult{at, shapes.ConstSize(0)},
			Sizes:   []shapes.OpFoldResult{one, shapes.ConstSize(8)},
			Strides: []shapes.OpFoldResult{one, one},
		}
	}
	entry := funcd.Body(module.BodyBlock(0).First()).Entry()
	b := ir.NewBuilder(c)
	b.SetBefore(entry.Terminator())
	t, to := entry.Arg(0), entry.Arg(1)
	slice := tensor.NewExtractSlice(b, c.RankedTensor([]int64{8}, ir.ElementType(t.Type())), t, row(shapes.ConstSize(2)))
	entry.Terminator().SetOperand(0, tensor.NewInsertSlice(b, slice, t, row(shapes.SizeOf(to))))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: tensor<4x8xf32>, %arg1: index) -> tensor<4x8xf32> {
	//     %extracted_slice = tensor.extract_slice %arg0[2, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
	//     %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[%arg1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
	//     return %inserted_slice : tensor<4x8xf32>
	//   }
	// }
}
