package sparsetensor_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/sparsetensor"
	"freehold/ir"
	"freehold/ir/asm"
)

// How a sparse tensor is stored: its levels, and which dimension each belongs to.
func ExampleTensorEncoding() {
	c := ir.NewContext(builtin.Dialect, sparsetensor.Dialect)
	t, err := asm.ParseType(c, "tensor<8x8xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>>")
	if err != nil {
		fmt.Println(err)
		return
	}
	if e, ok := sparsetensor.TensorEncoding(t); ok {
		fmt.Println(e.Levels(), c.AffineMapAttr(e.DimToLvl()))
	}
	_, ok := sparsetensor.TensorEncoding(c.RankedTensor([]int64{8, 8}, ir.ElementType(t)))
	fmt.Println(ok)
	// Output:
	// [dense compressed] affine_map<(d0, d1) -> (d1, d0)>
	// false
}
