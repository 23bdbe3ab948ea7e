package order_test

import (
	"testing"

	"freehold/memory/order"
)

// What is wrong with a graph, or an order, is said.
func TestErrors(t *testing.T) {
	step := func(after ...int) order.Step { return order.Step{After: after} }
	for _, tt := range []struct {
		graph order.Graph
		want  string
	}{
		{order.Graph{Steps: []order.Step{step(1), step(0)}}, "steps wait for each other"},
		{order.Graph{Steps: []order.Step{step(1)}}, "step 0 comes after step 1 of 1"},
		{order.Graph{Steps: []order.Step{{Extra: -1}}}, "step 0 needs -1 more, which is below zero or too large to add up"},
		{order.Graph{Buffers: []order.Buffer{{Size: -1, Maker: -1}}}, "buffer 0 has size -1, which is below zero or too large to add up"},
		{order.Graph{Buffers: []order.Buffer{{Maker: 0}}}, "buffer 0 is made by step 0 of 0"},
		{order.Graph{Buffers: []order.Buffer{{Maker: -1, Users: []int{3}}}}, "buffer 0 is used by step 3 of 0"},
		{order.Graph{Steps: []order.Step{{InPlace: [][2]int{{0, 1}}}}, Buffers: []order.Buffer{{Maker: -1}, {Maker: -1}}}, "step 0 can't make buffer 0 where buffer 1 is"},
	} {
		if _, err := order.Solve(&tt.graph, order.Options{}); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	g := order.Graph{Steps: []order.Step{step(), step(0)}}
	for _, tt := range []struct {
		order []int
		want  string
	}{
		{[]int{0}, "the order has 1 of 2 steps"},
		{[]int{0, 0}, "what is at place 1 of the order is no step, or one that was before"},
		{[]int{1, 0}, "step 1 comes before step 0, which it needs"},
	} {
		if _, err := g.Peak(tt.order); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
