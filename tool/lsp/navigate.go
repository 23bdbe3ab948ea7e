package lsp

import (
	"strings"

	"freehold/ir/asm"
)

// same tells whether two names stand for the same thing.
func (d *document) same(p *piece, a, b *asm.Token) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case asm.ValueToken:
		return a.Value != nil && a.Value == b.Value
	case asm.BlockToken:
		return a.Block != nil && a.Block == b.Block
	case asm.SymbolToken:
		// Names of symbols are those of the table around; nested tables are rare, and what is
		// called alike in them is taken to be the same.
		return d.tokenText(p, a) == d.tokenText(p, b)
	}
	return false
}

// occurrences returns where what the name stands for is named.
func (d *document) occurrences(p *piece, t *asm.Token, definitions, uses bool) []span {
	var out []span
	for i := range p.tokens {
		x := &p.tokens[i]
		if d.same(p, t, x) && (x.Def && definitions || !x.Def && uses) {
			out = append(out, d.tokenSpan(p, x))
		}
	}
	return out
}

func (d *document) locations(spans []span) []location {
	out := []location{}
	for _, s := range spans {
		out = append(out, location{d.uri, s})
	}
	return out
}

// definition returns where the name at a position is defined.
func (d *document) definition(at position) []location {
	p, t := d.token(at)
	if t == nil {
		return d.aliasDefinition(at)
	}
	return d.locations(d.occurrences(p, t, true, false))
}

// references returns where the name at a position is used.
func (d *document) references(at position, definitions bool) []location {
	p, t := d.token(at)
	if t == nil {
		name, p := d.alias(at)
		if name == "" {
			return []location{}
		}
		return d.locations(d.aliasPlaces(p, name, definitions, true))
	}
	return d.locations(d.occurrences(p, t, definitions, true))
}

// rename returns the edits that rename what is at a position; nil if the new name isn't one.
func (d *document) rename(at position, name string) (*workspaceEdit, string) {
	p, t := d.token(at)
	if t == nil || t.Kind == asm.OpToken || t.Kind == asm.AttrToken {
		return nil, "there is nothing here that can be renamed"
	}
	sigil := d.tokenText(p, t)[:1]
	name = strings.TrimPrefix(name, sigil)
	if !isName(name, t.Kind == asm.ValueToken || t.Kind == asm.BlockToken) {
		return nil, "this isn't a name"
	}
	for i := range p.tokens {
		if x := &p.tokens[i]; x.Kind == t.Kind && x.Def && d.tokenText(p, x) == sigil+name && !d.same(p, t, x) && (t.Kind != asm.ValueToken || x.Op == nil || t.Op == nil || sameScope(x, t)) {
			return nil, sigil + name + " is there already"
		}
	}
	var edits []textEdit
	for _, s := range d.occurrences(p, t, true, true) {
		edits = append(edits, textEdit{s, sigil + name})
	}
	return &workspaceEdit{map[string][]textEdit{d.uri: edits}}, ""
}

// sameScope tells whether two values may see each other: they are in the same isolated
// operation.
func sameScope(a, b *asm.Token) bool {
	if a.Value == nil || b.Value == nil {
		return true
	}
	ra, rb := a.Value.ParentRegion(), b.Value.ParentRegion()
	return ra == nil || rb == nil || ra.IsAncestorOf(rb) || rb.IsAncestorOf(ra)
}

func isName(s string, digits bool) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '.' || c == '-'
		digit := c >= '0' && c <= '9'
		if !letter && !(digit && (i > 0 || digits)) {
			return false
		}
	}
	return true
}

// alias returns the name of an alias of a type or an attribute at a position, or "".
func (d *document) alias(at position) (string, *piece) {
	offset := d.offset(at)
	start, end := offset, offset
	for start > 0 && isAliasByte(d.src[start-1]) {
		start--
	}
	for end < len(d.src) && isAliasByte(d.src[end]) {
		end++
	}
	if start == 0 || start == end || d.src[start-1] != '!' && d.src[start-1] != '#' {
		return "", nil
	}
	p, _ := d.at(offset)
	return d.src[start-1 : end], p
}

func isAliasByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.'
}

// aliasPlaces returns where an alias is defined and used.
func (d *document) aliasPlaces(p *piece, name string, definitions, uses bool) []span {
	var out []span
	src := d.src[p.start:p.end]
	for from := 0; ; {
		i := strings.Index(src[from:], name)
		if i < 0 {
			return out
		}
		i += from
		from = i + len(name)
		if from < len(src) && isAliasByte(src[from]) {
			continue
		}
		line := src[strings.LastIndexByte(src[:i], '\n')+1 : i]
		def := strings.TrimSpace(line) == "" && strings.HasPrefix(strings.TrimLeft(src[from:], " \t"), "=")
		if comment := strings.Contains(line, "//"); !comment && (def && definitions || !def && uses) {
			out = append(out, d.span(p.start+i, p.start+from))
		}
	}
}

func (d *document) aliasDefinition(at position) []location {
	name, p := d.alias(at)
	if name == "" {
		return []location{}
	}
	return d.locations(d.aliasPlaces(p, name, true, false))
}
