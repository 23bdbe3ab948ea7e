package order

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// A part that starts where all before is known to be done is the one that asks of each item whether it is done.
func TestPartAfterWhatIsDone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cut, ends := 0, 0
	for range 200 {
		g := &Graph{Steps: make([]Step, 12)}
		for i := range g.Steps {
			b := Buffer{Size: int64(1 + rng.IntN(5)), Maker: i, Kept: rng.IntN(9) == 0}
			for j := i + 1; j < len(g.Steps); j++ {
				if j == i+1 || rng.IntN(4) == 0 {
					b.Users = append(b.Users, j)
				}
			}
			g.Buffers = append(g.Buffers, b)
		}
		l, err := g.valid()
		if err != nil {
			t.Fatal(err)
		}
		r := reduce(g, l)
		from, to := rng.IntN(len(r.items)), len(r.items)
		to = from + 1 + rng.IntN(to-from)
		var list []int32
		for i := from; i < to; i++ {
			list = append(list, int32(i))
		}
		done := func(i int32) bool { return int(i) < from }
		one, other := r.part(list, 0, done, 7), r.part(list, int32(from), done, 7)
		if !reflect.DeepEqual(one, other) {
			t.Fatalf("items %d to %d: %+v, and %+v", from, to, one, other)
		}
		for b, outside := range other.outside {
			if outside {
				cut++
			} else if len(other.by[b]) > 0 {
				ends++
			}
		}
	}
	if cut == 0 || ends == 0 {
		t.Errorf("%d buffers are used later, and %d are not", cut, ends)
	}
}
