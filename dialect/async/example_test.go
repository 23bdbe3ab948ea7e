package async_test

import (
	"fmt"

	"freehold/dialect/async"
	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
)

// The type of what a value holds.
func ExampleHeldBy() {
	c := ir.NewContext(builtin.Dialect, async.Dialect)
	for _, s := range []string{"!async.value<memref<4xf32>>", "!async.token"} {
		t, err := asm.ParseType(c, s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(t, async.HeldBy(t))
	}
	// Output:
	// !async.value<memref<4xf32>> memref<4xf32>
	// !async.token <nil>
}
