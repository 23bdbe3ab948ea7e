package ir

import (
	"math/rand"
	"testing"
)

var branchDef = &OpDef{Name: "t.br", Successors: []SuccessorDef{{Variadic: true}}, Traits: TraitTerminator}

var graphDef = &OpDef{Name: "t.graph", Regions: []RegionDef{{}}}

func testContext() *Context {
	return NewContext(&Dialect{Name: "t", Ops: []*OpDef{branchDef, graphDef}})
}

// randomRegion builds a region whose blocks branch to random blocks other than
// the entry.
func randomRegion(c *Context, rng *rand.Rand, n int) *Region {
	b := NewBuilder(c)
	s := b.State(graphDef)
	r := s.AddRegion()
	b.CreateDetached(s)
	var blocks []*Block
	for range n {
		blocks = append(blocks, r.AddBlock())
	}
	for _, blk := range blocks {
		s := b.State(branchDef)
		for range rng.Intn(4) {
			if n > 1 {
				s.Successors = append(s.Successors, blocks[1+rng.Intn(n-1)])
			}
		}
		b.SetEnd(blk)
		b.Create(s)
	}
	return r
}

// reaches tells whether to can be reached from from without passing avoid.
func reaches(from, to, avoid *Block, next func(*Block) []*Block) bool {
	seen := map[*Block]bool{avoid: true}
	var walk func(b *Block) bool
	walk = func(b *Block) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		if b == to {
			return true
		}
		for _, s := range next(b) {
			if walk(s) {
				return true
			}
		}
		return false
	}
	return walk(from)
}

func TestDomTree(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	c := testContext()
	for range 300 {
		r := randomRegion(c, rng, 1+rng.Intn(9))
		tree, post := NewDomTree(r), NewPostDomTree(r)
		for a := range r.Blocks() {
			for b := range r.Blocks() {
				reachable := reaches(r.Entry(), b, nil, (*Block).Succs)
				if tree.IsReachable(b) != reachable {
					t.Fatalf("IsReachable = %v", !reachable)
				}
				want := a == b || !reachable || !reaches(r.Entry(), b, a, (*Block).Succs)
				if got := tree.Dominates(a, b); got != want {
					t.Fatalf("Dominates = %v", got)
				}
				// Post-dominance, where every block can reach an exit.
				exits := true
				for x := range r.Blocks() {
					one := false
					for e := range r.Blocks() {
						one = one || len(e.Succs()) == 0 && reaches(x, e, nil, (*Block).Succs)
					}
					exits = exits && one
				}
				if !exits {
					continue
				}
				want = true
				for e := range r.Blocks() {
					if len(e.Succs()) == 0 && a != b && reaches(b, e, a, (*Block).Succs) {
						want = false
					}
				}
				if got := post.Dominates(a, b); got != want {
					t.Fatalf("post: Dominates = %v, want %v", got, want)
				}
			}
			if i := tree.Idom(a); i != nil && (i == a || !tree.Dominates(i, a)) {
				t.Fatal("Idom does not properly dominate")
			}
		}
		for i, b := range tree.Preorder() {
			if i == 0 && b != r.Entry() {
				t.Fatal("the tree's root is not the entry")
			}
		}
	}
}

func BenchmarkDomTree(b *testing.B) {
	c := testContext()
	r := randomRegion(c, rand.New(rand.NewSource(1)), 20000)
	b.ResetTimer()
	for range b.N {
		NewDomTree(r)
	}
}
