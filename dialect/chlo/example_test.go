package chlo_test

import (
	"fmt"

	"freehold/dialect/chlo"
)

// Operations that broadcast stand for others on operands of the same shape.
func ExampleBroadcasts() {
	fmt.Println(chlo.Broadcasts[chlo.BroadcastAdd], chlo.Broadcasts[chlo.BroadcastZeta])
	// Output: stablehlo.add chlo.zeta
}
