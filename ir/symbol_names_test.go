package ir

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// A fresh name is the first that is free, also after symbols went.
func TestUniqueSymbolNames(t *testing.T) {
	def := &OpDef{ID: NewOpID("t.named"), Traits: TraitSymbol}
	ctx := NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, def} }})
	b := NewBuilder(ctx)
	root := newScope(b)
	table := NewSymbolTable(root)
	rnd := rand.New(rand.NewPCG(3, 4))
	taken := map[string]bool{}
	var ops []*Op
	for range 2000 {
		if len(ops) > 0 && rnd.IntN(2) == 0 {
			i := rnd.IntN(len(ops))
			name, _ := SymbolName(ops[i])
			delete(taken, name)
			table.Erase(ops[i])
			ops = slices.Delete(ops, i, i+1)
			continue
		}
		name := []string{"a", "b", "a_1"}[rnd.IntN(3)]
		want := name
		for i := 0; taken[want]; i++ {
			want = name + "_" + strconv.Itoa(i)
		}
		s := b.State(def.ID)
		s.Attrs = append(s.Attrs, NamedAttr{SymbolNameAttr, ctx.StringAttr(name)})
		op := b.CreateDetached(s)
		if got := table.Insert(op, nil); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		taken[want] = true
		ops = append(ops, op)
	}
}
