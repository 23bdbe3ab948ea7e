package lsp

import (
	"strings"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// statement is an operation as far as it is written up to the cursor. It is found in the text: while one types, the parser knows little
// about it.
type statement struct {
	def  *ir.OpDef
	name string
	text string // from behind the name to the cursor
	// inside are the brackets that are open at the cursor, the innermost last.
	inside []bracket
	quoted bool // the cursor is in a string
	groups bool // its operands stand in ins(…) and outs(…), which no format says
}

// bracket is an open bracket.
type bracket struct {
	kind byte
	// before is what stands before it: of "fastmath<", "fastmath".
	before string
	// item is what stands in it since its last comma; open and start are where the bracket and the item begin.
	item        string
	open, start int
}

// farthest is how many lines above the cursor the name of an operation may stand.
const farthest = 30

// opening matches the line in which an operation begins, up to behind its name.
var opening = lazyregexp.New(`^\s*(?:%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*\s*=\s*)?"?([A-Za-z_]\w*(?:\.\w[\w$.]*)?)"?(?:\s|[(<{@]|$)`)

// statementAt returns the operation whose text an offset is in, behind its name.
func (d *document) statementAt(p *piece, offset int) (statement, bool) {
	line := d.position(offset).Line
	for n := line; n >= 0 && n > line-farthest && d.starts[n] >= p.start; n-- {
		until := min(offset, d.starts[n]+len(d.line(n)))
		m := opening().FindStringSubmatchIndex(d.src[d.starts[n]:until])
		if m == nil {
			continue
		}
		name := d.src[d.starts[n]+m[2] : d.starts[n]+m[3]]
		op := p.session.Context.OpName(name)
		for _, dialect := range []string{"func.", "builtin."} {
			if op == nil && !strings.Contains(name, ".") {
				op = p.session.Context.OpName(dialect + name)
			}
		}
		if op == nil || !op.Registered() {
			continue
		}
		out := statement{def: op.Def(), name: op.String(), text: d.src[d.starts[n]+m[3] : offset]}
		_, destination := interfaces.DestinationStyle.OfName(op)
		out.groups = destination && out.def.Format == "" && strings.HasPrefix(out.name, "linalg.")
		out.text = strings.TrimPrefix(out.text, `"`)
		out.scan()
		return out, true
	}
	return statement{}, false
}

// scan finds the brackets that are open.
func (s *statement) scan() {
	word := 0 // where the word before the next bracket starts
	for i := 0; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '"':
			i++
			for i < len(s.text) && s.text[i] != '"' && s.text[i] != '\n' {
				if s.text[i] == '\\' {
					i++
				}
				i++
			}
			s.quoted = i >= len(s.text)
		case '/':
			if strings.HasPrefix(s.text[i:], "//") {
				for i+1 < len(s.text) && s.text[i+1] != '\n' {
					i++
				}
			}
		case '(', '[', '{', '<':
			s.inside = append(s.inside, bracket{kind: c, before: strings.TrimSpace(s.text[word:i]), open: i, start: i + 1})
			word = i + 1
		case ')', ']', '}', '>':
			if n := len(s.inside); n > 0 && s.inside[n-1].kind == openingOf(c) && (c != '>' || s.text[i-1] != '-') {
				s.inside = s.inside[:n-1]
			}
			word = i + 1
		case ',':
			if n := len(s.inside); n > 0 {
				s.inside[n-1].start = i + 1
			}
			word = i + 1
		case ' ', '\t', '\n', '=', ':':
			word = i + 1
		}
	}
	for i := range s.inside {
		s.inside[i].item = s.text[s.inside[i].start:]
	}
}

// openingOf returns the bracket that another one closes.
func openingOf(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	}
	return '<'
}

// innermost returns the innermost bracket; its kind is 0 if none is open.
func (s *statement) innermost() bracket {
	if n := len(s.inside); n > 0 {
		return s.inside[n-1]
	}
	return bracket{}
}

// dictionary returns the innermost dictionary of attributes around the cursor.
func (s *statement) dictionary() (bracket, bool) {
	for i := len(s.inside) - 1; i >= 0; i-- {
		if s.inside[i].kind == '{' {
			return s.inside[i], true
		}
	}
	return bracket{}, false
}

// key returns the name of the attribute whose value is being written in the dictionary around the cursor; "" if none is.
func (s *statement) key() string {
	if b, ok := s.dictionary(); ok {
		if name, _, ok := strings.Cut(b.item, "="); ok {
			return strings.Trim(strings.TrimSpace(name), `"`)
		}
	}
	return ""
}

// attribute returns the declaration of an attribute; nil if the operation has none of the name.
func (s *statement) attribute(name string) *ir.AttrDef {
	for i := range s.def.Attrs {
		if a := &s.def.Attrs[i]; a.Name == name {
			return a
		}
	}
	return nil
}
