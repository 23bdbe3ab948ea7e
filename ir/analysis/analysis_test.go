package analysis

import (
	"math/rand"
	"testing"

	"freehold/ir"
)

var (
	graphDef  = &ir.OpDef{ID: ir.NewOpID("t.graph"), Regions: []ir.RegionDef{{}}}
	branchDef = &ir.OpDef{ID: ir.NewOpID("t.br"), Successors: []ir.SuccessorDef{{Variadic: true}}, Traits: ir.TraitTerminator}
	makeDef   = &ir.OpDef{ID: ir.NewOpID("t.make"), Results: []ir.ResultDef{{Name: "r"}}}
	useDef    = &ir.OpDef{ID: ir.NewOpID("t.use"), Operands: []ir.OperandDef{{Name: "x", Arity: ir.Variadic}}}
)

// randomRegion builds a region with n blocks that branch to random blocks; each
// block defines a value, and uses some of those of blocks that dominate it.
func randomRegion(rng *rand.Rand, n int) *ir.Region {
	c := ir.NewContext(&ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{graphDef, branchDef, makeDef, useDef} }})
	b := ir.NewBuilder(c)
	s := b.State(graphDef.ID)
	r := s.AddRegion()
	b.CreateDetached(s)
	var blocks []*ir.Block
	for range n {
		blocks = append(blocks, r.AddBlock())
	}
	var values []*ir.Value
	for _, blk := range blocks {
		b.SetEnd(blk)
		values = append(values, b.CreateOp(makeDef.ID, []ir.Type{ir.I32}, nil).Result(0))
		s := b.State(branchDef.ID)
		for range rng.Intn(3) {
			if n > 1 {
				s.Successors = append(s.Successors, blocks[1+rng.Intn(n-1)])
			}
		}
		b.Create(s)
	}
	tree := ir.NewDomTree(r)
	for i, blk := range blocks {
		for j, v := range values {
			if i != j && tree.IsReachable(blk) && tree.Dominates(blocks[j], blk) && rng.Intn(3) == 0 {
				b.SetBefore(blk.Last())
				b.CreateOp(useDef.ID, nil, []*ir.Value{v})
			}
		}
	}
	return r
}

// reach tells whether a path of at least one step leads to to without entering
// avoid.
func reach(from, to, avoid *ir.Block) bool {
	seen := map[*ir.Block]bool{}
	work := from.Succs()
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || b == avoid {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		work = append(work, b.Succs()...)
	}
	return false
}

// A value is live at the start of a block if a use can be reached from there
// without passing the definition.
func TestLiveness(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 200 {
		r := randomRegion(rng, 1+rng.Intn(8))
		l := NewLiveness(r.Op())
		for def := range r.Blocks() {
			v := def.First().Result(0)
			live := func(b *ir.Block) bool {
				for u := v.FirstUse(); u != nil; u = u.Next() {
					use := u.Owner().Block()
					if b != def && use != def && (use == b || reach(b, use, def)) {
						return true
					}
				}
				return false
			}
			for b := range r.Blocks() {
				if got, want := l.IsLiveIn(v, b), live(b); got != want {
					t.Fatalf("IsLiveIn = %v", got)
				}
				out := false
				for _, s := range b.Succs() {
					out = out || live(s)
				}
				if got := l.IsLiveOut(v, b); got != out {
					t.Fatalf("IsLiveOut = %v", got)
				}
			}
		}
	}
}

func TestLivenessNested(t *testing.T) {
	c := ir.NewContext(&ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{graphDef, branchDef, makeDef, useDef} }})
	b := ir.NewBuilder(c)
	scope := func() (*ir.Op, *ir.Block) {
		s := b.State(graphDef.ID)
		blk := s.AddRegion().AddBlock()
		return b.Create(s), blk
	}
	root, outer := scope()
	b.SetEnd(outer)
	v := b.CreateOp(makeDef.ID, []ir.Type{ir.I32}, nil).Result(0)
	holder, inner := scope()
	after := b.CreateOp(makeDef.ID, []ir.Type{ir.I32}, nil)
	b.SetEnd(inner)
	use := b.CreateOp(useDef.ID, nil, []*ir.Value{v})
	l := NewLiveness(root)
	if !l.IsLiveIn(v, inner) || l.IsLiveOut(v, inner) || l.IsLiveIn(v, outer) || l.IsLiveOut(v, outer) {
		t.Error("live in the wrong blocks")
	}
	if LastUse(v, outer) != holder || LastUse(v, inner) != use {
		t.Error("wrong last use")
	}
	if l.IsDeadAfter(v, v.DefiningOp()) || !l.IsDeadAfter(v, holder) || !l.IsDeadAfter(v, after) {
		t.Error("wrong end of life")
	}
}

func TestCycles(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 200 {
		r := randomRegion(rng, 1+rng.Intn(8))
		c := NewCycles(r)
		for a := range r.Blocks() {
			if got, want := c.InCycle(a), reach(a, a, nil); got != want {
				t.Fatalf("InCycle = %v", got)
			}
			for b := range r.Blocks() {
				if got, want := c.SameCycle(a, b), reach(a, b, nil) && reach(b, a, nil); got != want {
					t.Fatalf("SameCycle = %v", got)
				}
			}
		}
	}
}
