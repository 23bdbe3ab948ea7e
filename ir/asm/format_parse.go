package asm

import (
	"errors"
	"strings"

	"freehold/ir"
)

// parseDeclarative reads what follows the name of an operation that has a
// declarative format, and fills the state.
func parseDeclarative(p *Parser, s *ir.OpState) error {
	f := formatOf(s.Name)
	if f.err != nil {
		return p.Errorf(p.NamePos(), "%s", f.err)
	}
	x := formatParser{p: p, f: f, s: p.newFormatState(s)}
	if err := x.elements(f.elems); err != nil {
		return err
	}
	err := x.finish()
	p.formats = append(p.formats, x.s)
	return err
}

// formatParser reads one operation.
type formatParser struct {
	p *Parser
	f *opFormat
	s *FormatState
	// typeErr is the first violated constraint that was found while types were
	// inferred.
	typeErr error
}

func (x *formatParser) elements(elems []element) error {
	for i := range elems {
		if err := x.element(&elems[i]); err != nil {
			return err
		}
	}
	return nil
}

func (x *formatParser) element(e *element) error {
	p := x.p
	switch e.kind {
	case literalElem:
		if e.word {
			return p.Keyword(e.text)
		}
		return p.Expect(e.text)
	case spaceElem:
		return nil
	case operandElem:
		return x.operand(e)
	case attrElem:
		_, err := x.attr(e, false)
		return err
	case regionElem:
		_, err := x.region(e, false)
		return err
	case successorElem:
		_, err := x.successor(e)
		return err
	case typeElem:
		return x.types(&e.args[0])
	case functionalElem:
		return x.functionalType(e)
	case attrDictElem:
		return x.attrDict(e)
	case propDictElem:
		return x.propDict()
	case operandsElem:
		x.s.all.pos = p.Pos()
		ops, err := p.Operands(NoDelimiter)
		x.s.all.ops = ops
		return err
	case resultsElem:
		return nil
	case regionsElem:
		groups := x.s.regions
		for n := 0; ; n++ {
			r := &ir.Region{}
			ok, err := p.OptionalRegion(r, nil)
			if err != nil || !ok {
				return err
			}
			x.closeRegion(r)
			if len(groups) == 0 {
				x.s.Regions = append(x.s.Regions, r)
			} else {
				g := min(n, len(groups)-1)
				groups[g] = append(groups[g], r)
			}
			if !p.Optional(",") {
				return nil
			}
		}
	case successorsElem:
		bs, err := x.successors()
		x.s.Successors = bs
		return err
	case optionalElem:
		return x.optional(e)
	case oilistElem:
		return x.oilist(e)
	case customElem:
		return e.directive.Parse(p, x.s, e.dirArgs)
	}
	return nil
}

func (x *formatParser) optionalLiteral(e *element) bool {
	if e.word {
		return x.p.OptionalKeyword(e.text)
	}
	return x.p.Optional(e.text)
}

// optional reads an optional group. Its first element that is not white space
// decides whether the group is there.
func (x *formatParser) optional(e *element) error {
	rest := e.then
	for len(rest) > 1 && rest[0].kind == spaceElem {
		rest = rest[1:]
	}
	first := &rest[0]
	taken, err := x.optionalFirst(first)
	if err != nil {
		return err
	}
	if taken {
		x.p.op.own = x.p.op.own || e.own
		rest = rest[1:]
	} else {
		rest = e.els
	}
	if e.unit >= 0 && taken != e.inverted {
		x.s.SetAttr(x.s.def.Attrs[e.unit].Name, ir.Unit)
	}
	for i := range rest {
		if &rest[i] == e.anchor && e.unit >= 0 {
			continue
		}
		if err := x.element(&rest[i]); err != nil {
			return err
		}
	}
	return nil
}

func (x *formatParser) optionalFirst(e *element) (taken bool, err error) {
	switch e.kind {
	case literalElem:
		return x.optionalLiteral(e), nil
	case attrElem:
		return x.attr(e, true)
	case operandElem:
		g := &x.s.opnds[e.index]
		if e.arity == ir.One {
			u, ok, err := x.p.OptionalOperand()
			if ok {
				g.pos, g.ops = u.Pos, []Unresolved{u}
			}
			return ok, err
		}
		err := x.operand(e)
		return len(g.ops) > 0 || len(g.segments) > 0, err
	case regionElem:
		return x.region(e, true)
	case successorElem:
		return x.optionalSuccessor(e)
	case customElem:
		err := e.directive.Parse(x.p, x.s, e.dirArgs)
		if errors.Is(err, ErrAbsent) {
			return false, nil
		}
		return err == nil, err
	}
	return true, x.element(e)
}

// oilist reads the clauses that are there, in any order.
func (x *formatParser) oilist(e *element) error {
	seen := make([]bool, len(e.clauses))
	for {
		found := false
		for i := range e.clauses {
			c := &e.clauses[i]
			pos := x.p.Pos()
			if !x.optionalLiteral(&c.word) {
				continue
			}
			if seen[i] {
				return x.p.Errorf(pos, "`%s` clause can appear at most once in the expansion of the oilist directive", c.word.text)
			}
			seen[i], found = true, true
			x.p.op.own = x.p.op.own || e.own
			if c.unit >= 0 {
				x.s.SetAttr(x.s.def.Attrs[c.unit].Name, ir.Unit)
			} else if err := x.elements(c.elems); err != nil {
				return err
			}
			break
		}
		if !found {
			return nil
		}
	}
}

func (x *formatParser) operand(e *element) (err error) {
	g := &x.s.opnds[e.index]
	g.pos = x.p.Pos()
	switch e.arity {
	case ir.One:
		g.single[0], err = x.p.Operand()
		g.ops = g.single[:]
	case ir.Optional:
		var ok bool
		if g.single[0], ok, err = x.p.OptionalOperand(); ok {
			g.ops = g.single[:]
		}
	case ir.Variadic:
		g.ops, err = x.p.Operands(NoDelimiter)
	default:
		for x.p.Optional("(") {
			ops, err := x.p.Operands(NoDelimiter)
			if err != nil {
				return err
			}
			if err := x.p.Expect(")"); err != nil {
				return err
			}
			g.ops = append(g.ops, ops...)
			g.segments = append(g.segments, int32(len(ops)))
			if !x.p.Optional(",") {
				break
			}
		}
	}
	return err
}

// types reads the type or types of a group.
func (x *formatParser) types(e *element) error {
	s := x.s
	switch e.kind {
	case operandElem:
		g := &s.opnds[e.index]
		types, err := x.typeList(e.arity, &g.oneType, &s.def.Operands[e.index].Type)
		g.types, g.typed = types, true
		return err
	case resultElem:
		g := &s.results[e.index]
		types, err := x.typeList(e.arity, &g.oneType, &s.def.Results[e.index].Type)
		g.types, g.typed = types, true
		return err
	case operandsElem:
		types, err := x.typeList(ir.Variadic, nil, nil)
		x.setTypes(e, types)
		return err
	case resultsElem:
		types, err := x.typeList(ir.Variadic, nil, nil)
		s.Types = types
		return err
	}
	return nil
}

// typeList reads the type or types of a group. A single type must be of the class of
// what the constraint accepts, which needn't be given for others.
func (x *formatParser) typeList(arity ir.Arity, one *[1]ir.Type, of *ir.TypeConstraint) ([]ir.Type, error) {
	p := x.p
	switch arity {
	case ir.One:
		pos := p.Pos()
		t, err := p.Type()
		if err == nil && !of.Class.Has(t) && !of.Match(t) {
			err = p.wrongKind(pos, of.Class, t)
		}
		one[0] = t
		return one[:], err
	case ir.Optional:
		t, ok, err := p.OptionalType()
		if !ok {
			return nil, err
		}
		one[0] = t
		return one[:], err
	case ir.Variadic:
		return p.Types()
	}
	var types []ir.Type
	for p.Optional("(") {
		if !p.Optional(")") {
			ts, err := p.Types()
			if err != nil {
				return nil, err
			}
			if err := p.Expect(")"); err != nil {
				return nil, err
			}
			types = append(types, ts...)
		}
		if !p.Optional(",") {
			break
		}
	}
	return types, nil
}

func (x *formatParser) functionalType(e *element) error {
	pos := x.p.Pos()
	any, err := x.p.Type()
	if err != nil {
		return err
	}
	t, ok := any.(*ir.FunctionType)
	if !ok {
		return x.p.wrongKind(pos, ir.FunctionClass, any)
	}
	x.setTypes(&e.args[0], t.Inputs)
	x.setTypes(&e.args[1], t.Results)
	return nil
}

func (x *formatParser) setTypes(e *element, types []ir.Type) {
	switch e.kind {
	case operandElem:
		g := &x.s.opnds[e.index]
		g.types, g.typed = types, true
	case resultElem:
		g := &x.s.results[e.index]
		g.types, g.typed = types, true
	case operandsElem:
		x.s.allTypes = types
		if !x.f.operandsTogether {
			x.splitOperandTypes(types)
		}
	case resultsElem:
		x.s.Types = types
	}
}

// splitOperandTypes hands the types of all operands to the groups that were read.
func (x *formatParser) splitOperandTypes(types []ir.Type) {
	n := 0
	for i := range x.s.opnds {
		n += len(x.s.opnds[i].ops)
	}
	if n != len(types) {
		return // reported when the operands are resolved
	}
	for i := range x.s.opnds {
		g := &x.s.opnds[i]
		g.types, g.typed = types[:len(g.ops)], true
		types = types[len(g.ops):]
	}
}

func (x *formatParser) attrDict(e *element) error {
	pos := x.p.Pos()
	var err error
	if e.keyword {
		err = x.p.OptionalAttrDictWithKeyword(x.s.OpState)
	} else {
		err = x.p.OptionalAttrDict(x.s.OpState)
	}
	if err != nil || x.p.Pos() == pos {
		return err
	}
	return x.p.CheckInherent(x.s.OpState, pos)
}

// propDict reads <{...}> into the inherent attributes.
func (x *formatParser) propDict() error {
	if !x.p.Optional("<") {
		return nil
	}
	pos := x.p.Pos()
	d, err := x.p.OptionalDictAttr()
	if err != nil {
		return err
	}
	if d != nil {
		for _, a := range d.Entries {
			x.s.SetAttr(a.Name, a.Value)
		}
	}
	if err := x.p.Expect(">"); err != nil {
		return err
	}
	return x.p.CheckInherent(x.s.OpState, pos)
}

func (x *formatParser) region(e *element, optional bool) (bool, error) {
	list := &x.s.regions[e.index]
	if e.arity == ir.Variadic {
		for {
			r := &ir.Region{}
			ok, err := x.p.OptionalRegion(r, nil)
			if err != nil {
				return false, err
			}
			if !ok {
				if len(*list) > 0 {
					return false, x.p.Region(r, nil) // after a comma
				}
				return false, nil
			}
			x.closeRegion(r)
			*list = append(*list, r)
			if !x.p.Optional(",") {
				return true, nil
			}
		}
	}
	r := &ir.Region{}
	if optional {
		ok, err := x.p.OptionalRegion(r, nil)
		if err != nil || !ok {
			return false, err
		}
	} else if err := x.p.Region(r, nil); err != nil {
		return false, err
	}
	x.closeRegion(r)
	*list = append(*list, r)
	return true, nil
}

// closeRegion adds what the syntax of a single-block region leaves out.
func (x *formatParser) closeRegion(r *ir.Region) {
	switch def := x.s.def; {
	case def.ImplicitTerminator != nil:
		x.p.EnsureTerminator(x.s.OpState, r)
	case def.Traits.Has(ir.TraitSingleBlock) && r.Empty():
		r.AddBlock()
	}
}

func (x *formatParser) successor(e *element) (bool, error) {
	list := &x.s.succs[e.index]
	if e.arity == ir.One {
		b, err := x.p.Successor()
		*list = append(*list, b)
		return true, err
	}
	bs, err := x.successors()
	*list = bs
	return len(bs) > 0, err
}

func (x *formatParser) optionalSuccessor(e *element) (bool, error) {
	if e.arity != ir.One {
		return x.successor(e)
	}
	b, ok, err := x.p.OptionalSuccessor()
	if ok {
		x.s.succs[e.index] = append(x.s.succs[e.index], b)
	}
	return ok, err
}

func (x *formatParser) successors() ([]*ir.Block, error) {
	b, ok, err := x.p.OptionalSuccessor()
	if err != nil || !ok {
		return nil, err
	}
	out := []*ir.Block{b}
	for x.p.Optional(",") {
		b, err := x.p.Successor()
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// attr reads an attribute in the spelling that its constraint has in formats.
func (x *formatParser) attr(e *element, optional bool) (bool, error) {
	d := &x.s.def.Attrs[e.index]
	later := x.denseLater(e.index)
	if later == nil {
		later = d
	}
	a, ok, err := x.attrValue(later, e.qualified, optional)
	if err != nil || !ok {
		return false, err
	}
	if later != d {
		if r := d.Type.Respell(x.p.Context(), a); r != nil {
			a = r
		}
	}
	x.s.SetAttr(d.Name, a)
	return true, nil
}

// denseLater returns what the i-th attribute is in the context's version of LLVM, if that has a dense array for a list of
// other attributes: what it reads is told in other words. Else it returns nil.
func (x *formatParser) denseLater(i int) *ir.AttrDef {
	version := x.p.Context().LLVM()
	if version < firstLater || x.s.def.Attrs[i].Type.Respell == nil || x.s.def.Attrs[i].Type.Kind == ir.DenseArrayKind {
		return nil
	}
	if attrs := x.s.Name.In(version).Def().Attrs; i < len(attrs) && attrs[i].Type.Kind == ir.DenseArrayKind {
		return &attrs[i]
	}
	return nil
}

// firstLater is the first version of LLVM that spells something otherwise than the definitions.
const firstLater = 20

func (x *formatParser) attrValue(d *ir.AttrDef, qualified, optional bool) (ir.Attribute, bool, error) {
	p, c := x.p, x.p.Context()
	switch k := d.Type.Kind; {
	case d.Type.Enum != nil && d.Type.Enum.Int != nil:
		return x.enum(d, optional)
	case d.Type.Enum != nil && d.Type.Enum.Bare && p.tok.kind != tHash:
		v, err := p.EnumKeyword(d.Type.Enum)
		return c.EnumAttr(d.Type.Enum, v), err == nil, err
	case d.Type.Enum != nil && !qualified:
		if p.tok.kind == tLess || p.tok.kind != tHash && !optional {
			a, err := p.EnumAttr(d.Type.Enum)
			return a, err == nil, err
		}
	case k == ir.SymbolNameKind:
		name, ok := p.OptionalSymbolName()
		if !ok {
			if optional {
				return nil, false, nil
			}
			var err error
			if name, err = p.SymbolName(); err != nil {
				return nil, false, err
			}
		}
		return c.StringAttr(name), true, nil
	case k == ir.StringKind && optional:
		v, ok := p.OptionalString()
		if !ok {
			return nil, false, nil
		}
		return c.StringAttr(v), true, nil
	case k == ir.TypeKind:
		if optional {
			t, ok, err := p.OptionalType()
			if !ok || err != nil {
				return nil, false, err
			}
			return c.TypeAttr(t), true, nil
		}
		pos := p.Pos()
		t, err := p.Type()
		if err != nil {
			return nil, false, err
		}
		return x.checked(d, c.TypeAttr(t), pos)
	case k == ir.DenseArrayKind:
		if p.tok.kind == tLSquare || !optional && p.tok.kind != tHash {
			return x.denseArray(d.Type.ValueType(c))
		}
	case k == ir.DialectAttrKind && !qualified:
		if a, ok, err := x.strippedAttr(d); ok || err != nil {
			return a, ok, err
		}
	}
	var t ir.Type
	if d.Type.ValueType != nil && d.Type.Kind != ir.DenseArrayKind {
		t = d.Type.ValueType(c)
	}
	pos := p.Pos()
	if optional {
		a, ok, err := p.OptionalAttr(t)
		if err != nil || !ok {
			return nil, false, err
		}
		return x.checked(d, a, pos)
	}
	a, err := p.Attr(t)
	if err != nil {
		return nil, false, err
	}
	return x.checked(d, a, pos)
}

// checked returns an error for an attribute of another kind than the constraint
// is about. Constraints on the value are left to the verifier.
func (x *formatParser) checked(d *ir.AttrDef, a ir.Attribute, pos Pos) (ir.Attribute, bool, error) {
	bad := false
	switch {
	case d.Type.Class != nil:
		bad = !d.Type.Class(a)
	case d.Type.ValueType != nil:
		bad = ir.TypeOfAttr(a) == nil
	}
	if bad {
		return nil, false, x.p.Errorf(pos, "invalid kind of attribute specified")
	}
	return a, true, nil
}

// denseArray reads [1, 2, 3].
func (x *formatParser) denseArray(elem ir.Type) (ir.Attribute, bool, error) {
	p, c := x.p, x.p.Context()
	var data []byte
	err := p.List(Square, func() error {
		if it, ok := elem.(*ir.IntegerType); ok {
			v, err := p.Integer()
			data = ir.AppendElement(data, c.IntegerAttr(it, v))
			return err
		}
		a, err := p.Attr(elem)
		if err == nil {
			data = ir.AppendElement(data, a)
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return c.DenseArray(elem, data), true, nil
}

// strippedAttr reads the parameters of a dialect's attribute, whose prefix and
// mnemonic are implied. ok is false if the attribute is spelled in full.
func (x *formatParser) strippedAttr(d *ir.AttrDef) (a ir.Attribute, ok bool, err error) {
	dialect, mnemonic, found := strings.Cut(d.Type.Attribute, ".")
	if !found || x.p.tok.kind == tHash {
		return nil, false, nil
	}
	parse, ok := AttrParser.OfDialect(x.p.Context().Dialect(dialect))
	if !ok {
		return nil, false, nil
	}
	a, err = parse(x.p, mnemonic, nil)
	return a, a != nil && err == nil, err
}

// enum reads a keyword of an enumeration that is stored as an integer, bare or as
// a string.
func (x *formatParser) enum(d *ir.AttrDef, optional bool) (ir.Attribute, bool, error) {
	p, def := x.p, d.Type.Enum
	pos := p.Pos()
	for _, k := range def.Cases {
		if p.OptionalKeyword(k.Keyword) {
			return p.Context().EnumAttr(def, k.Value), true, nil
		}
	}
	for old, today := range def.Earlier {
		if p.Reads(def.Until) && p.OptionalKeyword(old) {
			v, _ := def.Parse(today)
			return p.Context().EnumAttr(def, v), true, nil
		}
	}
	text, ok := p.OptionalString()
	if !ok {
		if optional {
			return nil, false, nil
		}
		return nil, false, p.Errorf(pos, "expected string or keyword containing one of the following enum values for attribute '%s' [%s]", d.Name, def.Keywords(p.ctx.LLVM()))
	}
	v, ok := p.enumValue(def, text)
	if !ok {
		return nil, false, p.Errorf(pos, "invalid %s attribute specification: \"%s\"", d.Name, text)
	}
	return p.Context().EnumAttr(def, v), true, nil
}

// enumValue returns the value of a case, or of cases joined by the separator.
func (p *Parser) enumValue(def *ir.EnumDef, text string) (uint64, bool) {
	if v, ok := p.enumCase(def, text); ok || !def.Bit {
		return v, ok
	}
	v := uint64(0)
	for _, part := range strings.Split(text, strings.TrimSpace(def.Separator)) {
		bits, ok := p.enumCase(def, strings.TrimSpace(part))
		if !ok {
			return 0, false
		}
		v |= bits
	}
	return v, true
}
