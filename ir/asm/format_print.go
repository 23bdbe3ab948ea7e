package asm

import "freehold/ir"

// elements writes what follows the name of an operation that has a declarative
// format.
func (p *Printer) elements(op *ir.Op, f *opFormat, elems []element, elided *element) {
	for i := range elems {
		if e := &elems[i]; e != elided {
			p.element(op, f, e)
		}
	}
}

func (p *Printer) element(op *ir.Op, f *opFormat, e *element) {
	if e.space {
		p.w.Byte(' ')
	}
	switch e.kind {
	case literalElem:
		p.Text(e.text)
	case spaceElem:
		if e.text == "\n" {
			p.Newline()
		} else {
			p.Text(e.text)
		}
	case operandElem:
		p.operandGroup(op, e)
	case attrElem:
		d, a := p.inherent(op, e.index)
		p.formatAttr(d, a, e.qualified)
	case regionElem:
		start, n := regionRange(op, e.index)
		for i := start; i < start+n; i++ {
			if i > start {
				p.Text(", ")
			}
			p.formatRegion(op, op.RegionAt(i))
		}
	case regionsElem:
		for i, r := range op.Regions() {
			if i > 0 {
				p.Text(", ")
			}
			p.formatRegion(op, r)
		}
	case successorElem:
		start, n := successorRange(op, e.index)
		p.successors(op, start, n)
	case successorsElem:
		p.successors(op, 0, op.NumSuccessors())
	case typeElem:
		p.groupTypes(op, &e.args[0])
	case functionalElem:
		p.functional(op, e)
	case attrDictElem:
		p.attrDictElem(op, f, e.keyword)
	case propDictElem:
		p.properties(op)
	case operandsElem:
		p.operandRange(op, 0, op.NumOperands())
	case optionalElem:
		var elided *element
		if e.unit >= 0 {
			elided = e.anchor
		}
		if p.present(op, e.anchor) != e.inverted {
			p.elements(op, f, e.then, elided)
		} else {
			p.elements(op, f, e.els, elided)
		}
	case oilistElem:
		for i := range e.clauses {
			c := &e.clauses[i]
			if !p.clausePresent(op, c) {
				continue
			}
			p.element(op, f, &c.word)
			if c.unit < 0 {
				p.elements(op, f, c.elems, nil)
			}
		}
	case customElem:
		e.directive.Print(p, op, e.dirArgs)
	}
}

// present tells whether what the element stands for is there.
func (p *Printer) present(op *ir.Op, e *element) bool {
	switch e.kind {
	case operandElem:
		_, n := op.OperandGroupRange(e.index)
		return n > 0
	case resultElem:
		return len(op.ResultGroup(e.index)) > 0
	case attrElem:
		return p.attrPresent(op, e.index)
	case regionElem:
		return regionPresent(op, e.index)
	case successorElem:
		_, n := successorRange(op, e.index)
		return n > 0
	case typeElem:
		return p.present(op, &e.args[0])
	case functionalElem:
		return p.present(op, &e.args[0]) || p.present(op, &e.args[1])
	case operandsElem:
		return op.NumOperands() > 0
	case resultsElem:
		return op.NumResults() > 0
	case customElem:
		for i := range e.dirArgs {
			a := &e.dirArgs[i]
			switch a.Kind {
			case OperandArg:
				if _, n := op.OperandGroupRange(a.Index); n > 0 {
					return true
				}
			case ResultArg:
				if len(op.ResultGroup(a.Index)) > 0 {
					return true
				}
			case AttrArg:
				if p.attrPresent(op, a.Index) {
					return true
				}
			case RegionArg:
				if regionPresent(op, a.Index) {
					return true
				}
			}
		}
		return false
	}
	return true
}

// clausePresent tells whether anything that the clause spells is there.
func (p *Printer) clausePresent(op *ir.Op, c *clause) bool {
	for i := range c.elems {
		switch e := &c.elems[i]; e.kind {
		case literalElem, spaceElem, typeElem:
		default:
			if p.present(op, e) {
				return true
			}
		}
	}
	return false
}

func regionPresent(op *ir.Op, group int) bool {
	start, n := regionRange(op, group)
	if op.Def().Regions[group].Variadic {
		return n > 0
	}
	return n > 0 && !op.RegionAt(start).Empty()
}

// regionRange returns the position and number of the regions of a declared group;
// only the last group is variadic.
func regionRange(op *ir.Op, group int) (start, n int) {
	total := op.NumRegions()
	if group >= total && !op.Def().Regions[group].Variadic {
		return 0, 0
	}
	if op.Def().Regions[group].Variadic {
		return group, max(total-group, 0)
	}
	return group, 1
}

// successorRange is regionRange for successors.
func successorRange(op *ir.Op, group int) (start, n int) {
	total := op.NumSuccessors()
	if op.Def().Successors[group].Variadic {
		return group, max(total-group, 0)
	}
	if group >= total {
		return 0, 0
	}
	return group, 1
}

func (p *Printer) operandRange(op *ir.Op, start, n int) {
	for i := start; i < start+n; i++ {
		if i > start {
			p.Text(", ")
		}
		p.Operand(op.Operand(i))
	}
}

func (p *Printer) typeRange(op *ir.Op, start, n int) {
	for i := start; i < start+n; i++ {
		if i > start {
			p.Text(", ")
		}
		p.Type(op.Operand(i).Type())
	}
}

// nestedGroup calls print for the inner lists of a VariadicOfVariadic group.
func (p *Printer) nestedGroup(op *ir.Op, group int, print func(start, n int)) {
	start, total := op.OperandGroupRange(group)
	seg, _ := op.Attr(op.Def().Operands[group].Segments).(*ir.DenseArrayAttr)
	end := start + total
	for i := range seg.Len() {
		if i > 0 {
			p.Text(", ")
		}
		n := min(int(seg.Int(i)), end-start)
		p.w.Byte('(')
		print(start, n)
		p.w.Byte(')')
		start += n
	}
}

func (p *Printer) operandGroup(op *ir.Op, e *element) {
	if e.arity == ir.VariadicOfVariadic {
		p.nestedGroup(op, e.index, func(start, n int) { p.operandRange(op, start, n) })
		return
	}
	start, n := op.OperandGroupRange(e.index)
	p.operandRange(op, start, n)
}

func (p *Printer) successors(op *ir.Op, start, n int) {
	for i := start; i < start+n; i++ {
		if i > start {
			p.Text(", ")
		}
		p.Successor(op.Successor(i))
	}
}

func (p *Printer) groupTypes(op *ir.Op, e *element) {
	switch e.kind {
	case operandElem:
		if e.arity == ir.VariadicOfVariadic {
			p.nestedGroup(op, e.index, func(start, n int) { p.typeRange(op, start, n) })
			return
		}
		start, n := op.OperandGroupRange(e.index)
		p.typeRange(op, start, n)
	case operandsElem:
		p.typeRange(op, 0, op.NumOperands())
	case resultElem:
		p.resultTypes(op.ResultGroup(e.index))
	case resultsElem:
		p.resultTypes(op.Results())
	}
}

func (p *Printer) resultTypes(rs ir.Results) {
	for i := range rs {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(rs[i].Type())
	}
}

func (p *Printer) functional(op *ir.Op, e *element) {
	p.w.Byte('(')
	p.groupTypes(op, &e.args[0])
	p.Text(") -> ")
	if r := &e.args[1]; r.kind == resultElem || r.kind == resultsElem {
		rs := op.Results()
		if r.kind == resultElem {
			rs = op.ResultGroup(r.index)
		}
		if len(rs) == 1 {
			p.w.ResultTypes([]ir.Type{rs[0].Type()})
			return
		}
	}
	p.w.Byte('(')
	p.groupTypes(op, &e.args[1])
	p.w.Byte(')')
}

func (p *Printer) formatRegion(op *ir.Op, r *ir.Region) {
	terminator := true
	if op.Def().ImplicitTerminator != nil {
		if b := r.Entry(); b != nil {
			t := b.Terminator()
			terminator = t == nil || !bare(t)
		}
	}
	p.Region(r, true, terminator, false)
}

// attrDictElem writes the attributes that the format does not spell otherwise.
func (p *Printer) attrDictElem(op *ir.Op, f *opFormat, keyword bool) {
	rest := f.without(op.DiscardableAttrs())
	var merged []ir.NamedAttr
	if len(op.Props()) > 0 {
		def := op.Def()
		for _, i := range f.dictAttrs {
			if i < len(def.Attrs) && p.attrPresent(op, i) {
				merged = append(merged, ir.NamedAttr{Name: def.Attrs[i].Name, Value: op.Prop(i)})
			}
		}
	}
	switch {
	case len(merged) == 0:
		merged = rest
	case len(rest) > 0:
		merged = mergeAttrs(merged, rest)
	}
	if keyword {
		p.OptionalAttrDictWithKeyword(merged)
	} else {
		p.OptionalAttrDict(merged)
	}
}

// mergeAttrs merges two lists that are sorted by name.
func mergeAttrs(a, b []ir.NamedAttr) []ir.NamedAttr {
	out := make([]ir.NamedAttr, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].Name < b[0].Name {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// formatAttr writes an attribute in the spelling that its constraint has in
// formats.
func (p *Printer) formatAttr(d *ir.AttrDef, a ir.Attribute, qualified bool) {
	c := &d.Type
	switch x := a.(type) {
	case nil:
		return
	case *ir.IntegerAttr:
		if c.Enum != nil {
			p.enumKeyword(c.Enum, uint64(x.Value))
			return
		}
	case *ir.EnumAttr:
		if !qualified && x.Def.Bare {
			// The case brings its own space, also after an empty literal.
			p.w.Byte(' ')
			p.Text(x.Keyword())
			return
		}
		if !qualified {
			p.w.Byte('<')
			p.Text(x.Keyword())
			p.w.Byte('>')
			return
		}
	case *ir.StringAttr:
		if c.Kind == ir.SymbolNameKind {
			p.SymbolName(x.Value)
			return
		}
	case *ir.DenseArrayAttr:
		if c.Kind == ir.DenseArrayKind {
			p.w.DenseArrayBody(x)
			return
		}
	case *ir.DialectAttr:
		if c.Kind == ir.DialectAttrKind && !qualified {
			p.stripped(x)
			return
		}
	}
	if c.ValueType != nil || c.Kind == ir.SymbolRefKind || c.Kind == ir.TypeKind {
		p.AttrWithoutType(a)
		return
	}
	p.Attr(a)
}

// enumKeyword writes the keyword of an enumeration that is stored as an integer;
// several bits together are a string.
func (p *Printer) enumKeyword(def *ir.EnumDef, v uint64) {
	k := def.Keyword(v)
	if IsKeyword(k) {
		p.Text(k)
		return
	}
	p.Quoted(k)
}

// IsKeyword tells whether s can be written as a bare keyword.
func IsKeyword(s string) bool { return ir.IsBareWord(s) }

// stripped writes a dialect's attribute without its prefix and mnemonic.
func (p *Printer) stripped(a *ir.DialectAttr) {
	start := len(p.w.Buf)
	refs := 0
	if p.aliases != nil {
		refs = len(*p.aliases.sink)
	}
	p.Attr(a)
	if p.aliases != nil && len(*p.aliases.sink) > refs {
		return
	}
	prefix := 1 + len(a.Dialect.Name) + 1 + len(a.Mnemonic)
	text := p.w.Buf[start:]
	if len(text) < prefix || string(text[prefix-len(a.Mnemonic):prefix]) != a.Mnemonic {
		return
	}
	for prefix < len(text) && text[prefix] == ' ' {
		prefix++
	}
	p.w.Buf = append(p.w.Buf[:start], text[prefix:]...)
}
