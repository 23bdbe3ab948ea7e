package testd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/constraint"
)

func attr(summary string, match func(ir.Attribute) bool) ir.AttrConstraint {
	return ir.AttrConstraint{Summary: summary, Match: match}
}

// integerOf accepts integers of which the type and the value are as asked; any
// value if holds is nil.
func integerOf(summary string, is func(*ir.IntegerType) bool, holds func(int64) bool) ir.AttrConstraint {
	return attr(summary, func(a ir.Attribute) bool {
		i, ok := a.(*ir.IntegerAttr)
		if !ok {
			return false
		}
		t, ok := i.Type.(*ir.IntegerType)
		return ok && is(t) && (holds == nil || i.Big == nil && holds(i.Value))
	})
}

func exactly(want *ir.IntegerType) func(*ir.IntegerType) bool {
	return func(t *ir.IntegerType) bool { return t == want }
}

func width(w uint) func(*ir.IntegerType) bool {
	return func(t *ir.IntegerType) bool { return uint(t.Width) == w }
}

func signed(s ir.Signedness) func(*ir.IntegerType) bool {
	return func(t *ir.IntegerType) bool { return uint(t.Width) == 32 && t.Signedness == s }
}

func positive(v int64) bool    { return v > 0 }
func nonNegative(v int64) bool { return v >= 0 }
func fiveOrTen(v int64) bool   { return v == 5 || v == 10 }

// elementsOf accepts dense elements of a type, of the given shape if there is one.
func elementsOf(summary string, shape []int64, elem func(ir.Type) bool) ir.AttrConstraint {
	return attr(summary, func(a ir.Attribute) bool {
		var t ir.Type
		switch a := a.(type) {
		case *ir.DenseElementsAttr:
			t = a.Type
		case *ir.DenseStringElementsAttr:
			t = a.Type
		default:
			return false
		}
		if !elem(ir.ElementType(t)) {
			return false
		}
		got, _ := ir.ShapeOf(t)
		return shape == nil || slices.Equal(shape, got)
	})
}

func isType(want ir.Type) func(ir.Type) bool { return func(t ir.Type) bool { return t == want } }

func anyI32(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && i.Width == 32
}

func stringElements(a ir.Attribute) bool {
	_, ok := a.(*ir.DenseStringElementsAttr)
	return ok
}

// allOf accepts dense arrays of integers or floats of a type whose neighbours are
// in order, or whose elements are all as asked.
func allOf(t ir.Type, summary string, holds func(before, v float64) bool) ir.AttrConstraint {
	return attr(fmt.Sprintf("%s dense array attribute %s", t, summary), func(a ir.Attribute) bool {
		d, ok := a.(*ir.DenseArrayAttr)
		if !ok || d.Elem != t {
			return false
		}
		before := math.Inf(-1)
		for i := range d.Len() {
			v := float64(d.Int(i))
			switch t {
			case ir.Type(ir.F32):
				v = float64(math.Float32frombits(uint32(d.Int(i))))
			case ir.Type(ir.F64):
				v = math.Float64frombits(uint64(d.Int(i)))
			}
			if !holds(before, v) {
				return false
			}
			before = v
		}
		return true
	})
}

// confined declares an operation with a dense array for each type of the names.
func confined(id *ir.OpID, summary string, holds func(before, v float64) bool) *ir.OpDef {
	d := &ir.OpDef{ID: id}
	for _, t := range []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64, ir.F32, ir.F64} {
		d.Attrs = append(d.Attrs, ir.AttrDef{Name: t.String() + "attr", Type: allOf(t, summary, holds)})
	}
	d.Attrs = append(d.Attrs, ir.AttrDef{Name: "emptyattr", Type: allOf(ir.I16, summary, holds)})
	return d
}

// arrayOf accepts arrays of the given kind of attribute.
func arrayOf[T ir.Attribute](summary string) ir.AttrConstraint {
	return attr(summary, func(a ir.Attribute) bool {
		arr, ok := a.(*ir.ArrayAttr)
		return ok && !slices.ContainsFunc(arr.Elems, func(e ir.Attribute) bool { _, ok := e.(T); return !ok })
	})
}

// withAttrs declares an operation that has just attributes; names and constraints
// alternate.
func withAttrs(id *ir.OpID, attrs ...any) *ir.OpDef {
	d := &ir.OpDef{ID: id}
	for i := 0; i < len(attrs); i += 2 {
		d.Attrs = append(d.Attrs, ir.AttrDef{Name: attrs[i].(string), Type: attrs[i+1].(ir.AttrConstraint)})
	}
	sortAttrs(d)
	return d
}

// sortAttrs orders attributes as the reference checks them, by name.
func sortAttrs(d *ir.OpDef) {
	slices.SortFunc(d.Attrs, func(a, b ir.AttrDef) int { return cmp.Compare(a.Name, b.Name) })
}

// withI32Result adds a result of type i32.
func withI32Result(d *ir.OpDef) *ir.OpDef {
	d.Results = []ir.ResultDef{ir.Result("val", constraint.I32)}
	return d
}

// testEnum, bitEnum and barEnum are the dialect's enumerations.
var (
	testEnum = &ir.EnumDef{Dialect: "test", Mnemonic: "enum", Name: "test::TestEnum", Attr: "TestEnumAttr", Bare: true,
		Cases: []ir.EnumCase{{Keyword: "first", Value: 0}, {Keyword: "second", Value: 1}, {Keyword: "third", Value: 2}}}
	bitEnum = &ir.EnumDef{Dialect: "test", Mnemonic: "bit_enum", Name: "test::TestBitEnum", Attr: "TestBitEnumAttr", Bit: true, Separator: ", ",
		Cases: []ir.EnumCase{{Keyword: "read", Value: 1}, {Keyword: "write", Value: 2}, {Keyword: "execute", Value: 4}}}
	barEnum = &ir.EnumDef{Dialect: "test", Mnemonic: "bit_enum_vbar", Name: "test::TestBitEnumVerticalBar", Attr: "TestBitEnumVerticalBarAttr", Bit: true, Separator: " | ",
		Cases: []ir.EnumCase{{Keyword: "user", Value: 1}, {Keyword: "group", Value: 2}, {Keyword: "other", Value: 4}}}
)

// withEnum declares an operation with a value of an enumeration and a tag.
func withEnum(id *ir.OpID, summary string, e *ir.EnumDef) *ir.OpDef {
	return &ir.OpDef{
		ID: id,
		Attrs: []ir.AttrDef{{Name: "value", Type: constraint.Enum(summary, e)},
			{Name: "tag", Type: attr(constraint.I32Attr.Summary, constraint.I32Attr.Match), Optional: true}},
		Format: "$value (`tag` $tag^)? attr-dict",
	}
}

// i32OrString accepts 32-bit integers and strings.
var i32OrString = attr("32-bit signless integer attribute or string attribute", func(a ir.Attribute) bool {
	return constraint.I32Attr.Match(a) || constraint.StrAttr.Match(a)
})

func increasing(before, v float64) bool    { return before < v }
func nonDecreasing(before, v float64) bool { return before <= v }

// attributeOps are operations whose attributes have constraints.
func attributeOps() []*ir.OpDef {
	return []*ir.OpDef{
		withAttrs(ir.NewOpID("test.any_attr_of_i32_str"), "attr", i32OrString),
		withAttrs(ir.NewOpID("test.int_attrs"),
			"any_i32_attr", integerOf("32-bit integer attribute", width(32), nil),
			"index_attr", constraint.IndexAttr,
			"si32_attr", integerOf("32-bit signed integer attribute", signed(ir.Signed), nil),
			"ui32_attr", integerOf("32-bit unsigned integer attribute", signed(ir.Unsigned), nil)),
		withAttrs(ir.NewOpID("test.positive_int_attr"),
			"i32attr", integerOf("32-bit signless integer attribute whose value is positive", exactly(ir.I32), positive),
			"i64attr", integerOf("64-bit signless integer attribute whose value is positive", exactly(ir.I64), positive)),
		withAttrs(ir.NewOpID("test.non_negative_int_attr"),
			"i32attr", integerOf("32-bit signless integer attribute whose value is non-negative", exactly(ir.I32), nonNegative),
			"i64attr", integerOf("64-bit signless integer attribute whose value is non-negative", exactly(ir.I64), nonNegative)),
		withAttrs(ir.NewOpID("test.float_attrs"), "float_attr", constraint.AnyAttr),
		withAttrs(ir.NewOpID("test.type_array_attr"), "attr", arrayOf[*ir.TypeAttr]("type array attribute")),
		withI32Result(withAttrs(ir.NewOpID("test.i32_enum_attr"), "attr",
			integerOf("allowed 32-bit signless integer cases: 5, 10", exactly(ir.I32), fiveOrTen))),
		withI32Result(withAttrs(ir.NewOpID("test.i64_enum_attr"), "attr",
			integerOf("allowed 64-bit signless integer cases: 5, 10", exactly(ir.I64), fiveOrTen))),
		withAttrs(ir.NewOpID("test.int_elements_attr"),
			"any_i32_attr", elementsOf("32-bit integer elements attribute", nil, anyI32),
			"i32_attr", elementsOf("32-bit signless integer elements attribute", nil, isType(ir.I32))),
		withAttrs(ir.NewOpID("test.ranked_int_elements_attr"),
			"matrix_i64_attr", elementsOf("64-bit signless int elements attribute of shape [4, 8]", []int64{4, 8}, isType(ir.I64)),
			"vector_i32_attr", elementsOf("32-bit signless int elements attribute of shape [2]", []int64{2}, isType(ir.I32))),
		withAttrs(ir.NewOpID("test.float_elements_attr"),
			"scalar_f32_attr", elementsOf("32-bit float elements attribute of shape [2]", []int64{2}, isType(ir.F32)),
			"tensor_f64_attr", elementsOf("64-bit float elements attribute of shape [4, 8]", []int64{4, 8}, isType(ir.F64))),
		withAttrs(ir.NewOpID("test.string_elements_attr"), "scalar_string_attr", attr("string elements attribute", stringElements)),
		confined(ir.NewOpID("test.confined_strictly_positive_attr"), "whose value is positive", func(_, v float64) bool { return v > 0 }),
		confined(ir.NewOpID("test.confined_non_negative_attr"), "whose value is non-negative", func(_, v float64) bool { return v >= 0 }),
		withAttrs(ir.NewOpID("test.confined_dense_array_attr"),
			"i64attr", allOf(ir.I64, "should be in increasing order", increasing),
			"i32attr", allOf(ir.I32, "should be in non-decreasing order", nonDecreasing),
			"emptyattr", allOf(ir.I16, "should be in increasing order", increasing)),
		withEnum(ir.NewOpID("test.op_with_enum"), "a test enum", testEnum),
		withEnum(ir.NewOpID("test.op_with_bit_enum"), "a test bit enum", bitEnum),
		withEnum(ir.NewOpID("test.op_with_bit_enum_vbar"), "another test bit enum", barEnum),
		{ID: ir.NewOpID("test.no_str_value"), Attrs: []ir.AttrDef{{Name: "value", Type: attr("string attribute", constraint.StrAttr.Match)}}, Format: "attr-dict"},
	}
}

func hasTrait(t ir.Type) bool {
	d, ok := t.(*ir.DialectType)
	return ok && d.Dialect.Name == dialectName && strings.HasSuffix(d.Mnemonic, "_with_trait")
}

// ResultTypeWithTrait demands a result type with a certain trait.
var ResultTypeWithTrait = ir.NewOpID("test.result_type_with_trait")

func resultTypeWithTraitDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      ResultTypeWithTrait,
		Results: []ir.ResultDef{ir.Result("", constraint.AnyType)},
		Verify: func(op *ir.Op) error {
			if !hasTrait(op.Result(0).Type()) {
				return op.PlainErrorf("result type should have trait 'TestTypeTrait'")
			}
			return nil
		},
	}
}

// AttrWithTrait demands an attribute with a certain trait.
var AttrWithTrait = ir.NewOpID("test.attr_with_trait")

func attrWithTraitDef() *ir.OpDef {
	return &ir.OpDef{
		ID:    AttrWithTrait,
		Attrs: []ir.AttrDef{{Name: "attr", Type: constraint.AnyAttr}},
		Verify: func(op *ir.Op) error {
			if a, ok := op.Attr("attr").(*ir.DialectAttr); !ok || a.Dialect.Name != dialectName || a.Mnemonic != "attr_with_trait" {
				return op.PlainErrorf("'attr' attribute should have trait 'TestAttrTrait'")
			}
			return nil
		},
	}
}
