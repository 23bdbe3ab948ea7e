package order_test

import (
	"fmt"

	"freehold/memory/order"
)

// Two large results of which small ones are made: it is best to make the small one of each at once.
func ExampleSolve() {
	g := &order.Graph{
		Steps: make([]order.Step, 5),
		Buffers: []order.Buffer{
			{Size: 100, Maker: 0, Users: []int{2}},
			{Size: 100, Maker: 1, Users: []int{3}},
			{Size: 1, Maker: 2, Users: []int{4}},
			{Size: 1, Maker: 3, Users: []int{4}},
		},
	}
	s, err := order.Solve(g, order.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Order, s.Peak, "instead of", s.Before, s.Optimal())
	// Output: [0 2 1 3 4] 102 instead of 201 true
}
