package dialect_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/quant"
	"freehold/ir"
	"freehold/ir/asm"
)

// Types of the dialect quant are kept as they are spelled.
func Example_quantTypes() {
	c := ir.NewContext(builtin.Dialect, quant.Dialect)
	t, err := asm.ParseType(c, "tensor<2x!quant.uniform<u8:f32, 0.25>>")
	fmt.Println(t, err)
	// Output: tensor<2x!quant.uniform<u8:f32, 0.25>> <nil>
}
