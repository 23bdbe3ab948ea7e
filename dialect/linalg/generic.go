package linalg

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

const (
	indexingMapsAttr  = "indexing_maps"
	iteratorTypesAttr = "iterator_types"
	docAttr           = "doc"
	libraryCallAttr   = "library_call"
)

var iteratorArray = constraint.EnumArray("Iterator type should be an enum.", IteratorType)

// Generic is a structured operation whose maps, iterator types and body are
// spelled out.
var Generic = ir.NewOpID("linalg.generic")

func genericDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Generic,
		Operands: groups,
		Results:  resultTensors,
		Attrs: []ir.AttrDef{
			{Name: indexingMapsAttr, Type: constraint.AffineMapArray},
			{Name: iteratorTypesAttr, Type: iteratorArray},
			{Name: docAttr, Type: constraint.StrAttr, Optional: true},
			{Name: libraryCallAttr, Type: constraint.StrAttr, Optional: true},
			segments,
		},
		Regions:            []ir.RegionDef{{Name: "region"}},
		Traits:             ir.TraitAttrSizedOperandSegments | ir.TraitSingleBlock | ir.TraitRecursiveMemoryEffects,
		ImplicitTerminator: Yield,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.Structured.Model(interfaces.StructuredModel(genericModel{})),
			interfaces.DestinationStyle.Model(secondGroup),
			interfaces.Bufferizable.Model(structuredBufferize{}),
			interfaces.MemoryEffects.Model(effects),
			interfaces.AccessesOperands.Model(struct{}{}),
			interfaces.ReifyShapes.Model(reifyInits),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseGeneric, Print: printGeneric}),
			asm.BlockArgNames.Model(func(op *ir.Op, r *ir.Region, name func(*ir.Value, string)) {
				nameArgs(op, r, name, "out")
			}),
			rewrite.Patterns(rewrite.Pattern{Name: "EraseIdentityLinalgOp", Rewrite: eraseIdentity}),
		},
		VerifyRegions: verifyPayload,
		VerifyAlone:   true,
		Fold:          foldMemRefCasts,
	}
}

// nameArgs names the arguments for inputs "in" and those for inits as given.
func nameArgs(op *ir.Op, r *ir.Region, name func(*ir.Value, string), init string) {
	if r.Empty() {
		return
	}
	n := len(interfaces.DpsInputs(op))
	for i, a := range r.Entry().Args() {
		if i < n {
			name(a, "in")
		} else {
			name(a, init)
		}
	}
}

type genericModel struct{}

// IndexingMaps implements interfaces.StructuredModel.
func (genericModel) IndexingMaps(op *ir.Op) []*ir.AffineMap { return mapsOf(op.Attr(indexingMapsAttr)) }

// Iterators implements interfaces.StructuredModel.
func (genericModel) Iterators(op *ir.Op) []interfaces.Iterator {
	arr, ok := op.Attr(iteratorTypesAttr).(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	out := make([]interfaces.Iterator, len(arr.Elems))
	for i, e := range arr.Elems {
		if x, ok := e.(*ir.EnumAttr); ok {
			out[i] = interfaces.Iterator(x.Value)
		}
	}
	return out
}

// tensorTypes returns the types of the values that are tensors: the results of a
// structured operation with these inits.
func tensorTypes(inits []*ir.Value) []ir.Type {
	var out []ir.Type
	for _, v := range inits {
		if ir.IsTensor(v.Type()) {
			out = append(out, v.Type())
		}
	}
	return out
}

// NewGeneric creates a linalg.generic. body is given the arguments of the body
// block and returns what it yields.
func NewGeneric(b *ir.Builder, inputs, inits []*ir.Value, maps []*ir.AffineMap, iterators []interfaces.Iterator,
	body func(b *ir.Builder, args []*ir.Value) []*ir.Value) *ir.Op {
	s := genericState(b, inputs, inits, maps, iterators)
	newBody(b, &s, s.Operands, body)
	return b.Create(s)
}

// newBody adds a region with a body to the state.
func newBody(b *ir.Builder, s *ir.OpState, operands []*ir.Value, body func(b *ir.Builder, args []*ir.Value) []*ir.Value) {
	blk := newArgs(b, s.AddRegion(), operands)
	ip := b.InsertionPoint()
	b.SetEnd(blk)
	NewYield(b, body(b, blk.Args())...)
	b.SetInsertionPoint(ip)
}

func parseGeneric(p *asm.Parser, s *ir.OpState) error {
	pos := p.Pos()
	d, err := asm.AttrOf[*ir.DictAttr](p, nil)
	if err != nil {
		return err
	}
	for _, e := range d.Entries {
		s.SetAttr(e.Name, e.Value)
	}
	iterators, ok := s.Attr(iteratorTypesAttr).(*ir.ArrayAttr)
	if !ok {
		return p.Errorf(pos, `expected "iterator_types" array attribute`)
	}
	v, err := parseIterators(p, iterators)
	if err != nil {
		return err
	}
	s.SetAttr(iteratorTypesAttr, v)
	if _, _, err := parseCommon(p, s, true); err != nil {
		return err
	}
	if p.OptionalKeyword("attrs") {
		if err := p.Expect("="); err != nil {
			return err
		}
		if err := p.OptionalAttrDict(s); err != nil {
			return err
		}
	}
	if err := p.Region(s.AddRegion(), nil); err != nil {
		return err
	}
	s.Types, err = p.OptionalArrowTypes()
	return err
}

// parseIterators turns the strings of a spelled list of iterator types into
// enumeration attributes.
func parseIterators(p *asm.Parser, arr *ir.ArrayAttr) (ir.Attribute, error) {
	elems := make([]ir.Attribute, len(arr.Elems))
	for i, e := range arr.Elems {
		elems[i] = e
		if str, ok := e.(*ir.StringAttr); ok {
			v, ok := IteratorType.Parse(str.Value)
			if !ok {
				return nil, p.Errorf(p.Pos(), "unexpected iterator_type (%s)", str.Value)
			}
			elems[i] = p.Context().EnumAttr(IteratorType, v)
		}
	}
	return p.Context().ArrayAttr(elems...), nil
}

// traitAttr tells whether a linalg.generic spells the attribute before its
// operands.
func traitAttr(name string) bool {
	switch name {
	case indexingMapsAttr, iteratorTypesAttr, docAttr, libraryCallAttr:
		return true
	}
	return false
}

// printIterators writes the iterator types as the strings that they are parsed from.
func printIterators(p *asm.Printer, op *ir.Op) {
	p.Text(iteratorTypesAttr)
	open := " = ["
	for _, it := range interfaces.Iterators(op) {
		p.Text(open)
		p.Quoted(it.String())
		open = ", "
	}
	if open == " = [" {
		p.Text(open)
	}
	p.Text("]")
}

func printGeneric(p *asm.Printer, op *ir.Op) {
	open := " {"
	for _, a := range p.AllAttrs(op) {
		if !traitAttr(a.Name) {
			continue
		}
		p.Text(open)
		open = ", "
		if a.Name == iteratorTypesAttr {
			printIterators(p, op)
		} else {
			p.Writer().NamedAttr(a)
		}
	}
	if open != " {" {
		p.Text("}")
	}
	printCommon(p, op)
	rest := slices.DeleteFunc(p.AllAttrs(op), func(a ir.NamedAttr) bool { return traitAttr(a.Name) || a.Name == ir.OperandSegmentsAttr })
	if len(rest) > 0 {
		p.Text(" attrs = ")
		p.OptionalAttrDict(rest)
	}
	if !op.RegionAt(0).Empty() {
		p.Text(" ")
		p.Region(op.RegionAt(0), true, true, false)
	}
	p.ArrowTypes(op.Results().Types())
}
