package testd

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Operations that the analysis of ranges of integers is tested with.
var (
	// WithBounds has a result of a range that its attributes say.
	WithBounds = ir.NewOpID("test.with_bounds")
	// WithBoundsRegion has a region with an argument of such a range.
	WithBoundsRegion = ir.NewOpID("test.with_bounds_region")
	// ReflectBounds is given the range of its operand as attributes, when it is known.
	ReflectBounds = ir.NewOpID("test.reflect_bounds")
)

var (
	integerOrIndex = ir.TypeConstraint{Summary: "integer or index", Match: ir.IsIntOrIndex}
	anyInteger     = attr("arbitrary integer attribute", func(a ir.Attribute) bool { _, ok := a.(*ir.IntegerAttr); return ok })
)

func bounds(optional bool) (list []ir.AttrDef) {
	for _, n := range []string{"umin", "umax", "smin", "smax"} {
		list = append(list, ir.AttrDef{Name: n, Type: anyInteger, Optional: optional})
	}
	return list
}

func withBoundsDef() *ir.OpDef {
	return &ir.OpDef{
		ID: WithBounds, Traits: ir.TraitNoMemoryEffect, Attrs: bounds(false),
		Results: []ir.ResultDef{ir.Result("fakeVal", integerOrIndex)},
		Format:  "attr-dict `:` type($fakeVal)",
	}
}

func withBoundsRegionDef() *ir.OpDef {
	return &ir.OpDef{
		ID: WithBoundsRegion, Traits: ir.TraitSingleBlock | ir.TraitNoTerminator, Attrs: bounds(false),
		Regions: []ir.RegionDef{{Name: "region", Sized: 1}},
		Models:  []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseBoundsRegion, Print: printBoundsRegion})},
	}
}

func reflectBoundsDef() *ir.OpDef {
	return &ir.OpDef{
		ID: ReflectBounds, Attrs: bounds(true),
		Operands: []ir.OperandDef{ir.Operand("value", integerOrIndex)}, Results: []ir.ResultDef{ir.Result("result", integerOrIndex)},
		TypeRules: []ir.TypeRule{{Same: []string{"value", "result"}, Summary: "all of {value, result} have same type"}},
		Format:    "attr-dict $value `:` type($value)",
	}
}

func parseBoundsRegion(p *asm.Parser, s *ir.OpState) error {
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	arg, err := p.Argument(true, false)
	if err != nil {
		return err
	}
	return p.Region(s.AddRegion(), []asm.Argument{arg})
}

func printBoundsRegion(p *asm.Printer, op *ir.Op) {
	p.OptionalAttrDict(p.AllAttrs(op))
	p.Text(" ")
	p.Argument(op.BodyBlock(0).Arg(0), nil, false)
	p.Text(" ")
	p.Region(op.RegionAt(0), false, true, false)
}

// Operations with effects on nothing in particular.
var (
	MemRead  = ir.NewOpID("test.op_with_memread")
	MemWrite = ir.NewOpID("test.op_with_memwrite")
)

func memReadDef() *ir.OpDef {
	return &ir.OpDef{
		ID: MemRead, Results: []ir.ResultDef{ir.Result("", constraint.AnyType)},
		Models: []ir.Model{interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Read})},
	}
}

func memWriteDef() *ir.OpDef {
	return &ir.OpDef{ID: MemWrite, Models: []ir.Model{interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Write})}}
}

// Operations with one attribute.
var (
	StringAttrWithType = ir.NewOpID("test.string_attr_with_type")
	// AttrWithLoc keeps where its value is read.
	AttrWithLoc = ir.NewOpID("test.attr_with_loc")
)

func stringAttrWithTypeDef() *ir.OpDef {
	return &ir.OpDef{
		ID: StringAttrWithType, Attrs: []ir.AttrDef{{Name: "attr", Type: attr("string attribute", constraint.StrAttr.Match)}},
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, s *ir.OpState) error {
				if _, err := p.AttrInto(s, "attr", nil); err != nil {
					return err
				}
				return p.OptionalAttrDict(s)
			},
			Print: func(p *asm.Printer, op *ir.Op) {
				p.Text(" ")
				p.Attr(op.Attr("attr"))
				p.OptionalAttrDict(p.AllAttrs(op), "attr")
			},
		})},
	}
}

func attrWithLocDef() *ir.OpDef {
	return &ir.OpDef{
		ID:    AttrWithLoc,
		Attrs: []ir.AttrDef{{Name: "loc", Type: constraint.AnyAttr}, {Name: "value", Type: constraint.AnyAttr}},
		Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, s *ir.OpState) error {
				if err := p.Expect("("); err != nil {
					return err
				}
				if _, err := p.AttrInto(s, "value", nil); err != nil {
					return err
				}
				s.SetAttr("loc", p.LocAt(p.Pos()))
				if err := p.Expect(")"); err != nil {
					return err
				}
				return p.OptionalAttrDict(s)
			},
			Print: func(p *asm.Printer, op *ir.Op) {
				p.Text("(")
				p.Attr(op.Attr("value"))
				p.Text(")")
				p.OptionalAttrDict(p.AllAttrs(op), "loc", "value")
			},
		})},
	}
}
