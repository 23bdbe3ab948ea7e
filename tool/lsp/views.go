package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"freehold/driver"
	"freehold/internal/linediff"
	"freehold/ir/asm"
)

// The commands that show something beside the program, and change nothing.
const (
	bufferizedCommand = "freehold.bufferized"
	changesCommand    = "freehold.changes"
)

// view is a text that is shown beside a program. It is also the answer to the command.
type view struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// viewsAt returns what can be shown about the program at a position.
func (s *Server) viewsAt(d *document, at position) []codeAction {
	p, _ := d.at(d.offset(at))
	if p.program == nil {
		return nil
	}
	show := func(title, name string, arguments ...any) codeAction {
		return codeAction{Title: title, Kind: "source", Command: &command{title, name, append([]any{d.uri}, arguments...)}}
	}
	line := fmt.Sprint(at.Line)
	out := []codeAction{}
	if r, ok := d.runLine(); ok {
		for _, st := range r.stages(p.session.Passes) {
			// On the line of the passes, that at the position.
			column := d.offset(at) - d.starts[r.line]
			if at.Line != r.line || st.from <= column && column <= st.to {
				out = append(out, show("Show what "+st.name+" changes", changesCommand, line, fmt.Sprint(st.from)))
				if at.Line == r.line {
					return out
				}
			}
		}
	}
	if hasTensors(p.program.Module) {
		out = append(out, show("Show the program bufferized", bufferizedCommand, line))
	}
	return out
}

// programAt returns the program at a line of a document.
func (s *Server) programAt(d *document, line int) (*driver.Program, error) {
	p, _ := d.at(d.offset(position{Line: line}))
	_, program, err := s.open(d, p)
	return program, err
}

// runOn runs a pipeline, or a pass with its options, on a program.
func runOn(program *driver.Program, pipeline string) error {
	if !strings.HasPrefix(pipeline, "builtin.module(") {
		pipeline = "builtin.module(" + pipeline + ")"
	}
	return program.Run(pipeline)
}

// bufferized is the program at a line as it is compiled to be shown.
func (s *Server) bufferized(d *document, line int) (view, error) {
	program, err := s.programAt(d, line)
	if err != nil {
		return view{}, err
	}
	if err := runOn(program, s.Shown); err != nil {
		return view{}, err
	}
	text, err := program.Text(asm.PrintOptions{})
	return view{"bufferized.mlir", string(text)}, err
}

// changes is what a pass of the RUN line, that at a byte, changes in the program at a line: after those before it.
func (s *Server) changes(d *document, line, at int) (view, error) {
	r, ok := d.runLine()
	if !ok {
		return view{}, fmt.Errorf("there is no RUN line")
	}
	stages := r.stages(d.pieces[0].session.Passes)
	last := slices.IndexFunc(stages, func(st stage) bool { return st.from == at })
	if last < 0 {
		return view{}, fmt.Errorf("there is no pass at column %d of the RUN line", at+1)
	}
	program, err := s.programAt(d, line)
	if err != nil {
		return view{}, err
	}
	for _, st := range stages[:last] {
		if err := runOn(program, st.text); err != nil {
			return view{}, err
		}
	}
	before, err := program.Text(asm.PrintOptions{})
	if err != nil {
		return view{}, err
	}
	name := stages[last].name
	if err := runOn(program, stages[last].text); err != nil {
		return view{}, err
	}
	after, err := program.Text(asm.PrintOptions{})
	if err != nil {
		return view{}, err
	}
	text := linediff.Unified(before, after, "before "+name, "after "+name)
	if text == "" {
		text = name + " changes nothing\n"
	}
	return view{"changes.diff", text}, nil
}

// show lets the client open a view, if it can: as a file, which goes when the server does.
func (s *Server) show(v view) error {
	s.mu.Lock()
	shows, folder := s.shows, s.folder
	s.mu.Unlock()
	if !shows {
		return nil
	}
	if folder == "" {
		f, err := os.MkdirTemp("", "freehold-lsp-")
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.folder, folder = f, f
		s.mu.Unlock()
	}
	name := filepath.Join(folder, v.Title)
	if err := os.WriteFile(name, []byte(v.Text), 0o600); err != nil {
		return err
	}
	address := filepath.ToSlash(name)
	if !strings.HasPrefix(address, "/") {
		address = "/" + address
	}
	return s.conn.Call(s.asking, "window/showDocument", map[string]any{"uri": "file://" + address, "takeFocus": true}, nil)
}

// clean removes what was shown.
func (s *Server) clean() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder != "" {
		_ = os.RemoveAll(s.folder) // nobody is left to be told
		s.folder = ""
	}
}

// view carries out a command that shows something, and returns that, too.
func (s *Server) view(d *document, name string, arguments []string) (any, error) {
	numbers := make([]int, len(arguments))
	for i, a := range arguments {
		if _, err := fmt.Sscan(a, &numbers[i]); err != nil || numbers[i] < 0 || numbers[i] > len(d.src) {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "not a number: " + a}
		}
	}
	var v view
	var err error
	switch {
	case name == bufferizedCommand && len(numbers) == 1:
		v, err = s.bufferized(d, numbers[0])
	case name == changesCommand && len(numbers) == 2:
		v, err = s.changes(d, numbers[0], numbers[1])
	default:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: name + " with wrong arguments"}
	}
	if err != nil {
		return nil, err
	}
	return v, s.show(v)
}
