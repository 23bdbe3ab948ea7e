package analysis

import (
	"math/rand/v2"
	"testing"

	"freehold/dialect/arith"
	"freehold/ir"
)

// The last operation of some keys is found as if all were looked at, in whatever order operations were added, and after some were moved.
func TestRecent(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		b := ir.NewBuilder(ir.NewContext(arith.Dialect))
		block := ir.NewBlock()
		b.SetEnd(block)
		var ops []*ir.Op
		for i := range 40 {
			ops = append(ops, arith.ConstantIndex(b, int64(i)).DefiningOp())
		}
		u := &LastUses{}
		var r recent[int]
		all := map[int]*ir.Op{}
		for i := range 60 {
			op := ops[min(i*2/3, 39)]
			if seed%3 == 0 {
				op = ops[rnd.IntN(len(ops))]
			}
			k := rnd.IntN(12)
			r.put(k, op, u)
			all[k] = u.later(all[k], op)
			if rnd.IntN(8) == 0 {
				moved := ops[rnd.IntN(len(ops))]
				if to := ops[rnd.IntN(len(ops))]; to.IsBefore(moved) {
					moved.MoveBefore(to)
					u.Moved(moved)
					// What a key had besides is forgotten when it gets a later operation.
					for k := range all {
						all[k] = r.get(k)
					}
				}
			}
			wanted := rnd.IntN(1 << 12)
			meant := func(k int) bool { return wanted&(1<<k) != 0 }
			from := ops[rnd.IntN(len(ops))]
			if rnd.IntN(2) == 0 {
				from = nil
			}
			want := from
			for k, op := range all {
				if meant(k) {
					want = u.later(want, op)
				}
			}
			if got := r.last(from, u, meant); got != want {
				t.Fatalf("seed %d, step %d: found another operation than by looking at all", seed, i)
			}
		}
	}
}
