package sat_test

import (
	"fmt"

	"freehold/proof/sat"
)

// Of two variables one holds, and not the first one.
func Example() {
	s := sat.New(2)
	s.Add(1, 2)
	s.Add(-1)
	fmt.Println(s.Solve())
	s.Add(-2)
	fmt.Println(s.Solve())
	// Output:
	// true
	// false
}
