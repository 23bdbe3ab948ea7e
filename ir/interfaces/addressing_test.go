package interfaces_test

import (
	"math/rand/v2"
	"testing"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// An operation may get a buffer of another layout only if it finds the same elements there: those at a distance in memory, and those
// that follow in the row, are compared in both.
func TestAddressingAllows(t *testing.T) {
	c := ir.NewContext()
	rnd := rand.New(rand.NewPCG(1, 1))
	const rows, columns = 2, 3
	layout := func() (*ir.MemRefType, []int64, int64) {
		strides, offset := []int64{[]int64{3, 6, 1}[rnd.IntN(3)], []int64{1, 2}[rnd.IntN(2)]}, rnd.Int64N(2)
		return c.MemRefOf([]int64{rows, columns}, ir.F32, c.StridedLayout(offset, strides), nil), strides, offset
	}
	// at returns the place in the row-major order of the element that lies so far behind the first one; -1 if there is none.
	at := func(strides []int64, distance int64) int64 {
		for i := range int64(rows) {
			for j := range int64(columns) {
				if i*strides[0]+j*strides[1] == distance {
					return i*columns + j
				}
			}
		}
		return -1
	}
	allowed := 0
	for range 500 {
		from, a, _ := layout()
		to, b, _ := layout()
		linearly, inRows := true, true
		for n := range int64(rows * columns) {
			linearly = linearly && at(a, n) == at(b, n)
		}
		for n := range int64(columns) {
			inRows = inRows && at(a, n) == at(b, n)
		}
		if interfaces.Linearly.Allows(from, to) {
			allowed++
			if !linearly {
				t.Errorf("linearly: %s as %s", from, to)
			}
		}
		if interfaces.InRows.Allows(from, to) && !inRows {
			t.Errorf("in rows: %s as %s", from, to)
		}
		if interfaces.AsLaidOut.Allows(from, to) && from != to || !interfaces.ByPosition.Allows(from, to) {
			t.Errorf("%s as %s", from, to)
		}
	}
	if allowed == 0 || allowed == 500 {
		t.Errorf("%d of 500 layouts may be another one", allowed)
	}
}
