package conversion_test

import (
	"strings"
	"testing"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

var anyType = ir.TypeConstraint{Summary: "any type", Match: func(ir.Type) bool { return true }}

func simple(name string, traits ir.Traits) *ir.OpDef {
	return &ir.OpDef{ID: ir.NewOpID(name), Operands: []ir.OperandDef{{Name: "xs", Type: anyType, Arity: ir.Variadic}},
		Results: []ir.ResultDef{{Name: "rs", Type: anyType, Arity: ir.Variadic}}, Traits: traits}
}

// The operations of the tests: sources that are illegal, targets that are legal, and a
// region.
var (
	src    = simple("s.src", 0)
	mid    = simple("s.mid", 0)
	loop   = simple("s.loop", 0)
	dst    = simple("d.dst", 0)
	other  = simple("d.other", 0)
	kept   = simple("k.kept", 0)
	end    = &ir.OpDef{ID: ir.NewOpID("k.end"), Operands: kept.Operands, Successors: []ir.SuccessorDef{{Variadic: true}}, Traits: ir.TraitTerminator}
	region = &ir.OpDef{ID: ir.NewOpID("k.region"), Regions: []ir.RegionDef{{}}, Traits: ir.TraitNoTerminator}
	number = &ir.OpDef{ID: ir.NewOpID("d.number"), Results: []ir.ResultDef{{Name: "r", Type: anyType}}, Attrs: []ir.AttrDef{{Name: "value"}},
		Traits: ir.TraitPure | ir.TraitConstantLike}
	fold = &ir.OpDef{ID: ir.NewOpID("d.fold"), Results: []ir.ResultDef{{Name: "r", Type: anyType}}, Traits: ir.TraitPure,
		Fold: func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult { return ir.FoldAttr(op.Context().I32Attr(7)) }}
)

func context() *ir.Context {
	return ir.NewContext(builtin.Dialect,
		&ir.Dialect{Name: "s", Ops: func() []*ir.OpDef { return []*ir.OpDef{src, mid, loop} }},
		&ir.Dialect{Name: "k", Ops: func() []*ir.OpDef { return []*ir.OpDef{kept, end, region} }},
		&ir.Dialect{Name: "d", Ops: func() []*ir.OpDef { return []*ir.OpDef{dst, other, number, fold} },
			Models: []ir.Model{interfaces.ConstantMaterializer.Model(func(b *ir.Builder, v ir.Attribute, t ir.Type) *ir.Op {
				return b.CreateOp(number.ID, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: v})
			})}})
}

// parse reads a program in generic form, without verifying it.
func parse(t *testing.T, text string) *ir.Op {
	t.Helper()
	m, err := asm.Parse(context(), []byte(text), "test.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func print(m *ir.Op) string {
	return string(asm.Print(m, asm.PrintOptions{Generic: true}))
}

// body returns the lines of a program's body.
func body(m *ir.Op) string {
	lines := strings.Split(strings.TrimSpace(print(m)), "\n")
	var out []string
	for _, l := range lines[1 : len(lines)-1] {
		out = append(out, strings.TrimSpace(l))
	}
	return strings.Join(out, "\n")
}

func expect(t *testing.T, m *ir.Op, want string) {
	t.Helper()
	if err := ir.Verify(m); err != nil {
		t.Errorf("invalid: %v", err)
	}
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(want), "\n") {
		lines = append(lines, strings.TrimSpace(l))
	}
	if got := body(m); got != strings.Join(lines, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(lines, "\n"))
	}
	m.Walk(func(op *ir.Op) bool {
		if op.Mark() != 0 {
			t.Errorf("%s is marked", op.Name())
		}
		return true
	})
}

func target() *conversion.Target {
	t := conversion.NewTarget()
	t.LegalDialects("d", "builtin")
	t.IllegalDialects("s")
	return t
}

// to replaces an operation by one of another definition, with the same results.
func to(def, by *ir.OpDef) rewrite.Pattern {
	return conversion.Pattern(rewrite.Pattern{Name: def.ID.String() + " to " + by.ID.String(), Root: def.ID}, nil,
		func(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
			n := r.CreateOp(by.ID, op.Results().Types(), operands.Values())
			r.Replace(op, n.Results().Values()...)
			return true
		})
}

func partial(m *ir.Op, t *conversion.Target, patterns ...rewrite.Pattern) error {
	return conversion.Partial(m, t, rewrite.NewPatternSet(m.Context(), patterns), conversion.Config{})
}

func TestChain(t *testing.T) {
	m := parse(t, `%0 = "s.src"() : () -> i32
		%1 = "s.mid"(%0) : (i32) -> i32
		"k.kept"(%1, %0) : (i32, i32) -> ()`)
	if err := partial(m, target(), to(src, mid), to(mid, dst)); err != nil {
		t.Fatal(err)
	}
	expect(t, m, `%0 = "d.dst"() : () -> i32
		%1 = "d.dst"(%0) : (i32) -> i32
		"k.kept"(%1, %0) : (i32, i32) -> ()`)
}

// What a failed conversion did is undone.
func TestErrors(t *testing.T) {
	text := `%0 = "s.src"() {a = 1 : i32} : () -> i32
		"k.region"() ({
			%1 = "s.mid"(%0) : (i32) -> i32
			"k.kept"(%1) : (i32) -> ()
		}) : () -> ()
		"s.loop"() : () -> ()`
	full := func(m *ir.Op, t *conversion.Target, patterns ...rewrite.Pattern) error {
		return conversion.Full(m, t, rewrite.NewPatternSet(m.Context(), patterns), conversion.Config{})
	}
	for _, c := range []struct {
		convert  func(*ir.Op, *conversion.Target, ...rewrite.Pattern) error
		patterns []rewrite.Pattern
		want     string
	}{
		{partial, []rewrite.Pattern{to(src, dst), to(mid, dst)},
			"test.mlir:6:3: failed to legalize operation 's.loop' that was explicitly marked illegal"},
		{partial, nil, "test.mlir:1:6: failed to legalize operation 's.src' that was explicitly marked illegal"},
		{full, []rewrite.Pattern{to(src, dst), to(mid, dst)}, "test.mlir:2:3: failed to legalize operation 'k.region'"},
	} {
		m := parse(t, text)
		before := print(m)
		err := c.convert(m, target(), c.patterns...)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if after := print(m); after != before {
			t.Errorf("not undone:\n%s", after)
		}
	}
}

// A pattern that fails, or that creates what can't become legal, leaves nothing behind,
// whatever it did.
func TestRollback(t *testing.T) {
	text := `"k.region"() ({
		^bb0(%a: i32):
			%0 = "s.src"(%a) {a = 1 : i32, b} : (i32) -> i32
			"k.kept"(%0) {c} : (i32) -> ()
			"k.region"() ({
			^bb1(%b: i32):
				"k.kept"(%b, %0) : (i32, i32) -> ()
				"k.end"() [^bb2] : () -> ()
			^bb2:
				"k.end"() : () -> ()
			}) : () -> ()
			"k.kept"() {last} : () -> ()
		}) : () -> ()`
	mess := func(r *rewrite.Rewriter, op *ir.Op) {
		next := op.Next()
		inner := next.Next()
		r.Modify(next, func() {
			next.SetAttr("c", nil)
			next.SetAttr("new", ir.Unit)
			next.SetOperands([]*ir.Value{op.Operand(0), op.Operand(0)})
		})
		r.Modify(op, func() { op.SetAttr("a", nil); op.Result(0).SetType(ir.F32) })
		n := r.CreateOp(dst.ID, []ir.Type{ir.I32}, op.Operands().Values())
		r.MoveAfter(next, inner)
		b := r.CreateBlock(op.Region(), nil, ir.I64)
		r.SetEnd(b)
		r.CreateOp(dst.ID, nil, b.Args())
		first := inner.BodyBlock(0)
		r.EraseBlock(first.Next())
		head, tail := r.SplitBlock(first, first.First())
		r.InlineRegionBefore(inner.RegionAt(0), op.Region(), nil)
		r.InlineBlockBefore(tail, op.Block(), inner, nil)
		r.InlineBlockBefore(head, op.Block(), inner, []*ir.Value{n.Result(0)})
		r.ReplaceUses(op.Block().Arg(0), n.Result(0))
		r.SplitBlock(inner.Block(), inner)
		r.SplitBlock(op.Block(), op)
		r.Erase(inner)
		r.Replace(op, n.Result(0))
	}
	fails := rewrite.Pattern{Root: src.ID, Benefit: 3, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		mess(r, op)
		return false
	}}
	makesIllegal := rewrite.Pattern{Root: src.ID, Benefit: 2, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.CreateOp(loop.ID, nil, nil)
		mess(r, op)
		return true
	}}
	m := parse(t, text)
	before := print(m)
	if err := partial(m, target(), fails, makesIllegal); err == nil {
		t.Error("no error")
	}
	if after := print(m); after != before {
		t.Errorf("not undone:\n%s\nwas\n%s", after, before)
	}
	if err := partial(m, target(), fails, makesIllegal, to(src, dst)); err != nil {
		t.Fatal(err)
	}
	if after := print(m); after != strings.ReplaceAll(strings.Replace(before, "s.src", "d.dst", 1), " {a = 1 : i32, b}", "") {
		t.Errorf("got\n%s", after)
	}
	if err := ir.Verify(m); err != nil {
		t.Error(err)
	}
}

// Patterns that lead to legal operations in fewer steps come first, if they say what
// they create; then benefits count. Patterns that lead nowhere are left out.
func TestCost(t *testing.T) {
	var tried []string
	pattern := func(name string, by *ir.OpDef, benefit int, generates ...*ir.OpID) rewrite.Pattern {
		return rewrite.Pattern{Name: name, Root: src.ID, Benefit: benefit, Generates: generates, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			tried = append(tried, name)
			return false
		}}
	}
	m := parse(t, `"s.src"() : () -> ()`)
	toMid := to(mid, dst)
	toMid.Generates = []*ir.OpID{dst.ID}
	if err := partial(m, target(), pattern("long", mid, 5, mid.ID), pattern("nowhere", loop, 9, loop.ID), pattern("short", dst, 1, dst.ID),
		pattern("better", dst, 2, dst.ID), toMid); err == nil {
		t.Error("no error")
	}
	if got := strings.Join(tried, " "); got != "better short long" {
		t.Errorf("tried %s", got)
	}
}

// A pattern isn't applied to what it creates, unless it says that it comes to an end.
func TestRecursion(t *testing.T) {
	down := func(bounded bool) rewrite.Pattern {
		return rewrite.Pattern{Root: src.ID, BoundedRecursion: bounded, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			n := op.Attr("n").(*ir.IntegerAttr).Value
			if n > 0 {
				r.CreateOp(src.ID, nil, nil, ir.NamedAttr{Name: "n", Value: r.Context().I32Attr(n - 1)})
			} else {
				r.CreateOp(dst.ID, nil, nil)
			}
			r.Erase(op)
			return true
		}}
	}
	m := parse(t, `"s.src"() {n = 3 : i32} : () -> ()`)
	if err := partial(m, target(), down(false)); err == nil {
		t.Error("no error")
	}
	if err := partial(m, target(), down(true)); err != nil {
		t.Fatal(err)
	}
	expect(t, m, `"d.dst"() : () -> ()`)
}

func TestFold(t *testing.T) {
	m := parse(t, `%0 = "d.fold"() : () -> i32
		"k.kept"(%0) : (i32) -> ()`)
	tg := conversion.NewTarget()
	if err := partial(m, tg); err != nil {
		t.Fatal(err)
	}
	// The constant isn't known to be legal.
	expect(t, m, `%0 = "d.fold"() : () -> i32
		"k.kept"(%0) : (i32) -> ()`)
	tg.Legal(number.ID)
	if err := partial(m, tg); err != nil {
		t.Fatal(err)
	}
	expect(t, m, `%0 = "d.number"() <{value = 7 : i32}> : () -> i32
		"k.kept"(%0) : (i32) -> ()`)
}

func TestTarget(t *testing.T) {
	m := parse(t, `"s.src"() {ok} : () -> ()
		"s.src"() : () -> ()
		"k.region"() ({
			"s.src"() : () -> ()
		}) {done} : () -> ()
		"k.kept"() : () -> ()`)
	tg := target()
	has := func(attr string) func(*ir.Op) conversion.Legality {
		return func(op *ir.Op) conversion.Legality { return conversion.Legalized(op.Attr(attr) != nil) }
	}
	tg.Dynamic(has("ok"), src.ID)
	// A function that doesn't know leaves the decision to those before.
	tg.Dynamic(func(*ir.Op) conversion.Legality { return conversion.Unknown }, src.ID)
	tg.Legal(region.ID)
	tg.Recursive(has("done"), region.ID)
	tg.DynamicOthers(has("never"))
	var left []string
	set := rewrite.NewPatternSet(m.Context(), []rewrite.Pattern{to(src, dst), to(kept, dst)})
	err := conversion.Partial(m, tg, set, conversion.Config{Unlegalized: func(op *ir.Op) { left = append(left, op.Name()) }})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, m, `"s.src"() {ok} : () -> ()
		"d.dst"() : () -> ()
		"k.region"() ({
		"s.src"() : () -> ()
		}) {done} : () -> ()
		"d.dst"() : () -> ()`)
	if len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestAnalyze(t *testing.T) {
	m := parse(t, `"s.src"() : () -> ()
		"s.loop"() : () -> ()
		"d.dst"() : () -> ()`)
	before := print(m)
	var names []string
	for _, op := range conversion.Analyze(m, target(), rewrite.NewPatternSet(m.Context(), []rewrite.Pattern{to(src, dst)}), conversion.Config{}) {
		names = append(names, op.Name())
	}
	if got := strings.Join(names, " "); got != "builtin.module s.src d.dst" {
		t.Errorf("got %s", got)
	}
	if after := print(m); after != before {
		t.Errorf("changed:\n%s", after)
	}
}
