package ir

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// Several numberings of the same values and blocks don't disturb each other.
func TestNumbering(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var values []*Value
	var blocks []*Block
	for range 40 {
		b := NewBlock(I32, I32)
		blocks = append(blocks, b)
		values = append(values, b.args...)
	}
	type pair struct {
		n    Numbering
		want map[any]int
	}
	pairs := make([]*pair, 3)
	for i := range pairs {
		pairs[i] = &pair{want: map[any]int{}}
	}
	for step := range 5000 {
		p := pairs[rnd.IntN(len(pairs))]
		v, b := values[rnd.IntN(len(values))], blocks[rnd.IntN(len(blocks))]
		check := func(x any, got int) {
			want, ok := p.want[x]
			if !ok {
				want = -1
			}
			if got != want {
				t.Fatalf("step %d: %d, want %d", step, got, want)
			}
		}
		add := func(x any, got int, added bool) {
			want, ok := p.want[x]
			if !ok {
				want = len(p.want)
				p.want[x] = want
			}
			if got != want || added == ok || p.n.Len() != len(p.want) {
				t.Fatalf("step %d: %d, %v, want %d, %v", step, got, added, want, !ok)
			}
		}
		switch rnd.IntN(20) {
		case 0:
			p.n.Reserve(rnd.IntN(100))
		case 1:
			if rnd.IntN(10) == 0 {
				p.n.Reset()
				clear(p.want)
			}
		case 2, 3, 4, 5:
			i, added := p.n.AddValue(v)
			add(v, i, added)
		case 6, 7, 8:
			i, added := p.n.AddBlock(b)
			add(b, i, added)
		case 9, 10:
			check(b, p.n.Block(b))
		default:
			check(v, p.n.Value(v))
		}
	}
}

// Two goroutines number the same values and look them up.
func TestNumberingsOfGoroutines(t *testing.T) {
	b := NewBlock()
	for range 1000 {
		b.AddArg(I32, nil)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				var n Numbering
				for i, v := range b.args[g:] {
					if j, added := n.AddValue(v); i != j || !added {
						t.Errorf("added %d as %d", i, j)
						return
					}
				}
				for i, v := range b.args[g:] {
					if j := n.Value(v); i != j {
						t.Errorf("value %d is %d", i, j)
						return
					}
				}
			}
		}()
	}
	wg.Wait()
}

func BenchmarkNumbering(b *testing.B) {
	block := NewBlock()
	for range 10000 {
		block.AddArg(I32, nil)
	}
	b.ReportAllocs()
	for b.Loop() {
		var n Numbering
		n.Reserve(len(block.args))
		for _, v := range block.args {
			n.AddValue(v)
		}
		for _, v := range block.args {
			if n.Value(v) < 0 {
				b.Fatal()
			}
		}
	}
}
