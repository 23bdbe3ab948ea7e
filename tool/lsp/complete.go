package lsp

import (
	"slices"
	"strings"

	"freehold/ir/asm"
)

// mostItems bounds how many completions are sent.
const mostItems = 1000

// complete returns what may stand at a position: after % the values, after ^ the blocks, after
// @ the symbols, after ! and # the aliases, elsewhere types, attributes, keywords or operations; passes and their options in RUN lines.
func (d *document) complete(at position) completionList {
	offset := d.offset(at)
	start := offset
	for start > 0 && (isAliasByte(d.src[start-1]) || d.src[start-1] == '-') {
		start--
	}
	prefix := d.src[start:offset]
	sigil := byte(0)
	if start > 0 {
		sigil = d.src[start-1]
	}
	p, in := d.at(offset)
	list := completionList{Items: []completionItem{}}
	add := func(i completionItem) {
		if len(list.Items) == mostItems {
			list.IsIncomplete = true
			return
		}
		list.Items = append(list.Items, i)
	}
	if r, ok := d.runLineAt(at.Line); ok {
		d.completeRun(r, offset-d.starts[r.line], add)
		return list
	}
	kinds := map[byte]asm.TokenKind{'%': asm.ValueToken, '^': asm.BlockToken, '@': asm.SymbolToken}
	kind, named := kinds[sigil]
	switch {
	case named:
		seen := map[string]bool{}
		// The closest values come first.
		for _, part := range slices.Backward(d.parts(p)) {
			for i := len(part.tokens) - 1; i >= 0 && !list.IsIncomplete; i-- {
				t := &part.tokens[i]
				if t.Kind != kind || !t.Def || kind == asm.ValueToken && t.Start+part.shift >= in {
					continue
				}
				name := part.src[t.Start+1 : t.End]
				if seen[name] || !strings.HasPrefix(name, prefix) {
					continue
				}
				seen[name] = true
				item := completionItem{Label: name, Kind: itemValue}
				if t.Value != nil {
					item.Detail = t.Value.Type().String()
				}
				add(item)
			}
		}
	case sigil == '!' || sigil == '#':
		for _, name := range d.aliases(p, sigil) {
			if strings.HasPrefix(name, prefix) {
				add(completionItem{Label: name, Kind: itemSymbol})
			}
		}
		for _, name := range p.session.Context.TypeNames() {
			if sigil == '!' && strings.HasPrefix(name, prefix) {
				add(completionItem{Label: name, Kind: itemType, Detail: "type of " + name[:strings.IndexByte(name, '.')]})
			}
		}
	case d.completeWords(p, start, prefix, add):
	case sigil == '"' || startsOperation(d.src[d.lineStart(at.Line):start]):
		for _, n := range p.session.Context.OpNames() {
			name := n.String()
			if !strings.HasPrefix(name, prefix) {
				continue
			}
			// Editors replace the word at the cursor, which to some of them starts after the dot.
			add(completionItem{Label: name, Kind: itemFunction, Detail: syntax(name)})
		}
	}
	return list
}

// startsOperation tells whether an operation's name may follow the start of a line.
func startsOperation(before string) bool {
	before = strings.TrimSpace(before)
	return before == "" || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "{")
}

func syntax(name string) string {
	dialect, _, _ := strings.Cut(name, ".")
	return "operation of " + dialect
}

// aliases returns the names of the aliases that a piece defines, without the sigil.
func (d *document) aliases(p *piece, sigil byte) (out []string) {
	for line := range strings.Lines(d.src[p.start:p.end]) {
		name, rest, ok := strings.Cut(line, "=")
		if !ok || name == "" || name[0] != sigil || rest == "" {
			continue
		}
		if name = strings.TrimSpace(name[1:]); name != "" && strings.IndexFunc(name, func(r rune) bool { return r > 127 || !isAliasByte(byte(r)) }) < 0 {
			out = append(out, name)
		}
	}
	return out
}
