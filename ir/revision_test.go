package ir_test

import (
	"testing"

	"freehold/ir"
)

// A context has definitions as its version of LLVM revised them; what a revision doesn't mention stays.
func TestRevision(t *testing.T) {
	id := ir.NewOpID("my.revised")
	fails := func(text string) func(*ir.Op) error {
		return func(op *ir.Op) error { return op.Errorf("%s", text) }
	}
	d := &ir.Dialect{Name: "my", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{{
			ID: id, Verify: fails("19"), Models: []ir.Model{checkedA.Model(19), checkedB.Model(19)},
			Revisions: []ir.Revision{
				{Since: 20, Traits: ir.TraitPure, Models: []ir.Model{checkedA.Model(20)}},
				{Since: 22, Verify: fails("22"), Models: []ir.Model{checkedB.Model(22)}},
			},
		}}
	}}
	for _, tt := range []struct {
		llvm   int
		verify string
		pure   bool
		a, b   int
	}{{0, "19", false, 19, 19}, {19, "19", false, 19, 19}, {20, "19", true, 20, 19}, {21, "19", true, 20, 19}, {22, "22", true, 20, 22}, {23, "22", true, 20, 22}} {
		c := ir.NewContextFor(tt.llvm, d)
		op := ir.NewBuilder(c).CreateOp(id, nil, nil)
		a, _ := checkedA.Of(op)
		b, _ := checkedB.Of(op)
		if err := ir.Verify(op); err == nil || err.Error() != "'my.revised' op "+tt.verify || op.Has(ir.TraitPure) != tt.pure || a != tt.a || b != tt.b || c.LLVM() != tt.llvm {
			t.Errorf("LLVM %d: %v, pure %v, models %d and %d of %d", tt.llvm, err, op.Has(ir.TraitPure), a, b, c.LLVM())
		}
	}
}

func TestCheckRevisions(t *testing.T) {
	d := &ir.Dialect{Name: "my", Ops: func() []*ir.OpDef {
		return []*ir.OpDef{{ID: ir.NewOpID("my.a"), Revisions: []ir.Revision{{Since: 19}, {Since: 22}, {Since: 22, Models: []ir.Model{{}}}}}}
	}}
	want := []string{
		`operation "my.a": a revision is of LLVM 19, which isn't later than 19`,
		`operation "my.a": a revision is of LLVM 22, which isn't later than 22`,
		`operation "my.a": model 0 is of no interface`,
	}
	got := ir.CheckDialect(d)
	if len(got) != len(want) {
		t.Fatalf("%v, want %q", got, want)
	}
	for i, err := range got {
		if err.Error() != want[i] {
			t.Errorf("%v, want %q", err, want[i])
		}
	}
}
