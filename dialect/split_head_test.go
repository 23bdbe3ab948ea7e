package dialect_test

import (
	"slices"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// A block whose head was split off is what it was once that is undone, and the two
// blocks have the parts meanwhile.
func TestSplitHead(t *testing.T) {
	ctx := ir.NewContext(dialect.All()...)
	m, err := asm.Parse(ctx, []byte(`func.func @f(%c: i1) -> i1 {
  cf.br ^bb1(%c : i1)
^bb1(%x: i1):
  %0 = arith.andi %x, %c : i1
  %1 = arith.ori %0, %x : i1
  cf.cond_br %1, ^bb1(%1 : i1), ^bb2
^bb2:
  return %0 : i1
}`), "x", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := string(asm.Print(m, asm.PrintOptions{}))
	b := m.BodyBlock(0).First().RegionAt(0).Entry().Next()
	all := slices.Collect(b.Ops())
	arg := b.Arg(0)
	for _, at := range append(all, nil) {
		head := b.SplitHead(at)
		n := slices.Index(all, at)
		if n < 0 {
			n = len(all)
		}
		if got := slices.Collect(head.Ops()); !slices.Equal(got, all[:n]) {
			t.Errorf("%d operations in the head, want %d", len(got), n)
		}
		if got := slices.Collect(b.Ops()); !slices.Equal(got, all[n:]) {
			t.Errorf("%d operations in the rest, want %d", len(got), len(all)-n)
		}
		if b.Prev() != head || b.NumArgs() != 0 || !b.HasNoPreds() {
			t.Error("the rest is still entered")
		}
		if arg.ArgOwner() != head || len(head.Preds()) != 2 || all[2].Successor(0) != head {
			t.Error("the head is not entered")
		}
		for _, op := range all[:n] {
			if op.Block() != head {
				t.Errorf("%s is not in the head", op.Name())
			}
		}
		b.JoinHead(head)
		if err := ir.Verify(m); err != nil {
			t.Fatal(err)
		}
		if after := string(asm.Print(m, asm.PrintOptions{})); after != before {
			t.Fatalf("got\n%s", after)
		}
	}
}
