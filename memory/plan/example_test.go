package plan_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"freehold/memory/plan"
)

func Example() {
	p := &plan.Problem{Buffers: []plan.Buffer{
		{ID: "input", Size: 64, Live: []plan.Interval{{Lower: 0, Upper: 2}}},
		{ID: "hidden", Size: 128, Live: []plan.Interval{{Lower: 1, Upper: 3}}},
		{ID: "output", Size: 32, Live: []plan.Interval{{Lower: 2, Upper: 4}}},
	}}
	s, err := plan.Solve(context.Background(), p, plan.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, b := range p.Buffers {
		fmt.Printf("%s at %d\n", b.ID, s.Offsets[i])
	}
	fmt.Println("peak", s.Peak, "optimal", s.Optimal(), "verified", plan.Verify(p, s) == nil)
	// Output:
	// input at 128
	// hidden at 0
	// output at 128
	// peak 192 optimal true verified true
}

// Two branches: what is alive around them and in one of them has two intervals.
func ExampleBuffer_branches() {
	p := &plan.Problem{Buffers: []plan.Buffer{
		{ID: "then", Size: 8, Live: []plan.Interval{{Lower: 1, Upper: 2}}},
		{ID: "else", Size: 8, Live: []plan.Interval{{Lower: 2, Upper: 3}}},
		{ID: "before and else", Size: 8, Live: []plan.Interval{{Lower: 0, Upper: 1}, {Lower: 2, Upper: 3}}},
	}}
	s, _ := plan.Solve(context.Background(), p, plan.Options{})
	fmt.Println(s.Peak)
	// Output: 16
}

func ExampleCapacityError() {
	p := &plan.Problem{Capacity: 100, Buffers: []plan.Buffer{
		{Size: 60, Live: []plan.Interval{{Lower: 0, Upper: 5}}},
		{Size: 60, Live: []plan.Interval{{Lower: 4, Upper: 9}}},
	}}
	_, err := plan.Solve(context.Background(), p, plan.Options{})
	fmt.Println(err)
	// Output: the capacity 100 can't be met: what is alive at time 4 needs 120
}

func ExampleLowerBound() {
	p := &plan.Problem{Buffers: []plan.Buffer{
		{Size: 3, Alignment: 64, Live: []plan.Interval{{Lower: 0, Upper: 5}}},
		{Size: 5, Alignment: 64, Live: []plan.Interval{{Lower: 4, Upper: 9}}},
	}}
	b := plan.LowerBound(p)
	fmt.Printf("%d bytes at time %d\n", b.Bytes, b.Time)
	// Output: 67 bytes at time 4
}

func ExampleReadCSV() {
	const file = "id,lower,upper,size\na,0,3,4\nb,3,9,4\nc,0,9,4\n"
	table, err := plan.ReadCSV(strings.NewReader(file), "buffers.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := plan.Solve(context.Background(), &table.Problem, plan.Options{})
	if err != nil {
		fmt.Println(table.Locate(err))
		return
	}
	table.WriteCSV(os.Stdout, s.Offsets)
	// Output:
	// id,lower,upper,size,offset
	// a,0,3,4,0
	// b,3,9,4,0
	// c,0,9,4,4
}
