package lsp

import (
	"strings"

	"freehold/ir"
)

// indentation is that of a nested operation relative to the one around it.
const indentation = 2

// format returns the edits that indent operations by how deep they are nested, and take blanks at
// the ends of lines away. The further lines of an operation move with its first one. Nothing else
// changes: comments, blank lines and the way in which users break lines are theirs. Pieces with
// errors stay as they are. Only lines from first to last are edited.
func (d *document) format(first, last int) []textEdit {
	edits := []textEdit{}
	for _, p := range d.pieces {
		if p.program == nil {
			continue
		}
		begins := d.begins(p)
		start, end := d.position(p.start).Line, d.position(p.end).Line
		shift, base := 0, 0 // base is the indentation of the operation at work
		var open []int      // those of the operations whose braces are open
		for n := start; n <= end && n < len(d.starts); n++ {
			line := d.line(n)
			body := strings.TrimLeft(line, " \t")
			width := len(line) - len(body)
			depth, isFirst := begins[n]
			switch {
			case isFirst:
				shift = depth*indentation - width
			case strings.HasPrefix(body, "}") && len(open) > 0:
				shift = open[len(open)-1] - width
			case strings.HasPrefix(body, "^") && len(open) > 0:
				shift = open[len(open)-1] - width
			case strings.HasPrefix(body, "//"):
				// A comment goes with what it stands before.
				if next, ok := nextDepth(begins, n, end); ok {
					shift = next*indentation - width
				}
			}
			indent := max(width+shift, 0)
			if isFirst || strings.HasPrefix(body, "}") {
				base = indent
			}
			open = openAfter(open, body, base)
			formatted := strings.TrimRight(strings.Repeat(" ", indent)+body, " \t")
			if body == "" {
				formatted = ""
			}
			if formatted != line && n >= first && n <= last {
				at := d.starts[n]
				edits = append(edits, textEdit{d.span(at, at+len(line)), formatted})
			}
		}
	}
	return edits
}

// nextDepth returns how deep the operation is nested that begins in the next line that is no
// comment, if one does.
func nextDepth(begins map[int]int, n, end int) (int, bool) {
	for k := n + 1; k <= min(end, n+50); k++ {
		if depth, ok := begins[k]; ok {
			return depth, true
		}
	}
	return 0, false
}

// begins returns the lines in which operations begin, with nothing before them, and how deep those
// are nested.
func (d *document) begins(p *piece) map[int]int {
	lines := map[int]int{}
	var walk func(op *ir.Op, depth int)
	walk = func(op *ir.Op, depth int) {
		if offset, ok := d.place(p, op.Loc()); ok {
			at := d.position(offset).Line
			before := strings.TrimSpace(d.src[d.starts[at]:max(offset, d.starts[at])])
			if _, taken := lines[at]; !taken && (before == "" || strings.HasPrefix(before, "%") && strings.HasSuffix(before, "=")) {
				lines[at] = depth
			}
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for inner := range b.Ops() {
					walk(inner, depth+1)
				}
			}
		}
	}
	module := p.program.Module
	if offset, ok := d.place(p, module.Loc()); ok && strings.HasPrefix(d.src[offset:], "module") || ok && strings.HasPrefix(d.src[offset:], ir.ModuleName) {
		walk(module, 0)
		return lines
	}
	// The module is not in the text.
	for op := range module.BodyBlock(0).Ops() {
		walk(op, 0)
	}
	return lines
}

// openAfter returns the braces that are open behind a line of an operation that is indented so much.
func openAfter(open []int, line string, indent int) []int {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '/' && strings.HasPrefix(line[i:], "//"):
			return open
		case c == '{':
			open = append(open, indent)
		case c == '}' && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	return open
}
