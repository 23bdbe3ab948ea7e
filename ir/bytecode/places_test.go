package bytecode

import (
	"math"
	"testing"

	"freehold/ir"
)

// Places are told apart, whatever lines and columns they have, and in whatever order they come.
func TestNumberedPlaces(t *testing.T) {
	var p numberedPlaces
	type place struct {
		file      string
		line, col uint32
	}
	var order []place
	for _, file := range []string{"a", "b"} {
		for _, line := range []uint32{0, 7, 3, 7, math.MaxUint32, 8, 1 << 20, 2, 1500, 9} {
			for _, col := range []uint32{1, 0, math.MaxUint32} {
				order = append(order, place{file, line, col})
			}
		}
	}
	known := map[place]*ranked[ir.Attribute]{}
	for range 2 {
		for _, x := range order {
			l := ir.FileLineCol(x.file, x.line, x.col)
			if got := p.get(l); got != known[x] {
				t.Fatalf("%v: %v, want %v", x, got, known[x])
			} else if got == nil {
				known[x] = &ranked[ir.Attribute]{value: l}
				p.set(l, known[x])
			}
		}
	}
	if len(known) != 2*9*3 {
		t.Errorf("%d places", len(known))
	}
}
