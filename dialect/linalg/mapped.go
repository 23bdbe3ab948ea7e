package linalg

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Named operations with maps of one's own, which LLVM 20 added. A program of LLVM 19 has what they
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

// mapsSince is the first version of LLVM in which named operations have maps of their own.
const mapsSince = 20

// mapped is a named operation whose maps are an attribute.
type mapped struct {
	id *ir.OpID
	// maps are the attribute with the maps, and own is what else the operation has.
	maps, own ir.AttrDef
	// head reads what comes before the operands, and printHead prints it.
	head      func(p *asm.Parser, s *ir.OpState) error
	printHead func(p *asm.Printer, op *ir.Op)
	// verify checks the maps of an operation; may be nil.
	verify func(op *ir.Op) error
	// spec returns what the body computes, or nil.
	spec func(op attributed) *spec
}

func contractDef() *ir.OpDef {
	return mapped{
		id:   Contract,
		maps: ir.AttrDef{Name: indexingMapsAttr, Type: constraint.AffineMapArray},
		own:  castAttr,
		head: func(p *asm.Parser, s *ir.OpState) error { return parseMaps(p, s, true) },
		printHead: func(p *asm.Printer, op *ir.Op) {
			printMaps(p, op.Attr(indexingMapsAttr))
		},
		verify: verifyContract,
		spec:   func(attributed) *spec { return &spec{id: Contract, inputs: 2, body: castMulAdd} },
	}.define()
}

func elementwiseDef() *ir.OpDef {
	return mapped{
		id:   Elementwise,
		maps: ir.AttrDef{Name: indexingMapsAttr, Type: constraint.AffineMapArray, Optional: true},
		own:  ir.AttrDef{Name: kindAttr, Type: enumAttr(ElementwiseKind)},
		head: func(p *asm.Parser, s *ir.OpState) error {
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
		printHead: func(p *asm.Printer, op *ir.Op) {
			p.Text(" " + kindAttr + "=")
			p.Attr(op.Attr(kindAttr))
			if op.Attr(indexingMapsAttr) != ir.Attribute(identityMaps(op.Context(), op.Operands().Values())) {
				printMaps(p, op.Attr(indexingMapsAttr))
			}
		},
		spec: elementwiseBody,
	}.define()
}

// define makes the definition: that of an operation which is read as a linalg.generic, and, from LLVM 20 on, that of one of its own.
func (m mapped) define() *ir.OpDef {
	def := &ir.OpDef{
		ID:       m.id,
		Since:    mapsSince,
		Operands: groups,
		Results:  resultTensors,
		Attrs:    []ir.AttrDef{m.own, m.maps, segments},
		Regions:  []ir.RegionDef{{Name: "region"}},
		Traits:   ir.TraitAttrSizedOperandSegments,
		Models:   []ir.Model{interfaces.Addresses(interfaces.ByPosition), asm.Assembly.Model(asm.OpAssembly{Parse: m.parse, Print: m.print, Says: m.says})},
	}
	own := def.With(ir.OpDef{
		Traits:             ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Verify:             m.verify,
		VerifyRegions:      verifyPayload,
		VerifyAlone:        true,
		Fold:               foldMemRefCasts,
		Models: []ir.Model{
			interfaces.Structured.Model(interfaces.StructuredModel(structuredModel{
				func(op *ir.Op) []*ir.AffineMap { return mapsOf(op.Attr(indexingMapsAttr)) },
				func(op *ir.Op) []interfaces.Iterator { return iteratorsOf(mapsOf(op.Attr(indexingMapsAttr))) }})),
			interfaces.DestinationStyle.Model(secondGroup),
			interfaces.Bufferizable.Model(structuredBufferize{}),
			interfaces.MemoryEffects.Model(effects),
			interfaces.AccessesOperands.Model(struct{}{}),
			interfaces.ReifyShapes.Model(reifyInits),
		},
	})
	return def.With(ir.OpDef{
		Later: []ir.Spelling{{Since: mapsSince, Upgrade: mappedToGeneric}},
		Verify: func(op *ir.Op) error {
			return op.Errorf("expects an indexing map for each operand, with as many dimensions each")
		},
		Revisions: []ir.Revision{{Since: mapsSince, Def: own}},
	})
}

func (m mapped) parse(p *asm.Parser, s *ir.OpState) error {
	if err := m.head(p, s); err != nil {
		return err
	}
	if _, _, err := parseCommon(p, s, true); err != nil {
		return err
	}
	var err error
	if s.Types, err = p.OptionalArrowTypes(); err != nil {
		return err
	}
	if s.Attr(indexingMapsAttr) == nil && len(s.Operands) > 0 {
		s.SetAttr(indexingMapsAttr, identityMaps(p.Context(), s.Operands))
	}
	sp := m.spec(s)
	if sp == nil {
		return p.Errorf(p.NamePos(), "has no function")
	}
	if n := len(s.Operands); n != sp.numArgs() {
		return p.Errorf(p.Pos(), regionArguments, sp.numArgs(), n)
	}
	return sp.impliedBody(p, s)
}

func (m mapped) print(p *asm.Printer, op *ir.Op) {
	m.printHead(p, op)
	elided := []string{ir.OperandSegmentsAttr, indexingMapsAttr}
	if m.own.Name == kindAttr {
		elided = append(elided, kindAttr)
	}
	p.OptionalAttrDict(p.AllAttrs(op), elided...)
	printCommon(p, op)
	p.ArrowTypes(op.Results().Types())
}

// says tells whether what is printed without the body tells what it computes.
func (m mapped) says(op *ir.Op) bool {
	sp := m.spec(op)
	return sp != nil && sp.implies(op)
}

// identityMaps is the attribute with maps for operands that all have the shape of the last one.
func identityMaps(c *ir.Context, operands []*ir.Value) *ir.ArrayAttr {
	shape, _ := ir.ShapeOf(operands[len(operands)-1].Type())
	maps := make([]*ir.AffineMap, len(operands))
	for i := range maps {
		maps[i] = c.IdentityMap(len(shape))
	}
	return MapsAttr(c, maps)
}

// elementwiseBody returns the function of a linalg.elementwise, or nil.
func elementwiseBody(op attributed) *spec {
	kind, ok := op.Attr(kindAttr).(*ir.EnumAttr)
	if !ok || kind.Def != ElementwiseKind {
		return nil
	}
	fn := kind.Keyword()
	if _, ok := UnaryFn.Parse(fn); ok {
		return &spec{id: Elementwise, inputs: 1, body: unary(fn, arg(0))}
	}
	if _, ok := BinaryFn.Parse(fn); ok {
		return &spec{id: Elementwise, inputs: 2, body: binary(fn, arg(0), arg(1))}
	}
	return &spec{id: Elementwise, inputs: 3, body: ternary(fn, arg(0), arg(1), arg(2))}
}

func printMaps(p *asm.Printer, maps ir.Attribute) {
	p.Text(" " + indexingMapsAttr + " = ")
	p.Attr(maps)
}

func parseMaps(p *asm.Parser, s *ir.OpState, required bool) error {
	if !required && !p.OptionalKeyword(indexingMapsAttr) {
		return nil
	}
	if required {
		if !p.OptionalKeyword(indexingMapsAttr) {
			return p.Errorf(p.Pos(), "expected '%s' attribute", indexingMapsAttr)
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
// linalg.generic.
func mappedToGeneric(b *ir.Builder, s *ir.OpState) error {
	sizes, ok := s.Attr(ir.OperandSegmentsAttr).(*ir.DenseArrayAttr)
	n := len(s.Operands)
	if !ok || sizes.Len() != 2 || sizes.Int(0) < 0 || sizes.Int(1) != 1 || int64(n) != sizes.Int(0)+1 {
		return nil // an error of the verifier
	}
	maps := mapsOf(s.Attr(indexingMapsAttr))
	if len(maps) != n {
		return nil
	}
	return toGeneric(b, s, maps)
}

// verifyContract checks that each dimension is one of the result, or one that both factors have, and that there is one of the latter.
func verifyContract(op *ir.Op) error {
	maps := mapsOf(op.Attr(indexingMapsAttr))
	var inputs, results []int // how often dimensions are there
	for i, m := range maps[:min(len(maps), op.NumOperands())] {
		t := op.Operand(i).Type()
		switch {
		case !m.IsProjectedPermutation(false):
			return op.PlainErrorf("provided affine_map is not a projected permutation")
		case rankOf(t) != len(m.Results):
			return op.PlainErrorf("ranks of shaped operand and results of corresponding affine_map differ")
		case inputs == nil:
			inputs, results = make([]int, m.Dims), make([]int, m.Dims)
		case len(inputs) != m.Dims:
			return op.PlainErrorf("iteration spaces of provided affine_maps differ")
		}
		count := inputs
		if i == op.NumOperands()-1 {
			count = results
		}
		for _, e := range m.Results {
			count[e.Value]++
		}
	}
	contracts := false
	for d := range inputs {
		contracted := inputs[d] == 2 && results[d] == 0
		if !contracted && (inputs[d] == 0 || results[d] == 0) {
			return op.PlainErrorf("iteration space dim at index %d is neither a contracting dim nor of parallel iteration type", d)
		}
		contracts = contracts || contracted
	}
	if !contracts {
		return op.PlainErrorf("'%s' do not specify a contracting dimension", indexingMapsAttr)
	}
	return nil
}
