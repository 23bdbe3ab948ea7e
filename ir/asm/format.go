package asm

import (
	"fmt"
	"slices"

	"freehold/ir"
)

// opFormat is what is known about the textual form of an operation, computed once.
type opFormat struct {
	// assembly is the hand-written syntax, or nil.
	assembly *OpAssembly
	// elems is the compiled declarative format; it is nil if there is none.
	elems []element
	// err tells what is wrong with the declarative format.
	err error

	resultNames   func(op *ir.Op, name func(v *ir.Value, suggestion string))
	blockArgNames func(op *ir.Op, r *ir.Region, name func(v *ir.Value, suggestion string))
	blockNames    func(op *ir.Op, name func(b *ir.Block, suggestion string))
	regionDialect func(op *ir.Op) string

	// dictAttrs lists the inherent attributes that attr-dict spells, by name.
	dictAttrs []int
	// further are the attributes that the format spells, and that only this version has among the inherent ones, by name.
	further []*ir.AttrDef
	// extends is set if the format is that of the definition with more that may be left out; see extension.go.
	extends bool
	// propDict is set if the format has a prop-dict, which spells them instead.
	propDict bool
	// operandsTogether and resultsTogether are set if the format reads all operands
	// (all result types) as one list.
	operandsTogether, resultsTogether bool
	// lists are the groups whose types the format always spells as a list, which can't
	// be read if there are none.
	lists []*element
	// inferred are the rules by which the types of groups are inferred that the format
	// doesn't spell, if those may have other types.
	inferred []inferredType
	// oneType is set if the format spells one type for all operands and results; they may have
	// others that are compatible.
	oneType bool
	// mayBeBare is set if the format may write nothing, where it would read a value: a result of
	// the next operation would be read as an operand.
	mayBeBare bool
	// regionsBeforeDict is set if the format has attributes after a list of regions, where it would
	// read them as a region if there is none.
	regionsBeforeDict bool
}

// inferredType is a rule that infers the type of a result or operand from another one.
type inferredType struct {
	rule     *ir.TypeRule
	from, to func(op *ir.Op) ir.Type
}

// formatOf returns the syntax of an operation.
func formatOf(n *ir.OpName) *opFormat {
	return n.Memo(func() any { return newFormat(n) }).(*opFormat)
}

func newFormat(n *ir.OpName) *opFormat {
	def := n.Def()
	f := &opFormat{}
	if a, ok := Assembly.OfName(n); ok {
		f.assembly = &a
	}
	f.resultNames, _ = ResultNames.OfName(n)
	if f.resultNames == nil && len(def.Results) > 1 {
		f.resultNames = nameResultGroups
	}
	f.blockArgNames, _ = BlockArgNames.OfName(n)
	f.blockNames, _ = BlockNames.OfName(n)
	f.regionDialect, _ = DefaultDialect.OfName(n)
	if def.Format != "" && f.assembly == nil {
		f.compile(def, n.Base().Def(), n.Dialect())
	}
	return f
}

// CheckFormat reports what is wrong with the declarative format of an operation,
// if anything.
func CheckFormat(n *ir.OpName) error { return formatOf(n).err }

// defaultDialect returns the dialect that needs no prefix in the regions of op.
func (f *opFormat) defaultDialect(op *ir.Op) string {
	if f.regionDialect == nil {
		return ""
	}
	return f.regionDialect(op)
}

// elementKind is the kind of an element of a format.
type elementKind uint8

const (
	literalElem elementKind = iota
	spaceElem               // text: " ", "" or a line break
	operandElem
	resultElem // only inside of others
	attrElem
	regionElem
	successorElem
	typeElem       // of args[0]
	functionalElem // args[0] and args[1]
	attrDictElem
	propDictElem
	operandsElem
	resultsElem
	regionsElem
	successorsElem
	optionalElem
	oilistElem
	customElem
)

// element is an element of a compiled format.
type element struct {
	kind elementKind
	// space tells to print a space before the element.
	space bool
	// text is a literal, the name of a custom directive, or white space.
	text string
	// word tells that a literal is a bare word.
	word bool
	// index is the number of the group or attribute in the definition.
	index     int
	arity     ir.Arity
	qualified bool
	keyword   bool // attr-dict-with-keyword
	args      []element

	// An optional group: then is taken if anchor is present (or, if inverted is set,
	// absent), and otherwise els.
	then, els []element
	anchor    *element
	inverted  bool
	// unit is the unit attribute that is spelled by taking the group, or -1.
	unit int
	// own is set for what may be left out, and the definition's format doesn't have.
	own bool

	clauses []clause

	directive Directive
	dirArgs   []DirectiveArg
}

// clause is an alternative of an oilist.
type clause struct {
	word  element
	elems []element
	// unit is the attribute that the word alone stands for, or -1.
	unit int
}

// compile parses the format and prepares it for parsing and printing. base is the operation's definition, which has another
// format if def is that of another version.
func (f *opFormat) compile(def, base *ir.OpDef, d *ir.Dialect) {
	c := &formatCompiler{def: def, dialect: d, format: f, used: make([]bool, len(def.Attrs)), base: base.Format}
	c.src = def.Format
	c.advance()
	elems, err := c.elements(func() bool { return c.tok == "" })
	if err != nil {
		f.err = fmt.Errorf("format of %s: %w", def.ID, err)
		return
	}
	if len(elems) == 0 {
		elems = []element{{kind: spaceElem}}
	}
	s := spacing{space: true}
	s.all(elems, nil)
	f.elems = elems
	f.extends = c.extends()
	for i := len(base.Attrs); i < len(def.Attrs); i++ {
		if c.used[i] {
			f.further = append(f.further, &def.Attrs[i])
		}
	}
	for i := range elems {
		if e := &elems[i]; e.kind == typeElem && (e.args[0].arity == ir.Variadic || e.args[0].kind == operandsElem || e.args[0].kind == resultsElem) {
			f.lists = append(f.lists, &e.args[0])
		}
	}
	for i := range def.TypeRules {
		if r := &def.TypeRules[i]; r.Related != nil && !spellsType(def, elems, r.To) {
			f.inferred = append(f.inferred, inferredType{r, typeOfGroup(def, r.From), typeOfGroup(def, r.To)})
		}
	}
	f.oneType = def.Traits.Has(ir.TraitSameOperandsAndResultType) && !spellsTypes(def, elems)
	f.mayBeBare = mayBeBare(elems)
	f.regionsBeforeDict = regionsBeforeDict(elems)
	if !f.propDict {
		for i := range def.Attrs {
			if !c.used[i] && !def.Attrs[i].Derived {
				f.dictAttrs = append(f.dictAttrs, i)
			}
		}
		sortByName(f.dictAttrs, def)
	}
}

// mayBeBare tells whether all elements may be left out, and a value may come first.
func mayBeBare(elems []element) bool {
	value := false
	for i := range elems {
		e := &elems[i]
		switch e.kind {
		case optionalElem:
			first := e.then[0].kind
			value = value || first == operandElem || first == operandsElem
		case operandElem, operandsElem:
			if e.kind == operandElem && e.arity == ir.One {
				return false
			}
			value = true
		case attrDictElem, propDictElem, spaceElem, oilistElem:
		default:
			return false
		}
	}
	return value
}

// regionsBeforeDict tells whether attributes follow a list of regions.
func regionsBeforeDict(elems []element) bool {
	regions := false
	for i := range elems {
		switch e := &elems[i]; e.kind {
		case spaceElem:
		case attrDictElem:
			if regions && !e.keyword {
				return true
			}
		default:
			regions = listsRegions(e)
		}
	}
	return false
}

// listsRegions tells whether the element is, or may be, a list of regions.
func listsRegions(e *element) bool {
	return e.kind == regionElem && e.arity == ir.Variadic || e.kind == optionalElem && len(e.then) > 0 && listsRegions(&e.then[0])
}

// spellsTypes tells whether the format has type directives for all operands and results.
func spellsTypes(def *ir.OpDef, elems []element) bool {
	return !slices.ContainsFunc(def.Operands, func(g ir.OperandDef) bool { return !spellsType(def, elems, g.Name) }) &&
		!slices.ContainsFunc(def.Results, func(g ir.ResultDef) bool { return !spellsType(def, elems, g.Name) })
}

// spellsType tells whether the format has a type directive for the group.
func spellsType(def *ir.OpDef, elems []element, group string) bool {
	for i := range elems {
		if e := &elems[i]; e.kind == typeElem {
			a := &e.args[0]
			if a.kind == operandElem && def.Operands[a.index].Name == group || a.kind == resultElem && def.Results[a.index].Name == group {
				return true
			}
		}
	}
	return false
}

// typeOfGroup returns a function that returns the type of a group of one operand or result.
func typeOfGroup(def *ir.OpDef, group string) func(op *ir.Op) ir.Type {
	if i := def.OperandIndex(group); i >= 0 {
		return func(op *ir.Op) ir.Type { return op.Operand(i).Type() }
	}
	i := def.ResultIndex(group)
	return func(op *ir.Op) ir.Type { return op.Result(i).Type() }
}

// says tells whether the format can say the types of the operation.
func (f *opFormat) says(op *ir.Op) bool {
	for _, i := range f.inferred {
		if i.rule.Apply(op.Context(), i.from(op)) != i.to(op) {
			return false
		}
	}
	if f.regionsBeforeDict && op.NumRegions() == 0 && (len(f.dictAttrs) > 0 || len(op.DiscardableAttrs()) > 0) {
		return false
	}
	return !f.oneType || hasOneType(op)
}

// hasOneType tells whether all operands and results have the same type.
func hasOneType(op *ir.Op) bool {
	if op.NumResults() == 0 {
		return true
	}
	t := op.Result(0).Type()
	for i := range op.NumResults() {
		if op.Result(i).Type() != t {
			return false
		}
	}
	operands := op.Operands()
	for i := range operands {
		if operands.At(i).Type() != t {
			return false
		}
	}
	return true
}

func sortByName(idx []int, def *ir.OpDef) {
	for i := 1; i < len(idx); i++ {
		for j := i; j > 0 && def.Attrs[idx[j]].Name < def.Attrs[idx[j-1]].Name; j-- {
			idx[j], idx[j-1] = idx[j-1], idx[j]
		}
	}
}

// spacing decides, in the order of the format, before which elements a space is
// printed. The decision does not depend on which groups are present.
type spacing struct{ space, punct bool }

func (s *spacing) all(elems []element, elided *element) {
	for i := range elems {
		if &elems[i] != elided {
			s.one(&elems[i])
		}
	}
}

func (s *spacing) one(e *element) {
	switch e.kind {
	case attrDictElem, propDictElem:
		// They print their own space.
		s.punct = false
	case spaceElem:
		if e.text != "\n" {
			s.punct = e.text == ""
			s.space = false
		}
	case literalElem:
		s.literal(e)
	case optionalElem:
		var elided *element
		if e.unit >= 0 {
			elided = e.anchor
		}
		s.all(e.then, elided)
		s.all(e.els, elided)
	case oilistElem:
		for i := range e.clauses {
			c := &e.clauses[i]
			s.literal(&c.word)
			if c.unit < 0 {
				s.all(c.elems, nil)
			}
		}
	default:
		e.space = s.space || !s.punct
		s.space, s.punct = true, false
	}
}

func (s *spacing) literal(e *element) {
	e.space = s.space && spaceBefore(e.text, s.punct)
	s.space = len(e.text) != 1 || e.text[0] != '<' && e.text[0] != '(' && e.text[0] != '{' && e.text[0] != '['
	s.punct = !isLetter(e.text[0]) && e.text[0] != '_'
}

// spaceBefore tells whether a literal wants a space before it. Closing
// punctuation never does; opening punctuation does not unless it follows another
// punctuation.
func spaceBefore(lit string, afterPunct bool) bool {
	if len(lit) != 1 && lit != "->" {
		return true
	}
	switch lit[0] {
	case '>', ')', '}', ']', ',':
		return false
	case '<', '(', '{', '[':
		return afterPunct
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// nameResultGroups is how operations with several result groups suggest names
// unless they have a model for it: each group by its name in the definition.
func nameResultGroups(op *ir.Op, name func(v *ir.Value, suggestion string)) {
	for i, r := range op.Def().Results {
		if group := op.ResultGroup(i); r.Name != "" && len(group) > 0 {
			name(group.At(0), r.Name)
		}
	}
}
