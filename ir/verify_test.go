package ir

import (
	"strings"
	"testing"
)

var (
	scopeDef = &OpDef{Name: "t.scope", Regions: []RegionDef{{}}, Traits: TraitIsolatedFromAbove | TraitNoTerminator | TraitSingleBlock}
	outDef   = &OpDef{Name: "t.out", Results: []ResultDef{{Name: "r"}}}
	inDef    = &OpDef{Name: "t.in", Operands: []OperandDef{{Name: "x"}}}
)

func scopeContext() *Context {
	return NewContext(&Dialect{Name: "t", Ops: []*OpDef{scopeDef, outDef, inDef}})
}

func newScope(b *Builder) *Op {
	s := b.State(scopeDef)
	s.AddRegion().AddBlock()
	return b.CreateDetached(s)
}

func TestVerifyIsolation(t *testing.T) {
	b := NewBuilder(scopeContext())
	root := newScope(b)
	b.SetEnd(root.BodyBlock(0))
	v := b.CreateOp(outDef, []Type{I32}, nil).Result(0)
	inner := b.Insert(newScope(b))
	b.SetEnd(inner.BodyBlock(0))
	b.CreateOp(inDef, nil, []*Value{v})
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
		b.CreateOp(inDef, nil, nil)
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
