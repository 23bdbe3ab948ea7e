package ir

import (
	"math/rand"
	"slices"
	"testing"
)

var branchDef = &OpDef{ID: NewOpID("t.br"), Successors: []SuccessorDef{{Variadic: true}}, Traits: TraitTerminator}

var graphDef = &OpDef{ID: NewOpID("t.graph"), Regions: []RegionDef{{}}}

func testContext() *Context {
	return NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{branchDef, graphDef} }})
}

// randomRegion builds a region whose blocks branch to random blocks other than
// the entry.
func randomRegion(c *Context, rng *rand.Rand, n int) *Region {
	b := NewBuilder(c)
	s := b.State(graphDef.ID)
	r := s.AddRegion()
	b.CreateDetached(s)
	var blocks []*Block
	for range n {
		blocks = append(blocks, r.AddBlock())
	}
	for _, blk := range blocks {
		s := b.State(branchDef.ID)
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

// Of blocks that never get to an exit, one counts as an exit: the last of a
// depth-first search, and only if no path leads from it to another such block.
func TestPostDomTreeOfEndlessCycles(t *testing.T) {
	for name, test := range map[string]struct {
		succs [][]int
		idoms []int // -1 is the virtual root
	}{
		"beside an exit":    {[][]int{{1, 4}, {2, 3}, {1}, {1}, {}}, []int{-1, 2, -1, 1, -1}},
		"one that leads on": {[][]int{{1}, {0, 2}, {2}}, []int{1, 2, -1}},
		"two":               {[][]int{{1, 3}, {0, 2}, {2}, {3}}, []int{-1, -1, -1, -1}},
	} {
		b := NewBuilder(testContext())
		s := b.State(graphDef.ID)
		r := s.AddRegion()
		b.CreateDetached(s)
		var blocks []*Block
		for range test.succs {
			blocks = append(blocks, r.AddBlock())
		}
		for i, succs := range test.succs {
			s := b.State(branchDef.ID)
			for _, j := range succs {
				s.Successors = append(s.Successors, blocks[j])
			}
			b.SetEnd(blocks[i])
			b.Create(s)
		}
		tree := NewPostDomTree(r)
		for i, x := range blocks {
			if got := slices.Index(blocks, tree.Idom(x)); got != test.idoms[i] {
				t.Errorf("%s: block %d is post-dominated by %d, want %d", name, i, got, test.idoms[i])
			}
		}
	}
}

// Blocks of different regions have common dominators and post-dominators.
func TestPostDominanceAcrossRegions(t *testing.T) {
	b := NewBuilder(testContext())
	s := b.State(graphDef.ID)
	r := s.AddRegion()
	b.CreateDetached(s)
	entry, exit := r.AddBlock(), r.AddBlock()
	b.SetEnd(entry)
	s = b.State(graphDef.ID)
	inner := s.AddRegion().AddBlock()
	b.Create(s)
	s = b.State(branchDef.ID)
	s.Successors = []*Block{exit}
	b.Create(s)
	d := NewPostDominance()
	if got := d.NearestCommonPostDominator(inner, exit); got != exit {
		t.Errorf("nearest of inner and exit is %p, want the exit", got)
	}
	if got := d.NearestCommonPostDominator(inner, entry); got != entry {
		t.Errorf("nearest of inner and entry is %p, want the entry", got)
	}
	if !d.BlockPostDominates(exit, inner) || d.BlockPostDominates(entry, exit) || d.BlockPostDominates(inner, entry) {
		t.Error("BlockPostDominates is wrong")
	}
	if got := NewDominance().NearestCommonDominator(exit, inner); got != entry {
		t.Errorf("nearest dominator of exit and inner is %p, want the entry", got)
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
