package oneshot

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
)

// Sets are those of the naive implementation, which relabels all members.
func TestUnionFind(t *testing.T) {
	values := make([]*ir.Value, 8)
	for i := range values {
		values[i] = &ir.Value{}
	}
	rapid.Check(t, func(t *rapid.T) {
		u := newUnionFind(&valueTable{})
		label := make([]int, len(values))
		for i := range label {
			label[i] = i
		}
		index := rapid.IntRange(0, len(values)-1)
		for range rapid.IntRange(0, 10).Draw(t, "joins") {
			a, b := index.Draw(t, "a"), index.Draw(t, "b")
			u.join(values[a], values[b])
			from, to := label[a], label[b]
			for i := range label {
				if label[i] == from {
					label[i] = to
				}
			}
		}
		for i, v := range values {
			members := map[*ir.Value]bool{}
			u.each(v, func(w *ir.Value) {
				if members[w] {
					t.Fatal("a member is visited twice")
				}
				members[w] = true
			})
			for j, w := range values {
				same := label[i] == label[j]
				if u.same(v, w) != same || members[w] != same {
					t.Fatalf("values %d and %d: same %v, listed %v, want %v", i, j, u.same(v, w), members[w], same)
				}
			}
		}
	})
}
