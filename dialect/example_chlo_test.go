package dialect_test

import (
	"fmt"

	"freehold/dialect/chlo"
)

// Operations that broadcast stand for others on operands of the same shape.
func Example_chloBroadcasts() {
	fmt.Println(chlo.Broadcasts[chlo.BroadcastAdd], chlo.Broadcasts[chlo.BroadcastZeta])
	// Output: stablehlo.add chlo.zeta
}
