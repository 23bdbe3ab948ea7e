package emitc

import (
	"bytes"
	"strings"
)

// lineKind says what may be left out when nothing reads what a line writes.
type lineKind uint8

const (
	// statement lines stay.
	statement lineKind = iota
	// definition lines define a variable, and do nothing else.
	definition
	// assignment lines give a variable a value, and do nothing else.
	assignment
	// label lines are the target of goto.
	label
	// group lines stand for the lines in them.
	group
)

// line is a line of a function, or a group of them.
type line struct {
	kind   lineKind
	indent int
	// name is what a definition defines, an assignment assigns and a label is called; text is the whole line, and reads the part of it in
	// which names stand for values that are read.
	name, text, reads string
	// fixed definitions define what never changes.
	fixed bool
	lines []*line
}

// lines are the lines of a function in the making. What is written goes to the end of the innermost open group.
type lines struct {
	root *line
	// open are the groups that are not closed yet.
	open   []*line
	indent int
}

func newLines() *lines {
	root := &line{kind: group}
	return &lines{root: root, open: []*line{root}, indent: 1}
}

func (l *lines) add(n *line) *line {
	n.indent = l.indent
	at := l.open[len(l.open)-1]
	at.lines = append(at.lines, n)
	return n
}

// group adds an empty group, which stays at this place while lines are added behind it.
func (l *lines) group() *line { return l.add(&line{kind: group}) }

// in has what fn adds go into a group that was added before.
func (l *lines) in(g *line, fn func()) {
	l.open = append(l.open, g)
	indent := l.indent
	l.indent = g.indent
	fn()
	l.indent = indent
	l.open = l.open[:len(l.open)-1]
}

// finished returns the lines that are needed: a variable that nothing reads is neither defined nor assigned. Parameters that nothing reads are mentioned, so that compilers don't.
func (l *lines) finished(params []string) []*line {
	kept, readers := l.needed()
	var first []*line
	for _, p := range params {
		if readers[p] == 0 {
			first = append(first, &line{indent: 1, text: "(void)" + p + ";", reads: "(void)" + p + ";"})
		}
	}
	return inlined(append(first, kept...), readers)
}

// writeLines appends lines.
func writeLines(b *bytes.Buffer, all []*line) {
	for _, n := range all {
		depth := n.indent
		if n.kind == label || strings.HasPrefix(n.text, "#") {
			depth = 0
		}
		for range depth {
			b.WriteString("  ")
		}
		b.WriteString(n.text)
		b.WriteByte('\n')
	}
}

// needed lists the lines that are needed, in their order, and tells how often they read names.
func (l *lines) needed() (kept []*line, readers map[string]int) {
	var all []*line
	var flatten func(g *line)
	flatten = func(g *line) {
		for _, n := range g.lines {
			if n.kind == group {
				flatten(n)
			} else {
				all = append(all, n)
			}
		}
	}
	flatten(l.root)
	needed, readers := neededLines(all)
	for i, is := range needed {
		if is {
			kept = append(kept, all[i])
		}
	}
	return kept, readers
}

// inlined returns the lines with the values of constants that only the next line reads in place of their names.
func inlined(all []*line, readers map[string]int) []*line {
	out := make([]*line, 0, len(all))
	for _, n := range all {
		n = n.tidied()
		for len(out) > 0 {
			last := out[len(out)-1]
			if last.kind != definition || !last.fixed || readers[last.name] != 1 || last.indent != n.indent || !n.takes(last) {
				break
			}
			out = out[:len(out)-1]
			n = n.with(last.name, last.reads)
		}
		out = append(out, n)
	}
	return out
}

// longest is how long a line may become by the values of constants in it.
const longest = 100

// takes tells whether the value of a definition may stand in a line in place of its name.
func (l *line) takes(d *line) bool {
	return l.kind != label && !strings.HasPrefix(l.text, "for (") && mentions(l.reads, d.name) && len(l.text)+len(d.reads) < longest
}

// with returns the line with a value in place of a name.
func (l *line) with(name, value string) *line {
	in := func(text string) string {
		var b strings.Builder
		at := 0
		for {
			k := strings.Index(text[at:], name)
			if k < 0 {
				b.WriteString(text[at:])
				return b.String()
			}
			k += at
			end := k + len(name)
			b.WriteString(text[at:k])
			if k > 0 && (isWord(text[k-1]) || text[k-1] == '.') || end < len(text) && isWord(text[end]) {
				b.WriteString(name)
			} else {
				b.WriteString(bracketed(text[:k], value, text[end:]))
			}
			at = end
		}
	}
	return l.reading(tidied(in(l.reads)))
}

// tidied returns the line without needless parentheses.
func (l *line) tidied() *line {
	if e := tidied(l.reads); e != l.reads {
		return l.reading(e)
	}
	return l
}

// reading returns the line with other text in place of what it reads.
func (l *line) reading(e string) *line {
	n := *l
	n.reads = e
	if l.kind == statement {
		n.text = e
	} else {
		n.text = strings.TrimSuffix(l.text, l.reads+";") + e + ";"
	}
	return &n
}

// bracketed returns a value as it stands between two pieces of text: in parentheses, if it has to.
func bracketed(before, value, after string) string {
	alone := before == "" || strings.HasSuffix(before, " = ") || strings.HasSuffix(before, "return ") || strings.HasSuffix(before, "if (") ||
		strings.HasSuffix(before, "(") && isCall(before)
	ends := after == "" || after[0] == ';' || after[0] == ')' || after[0] == ','
	if alone && ends || strings.HasSuffix(before, ", ") && ends || isPrimary(value) {
		return value
	}
	if rest, ok := afterCast(value); ok && isPrimary(rest) && (after == "" || after[0] != '.' && after[0] != '[') {
		return value
	}
	return "(" + value + ")"
}

// isCall tells whether text ends with the beginning of a call.
func isCall(text string) bool { return len(text) > 1 && isWord(text[len(text)-2]) }

// afterCast returns what is behind the casts at the beginning of an expression, and whether there are some.
func afterCast(e string) (rest string, ok bool) {
	for strings.HasPrefix(e, "(") {
		end := strings.IndexByte(e, ')')
		if end < 0 || !isTypeName(e[1:end]) {
			return e, ok
		}
		e, ok = e[end+1:], true
	}
	return e, ok
}

// isTypeName tells whether text is the name of a type of C, as casts to numbers have it.
func isTypeName(text string) bool {
	return text == "float" || text == "double" || strings.HasSuffix(text, "_t") && isAtom(text)
}

// isPrimary tells whether an expression is a name, a number, an element or a call.
func isPrimary(e string) bool {
	depth := 0
	for i := range len(e) {
		switch c := e[i]; {
		case c == '(' || c == '[':
			if i == 0 {
				return false
			}
			depth++
		case c == ')' || c == ']':
			depth--
		case depth == 0 && !isWord(c) && c != '.':
			return false
		}
	}
	return true
}

// neededLines tells which lines are needed, and how often these read names. Linear in the length of the text.
func neededLines(all []*line) ([]bool, map[string]int) {
	readers := make(map[string]int, len(all))
	for _, n := range all {
		eachIdentifier(n.reads, func(name string) { readers[name]++ })
	}
	writers := map[string][]int{}
	needed := make([]bool, len(all))
	var dead []string
	for i, n := range all {
		needed[i] = true
		if n.kind == statement {
			continue
		}
		if writers[n.name] == nil && readers[n.name] == 0 {
			dead = append(dead, n.name)
		}
		writers[n.name] = append(writers[n.name], i)
	}
	for len(dead) > 0 {
		name := dead[len(dead)-1]
		dead = dead[:len(dead)-1]
		for _, i := range writers[name] {
			if !needed[i] {
				continue
			}
			needed[i] = false
			eachIdentifier(all[i].reads, func(read string) {
				if readers[read]--; readers[read] == 0 && writers[read] != nil {
					dead = append(dead, read)
				}
			})
		}
	}
	return needed, readers
}

// eachIdentifier calls fn for the identifiers in a line of C.
func eachIdentifier(text string, fn func(name string)) {
	eachIdentifierAt(text, func(start, end int) { fn(text[start:end]) })
}

// eachIdentifierAt calls fn with where they are.
func eachIdentifierAt(text string, fn func(start, end int)) {
	for i := 0; i < len(text); {
		if !isWord(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isWord(text[i]) {
			i++
		}
		// A digit begins a number, and a dot comes before a member.
		if c := text[start]; (c < '0' || c > '9') && (start == 0 || text[start-1] != '.') {
			fn(start, i)
		}
	}
}

// replaceIdentifiers returns a line of C with other names for the identifiers in it.
func replaceIdentifiers(text string, fn func(name string) string) string {
	var b strings.Builder
	done := 0
	eachIdentifierAt(text, func(start, end int) {
		b.WriteString(text[done:start])
		b.WriteString(fn(text[start:end]))
		done = end
	})
	b.WriteString(text[done:])
	return b.String()
}

// isWord tells whether a character is part of identifiers and numbers.
func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
