package vector_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/asm"
)

// What is read of a tensor into a vector, and how.
func ExampleTransferOp() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, vector.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%t: tensor<?x16xf32>, %i: index, %zero: f32) -> vector<4x8xf32> {
  %v = vector.transfer_read %t[%i, %i], %zero {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x16xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Is(vector.TransferRead) {
			t := vector.TransferOp{Op: op}
			fmt.Println(t.VectorType(), "of", t.Source().Type())
			fmt.Println(c.AffineMapAttr(t.PermutationMap()), t.InBounds(), t.Mask() != nil)
		}
		return true
	})
	// Output:
	// vector<4x8xf32> of tensor<?x16xf32>
	// affine_map<(d0, d1) -> (d1, d0)> [false true] false
}
