package emitc

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestIntervals compares sums, differences and products of intervals with those of large integers: an interval has all of them, or they may leave the range of index.
func TestIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -1 << 31, -1, 0, 1, 3, 1<<31 - 1, 1 << 31, 3037000499, 3037000500, math.MaxInt64 - 1, math.MaxInt64}
	for _, bits := range []int{32, 64} {
		m := &module{o: Options{IndexBits: bits}}
		all := m.anyIndex()
		some := func() interval {
			for {
				i := interval{edges[r.IntN(len(edges))], edges[r.IntN(len(edges))]}
				if i.low <= i.high && i.low >= all.low && i.high <= all.high {
					return i
				}
			}
		}
		for range 20000 {
			a, b := some(), some()
			for _, c := range []struct {
				of    func(a, b interval) (interval, bool)
				exact func(z, x, y *big.Int) *big.Int
			}{{m.added, (*big.Int).Add}, {m.subtracted, (*big.Int).Sub}, {m.multiplied, (*big.Int).Mul}} {
				got, stays := c.of(a, b)
				leaves := false
				for _, x := range []int64{a.low, a.high} {
					for _, y := range []int64{b.low, b.high} {
						z := c.exact(new(big.Int), big.NewInt(x), big.NewInt(y))
						inside := z.Cmp(big.NewInt(all.low)) >= 0 && z.Cmp(big.NewInt(all.high)) <= 0
						leaves = leaves || !inside
						if inside && (z.Int64() < got.low || z.Int64() > got.high) {
							t.Fatalf("%v and %v give %v, which %v hasn't", a, b, z, got)
						}
					}
				}
				if stays == leaves {
					t.Fatalf("%v and %v with %d bits give %v: stays is %v", a, b, bits, got, stays)
				}
			}
		}
	}
}
