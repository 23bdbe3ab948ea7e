package analysis

import (
	"testing"

	"pgregory.net/rapid"
)

// Sets behave like maps from numbers to bool.
func TestIntSet(t *testing.T) {
	type pair struct {
		set   *intSet
		model map[int]bool
	}
	number := rapid.OneOf(rapid.IntRange(0, 200), rapid.IntRange(0, 1<<30))
	rapid.Check(t, func(t *rapid.T) {
		pairs := []pair{{nil, map[int]bool{}}}
		any := func(label string) pair {
			return pairs[rapid.IntRange(0, len(pairs)-1).Draw(t, label)]
		}
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				p, n := any("set"), number.Draw(t, "number")
				m := map[int]bool{n: true}
				for k := range p.model {
					m[k] = true
				}
				pairs = append(pairs, pair{p.set.union(oneInt(n)), m})
			},
			"union": func(t *rapid.T) {
				p, q := any("left"), any("right")
				m := map[int]bool{}
				for k := range p.model {
					m[k] = true
				}
				for k := range q.model {
					m[k] = true
				}
				pairs = append(pairs, pair{p.set.union(q.set), m})
			},
			"": func(t *rapid.T) {
				p, q := any("left"), any("right")
				if n := rapid.IntRange(0, 8).Draw(t, "limit"); p.set.fewerThan(n) != (len(p.model) < n) {
					t.Fatalf("fewer than %d of %d: %v", n, len(p.model), p.set.fewerThan(n))
				}
				common := false
				for k := range p.model {
					if !p.set.has(k) {
						t.Fatalf("%d is missing", k)
					}
					common = common || q.model[k]
					if q.set.has(k) != q.model[k] {
						t.Fatalf("has(%d) is %v", k, q.set.has(k))
					}
				}
				if p.set.intersects(q.set) != common {
					t.Fatalf("intersects is %v", !common)
				}
				if (p.set == nil) != (len(p.model) == 0) {
					t.Fatalf("empty set with %d members", len(p.model))
				}
				last, count := -1, 0
				p.set.each(func(n int) {
					if n <= last || !p.model[n] {
						t.Fatalf("each yields %d after %d", n, last)
					}
					last = n
					count++
				})
				if count != len(p.model) {
					t.Fatalf("each yields %d of %d", count, len(p.model))
				}
				n, ok := p.set.only()
				if ok != (len(p.model) == 1) || ok && !p.model[n] {
					t.Fatalf("only() = %d, %v of %d members", n, ok, len(p.model))
				}
				if u := p.set.union(q.set); u.union(p.set) != u || u.union(q.set) != u {
					t.Fatal("a union that adds nothing makes a new set")
				}
			},
		})
	})
}
