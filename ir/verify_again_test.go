package ir

import (
	"strings"
	"testing"
)

// An operation that was verified is looked at again after each kind of change.
func TestVerifyAgain(t *testing.T) {
	flag := AttrDef{Name: "flag", Type: AttrConstraint{Summary: "unit attribute", Match: func(a Attribute) bool { _, ok := a.(*UnitAttr); return ok }}}
	def := &OpDef{ID: NewOpID("t.two"), Operands: addDef.Operands, Results: addDef.Results, Traits: TraitPure | TraitSameTypeOperands, Attrs: []AttrDef{flag}}
	inferred := &OpDef{ID: NewOpID("t.inferred"), Operands: []OperandDef{{Name: "x"}}, Results: []ResultDef{{Name: "r"}},
		InferTypes: func(s *OpState) ([]Type, error) { return []Type{s.Operands[0].Type()}, nil }}
	inScope := &OpDef{ID: NewOpID("t.inscope"), Parents: []*OpID{scopeDef.ID}}
	ctx := NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, regionDef, outDef, def, inferred, inScope, endDef} }})
	for _, tt := range []struct {
		name   string
		change func(b *Builder, two, inferred *Op, i32, i64, f32 *Value)
		want   string
	}{
		{"nothing", func(*Builder, *Op, *Op, *Value, *Value, *Value) {}, ""},
		{"same type", func(_ *Builder, two, _ *Op, i32, _, _ *Value) { two.SetOperand(1, i32) }, ""},
		{"use", func(_ *Builder, two, _ *Op, _, i64, _ *Value) { two.SetOperand(0, i64) }, "requires all operands to have the same type"},
		{"operands", func(_ *Builder, two, _ *Op, i32, _, f32 *Value) { two.SetOperands([]*Value{f32, i32}) }, "operand #0 must be integer, but got 'f32'"},
		{"number", func(_ *Builder, two, _ *Op, i32, _, _ *Value) { two.SetOperands([]*Value{i32}) }, "expected 2 operands, but found 1"},
		{"inserted", func(_ *Builder, two, _ *Op, i32, _, _ *Value) { two.InsertOperands(0, i32) }, "expected 2 operands, but found 3"},
		{"erased", func(_ *Builder, two, _ *Op, _, _, _ *Value) { two.EraseOperands(0, 2) }, "expected 2 operands, but found 0"},
		{"no results", func(_ *Builder, two, _ *Op, _, _, _ *Value) { two.EraseResults() }, "requires one result"},
		{"null", func(_ *Builder, two, _ *Op, _, _, _ *Value) { two.SetOperand(0, nil) }, "null operand found"},
		{"replaced", func(_ *Builder, two, _ *Op, i32, _, f32 *Value) { i32.ReplaceAllUsesWith(f32) }, "operand #0 must be integer, but got 'f32'"},
		{"taken", func(_ *Builder, two, _ *Op, i32, _, f32 *Value) { f32.TakeUses(i32) }, "operand #0 must be integer, but got 'f32'"},
		{"chosen", func(_ *Builder, two, _ *Op, i32, _, f32 *Value) {
			i32.ReplaceUsesIf(f32, func(u *Use) bool { return u.Owner() == two })
		}, "operand #0 must be integer, but got 'f32'"},
		{"type of an operand", func(_ *Builder, _, _ *Op, i32, _, _ *Value) { i32.SetType(F32) }, "operand #0 must be integer, but got 'f32'"},
		{"type of a result", func(_ *Builder, two, _ *Op, _, _, _ *Value) { two.Result(0).SetType(F32) }, "result #0 must be integer, but got 'f32'"},
		{"inferred type", func(_ *Builder, _, inferred *Op, _, _, f32 *Value) { inferred.SetOperand(0, f32) }, "failed to infer returned types"},
		{"type of an inferred result", func(_ *Builder, _, inferred *Op, _, _, _ *Value) { inferred.Result(0).SetType(F32) }, "failed to infer returned types"},
		{"attribute", func(b *Builder, two, _ *Op, _, _, _ *Value) { two.SetAttr("flag", b.Context().StringAttr("on")) }, "attribute 'flag' failed to satisfy constraint"},
		{"no attribute", func(_ *Builder, two, _ *Op, _, _, _ *Value) { two.SetAttr("flag", nil) }, "requires attribute 'flag'"},
		{"parent", func(b *Builder, two, _ *Op, _, _, _ *Value) {
			s := b.State(regionDef.ID)
			blk := s.AddRegion().AddBlock()
			b.SetBefore(two)
			b.Create(s)
			two.Block().First().MoveToEnd(blk)
		}, "expects parent op 't.scope'"},
		{"end", func(_ *Builder, two, _ *Op, _, _, _ *Value) { two.MoveToEnd(two.Block()) }, "must be the last operation in the parent block"},
	} {
		b := NewBuilder(ctx)
		root := newScope(b)
		b.SetEnd(root.BodyBlock(0))
		b.CreateOp(inScope.ID, nil, nil)
		var v []*Value
		for _, typ := range []Type{I32, I64, F32} {
			v = append(v, b.CreateOp(outDef.ID, []Type{typ}, nil).Result(0))
		}
		two := b.CreateOp(def.ID, []Type{I32}, []*Value{v[0], v[0]}, NamedAttr{"flag", Unit})
		other := b.CreateOp(inferred.ID, nil, []*Value{v[0]})
		b.CreateOp(endDef.ID, nil, nil)
		if err := Verify(root); err != nil {
			t.Fatal(err)
		}
		tt.change(b, two, other, v[0], v[1], v[2])
		err := Verify(root)
		fresh := Verify(CloneDetached(root))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		if tt.name != "null" && (err == nil) != (fresh == nil) {
			t.Errorf("%s: got %v, but for a copy %v", tt.name, err, fresh)
		}
	}
}

// What the verifier found out stays out of the marks of transformations.
func TestMarkOfVerified(t *testing.T) {
	b := NewBuilder(scopeContext())
	root := newScope(b)
	b.SetEnd(root.BodyBlock(0))
	op := b.CreateOp(outDef.ID, []Type{I32}, nil)
	for range 2 {
		op.SetMark(7)
		if err := Verify(root); err != nil || op.Mark() != 7 {
			t.Fatal(err, op.Mark())
		}
		if op.SetMark(0); op.Mark() != 0 || op.mark&sound == 0 {
			t.Fatalf("%x", op.mark)
		}
	}
}

var regionDef = &OpDef{ID: NewOpID("t.region"), Regions: []RegionDef{{}}, Traits: TraitNoTerminator}

// An operation with blocks, whose definition promises to look at nothing but itself, is looked
// at again after each change of it or its blocks, and not after others.
func TestVerifyAloneAgain(t *testing.T) {
	asked := 0
	count := func(*Op) error { asked++; return nil }
	def := &OpDef{ID: NewOpID("t.alone"), Operands: []OperandDef{{Name: "x"}}, Regions: []RegionDef{{}}, Traits: TraitNoTerminator,
		Verify: count, VerifyRegions: count, VerifyAlone: true}
	for _, tt := range []struct {
		name   string
		again  bool
		change func(b *Builder, alone *Op)
	}{
		{"nothing", false, func(*Builder, *Op) {}},
		{"moved", false, func(_ *Builder, alone *Op) { alone.MoveToEnd(alone.Block()) }},
		{"another operand", false, func(b *Builder, alone *Op) { alone.SetOperand(0, alone.Block().First().Result(1)) }},
		{"nested added", false, func(b *Builder, alone *Op) {
			b.SetBefore(alone.BodyBlock(0).First())
			b.CreateOp(outDef.ID, []Type{I32}, nil)
		}},
		{"nested changed", false, func(_ *Builder, alone *Op) { alone.BodyBlock(0).First().Result(0).SetType(F32) }},
		{"type of an operand", true, func(_ *Builder, alone *Op) { alone.Operand(0).SetType(F32) }},
		{"attribute", true, func(b *Builder, alone *Op) { alone.SetDiscardableAttr("t.a", Unit) }},
		{"emptied", true, func(_ *Builder, alone *Op) {
			alone.BodyBlock(0).First().Erase()
			alone.BodyBlock(0).First().Erase()
		}},
		{"argument", true, func(b *Builder, alone *Op) { alone.BodyBlock(0).AddArg(F32, nil) }},
		{"argument of a builder", true, func(b *Builder, alone *Op) { b.AddArg(alone.BodyBlock(0), F32, nil) }},
		{"type of an argument", true, func(b *Builder, alone *Op) { alone.BodyBlock(0).Arg(0).SetType(F32) }},
		{"erased argument", true, func(b *Builder, alone *Op) { alone.BodyBlock(0).EraseArg(0) }},
		{"erased arguments", true, func(b *Builder, alone *Op) { alone.BodyBlock(0).EraseArgs(func(int) bool { return true }) }},
		{"block", true, func(b *Builder, alone *Op) {
			b.SetEnd(alone.RegionAt(0).AddBlock())
			b.CreateOp(endDef.ID, nil, nil)
		}},
		{"no block", true, func(_ *Builder, alone *Op) { alone.BodyBlock(0).Erase() }},
		{"taken", true, func(b *Builder, alone *Op) {
			s := b.State(regionDef.ID)
			r := s.AddRegion()
			b.SetBefore(alone)
			b.Create(s)
			r.TakeBody(alone.RegionAt(0))
		}},
	} {
		b := NewBuilder(NewContext(&Dialect{Name: "t", Ops: func() []*OpDef { return []*OpDef{scopeDef, regionDef, outDef, twoDef, endDef, def} }, VerifyOpAttr: func(*Op, NamedAttr) error { return nil }}))
		root := newScope(b)
		b.SetEnd(root.BodyBlock(0))
		values := b.CreateOp(twoDef.ID, []Type{I32, I32}, nil)
		s := b.State(def.ID)
		s.Operands = []*Value{values.Result(0)}
		body := s.AddRegion().AddBlock(I32)
		alone := b.Create(s)
		b.SetEnd(body)
		b.CreateOp(outDef.ID, []Type{I32}, nil)
		b.CreateOp(endDef.ID, nil, nil)
		for range 2 {
			if err := Verify(root); err != nil {
				t.Fatal(err)
			}
		}
		tt.change(b, alone)
		before := asked
		if err := Verify(root); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if again := asked == before+2; again != tt.again || !again && asked != before {
			t.Errorf("%s: checked %d times", tt.name, asked-before)
		}
	}
}

var endDef = &OpDef{ID: NewOpID("t.end"), Traits: TraitTerminator}

var twoDef = &OpDef{ID: NewOpID("t.two_results"), Results: []ResultDef{{Name: "a"}, {Name: "b"}}}
