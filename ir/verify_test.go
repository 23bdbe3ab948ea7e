package ir

import (
	"strings"
	"testing"
)

var (
	scopeDef = &OpDef{ID: NewOpID("t.scope"), Regions: []RegionDef{{}}, Traits: TraitIsolatedFromAbove | TraitNoTerminator | TraitSingleBlock}
	outDef   = &OpDef{ID: NewOpID("t.out"), Results: []ResultDef{{Name: "r"}}}
	inDef    = &OpDef{ID: NewOpID("t.in"), Operands: []OperandDef{{Name: "x"}}}
)

func scopeContext() *Context {
	return NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, outDef, inDef} }})
}

func newScope(b *Builder) *Op {
	s := b.State(scopeDef.ID)
	s.AddRegion().AddBlock()
	return b.CreateDetached(s)
}

func TestVerifyIsolation(t *testing.T) {
	b := NewBuilder(scopeContext())
	root := newScope(b)
	b.SetEnd(root.BodyBlock(0))
	v := b.CreateOp(outDef.ID, []Type{I32}, nil).Result(0)
	inner := b.Insert(newScope(b))
	b.SetEnd(inner.BodyBlock(0))
	b.CreateOp(inDef.ID, nil, []*Value{v})
	err := Verify(root)
	if err == nil || !strings.Contains(err.Error(), "'t.in' op using value defined outside the region") {
		t.Fatalf("got %v", err)
	}
	if n := err.(*Diagnostic).Notes; len(n) != 1 || n[0].Message != "required by region isolation constraints" {
		t.Fatalf("notes %v", n)
	}
}

// Errors in isolated operations come in the order of the program, whatever
// goroutine finds them.
func TestVerifyReportsAllIsolated(t *testing.T) {
	b := NewBuilder(scopeContext())
	root := newScope(b)
	for range 50 {
		b.SetEnd(root.BodyBlock(0))
		inner := b.Insert(newScope(b))
		b.SetEnd(inner.BodyBlock(0))
		b.Loc = FileLineCol("f", uint32(root.BodyBlock(0).NumArgs()), 1)
		root.BodyBlock(0).AddArg(I32, nil)
		b.CreateOp(inDef.ID, nil, nil)
	}
	ds, _ := Verify(root).(Diagnostics)
	if len(ds) != 50 {
		t.Fatalf("%d errors", len(ds))
	}
	for i, d := range ds {
		if p, _ := SourcePos(d.Loc); p == nil || int(p.Line) != i {
			t.Fatalf("error %d is at %v", i, d.Loc)
		}
	}
}

var addDef = &OpDef{ID: NewOpID("t.add"),
	Operands: []OperandDef{{Name: "lhs", Type: TypeConstraint{Summary: "integer", Match: IsInteger}}, {Name: "rhs", Type: TypeConstraint{Summary: "integer", Match: IsInteger}}},
	Results:  []ResultDef{{Name: "r", Type: TypeConstraint{Summary: "integer", Match: IsInteger}}},
	Traits:   TraitPure | TraitSameOperandsAndResultType | TraitCommutative | ElementwiseMappable}

// BenchmarkVerify verifies 1000 isolated operations with 100 operations each.
func BenchmarkVerify(b *testing.B) {
	bld := NewBuilder(NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, outDef, addDef} }}))
	root := newScope(bld)
	for range 1000 {
		bld.SetEnd(root.BodyBlock(0))
		inner := bld.Insert(newScope(bld))
		bld.SetEnd(inner.BodyBlock(0))
		v := bld.CreateOp(outDef.ID, []Type{I32}, nil).Result(0)
		for range 99 {
			v = bld.CreateOp(addDef.ID, []Type{I32}, []*Value{v, v}).Result(0)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Verify(root); err != nil {
			b.Fatal(err)
		}
	}
}
