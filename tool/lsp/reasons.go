package lsp

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"time"

	"freehold/driver"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/tool/explain"
)

// reasons are why a program copies and allocates, and what its functions need, found when they are asked for first; both are there
// once done is closed.
type reasons struct {
	once  sync.Once
	done  chan struct{}
	items []*explain.Item
	needs map[string]need // of functions, once they are compiled
}

// Documents from largeDocument bytes on are explained once nobody has typed for a moment, settling. What is
// asked about them at the same time is answered without reasons if they take longer than patience; in
// smaller ones they are waited for.
const (
	largeDocument = 64 << 10
	settling      = 100 * time.Millisecond
	patience      = 10 * time.Millisecond
)

// explained returns the copies and allocations of a piece; nothing if it can't be compiled, or if the
// client has another document meanwhile.
func (s *Server) explained(d *document, p *piece) []*explain.Item {
	s.explain(d, p)
	<-p.reasons.done
	return p.reasons.items
}

// explainedSoon is explained for what must be answered at once; known tells whether it is.
func (s *Server) explainedSoon(d *document, p *piece) (items []*explain.Item, known bool) {
	if len(d.src) < largeDocument {
		return s.explained(d, p), true
	}
	s.explain(d, p)
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-p.reasons.done:
		return p.reasons.items, true
	case <-wait.C:
		return nil, false
	}
}

// explain begins to find out the reasons, unless somebody did. Pieces are explained one after the other,
// and only those of documents that the client still has.
func (s *Server) explain(d *document, p *piece) {
	p.reasons.once.Do(func() {
		p.reasons.done = make(chan struct{})
		s.working.Add(1)
		go func() {
			defer s.working.Done()
			defer close(p.reasons.done)
			if len(d.src) >= largeDocument {
				time.Sleep(settling)
			}
			s.explaining.Lock()
			defer s.explaining.Unlock()
			if s.has(d) {
				// A panic leaves a piece without reasons.
				_ = s.guard(func() error { s.findReasons(d, p); return nil })
			}
		}()
	})
}

// has tells whether the client has a document, and not a later one.
func (s *Server) has(d *document) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[d.uri]
	return f != nil && f.text == d.text
}

// findReasons compiles a piece.
func (s *Server) findReasons(d *document, p *piece) {
	if p.program == nil || !hasTensors(p.program.Module) {
		return
	}
	session, program, err := s.open(d, p)
	if err != nil {
		return
	}
	m, err := session.Passes.ParsePipeline(s.Pipeline)
	if err != nil {
		return
	}
	src := []byte(d.src[p.start:p.end])
	e, err := explain.Module(program.Module, m, explain.Options{Source: func(string) []byte { return src }, LLVM: session.LLVM})
	if err != nil {
		return
	}
	p.reasons.items, p.reasons.needs = e.Items, needs(e.Module, d.names(p))
}

func hasTensors(m *ir.Op) bool {
	found := false
	m.Walk(func(op *ir.Op) bool {
		found = found || interfaces.HasTensorTypes(op)
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
			end := d.position(d.lineStart(line) + len(strings.TrimRight(d.line(line), " \t")))
			out = append(out, inlayHint{Position: end, Label: does(i), Tooltip: advice(i), PaddingLeft: true})
		}
	}
	return out
}

// does says in words what is copied or allocated.
func does(i *explain.Item) string {
	switch {
	case i.Copies > 0:
		return "copies " + i.Size.String()
	case i.Parts == i.Allocations:
		return "takes " + i.Size.String() + " of an arena"
	}
	return "allocates " + i.Size.String()
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

// findingOut is said in place of reasons that aren't known yet.
const findingOut = "\n\n(what is copied or allocated here is being found out)"

// about adds the reasons for what is copied or allocated in the line to a hover.
func (s *Server) about(d *document, at position, h *hover) {
	p, _ := d.at(d.offset(at))
	items, known := s.explainedSoon(d, p)
	if !known {
		h.Contents.Value += findingOut
	}
	for _, i := range items {
		if place, ok := d.place(p, i.At.Loc); ok && i.Remains() && d.position(place).Line == at.Line {
			h.Contents.Value += "\n\nThis line **" + does(i) + "**: " + advice(i)
		}
	}
}

// actions are what can be done with the function at a position: a pipeline with a title.
var actions = []struct{ title, pipeline string }{
	{"Canonicalize", "builtin.module(canonicalize)"},
	{"Remove common subexpressions of", "builtin.module(cse)"},
}

// actionsAt returns what can be done at a position: misspellings that can be mended, advice that can be followed there, what can be shown, and what can be
// done with the function around it.
func (s *Server) actionsAt(d *document, at position) []codeAction {
	out := append([]codeAction{}, d.fixesAt(at)...)
	out = append(out, s.adviceAt(d, at)...)
	out = append(out, s.viewsAt(d, at)...)
	name, _, p := d.functionAt(at)
	if name == "" || p.program == nil {
		return out // passes need a program without errors
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
		session, program, err := s.open(d, p)
		if err != nil {
			return nil, err
		}
		if err := program.Run(pipeline); err != nil {
			return nil, err
		}
		text, err := functionText(session, program, strings.Trim(name, `@"`))
		if err != nil {
			return nil, err
		}
		return &workspaceEdit{map[string][]textEdit{d.uri: {{sym.Range, text}}}}, nil
	}
	return nil, fmt.Errorf("there is no function %s", name)
}

// functionText prints a function by itself, without aliases that only the whole program
// would define.
func functionText(session *driver.Session, program *driver.Program, name string) (string, error) {
	for op := range program.Module.BodyBlock(0).Ops() {
		if sym, _ := ir.SymbolName(op); sym == name {
			text := asm.Print(op, asm.PrintOptions{LocalScope: true, Version: session.LLVM})
			return string(bytes.TrimRight(text, "\n")), nil
		}
	}
	return "", fmt.Errorf("nothing is left of @%s", name)
}
