package rewrite

import (
	"testing"

	"freehold/ir"
	"freehold/ir/interfaces"
)

var i32 = ir.TypeConstraint{Summary: "i32", Match: func(t ir.Type) bool { return t == ir.Type(ir.I32) }}

var (
	scopeDef = &ir.OpDef{ID: ir.NewOpID("t.scope"), Regions: []ir.RegionDef{{}}, Traits: ir.TraitIsolatedFromAbove | ir.TraitNoTerminator}
	argDef   = &ir.OpDef{ID: ir.NewOpID("t.arg"), Results: []ir.ResultDef{{Name: "r", Type: i32}}}
	useDef   = &ir.OpDef{ID: ir.NewOpID("t.use"), Operands: []ir.OperandDef{{Name: "x", Type: i32, Arity: ir.Variadic}}}
	constDef = &ir.OpDef{ID: ir.NewOpID("t.const"), Results: []ir.ResultDef{{Name: "r", Type: i32}}, Attrs: []ir.AttrDef{{Name: "value"}},
		Traits: ir.TraitPure | ir.TraitConstantLike}
	addDef = &ir.OpDef{ID: ir.NewOpID("t.add"), Operands: []ir.OperandDef{{Name: "a", Type: i32}, {Name: "b", Type: i32}},
		Results: []ir.ResultDef{{Name: "r", Type: i32}}, Traits: ir.TraitPure | ir.TraitCommutative,
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			a, _ := operands[0].(*ir.IntegerAttr)
			b, _ := operands[1].(*ir.IntegerAttr)
			if b != nil && b.Value == 0 {
				return ir.FoldValue(op.Operand(0))
			}
			if a == nil || b == nil {
				return nil
			}
			return ir.FoldAttr(op.Context().I32Attr(a.Value + b.Value))
		}}
	negDef = &ir.OpDef{ID: ir.NewOpID("t.neg"), Operands: []ir.OperandDef{{Name: "a", Type: i32}},
		Results: []ir.ResultDef{{Name: "r", Type: i32}}, Traits: ir.TraitPure | ir.TraitInvolution}
	maxDef = &ir.OpDef{ID: ir.NewOpID("t.max"), Operands: []ir.OperandDef{{Name: "a", Type: i32}, {Name: "b", Type: i32}},
		Results: []ir.ResultDef{{Name: "r", Type: i32}}, Traits: ir.TraitPure | ir.TraitIdempotent}
)

type program struct {
	*ir.Builder
	root *ir.Op
}

func newProgram() *program {
	c := ir.NewContext(&ir.Dialect{Name: "t", Ops: func() []*ir.OpDef { return []*ir.OpDef{scopeDef, argDef, useDef, constDef, addDef, negDef, maxDef} },
		Models: []ir.Model{interfaces.ConstantMaterializer.Model(func(b *ir.Builder, v ir.Attribute, t ir.Type) *ir.Op {
			return b.CreateOp(constDef.ID, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: v})
		})}})
	b := ir.NewBuilder(c)
	s := b.State(scopeDef.ID)
	s.AddRegion().AddBlock()
	root := b.CreateDetached(s)
	b.SetEnd(root.BodyBlock(0))
	return &program{b, root}
}

func (p *program) op(def *ir.OpDef, operands ...*ir.Value) *ir.Value {
	types := []ir.Type{ir.I32}
	if def == useDef {
		types = nil
	}
	o := p.CreateOp(def.ID, types, operands)
	if def == useDef {
		return nil
	}
	return o.Result(0)
}

func (p *program) constant(v int64) *ir.Value {
	return p.CreateOp(constDef.ID, []ir.Type{ir.I32}, nil, ir.NamedAttr{Name: "value", Value: p.Context().I32Attr(v)}).Result(0)
}

func (p *program) rewrite(t *testing.T, patterns ...Pattern) {
	t.Helper()
	if _, ok := ApplyPatternsGreedily(p.root, NewPatternSet(p.Context(), patterns), Config{TopDown: true}); !ok {
		t.Fatal("no convergence")
	}
	if err := ir.Verify(p.root); err != nil {
		t.Fatal(err)
	}
	p.root.Walk(func(o *ir.Op) bool {
		if o.Mark() != 0 {
			t.Fatal("the driver left a mark on", o.Name())
		}
		return true
	})
}

// names lists the operations of the program.
func (p *program) names() string {
	s := ""
	for o := range p.root.BodyBlock(0).Ops() {
		s += o.Name()[2:] + " "
	}
	return s
}

func TestGreedyFolds(t *testing.T) {
	p := newProgram()
	a := p.op(argDef)
	one, two := p.constant(1), p.constant(2)
	three := p.op(addDef, one, two)
	p.op(useDef, p.op(addDef, three, a), three)
	p.rewrite(t)
	if got := p.names(); got != "const arg add use " {
		t.Fatal(got)
	}
	add := a.FirstUse().Owner()
	if add.Operand(0) != a || ir.ConstantOf(add.Operand(1)) != ir.Attribute(p.Context().I32Attr(3)) {
		t.Fatal("constants don't come last")
	}
}

func TestTraitFolds(t *testing.T) {
	p := newProgram()
	a, b := p.op(argDef), p.op(argDef)
	p.op(useDef, p.op(negDef, p.op(negDef, a)), p.op(maxDef, b, b), p.op(maxDef, a, b))
	p.rewrite(t)
	if got := p.names(); got != "arg arg max use " {
		t.Fatal(got)
	}
	use := p.root.BodyBlock(0).Last()
	if use.Operand(0) != a || use.Operand(1) != b {
		t.Fatal("folded to other values")
	}
}

// Patterns are tried by benefit, then those of the operation before those of all
// operations, then in order.
func TestPatternOrder(t *testing.T) {
	p := newProgram()
	p.op(useDef, p.op(argDef))
	var tried []string
	try := func(name string, root *ir.OpID, benefit int) Pattern {
		return Pattern{Name: name, Root: root, Benefit: benefit, Rewrite: func(_ *Rewriter, op *ir.Op) bool {
			if op.Is(useDef.ID) {
				tried = append(tried, name)
			}
			return false
		}}
	}
	some := try("some", nil, 0)
	some.Applies = func(n *ir.OpName) bool { return n.ID() == useDef.ID }
	p.rewrite(t, try("any", nil, 0), try("first", useDef.ID, 0), some, try("other", argDef.ID, 9), try("last", useDef.ID, 0), try("best", nil, 3), try("good", useDef.ID, 2))
	want := []string{"best", "good", "first", "some", "last", "any"}
	for i := range want {
		if i >= len(tried) || tried[i] != want[i] {
			t.Fatalf("tried %v, want %v", tried, want)
		}
	}
}

// A pattern that creates operations: they are visited, too.
func TestPatternCreates(t *testing.T) {
	p := newProgram()
	a := p.op(argDef)
	p.op(useDef, p.op(negDef, a))
	p.rewrite(t, Pattern{Root: negDef.ID, Rewrite: func(r *Rewriter, op *ir.Op) bool {
		zero := r.CreateOp(constDef.ID, []ir.Type{ir.I32}, nil, ir.NamedAttr{Name: "value", Value: r.Context().I32Attr(0)})
		add := r.CreateOp(addDef.ID, []ir.Type{ir.I32}, []*ir.Value{op.Operand(0), zero.Result(0)})
		r.Replace(op, add.Result(0))
		return true
	}})
	if got := p.names(); got != "arg use " {
		t.Fatal(got)
	}
}

func TestLimits(t *testing.T) {
	p := newProgram()
	p.op(useDef, p.op(negDef, p.op(argDef)))
	n := 0
	forever := Pattern{Root: negDef.ID, Rewrite: func(r *Rewriter, op *ir.Op) bool {
		n++
		r.Modified(op)
		return true
	}}
	_, ok := ApplyPatternsGreedily(p.root, NewPatternSet(p.Context(), []Pattern{forever}), Config{MaxIterations: 3, MaxRewrites: 5})
	if ok || n != 15 {
		t.Fatalf("converged = %v after %d rewrites", ok, n)
	}
}

func TestStrictness(t *testing.T) {
	p := newProgram()
	x := p.op(negDef, p.op(argDef))
	y := p.op(negDef, p.op(argDef))
	p.op(useDef, x, y)
	tag := Pattern{Root: negDef.ID, Rewrite: func(r *Rewriter, op *ir.Op) bool {
		if op.Attr("t.seen") != nil {
			return false
		}
		r.Modify(op, func() { op.SetAttr("t.seen", r.Context().I32Attr(1)) })
		return true
	}}
	ApplyPatternsToOps([]*ir.Op{x.DefiningOp()}, NewPatternSet(p.Context(), []Pattern{tag}), Config{Strictness: ExistingOps})
	if x.DefiningOp().Attr("t.seen") == nil || y.DefiningOp().Attr("t.seen") != nil {
		t.Fatal("rewrote the wrong operations")
	}
}

func BenchmarkGreedy(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		p := newProgram()
		v := p.op(argDef)
		for i := range 100000 {
			c := p.constant(int64(i%100) + 1)
			v = p.op(addDef, c, v)
		}
		p.op(useDef, v)
		set := NewPatternSet(p.Context(), nil)
		b.StartTimer()
		ApplyPatternsGreedily(p.root, set, Config{TopDown: true, Simplify: SimplifyNormal})
	}
}

// TestEndless checks that the driver gives up where patterns undo each other's work.
func TestEndless(t *testing.T) {
	p := newProgram()
	x := p.op(argDef)
	p.op(useDef, p.op(addDef, x, p.op(argDef)))
	turn := func(from, to *ir.OpID) Pattern {
		return Pattern{Root: from, Rewrite: func(r *Rewriter, op *ir.Op) bool {
			r.Replace(op, r.CreateOp(to, op.Results().Types(), op.Operands().Values()).Result(0))
			return true
		}}
	}
	set := NewPatternSet(p.Context(), []Pattern{turn(addDef.ID, maxDef.ID), turn(maxDef.ID, addDef.ID)})
	w := NewWorker(p.Context(), set, Config{})
	if changed, converged := w.Apply(p.root); !changed || converged || !w.Endless() {
		t.Errorf("changed %v, converged %v, endless %v", changed, converged, w.Endless())
	}
}
