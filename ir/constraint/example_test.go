package constraint_test

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/constraint"
)

// Constraints are made of others, and say in messages what they demand.
func ExampleRankedTensorOf() {
	number := constraint.RankedTensorOf(constraint.SignlessIntOrIndex)
	fmt.Println(number.Summary)
	for _, t := range []ir.Type{ir.F32, ir.I32} {
		c := ir.NewContext()
		fmt.Println(c.RankedTensor([]int64{4}, t), number.Match(c.RankedTensor([]int64{4}, t)))
	}
	// Output:
	// ranked tensor of signless integer or index values
	// tensor<4xf32> false
	// tensor<4xi32> true
}
