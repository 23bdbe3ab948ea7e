package lsp

import (
	"slices"
	"strings"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/tool/explain"
	"freehold/transform/bufferize/oneshot"
)

// adviceAt returns the edits that follow the advice about what is copied or allocated in a line, as far as an edit can.
func (s *Server) adviceAt(d *document, at position) []codeAction {
	p, _ := d.at(d.offset(at))
	var out []codeAction
	items, _ := s.explainedSoon(d, p)
	for _, i := range items {
		place, ok := d.place(p, i.At.Loc)
		if !ok || !i.Remains() || d.position(place).Line != at.Line {
			continue
		}
		for _, a := range i.Advice {
			var edits []textEdit
			switch a.Kind {
			case "reorder":
				edits = d.moveReader(p, i)
			case "attribute":
				if i.Cause == explain.Cause(oneshot.ReadOnlyArgument.String()) {
					edits = d.dropReadOnly(p, i)
				}
			case "option", "pass":
				edits = d.addToRun(a)
			}
			if edits != nil {
				text := strings.ReplaceAll(a.Text, "`", "")
				if a.Name != "" {
					text = "use " + a.Name + ": " + text
				}
				title := "Avoid it: " + text
				out = append(out, codeAction{Title: title, Kind: "quickfix", Edit: &workspaceEdit{map[string][]textEdit{d.uri: edits}}})
			}
		}
	}
	return out
}

// opAt returns the operation at a location.
func (d *document) opAt(p *piece, l ir.Location) *ir.Op {
	want, ok := ir.SourcePos(l)
	if !ok {
		return nil
	}
	for i := range p.tokens {
		if t := &p.tokens[i]; t.Kind == asm.OpToken && t.Op != nil {
			if pos, ok := ir.SourcePos(t.Op.Loc()); ok && pos.Line == want.Line && pos.Col == want.Col {
				return t.Op
			}
		}
	}
	return nil
}

// lines returns the lines of an operation: those up to the next one, without blank ones and comments in front of that.
func (d *document) lines(p *piece, op *ir.Op) (from, to int, ok bool) {
	next := op.Next()
	if next == nil {
		return 0, 0, false
	}
	start, ok := d.place(p, op.Loc())
	end, also := d.place(p, next.Loc())
	if !ok || !also {
		return 0, 0, false
	}
	from, to = d.position(start).Line, d.position(end).Line
	if !d.startsLine(start) || !d.startsLine(end) || from >= to {
		return 0, 0, false
	}
	for to > from+1 {
		if l := strings.TrimSpace(d.line(to - 1)); l != "" && !strings.HasPrefix(l, "//") {
			break
		}
		to--
	}
	return from, to, true
}

// startsLine tells whether only the names of results are in front of an operation's name in its line.
func (d *document) startsLine(offset int) bool {
	n := d.position(offset).Line
	before := strings.TrimSpace(d.src[d.starts[n]:offset])
	return before == "" || before[0] == '%' && strings.IndexByte(before, '=') == len(before)-1
}

// moveReader moves what reads old contents in front of what overwrites them.
func (d *document) moveReader(p *piece, i *explain.Item) []textEdit {
	var reader, writer *ir.Op
	for _, n := range i.Notes {
		switch n.Role {
		case explain.TheRead:
			reader = d.opAt(p, n.Loc)
		case explain.TheWrite:
			writer = d.opAt(p, n.Loc)
		}
	}
	if writer == nil {
		writer = d.opAt(p, i.At.Loc)
	}
	if reader == nil || writer == nil || reader.Block() != writer.Block() || !writer.IsBefore(reader) {
		return nil
	}
	from, to, ok := d.lines(p, reader)
	before, _, also := d.lines(p, writer)
	if !ok || !also {
		return nil
	}
	text := d.src[d.starts[from]:d.starts[to]]
	gone := span{position{Line: from}, position{Line: to}}
	here := position{Line: before}
	return []textEdit{{span{here, here}, text}, {gone, ""}}
}

// dropReadOnly removes the attribute that says that an argument may not be written.
func (d *document) dropReadOnly(p *piece, i *explain.Item) []textEdit {
	const attribute = bufferization.WritableAttr + " = false"
	for _, n := range i.Notes {
		if n.Role != explain.TheDefinition {
			continue
		}
		at, ok := d.place(p, n.Loc)
		if !ok {
			continue
		}
		line := d.position(at).Line
		text := d.line(line)
		from := at - d.starts[line]
		k := strings.Index(text[min(from, len(text)):], attribute)
		if k < 0 {
			continue
		}
		from += k
		to := from + len(attribute)
		// The braces go with the only attribute, a comma with one of several.
		left, right := strings.TrimRight(text[:from], " "), strings.TrimLeft(text[to:], " ")
		switch {
		case strings.HasSuffix(left, "{") && strings.HasPrefix(right, "}"):
			from, to = len(strings.TrimRight(left[:len(left)-1], " ")), len(text)-len(right)+1
		case strings.HasPrefix(right, ","):
			to = len(text) - len(strings.TrimLeft(right[1:], " "))
		case strings.HasSuffix(left, ","):
			from = len(left) - 1
		}
		return []textEdit{{d.span(d.starts[line]+from, d.starts[line]+to), ""}}
	}
	return nil
}

// addToRun adds an option to the one-shot-bufferize of the RUN line, or a pass next to it.
func (d *document) addToRun(a explain.Advice) []textEdit {
	r, ok := d.runLine()
	if !ok || a.Name == "" {
		return nil
	}
	stages := r.stages(d.pieces[0].session.Passes)
	n := slices.IndexFunc(stages, func(st stage) bool { return st.name == oneshot.Pass.Name })
	if n < 0 {
		return nil
	}
	name, options := splitPass(a.Name)
	if a.Kind == "option" {
		name, options = splitPass(stages[n].text)
		changed := withOption(options, a.Name)
		if changed == options {
			return nil
		}
		return []textEdit{d.replaceInRun(r, stages[n].wordFrom, stages[n].wordTo, flagOf(name, changed))}
	}
	if slices.ContainsFunc(stages, func(st stage) bool { return st.name == name }) {
		return nil
	}
	if at := stages[n].wordTo; a.After {
		return []textEdit{d.replaceInRun(r, at, at, " "+flagOf(name, options))}
	}
	at := stages[n].wordFrom
	return []textEdit{d.replaceInRun(r, at, at, flagOf(name, options)+" ")}
}

// replaceInRun replaces a part of the RUN line.
func (d *document) replaceInRun(r runLine, from, to int, text string) textEdit {
	start := d.starts[r.line]
	return textEdit{d.span(start+from, start+to), text}
}

// splitPass splits pass{options}.
func splitPass(text string) (name, options string) {
	name, options, _ = strings.Cut(text, "{")
	return name, strings.TrimSuffix(options, "}")
}

// withOption adds an option to others, in the place of the one that has its name.
func withOption(options, added string) string {
	list := strings.Fields(options)
	name, _, _ := strings.Cut(added, "=")
	n := slices.IndexFunc(list, func(o string) bool { return o == name || strings.HasPrefix(o, name+"=") })
	if n < 0 {
		return strings.Join(append(list, added), " ")
	}
	list[n] = added
	return strings.Join(list, " ")
}

// flagOf returns a pass as a flag of a command line.
func flagOf(name, options string) string {
	switch {
	case options == "":
		return "--" + name
	case strings.Contains(options, " "):
		return "--" + name + `="` + options + `"`
	}
	return "--" + name + "=" + options
}
