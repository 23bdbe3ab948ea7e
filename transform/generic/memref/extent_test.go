package memref

import (
	"math/rand/v2"
	"testing"

	"freehold/ir"
)

// TestLastPosition compares the bounds of random expressions with the values at all positions.
func TestLastPosition(t *testing.T) {
	c := ir.NewContext()
	r := rand.New(rand.NewPCG(1, 2))
	bounded, exact := 0, 0
	for range 3000 {
		shape := []int64{1 + r.Int64N(12), 1 + r.Int64N(12)}
		e := randomPosition(c, r, 3)
		last, ok := lastPosition(e, shape)
		low, high := int64(0), int64(0)
		for i := range shape[0] {
			for j := range shape[1] {
				v, defined := e.Eval([]int64{i, j}, nil)
				if !defined {
					t.Fatalf("%v has no value at %d, %d", c.AffineMapAttr(c.AffineMap(2, 0, e)), i, j)
				}
				low, high = min(low, v), max(high, v)
			}
		}
		if !ok {
			continue
		}
		bounded++
		if low < 0 || high > last {
			t.Fatalf("%v on %v is from %d to %d, not below %d", c.AffineMapAttr(c.AffineMap(2, 0, e)), shape, low, high, last)
		}
		if high == last {
			exact++
		}
	}
	if bounded < 1500 || exact < bounded*3/4 {
		t.Errorf("%d of 3000 expressions have bounds, %d exact ones", bounded, exact)
	}
}

func randomPosition(c *ir.Context, r *rand.Rand, depth int) *ir.AffineExpr {
	if depth == 0 || r.IntN(4) == 0 {
		return c.AffineDim(r.IntN(2))
	}
	l := randomPosition(c, r, depth-1)
	switch r.IntN(6) {
	case 0:
		return c.AffineMul(l, c.AffineConstant(r.Int64N(9)-2))
	case 1:
		return c.AffineFloorDiv(l, c.AffineConstant(1+r.Int64N(8)))
	case 2:
		return c.AffineMod(l, c.AffineConstant(1+r.Int64N(8)))
	case 3:
		return c.AffineCeilDiv(l, c.AffineConstant(1+r.Int64N(8)))
	case 4:
		return c.AffineAdd(l, c.AffineConstant(r.Int64N(9)-2))
	}
	return c.AffineAdd(l, randomPosition(c, r, depth-1))
}

// TestLastPositionOfNone has expressions whose values aren't known to be from 0 to a constant.
func TestLastPositionOfNone(t *testing.T) {
	c := ir.NewContext()
	d, s := c.AffineDim(0), c.AffineSymbol(0)
	for _, e := range []*ir.AffineExpr{
		s, c.AffineAdd(d, s), c.AffineMul(d, s), c.AffineFloorDiv(d, s), c.AffineMod(d, c.AffineConstant(0)),
		c.AffineAdd(d, c.AffineConstant(-1)), c.AffineMul(d, c.AffineConstant(1<<62)),
	} {
		if n, ok := lastPosition(e, []int64{8}); ok {
			t.Errorf("%v is at most %d", e, n)
		}
	}
	if n, ok := lastPosition(d, []int64{0}); ok {
		t.Errorf("a position in nothing is at most %d", n)
	}
	if n, ok := lastPosition(d, []int64{ir.Dynamic}); ok {
		t.Errorf("a position in a dynamic dimension is at most %d", n)
	}
	if n, ok := lastPosition(c.AffineAdd(d, c.AffineMod(s, c.AffineConstant(4))), []int64{8}); !ok || n != 10 {
		t.Errorf("d0 + s0 mod 4 is at most %d", n)
	}
}
