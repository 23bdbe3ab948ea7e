package lsp

import (
	"fmt"
	"strings"

	"freehold/pass"
)

// runLine is a comment that says with which command a test runs the file: `// RUN: freehold opt --cse %s`.
type runLine struct {
	line int
	text string // the whole line
	from int    // where the command starts
}

// runLineAt returns the line with that number, if it is a RUN line.
func (d *document) runLineAt(n int) (runLine, bool) {
	text := d.line(n)
	rest := strings.TrimLeft(text, " \t")
	if !strings.HasPrefix(rest, "//") {
		return runLine{}, false
	}
	i := strings.Index(text, "RUN:")
	if i < 0 {
		return runLine{}, false
	}
	return runLine{n, text, i + len("RUN:")}, true
}

// runLine returns the document's first RUN line.
func (d *document) runLine() (runLine, bool) {
	for n := range d.starts {
		if r, ok := d.runLineAt(n); ok {
			return r, true
		}
	}
	return runLine{}, false
}

func isPassByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// word returns the start and the end of the name around a byte of the line, without the hyphens of a flag.
func (r runLine) word(at int) (start, end int) {
	at = min(at, len(r.text))
	start, end = at, at
	for start > r.from && isPassByte(r.text[start-1]) {
		start--
	}
	for end < len(r.text) && isPassByte(r.text[end]) {
		end++
	}
	for start < end && r.text[start] == '-' {
		start++
	}
	return start, end
}

// passAround returns the name of the pass in whose options a byte of the line is: {…} in a pipeline, or behind the = of a
// flag.
func (r runLine) passAround(at int) string {
	depth := 0
	for i := at - 1; i >= r.from; i-- {
		switch c := r.text[i]; {
		case c == '}':
			depth++
		case c == '{' && depth > 0:
			depth--
		case c == '{':
			start, end := r.word(i)
			return r.text[start:end]
		case c == '=' && depth == 0:
			start, end := r.word(i)
			if start >= 2 && r.text[start-2:start] == "--" && r.text[start:end] != "pass-pipeline" {
				return r.text[start:end]
			}
		case c == ' ' && depth == 0 && strings.Count(r.text[r.from:i], `"`)%2 == 0 && strings.Count(r.text[r.from:i], "'")%2 == 0:
			return ""
		}
	}
	return ""
}

// described is what has a name, help and options: a pass or a pipeline.
type described struct {
	*pass.Info
	kind    string
	options []*pass.Option
}

// passes returns all passes and pipelines of a registry.
func passes(r *pass.Registry) []described {
	var out []described
	for _, p := range r.Passes() {
		out = append(out, described{&p.Info, "pass", nil})
	}
	for _, p := range r.Pipelines() {
		out = append(out, described{&p.Info, "pipeline", nil})
	}
	return out
}

// lookUp returns a pass or pipeline by its name.
func lookUp(r *pass.Registry, name string) (described, bool) {
	if p := r.Pass(name); p != nil {
		return described{&p.Info, "pass", p.Options()}, true
	}
	if p := r.Pipeline(name); p != nil {
		return described{&p.Info, "pipeline", p.Options()}, true
	}
	return described{}, false
}

// optionHelp says what an option is.
func optionHelp(o *pass.Option) string {
	text := fmt.Sprintf("`%s`: %s", o.Name, o.Help)
	if o.Default != "" {
		text += fmt.Sprintf(" (default `%s`)", o.Default)
	}
	for _, c := range o.Cases {
		text += fmt.Sprintf("\n- `%s`: %s", c.Name, c.Help)
	}
	return text
}

// hoverRun says what the pass or option at a byte of a RUN line is.
func (d *document) hoverRun(r runLine, at int) *hover {
	start, end := r.word(at)
	name := r.text[start:end]
	registry := d.pieces[0].session.Passes
	in := d.span(d.starts[r.line]+start, d.starts[r.line]+end)
	if p, ok := lookUp(registry, r.passAround(at)); ok {
		for _, o := range p.options {
			if o.Name == name {
				return &hover{markup{"markdown", optionHelp(o)}, in}
			}
		}
	}
	p, ok := lookUp(registry, name)
	if !ok {
		return nil
	}
	text := fmt.Sprintf("`%s`, a %s: %s", p.Name, p.kind, p.Summary)
	if p.Description != "" {
		text += "\n\n" + p.Description
	}
	for _, o := range p.options {
		text += "\n\n" + optionHelp(o)
	}
	return &hover{markup{"markdown", text}, in}
}

// completeRun returns the passes, or the options of a pass, that may stand at a byte of a RUN line.
func (d *document) completeRun(r runLine, at int, add func(completionItem)) {
	at = min(at, len(r.text))
	if at < r.from {
		return
	}
	start, _ := r.word(at)
	start = max(start, r.from)
	prefix := r.text[min(start, at):at]
	registry := d.pieces[0].session.Passes
	if p, ok := lookUp(registry, r.passAround(at)); ok {
		for _, o := range p.options {
			if strings.HasPrefix(o.Name, prefix) {
				add(completionItem{Label: o.Name, Kind: itemProperty, Detail: o.Help, Docs: optionHelp(o)})
			}
		}
		return
	}
	before := r.text[r.from:start]
	if !strings.HasSuffix(before, "-") && !strings.HasSuffix(before, "(") && !strings.HasSuffix(before, ",") {
		return
	}
	for _, p := range passes(registry) {
		if strings.HasPrefix(p.Name, prefix) {
			add(completionItem{Label: p.Name, Kind: itemFunction, Detail: p.Summary, Docs: p.Description})
		}
	}
}

// stages returns the passes of a RUN line one by one, as text, with where they stand in the line. Those of a pipeline in
// parentheses aren't taken apart: they are one stage.
func (r runLine) stages(registry *pass.Registry) (out []stage) {
	for i := r.from; i < len(r.text); i++ {
		if r.text[i] != '-' || i > 0 && r.text[i-1] != ' ' && r.text[i-1] != '\'' && r.text[i-1] != '"' {
			continue
		}
		start, end := r.word(i + 2)
		name, options := r.text[start:end], ""
		quote := r.text[max(i-1, 0)]
		stop := end
		if end < len(r.text) && r.text[end] == '=' {
			stop = end + 1
			until := byte(' ')
			if quote == '\'' || quote == '"' {
				until = quote
			} else if stop < len(r.text) && (r.text[stop] == '\'' || r.text[stop] == '"') {
				until = r.text[stop]
				stop++
			}
			first := stop
			for stop < len(r.text) && r.text[stop] != until {
				stop++
			}
			options = r.text[first:stop]
		}
		st := stage{name: name, text: name, from: start, to: stop, wordFrom: i, wordTo: stop}
		if quote == '\'' || quote == '"' {
			st.wordFrom--
		}
		if stop < len(r.text) && (r.text[stop] == '\'' || r.text[stop] == '"') {
			st.wordTo++
		}
		switch {
		case name == "pass-pipeline":
			st.name, st.text = options, options
			out = append(out, st)
		case registry.Has(name):
			if options != "" {
				st.text = name + "{" + options + "}"
			}
			out = append(out, st)
		}
		i = stop
	}
	return out
}

// stage is a part of a pipeline: what it is called, as text, and where it is in the line.
type stage struct {
	name, text string
	from, to   int
	// wordFrom and wordTo are the ends of the word of the shell, with its quotes.
	wordFrom, wordTo int
}
