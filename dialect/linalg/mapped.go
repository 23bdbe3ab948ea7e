package linalg

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Named operations with maps of one's own, which LLVM 20 added. They are read as what they
// stand for, a linalg.generic.
var (
	// Contract is linalg.contract, which adds up products.
	Contract = ir.NewOpID("linalg.contract")
	// Elementwise is linalg.elementwise, a function of elements.
	Elementwise = ir.NewOpID("linalg.elementwise")
)

// ElementwiseKind is the function of a linalg.elementwise.
var ElementwiseKind = enum("elementwise_kind", "ElementwiseKind", "ElementwiseKindAttr", "exp", "log", "abs", "ceil", "floor", "negf", "reciprocal",
	"round", "sqrt", "rsqrt", "square", "tanh", "erf", "add", "sub", "mul", "div", "div_unsigned", "max_signed", "min_signed", "max_unsigned",
	"min_unsigned", "powf", "select")

const kindAttr = "kind"

var (
	contractDef = mapped(Contract, ir.AttrDef{Name: indexingMapsAttr, Type: constraint.AffineMapArray}, ir.AttrDef{Name: "cast", Type: enumAttr(TypeFn), Optional: true},
		func(p *asm.Parser, s *ir.OpState) error { return parseMaps(p, s, true) },
		func(*ir.OpState) *spec { return &spec{inputs: 2, body: castMulAdd} })
	elementwiseDef = mapped(Elementwise, ir.AttrDef{Name: indexingMapsAttr, Type: constraint.AffineMapArray, Optional: true}, ir.AttrDef{Name: kindAttr, Type: enumAttr(ElementwiseKind)},
		func(p *asm.Parser, s *ir.OpState) error {
			if err := p.Keyword(kindAttr); err != nil {
				return err
			}
			if err := p.Expect("="); err != nil {
				return err
			}
			kind, err := p.Attr(nil)
			if err != nil {
				return err
			}
			s.SetAttr(kindAttr, kind)
			return parseMaps(p, s, false)
		},
		elementwiseBody)
)

// mapsSince is the first version of LLVM in which named operations have maps of their own.
const mapsSince = 20

// mapped defines an operation with indexing maps that is read as a linalg.generic. maps is
// their attribute, and own what else it has; head reads what comes before the operands.
func mapped(id *ir.OpID, maps, own ir.AttrDef, head func(p *asm.Parser, s *ir.OpState) error, body func(s *ir.OpState) *spec) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Since:    mapsSince,
		Operands: groups,
		Results:  resultTensors,
		Attrs:    []ir.AttrDef{maps, own, segments},
		Regions:  []ir.RegionDef{{Name: "region"}},
		Traits:   ir.TraitAttrSizedOperandSegments,
		Later:    []ir.Spelling{{Since: mapsSince, Upgrade: mappedToGeneric}},
		Verify: func(op *ir.Op) error {
			return op.Errorf("expects an indexing map for each operand, with as many dimensions each")
		},
		Models: []ir.Model{interfaces.Addresses(interfaces.ByPosition), asm.Assembly.Model(asm.OpAssembly{
			Parse: func(p *asm.Parser, s *ir.OpState) error {
				if err := head(p, s); err != nil {
					return err
				}
				_, _, err := parseCommon(p, s, true)
				if err != nil {
					return err
				}
				if s.Types, err = p.OptionalArrowTypes(); err != nil {
					return err
				}
				sp := body(s)
				if sp == nil || sp.numArgs() != len(s.Operands) {
					return p.Errorf(p.NamePos(), "has another number of operands than the function has")
				}
				return sp.impliedBody(p, s)
			},
			Print: func(p *asm.Printer, op *ir.Op) { p.GenericOpBody(op) },
		})},
	}
}

// elementwiseBody returns the function of a linalg.elementwise, or nil.
func elementwiseBody(s *ir.OpState) *spec {
	kind, ok := s.Attr(kindAttr).(*ir.EnumAttr)
	if !ok || kind.Def != ElementwiseKind {
		return nil
	}
	fn := kind.Keyword()
	if _, ok := UnaryFn.Parse(fn); ok {
		return &spec{inputs: 1, body: unary(fn, arg(0))}
	}
	if _, ok := BinaryFn.Parse(fn); ok {
		return &spec{inputs: 2, body: binary(fn, arg(0), arg(1))}
	}
	return &spec{inputs: 3, body: ternary(fn, arg(0), arg(1), arg(2))}
}

func parseMaps(p *asm.Parser, s *ir.OpState, required bool) error {
	if !required && !p.OptionalKeyword(indexingMapsAttr) {
		return nil
	}
	if required {
		if err := p.Keyword(indexingMapsAttr); err != nil {
			return err
		}
	}
	p.Later(mapsSince, indexingMapsAttr)
	if err := p.Expect("="); err != nil {
		return err
	}
	maps, err := p.Attr(nil)
	if err != nil {
		return err
	}
	s.SetAttr(indexingMapsAttr, maps)
	return nil
}

// mappedToGeneric makes the state of a named operation with maps of its own that of a
// linalg.generic. Where maps may be absent, all of them are the identity then.
func mappedToGeneric(b *ir.Builder, s *ir.OpState) error {
	c := b.Context()
	sizes, ok := s.Attr(ir.OperandSegmentsAttr).(*ir.DenseArrayAttr)
	n := len(s.Operands)
	if !ok || sizes.Len() != 2 || sizes.Int(0) < 0 || sizes.Int(1) != 1 || int64(n) != sizes.Int(0)+1 {
		return nil // an error of the verifier
	}
	var maps []*ir.AffineMap
	if list, ok := s.Attr(indexingMapsAttr).(*ir.ArrayAttr); ok {
		for _, e := range list.Elems {
			if m, ok := e.(*ir.AffineMapAttr); ok {
				maps = append(maps, m.Map)
			}
		}
	} else if shape, ok := ir.ShapeOf(s.Operands[n-1].Type()); ok && s.Name.Def().Attrs[0].Optional {
		for range n {
			maps = append(maps, c.IdentityMap(len(shape)))
		}
	}
	if len(maps) != n {
		return nil
	}
	return toGeneric(b, s, maps)
}
