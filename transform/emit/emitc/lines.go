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
	lines             []*line
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

// written appends the lines that are needed: a variable that nothing reads is neither defined nor assigned.
func (l *lines) written(b *bytes.Buffer) {
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
	for i, needed := range neededLines(all) {
		n := all[i]
		if !needed {
			continue
		}
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

// neededLines tells which lines are needed. Linear in the length of the text.
func neededLines(all []*line) []bool {
	readers := map[string]int{}
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
	return needed
}

// eachIdentifier calls fn for the identifiers in a line of C.
func eachIdentifier(text string, fn func(name string)) {
	word := func(c byte) bool {
		return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	for i := 0; i < len(text); {
		if !word(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && word(text[i]) {
			i++
		}
		if c := text[start]; c < '0' || c > '9' {
			fn(text[start:i])
		}
	}
}
