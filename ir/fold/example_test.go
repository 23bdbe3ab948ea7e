package fold_test

import (
	"fmt"
	"math/big"

	"freehold/ir/fold"
)

// Integers of a width wrap around.
func ExampleWrap() {
	fmt.Println(fold.Wrap(big.NewInt(130), 8), fold.Unsigned(big.NewInt(-1), 8))
	// Output: -126 255
}
