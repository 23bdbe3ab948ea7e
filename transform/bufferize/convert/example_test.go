package convert_test

import (
	"fmt"

	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
	"freehold/transform/bufferize/convert"
)

// A pass that bufferizes two operations of a dialect, as the guide of bufferization
// describes it: patterns that get buffers for tensors, a target that doesn't want the
// operations, and a partial conversion.
func Example() {
	session := driver.Freehold().NewSession()
	program, err := session.Parse([]byte(`func.func @f(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}`), "example.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := program.Module.Context()
	types := convert.NewTypeConverter(c)
	patterns := []rewrite.Pattern{
		conversion.Pattern(rewrite.Pattern{Name: "Cast", Root: tensor.Cast}, types, func(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
			t := r.Types().ConvertOne(op.Result(0).Type())
			r.Replace(op, memref.NewCast(r.Builder, t, operands.Operand(0)))
			return true
		}),
		conversion.Pattern(rewrite.Pattern{Name: "Extract", Root: tensor.Extract}, types, func(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
			r.Replace(op, memref.NewLoad(r.Builder, operands.Operand(0), operands.Values()[1:]...))
			return true
		}),
	}
	target := conversion.NewTarget()
	target.Illegal(tensor.Cast, tensor.Extract)
	convert.Materializations(target)
	target.LegalDialects("func", "memref")
	if err := conversion.Partial(program.Module, target, rewrite.NewPatternSet(c, patterns), conversion.Config{}); err != nil {
		fmt.Println(err)
		return
	}
	text, err := program.Text(asm.PrintOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", text)
	// Output:
	// module {
	//   func.func @f(%arg0: tensor<?xf32>, %arg1: index) -> f32 {
	//     %0 = bufferization.to_memref %arg0 : memref<?xf32>
	//     %cast = memref.cast %0 : memref<?xf32> to memref<4xf32>
	//     %1 = memref.load %cast[%arg1] : memref<4xf32>
	//     return %1 : f32
	//   }
	// }
}
