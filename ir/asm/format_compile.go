package asm

import (
	"fmt"
	"strings"

	"freehold/ir"
)

// formatCompiler reads the declarative format of an operation.
type formatCompiler struct {
	def     *ir.OpDef
	dialect *ir.Dialect
	format  *opFormat
	src     string // what follows the next token
	tok     string // the next token, "" at the end
	used    []bool // attributes that the format spells
	nested  int    // directives whose arguments are being read
	base    string // the format of the definition
	owns    []string
}

// advance reads the next token: `literal`, $name, a word, a number, a "string" or
// one character.
func (c *formatCompiler) advance() {
	s := strings.TrimLeft(c.src, " \t\n")
	n := 0
	switch {
	case s == "":
	case s[0] == '`' || s[0] == '"':
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			n = end + 2
		} else {
			n = len(s)
		}
	default:
		if s[0] == '$' {
			n = 1
		}
		for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9' || s[n] == '_' || s[n] == '-') {
			n++
		}
		n = max(n, 1)
	}
	c.tok, c.src = s[:n], s[n:]
}

func (c *formatCompiler) expect(tok string) error {
	if c.tok != tok {
		return fmt.Errorf("expected %q, found %q", tok, c.tok)
	}
	c.advance()
	return nil
}

func (c *formatCompiler) accept(tok string) bool {
	if c.tok != tok {
		return false
	}
	c.advance()
	return true
}

func (c *formatCompiler) elements(end func() bool) ([]element, error) {
	out, _, err := c.anchored(end)
	return out, err
}

// anchored reads elements and returns the position of the one marked ^, or -1.
func (c *formatCompiler) anchored(end func() bool) (out []element, anchor int, err error) {
	anchor = -1
	for !end() {
		if c.tok == "" {
			return nil, 0, fmt.Errorf("unexpected end")
		}
		e, err := c.element()
		if err != nil {
			return nil, 0, err
		}
		if c.accept("^") {
			anchor = len(out)
		}
		out = append(out, e)
	}
	return out, anchor, nil
}

func (c *formatCompiler) element() (element, error) {
	tok := c.tok
	switch {
	case tok == "(":
		return c.optional()
	case tok[0] == '`':
		c.advance()
		return literal(tok)
	case tok[0] == '$':
		return c.variable()
	}
	c.advance()
	switch tok {
	case "attr-dict":
		return element{kind: attrDictElem}, nil
	case "attr-dict-with-keyword":
		return element{kind: attrDictElem, keyword: true}, nil
	case "prop-dict":
		c.format.propDict = true
		return element{kind: propDictElem}, nil
	case "operands":
		if c.nested == 0 {
			c.format.operandsTogether = true
		}
		return element{kind: operandsElem}, nil
	case "results":
		return element{kind: resultsElem}, nil
	case "regions":
		return element{kind: regionsElem}, nil
	case "successors":
		return element{kind: successorsElem}, nil
	case "type", "functional-type", "qualified", "ref":
		return c.directive(tok)
	case "oilist":
		return c.oilist()
	case "custom":
		return c.custom()
	}
	return element{}, fmt.Errorf("unexpected %q", tok)
}

func literal(tok string) (element, error) {
	if len(tok) < 2 || tok[len(tok)-1] != '`' {
		return element{}, fmt.Errorf("unterminated literal %s", tok)
	}
	switch text := tok[1 : len(tok)-1]; text {
	case "", " ":
		return element{kind: spaceElem, text: text}, nil
	case `\n`:
		return element{kind: spaceElem, text: "\n"}, nil
	default:
		return element{kind: literalElem, text: text, word: isLetter(text[0]) || text[0] == '_'}, nil
	}
}

// variable reads $name.
func (c *formatCompiler) variable() (element, error) {
	name := c.tok[1:]
	c.advance()
	if i := c.def.OperandIndex(name); i >= 0 {
		return element{kind: operandElem, index: i, arity: c.def.Operands[i].Arity}, nil
	}
	if i := c.def.ResultIndex(name); i >= 0 {
		return element{kind: resultElem, index: i, arity: c.def.Results[i].Arity}, nil
	}
	if i := c.def.AttrIndex(name); i >= 0 {
		c.used[i] = true
		return element{kind: attrElem, index: i}, nil
	}
	for i := range c.def.Regions {
		if c.def.Regions[i].Name == name {
			return element{kind: regionElem, index: i, arity: variadicIf(c.def.Regions[i].Variadic)}, nil
		}
	}
	for i := range c.def.Successors {
		if c.def.Successors[i].Name == name {
			return element{kind: successorElem, index: i, arity: variadicIf(c.def.Successors[i].Variadic)}, nil
		}
	}
	return element{}, fmt.Errorf("$%s is not declared", name)
}

func variadicIf(b bool) ir.Arity {
	if b {
		return ir.Variadic
	}
	return ir.One
}

// directive reads the arguments of type, functional-type, qualified or ref.
func (c *formatCompiler) directive(name string) (element, error) {
	args, err := c.args()
	if err != nil {
		return element{}, err
	}
	want := 1
	if name == "functional-type" {
		want = 2
	}
	if len(args) != want {
		return element{}, fmt.Errorf("%s takes %d arguments", name, want)
	}
	switch name {
	case "type":
		e := element{kind: typeElem, index: args[0].index, arity: args[0].arity, args: args}
		if args[0].kind == resultsElem {
			c.format.resultsTogether = true
		}
		return e, nil
	case "functional-type":
		if args[1].kind == resultsElem {
			c.format.resultsTogether = true
		}
		return element{kind: functionalElem, args: args}, nil
	case "qualified":
		e := args[0]
		e.qualified = true
		return e, nil
	}
	return args[0], nil // ref, which only custom directives distinguish
}

func (c *formatCompiler) args() ([]element, error) {
	if err := c.expect("("); err != nil {
		return nil, err
	}
	var out []element
	c.nested++
	defer func() { c.nested-- }()
	for {
		e, err := c.element()
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		if !c.accept(",") {
			return out, c.expect(")")
		}
	}
}

// optional reads ( then ) or ( then ) : ( else ), followed by ?.
func (c *formatCompiler) optional() (element, error) {
	e := element{kind: optionalElem, unit: -1}
	start := c.at()
	closed := func() bool { return c.tok == ")" }
	c.advance()
	then, anchor, err := c.anchored(closed)
	if err != nil {
		return e, err
	}
	c.advance()
	e.then = then
	elseAnchor := -1
	if c.accept(":") {
		if err := c.expect("("); err != nil {
			return e, err
		}
		if e.els, elseAnchor, err = c.anchored(closed); err != nil {
			return e, err
		}
		c.advance()
	}
	if err := c.expect("?"); err != nil {
		return e, err
	}
	e.own = c.own(start)
	var group []element
	switch {
	case anchor >= 0:
		group = e.then
	case elseAnchor >= 0:
		group, anchor, e.inverted = e.els, elseAnchor, true
	default:
		return e, fmt.Errorf("an optional group has no anchor")
	}
	e.anchor = &group[anchor]
	if e.anchor.kind == attrElem && c.def.Attrs[e.anchor.index].Type.Kind == ir.UnitKind && anchor > 0 {
		e.unit = e.anchor.index
	}
	if len(e.then) == 0 {
		return e, fmt.Errorf("an optional group is empty")
	}
	return e, nil
}

func (c *formatCompiler) oilist() (element, error) {
	e := element{kind: oilistElem}
	start := c.at() - len("oilist")
	if err := c.expect("("); err != nil {
		return e, err
	}
	for {
		if c.tok == "" || c.tok[0] != '`' {
			return e, fmt.Errorf("a clause of an oilist must start with a literal")
		}
		word, err := literal(c.tok)
		if err != nil {
			return e, err
		}
		c.advance()
		elems, err := c.elements(func() bool { return c.tok == "|" || c.tok == ")" })
		if err != nil {
			return e, err
		}
		cl := clause{word: word, elems: elems, unit: -1}
		if len(elems) == 1 && elems[0].kind == attrElem && c.def.Attrs[elems[0].index].Type.Kind == ir.UnitKind {
			cl.unit = elems[0].index
		}
		e.clauses = append(e.clauses, cl)
		if !c.accept("|") {
			err := c.expect(")")
			e.own = c.own(start)
			return e, err
		}
	}
}

// custom reads <Name>(args...).
func (c *formatCompiler) custom() (element, error) {
	e := element{kind: customElem}
	if err := c.expect("<"); err != nil {
		return e, err
	}
	e.text = c.tok
	c.advance()
	if err := c.expect(">"); err != nil {
		return e, err
	}
	if err := c.expect("("); err != nil {
		return e, err
	}
	for c.tok != ")" {
		a, err := c.customArg()
		if err != nil {
			return e, err
		}
		e.dirArgs = append(e.dirArgs, a)
		if !c.accept(",") {
			break
		}
	}
	if err := c.expect(")"); err != nil {
		return e, err
	}
	dirs, _ := Directives.OfDialect(c.dialect)
	var ok bool
	if e.directive, ok = dirs[e.text]; !ok {
		if e.directive, ok = builtinDirective(e.text); !ok {
			return e, fmt.Errorf("there is no directive custom<%s>", e.text)
		}
	}
	return e, nil
}

func (c *formatCompiler) customArg() (DirectiveArg, error) {
	var a DirectiveArg
	switch {
	case c.tok == "":
		return a, fmt.Errorf("unexpected end")
	case c.tok[0] == '"':
		a.Kind, a.Name = LiteralArg, strings.Trim(c.tok, `"`)
		c.advance()
		return a, nil
	case c.tok[0] >= '0' && c.tok[0] <= '9':
		a.Kind, a.Name = LiteralArg, c.tok
		c.advance()
		return a, nil
	case c.tok == "ref" || c.tok == "type" || c.tok == "qualified":
		outer := c.tok
		c.advance()
		if err := c.expect("("); err != nil {
			return a, err
		}
		a, err := c.customArg()
		if err != nil {
			return a, err
		}
		switch outer {
		case "ref":
			a.Ref = true
		case "type":
			a.Type = true
		}
		return a, c.expect(")")
	case c.tok == "attr-dict":
		c.advance()
		a.Kind = AttrDictArg
		return a, nil
	case c.tok[0] != '$':
		return a, fmt.Errorf("unexpected %q in custom directive", c.tok)
	}
	a.Name = c.tok[1:]
	e, err := c.variable()
	if err != nil {
		return a, err
	}
	a.Index = e.index
	switch e.kind {
	case operandElem:
		a.Kind = OperandArg
	case resultElem:
		a.Kind = ResultArg
	case attrElem:
		a.Kind = AttrArg
	case regionElem:
		a.Kind = RegionArg
	case successorElem:
		a.Kind = SuccessorArg
	}
	return a, nil
}
