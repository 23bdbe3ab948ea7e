package lsp

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"freehold/driver"
	"freehold/explain"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// reasons are why a program copies and allocates, found when they are asked for first.
type reasons struct {
	once  sync.Once
	items []*explain.Item
}

// explained returns the copies and allocations of a piece; nothing if it can't be compiled.
func (s *Server) explained(d *document, p *piece) []*explain.Item {
	p.reasons.once.Do(func() {
		if p.program == nil || !hasTensors(p.program.Module) {
			return
		}
		src := []byte(d.src[p.start:p.end])
		session := s.newSession()
		program, err := session.Parse(src, d.uri)
		if err != nil {
			return
		}
		m, err := session.Passes.ParsePipeline(s.Pipeline)
		if err != nil {
			return
		}
		e, err := explain.Module(program.Module, m, explain.Options{Source: func(string) []byte { return src }})
		if err == nil {
			p.reasons.items = e.Items
		}
	})
	return p.reasons.items
}

func hasTensors(m *ir.Op) bool {
	found := false
	m.Walk(func(op *ir.Op) bool {
		found = found || iface.HasTensorTypes(op)
		return !found
	})
	return found
}

// hints returns notes for the lines of a range: what is copied or allocated there.
func (s *Server) hints(d *document, in span) []inlayHint {
	out := []inlayHint{}
	for _, p := range d.pieces {
		for _, i := range s.explained(d, p) {
			at, ok := d.place(p, i.At.Loc)
			if !ok || !i.Remains() {
				continue
			}
			line := d.position(at).Line
			if line < in.Start.Line || line > in.End.Line {
				continue
			}
			what := "allocates "
			if i.Copies > 0 {
				what = "copies "
			}
			end := d.position(d.lineStart(line) + len(strings.TrimRight(d.line(line), " \t")))
			out = append(out, inlayHint{Position: end, Label: what + i.Size.String(), Tooltip: advice(i), PaddingLeft: true})
		}
	}
	return out
}

// advice says why there is a copy or an allocation, and what would remove it.
func advice(i *explain.Item) string {
	text := i.Title
	for _, a := range i.Advice {
		text += "\n- "
		if a.Name != "" {
			text += a.Kind + " `" + a.Name + "`: "
		}
		text += a.Text
	}
	return text
}

// about adds the reasons for what is copied or allocated in the line to a hover.
func (s *Server) about(d *document, at position, h *hover) {
	p, _ := d.at(d.offset(at))
	for _, i := range s.explained(d, p) {
		if place, ok := d.place(p, i.At.Loc); ok && i.Remains() && d.position(place).Line == at.Line {
			what := "Allocates "
			if i.Copies > 0 {
				what = "Copies "
			}
			h.Contents.Value += "\n\n**" + what + i.Size.String() + "**: " + advice(i)
		}
	}
}

// actions are what can be done with the function at a position: a pipeline with a title.
var actions = []struct{ title, pipeline string }{
	{"Canonicalize", "builtin.module(canonicalize)"},
	{"Remove common subexpressions of", "builtin.module(cse)"},
}

// actionsAt returns what can be done at a position: advice that can be followed there, what can be shown, and what can be
// done with the function around it.
func (s *Server) actionsAt(d *document, at position) []codeAction {
	out := append([]codeAction{}, s.adviceAt(d, at)...)
	out = append(out, s.viewsAt(d, at)...)
	name, _, _ := d.functionAt(at)
	if name == "" {
		return out
	}
	for _, a := range actions {
		title := fmt.Sprintf("%s %s (its comments go)", a.title, name)
		out = append(out, codeAction{Title: title, Kind: "refactor.rewrite", Command: &command{title, rewriteCommand, []any{d.uri, name, a.pipeline}}})
	}
	return out
}

// rewriteCommand replaces a function by what a pipeline makes of it.
const rewriteCommand = "freehold.rewrite"

// functionAt returns the name of the function around a position, with where it stands.
func (d *document) functionAt(at position) (name string, in span, p *piece) {
	for _, s := range d.symbols() {
		if s.Kind == symbolFunction && s.Range.Start.Line <= at.Line && at.Line <= s.Range.End.Line {
			p, _ = d.at(d.offset(s.SelectionRange.Start))
			return s.Name, s.Range, p
		}
	}
	return "", span{}, nil
}

// rewrite returns the edit that replaces a function by what a pipeline makes of it.
func (s *Server) rewrite(d *document, name, pipeline string) (*workspaceEdit, error) {
	for _, sym := range d.symbols() {
		if sym.Kind != symbolFunction || sym.Name != name {
			continue
		}
		p, _ := d.at(d.offset(sym.SelectionRange.Start))
		session := s.newSession()
		program, err := session.Parse([]byte(d.src[p.start:p.end]), d.uri)
		if err != nil {
			return nil, err
		}
		if err := program.Run(pipeline); err != nil {
			return nil, err
		}
		text, err := functionText(program, strings.Trim(name, `@"`))
		if err != nil {
			return nil, err
		}
		return &workspaceEdit{map[string][]textEdit{d.uri: {{sym.Range, text}}}}, nil
	}
	return nil, fmt.Errorf("there is no function %s", name)
}

// functionText prints a function by itself, without aliases that only the whole program
// would define.
func functionText(program *driver.Program, name string) (string, error) {
	for op := range program.Module.BodyBlock(0).Ops() {
		if sym, _ := ir.SymbolName(op); sym == name {
			text := asm.Print(op, asm.PrintOptions{LocalScope: true})
			return string(bytes.TrimRight(text, "\n")), nil
		}
	}
	return "", fmt.Errorf("nothing is left of @%s", name)
}
