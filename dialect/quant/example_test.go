package quant_test

import (
	"fmt"

	"freehold/dialect/quant"
	"freehold/ir"
	"freehold/ir/asm"
)

// What a quantized type says.
func ExampleOf() {
	c := ir.NewContext(quant.Dialect)
	t, err := asm.ParseType(c, "!quant.uniform<i8<-127:127>:f32, 0.5:-3>")
	if err != nil {
		fmt.Println(err)
		return
	}
	q := quant.Of(t)
	fmt.Println(q.Storage(c), q.Min, q.Max, q.Scales, q.ZeroPoints)
	// Output: i8 -127 127 [0.5] [-3]
}
