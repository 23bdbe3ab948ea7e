package order

import (
	"math/rand/v2"
	"testing"
)

// What items touch alone needs no more than what is alive in all orders, which is no more than the order that is given.
func TestBounds(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := 2 + rng.IntN(30)
		g := &Graph{Steps: make([]Step, n)}
		var given []int
		for i := range n {
			given = append(given, i)
			g.Buffers = append(g.Buffers, Buffer{Size: int64(1 + rng.IntN(9)), Maker: i, Kept: rng.IntN(9) == 0})
			for range rng.IntN(3) {
				if b := rng.IntN(i + 1); b < i {
					g.Buffers[b].Users = append(g.Buffers[b].Users, i)
				}
			}
		}
		r := reduce(g, newLinks(g))
		peak, err := g.Peak(given)
		if weak, bound := r.touched(r.makers()), r.bound(); err != nil || weak > bound || bound > peak || weak == 0 {
			t.Errorf("seed %d: %d, %d, and a peak of %d, %v", seed, weak, bound, peak, err)
		}
	}
}

// What is kept is alive in the end whatever the order, so that nothing is searched for where all orders keep the same.
func TestEndsBound(t *testing.T) {
	const n = 100
	g := &Graph{Steps: make([]Step, n)}
	for i := range n {
		g.Buffers = append(g.Buffers, Buffer{Size: 64, Maker: -1, Kept: true, Users: []int{i}}, Buffer{Size: 64, Maker: i, Kept: true})
	}
	s, err := Solve(g, Options{StepLimit: 1})
	if err != nil || !s.Optimal() || s.Peak != 2*n*64 {
		t.Errorf("%+v, %v", s, err)
	}
}
