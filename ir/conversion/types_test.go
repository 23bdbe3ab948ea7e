package conversion_test

import (
	"testing"

	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// types makes i64 of i32, i8 and i16 of bf16, and nothing of none; f32 can't be
// converted. All materializations are operations d.other, if they are wanted.
func types(materialize bool) *conversion.TypeConverter {
	c := conversion.NewTypeConverter()
	c.AddOneToOne(func(t ir.Type) ir.Type { return t })
	c.Add(func(t ir.Type) ([]ir.Type, bool) {
		switch t {
		case ir.Type(ir.I32):
			return []ir.Type{ir.I64}, true
		case ir.Type(ir.BF16):
			return []ir.Type{ir.I8, ir.I16}, true
		case ir.Type(ir.None):
			return []ir.Type{}, true
		case ir.Type(ir.F32):
			return nil, true
		}
		return nil, false
	})
	if materialize {
		for _, k := range []conversion.MaterializationKind{conversion.SourceMaterialization, conversion.ArgumentMaterialization, conversion.TargetMaterialization} {
			name := []string{"source", "argument", "target"}[k]
			c.AddMaterialization(k, func(b *ir.Builder, t ir.Type, inputs []*ir.Value, _ ir.Location) *ir.Value {
				return b.CreateOp(other.ID, []ir.Type{t}, inputs, ir.NamedAttr{Name: name, Value: ir.Unit}).Result(0)
			})
		}
	}
	return c
}

// converted is to with the types of a converter.
func converted(def, by *ir.OpDef, c *conversion.TypeConverter) rewrite.Pattern {
	return conversion.Pattern(rewrite.Pattern{Root: def.ID}, c, func(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
		var in []*ir.Value
		for i := range op.NumOperands() {
			in = append(in, operands.List(i)...)
		}
		var lists [][]*ir.Value
		var all []ir.Type
		for _, t := range op.Results().Types() {
			out, ok := c.Convert(t)
			if !ok {
				return false
			}
			all = append(all, out...)
		}
		n := r.CreateOp(by.ID, all, in)
		at := 0
		for _, t := range op.Results().Types() {
			out, _ := c.Convert(t)
			lists = append(lists, n.Results().Values()[at:at+len(out)])
			at += len(out)
		}
		r.ReplaceLists(op, lists)
		return true
	})
}

func TestConvertedTypes(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"one to one", `%0 = "s.src"() : () -> i32
			"s.src"(%0) : (i32) -> ()`,
			`%0 = "d.dst"() : () -> i64
			"d.dst"(%0) : (i64) -> ()`},
		{"source", `%0 = "s.src"() : () -> i32
			"s.src"(%0) : (i32) -> ()
			"k.kept"(%0, %0) : (i32, i32) -> ()`,
			`%0 = "d.dst"() : () -> i64
			%1 = "d.other"(%0) {source} : (i64) -> i32
			"d.dst"(%0) : (i64) -> ()
			"k.kept"(%1, %1) : (i32, i32) -> ()`},
		{"target", `%0 = "k.kept"() : () -> i32
			"s.src"(%0) : (i32) -> ()
			"s.src"(%0) : (i32) -> ()`,
			`%0 = "k.kept"() : () -> i32
			%1 = "d.other"(%0) {target} : (i32) -> i64
			"d.dst"(%1) : (i64) -> ()
			"d.dst"(%1) : (i64) -> ()`},
		{"one to many", `%0:2 = "s.src"() : () -> (bf16, i32)
			"s.src"(%0#1, %0#0) : (i32, bf16) -> ()`,
			`%0:3 = "d.dst"() : () -> (i8, i16, i64)
			"d.dst"(%0#2, %0#0, %0#1) : (i64, i8, i16) -> ()`},
		{"many to one", `%0 = "s.src"() : () -> bf16
			"k.kept"(%0) : (bf16) -> ()`,
			`%0:2 = "d.dst"() : () -> (i8, i16)
			%1 = "d.other"(%0#0, %0#1) {source} : (i8, i16) -> bf16
			"k.kept"(%1) : (bf16) -> ()`},
		{"nothing", `%0 = "s.src"() : () -> none
			"s.src"(%0) : (none) -> ()
			"k.kept"(%0) : (none) -> ()`,
			`"d.dst"() : () -> ()
			%0 = "d.other"() {source} : () -> none
			"d.dst"() : () -> ()
			"k.kept"(%0) : (none) -> ()`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.in)
			if err := partial(m, target(), converted(src, dst, types(true))); err != nil {
				t.Fatal(err)
			}
			expect(t, m, c.want)
		})
	}
}

// A materialization that nothing makes is an error, and all is undone.
func TestUnresolvedMaterialization(t *testing.T) {
	m := parse(t, `%0 = "s.src"() : () -> i32
		"k.kept"(%0) : (i32) -> ()
		"s.src"(%0) : (i32) -> ()`)
	before := print(m)
	err := partial(m, target(), converted(src, dst, types(false)))
	want := "test.mlir:1:6: failed to materialize conversion for result #0 of operation 's.src' that remained live after conversion"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if after := print(m); after != before {
		t.Errorf("not undone:\n%s", after)
	}
}

// A type that can't be converted keeps a pattern from matching.
func TestInconvertibleType(t *testing.T) {
	m := parse(t, `%0 = "k.kept"() : () -> f32
		"s.src"(%0) : (f32) -> ()`)
	if err := partial(m, target(), converted(src, dst, types(true))); err == nil {
		t.Error("no error")
	}
}

// Values that are erased without replacement can be materialized.
func TestErasedValue(t *testing.T) {
	m := parse(t, `%0 = "s.src"() : () -> i32
		"k.kept"(%0) : (i32) -> ()`)
	erase := func(c *conversion.TypeConverter) rewrite.Pattern {
		return conversion.Pattern(rewrite.Pattern{Root: src.ID}, c, func(r *conversion.Rewriter, op *ir.Op, _ conversion.Adaptor) bool {
			r.Erase(op)
			return true
		})
	}
	before := print(m)
	if err := partial(m, target(), erase(types(false))); err == nil {
		t.Error("no error")
	}
	if after := print(m); after != before {
		t.Errorf("not undone:\n%s", after)
	}
	if err := partial(m, target(), erase(types(true))); err != nil {
		t.Fatal(err)
	}
	expect(t, m, `%0 = "d.other"() {source} : () -> i32
		"k.kept"(%0) : (i32) -> ()`)
}

// Arguments of blocks are converted, and branches go to the new blocks.
func TestRegionTypes(t *testing.T) {
	c := types(true)
	signature := conversion.Pattern(rewrite.Pattern{Root: region.ID}, c, func(r *conversion.Rewriter, op *ir.Op, _ conversion.Adaptor) bool {
		if !r.ConvertRegionTypes(op.RegionAt(0), c) {
			return false
		}
		r.Modify(op, func() { op.SetAttr("done", ir.Unit) })
		return true
	})
	tg := target()
	tg.Dynamic(func(op *ir.Op) conversion.Legality { return conversion.Legalized(c.IsLegalRegion(op.RegionAt(0))) }, region.ID)
	text := `"k.region"() ({
		^bb0(%a: i32, %b: bf16, %n: none):
			"s.src"(%a, %b) : (i32, bf16) -> ()
			"k.kept"(%b) : (bf16) -> ()
			"k.end"(%a) [^bb1] : (i32) -> ()
		^bb1(%c: i32):
			"k.end"(%c) : (i32) -> ()
		}) : () -> ()`
	m := parse(t, text)
	if err := partial(m, tg, signature, converted(src, dst, c)); err != nil {
		t.Fatal(err)
	}
	expect(t, m, `"k.region"() ({
		^bb0(%arg0: i64, %arg1: i8, %arg2: i16):
		%0 = "d.other"(%arg1, %arg2) {argument} : (i8, i16) -> bf16
		%1 = "d.other"(%arg0) {argument} : (i64) -> i32
		"d.dst"(%arg0, %arg1, %arg2) : (i64, i8, i16) -> ()
		"k.kept"(%0) : (bf16) -> ()
		"k.end"(%1)[^bb1] : (i32) -> ()
		^bb1(%2: i64):  // pred: ^bb0
		%3 = "d.other"(%2) {argument} : (i64) -> i32
		"k.end"(%3) : (i32) -> ()
		}) {done} : () -> ()`)
}

// Arguments may be replaced by values, or added.
func TestSignature(t *testing.T) {
	m := parse(t, `%0 = "k.kept"() : () -> i8
		"k.region"() ({
		^bb0(%a: i8, %b: i16):
			"k.kept"(%a, %b) : (i8, i16) -> ()
		}) : () -> ()`)
	p := conversion.Pattern(rewrite.Pattern{Root: region.ID}, nil, func(r *conversion.Rewriter, op *ir.Op, _ conversion.Adaptor) bool {
		sig := conversion.NewSignature(2)
		sig.AddNew(ir.F64)
		sig.Remap(0, op.Prev().Result(0))
		sig.Add(1, ir.I16)
		r.ConvertSignature(op.BodyBlock(0), sig, nil)
		r.Modify(op, func() { op.SetAttr("done", ir.Unit) })
		return true
	})
	tg := target()
	tg.Dynamic(func(op *ir.Op) conversion.Legality { return conversion.Legalized(op.Attr("done") != nil) }, region.ID)
	if err := partial(m, tg, p); err != nil {
		t.Fatal(err)
	}
	expect(t, m, `%0 = "k.kept"() : () -> i8
		"k.region"() ({
		^bb0(%arg0: f64, %arg1: i16):
		"k.kept"(%0, %arg1) : (i8, i16) -> ()
		}) {done} : () -> ()`)
}
