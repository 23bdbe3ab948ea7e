package certificate

import (
	"strconv"
	"strings"
	"unicode"
)

// Condition is a condition about the state at the head of a loop: a name, which docs/certificate.md
// explains, or the negation of a condition, or two that are joined.
type Condition struct {
	Op   rune // !, & or |; 0 for a name
	Args []*Condition
	Name string
}

// Pointer is what a pointer may be at the head of a loop: a name, of which Path is the part that is
// chosen where conditions hold (t) or don't (e); or, with a condition, one of two.
type Pointer struct {
	Name, Path string
	If         *Condition
	Then, Else *Pointer
}

// Own returns K of the pointer own:K, -1 if that isn't a number; false for other pointers.
func Own(pointer string) (k int, ok bool) {
	text, ok := strings.CutPrefix(pointer, "own:")
	k, err := strconv.Atoi(text)
	if err != nil {
		k = -1
	}
	return k, ok
}

// parser reads conditions and pointers.
type parser struct {
	rest  string
	depth int // of parentheses, braces and negations
	terms int // names and what is negated or in parentheses
	bad   bool
}

// maxNesting limits the depth of conditions, pointers and orders, maxTerms the size of conditions.
const (
	maxNesting = 500
	maxTerms   = 1 << 16
)

// nest notes that what is read is nested more deeply; it returns false if that is too deep.
func (p *parser) nest() bool {
	p.depth++
	p.terms++
	p.bad = p.bad || p.depth > maxNesting || p.terms > maxTerms
	return !p.bad
}

// ParseCondition reads a condition; nil if it isn't one.
func ParseCondition(text string) *Condition {
	p := &parser{rest: text}
	if c := p.or(); !p.bad && strings.TrimSpace(p.rest) == "" {
		return c
	}
	return nil
}

// ParsePointer reads a pointer; nil if it isn't one.
func ParsePointer(text string) *Pointer {
	p := &parser{rest: text}
	if x := p.pointer(); !p.bad && p.rest == "" {
		return x
	}
	return nil
}

func (p *parser) pointer() *Pointer {
	x := &Pointer{}
	if !p.nest() {
		return x
	}
	defer func() { p.depth-- }()
	if p.accept("{") {
		x.If = p.or()
		p.expect(";")
		x.Then = p.pointer()
		p.expect(";")
		x.Else = p.pointer()
		p.expect("}")
		return x
	}
	if x.Name = p.name(); p.accept("?") {
		x.Path = p.name()
		p.bad = p.bad || strings.Trim(x.Path, "te") != ""
	}
	return x
}

// accept skips a word, if it comes next.
func (p *parser) accept(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), word)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) expect(word string) { p.bad = !p.accept(word) || p.bad }

func (p *parser) or() *Condition {
	c := p.and()
	for !p.bad && p.accept("|") {
		c = &Condition{Op: '|', Args: []*Condition{c, p.and()}}
	}
	return c
}

func (p *parser) and() *Condition {
	c := p.not()
	for !p.bad && p.accept("&") {
		c = &Condition{Op: '&', Args: []*Condition{c, p.not()}}
	}
	return c
}

func (p *parser) not() *Condition {
	if !p.nest() {
		return &Condition{}
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("!"):
		return &Condition{Op: '!', Args: []*Condition{p.not()}}
	case p.accept("("):
		c := p.or()
		p.expect(")")
		return c
	}
	return &Condition{Name: p.name()}
}

func (p *parser) name() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("./^:=@+_-$", r)
	})
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	p.rest, p.bad = p.rest[end:], p.bad || name == ""
	return name
}
