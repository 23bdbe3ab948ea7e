package ir

import (
	"math/rand/v2"
	"testing"
)

// The uses within an operation are those of all by what is nested in it, whether the uses or the operations are fewer.
func TestUsesWithin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		ctx := NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, regionDef, outDef, addDef, endDef} }})
		b := NewBuilder(ctx)
		root := newScope(b)
		b.SetEnd(root.BodyBlock(0))
		v := b.CreateOp(outDef.ID, []Type{I32}, nil).Result(0)
		w := b.CreateOp(outDef.ID, []Type{I32}, nil).Result(0)
		blocks := []*Block{root.BodyBlock(0)}
		var holders []*Op
		for range rnd.IntN(30) {
			b.SetEnd(blocks[rnd.IntN(len(blocks))])
			if rnd.IntN(3) == 0 {
				s := b.State(regionDef.ID)
				blocks = append(blocks, s.AddRegion().AddBlock())
				holders = append(holders, b.Create(s))
				continue
			}
			pick := func() *Value { return []*Value{v, w}[rnd.IntN(2)] }
			b.CreateOp(addDef.ID, []Type{I32}, []*Value{pick(), pick()})
		}
		for _, op := range append(holders, root) {
			want := map[*Use]bool{}
			for _, u := range v.Uses() {
				if u.Owner() != op && op.IsAncestorOf(u.Owner()) {
					want[u] = true
				}
			}
			got := v.UsesWithin(op)
			for _, u := range got {
				if !want[u] {
					t.Fatal("a use that isn't within")
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d uses, want %d", len(got), len(want))
			}
		}
	}
}
