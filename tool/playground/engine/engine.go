// Package engine answers the questions of the playground's page: what a program becomes pass
// by pass, why it has its copies, whether its memory is right, what it computes.
//
// Requests and answers are JSON. A program is compiled once; other requests are about a
// stage of it, a number: 0 is the program as it was given, n what the first n passes make of
// it. The package adds no analysis of its own, and knows nothing of browsers.
package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"freehold/driver"
	"freehold/ir"
	"freehold/pass"
	"freehold/tool/explain"
)

// Engine has the program that was compiled last. It is used by one goroutine at a time.
type Engine struct {
	tool   *driver.Tool
	passes *pass.Registry
	// elements is the pipeline, stages the texts before it and after each of its elements,
	// as far as it got.
	elements []string
	stages   []stage
	// printed is the program as it was given, in freehold's spelling.
	printed []byte
	// explained is the explanation of stage explainedStage, if there is one: the report has it, too.
	explained      *explain.Explanation
	explainedStage int
	// taken is the version of LLVM that the program was taken for.
	taken driver.Choice
	// MaxBytes limits the memory that an executed program may use.
	MaxBytes int64
}

// New returns an engine for what a tool knows.
func New(t *driver.Tool) *Engine {
	return &Engine{tool: t, passes: t.Registry(), MaxBytes: 1 << 30}
}

// Request is a question. Do tells which one; the other fields are its arguments.
type Request struct {
	// Do is "catalog", "elements", "read", "compile", "stage", "lines", "explain", "check", "run", "peak",
	// "compare" or "report".
	Do string `json:"do"`
	// Name and Source are the program that is compiled.
	Name   string `json:"name,omitempty"`
	Source string `json:"source,omitempty"`
	// File is a program as a file has it, to be read: text, bytecode or a model of TensorFlow Lite.
	File []byte `json:"file,omitempty"`
	// Passes are the elements of the pipeline that it is compiled by.
	Passes []string `json:"passes,omitempty"`
	// Text is a pipeline as text.
	Text string `json:"text,omitempty"`
	// Stage is what of the compiled program the question is about.
	Stage int `json:"stage,omitempty"`
	// From is the stage that it is compared with.
	From int `json:"from,omitempty"`
	// Entry is the function to run, Arguments are as for freehold run, Seed that of those
	// that aren't given.
	Entry     string   `json:"entry,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	Seed      uint64   `json:"seed,omitempty"`
}

// Failure is the answer to a request that can't be answered.
type Failure struct {
	Error string `json:"error"`
	// Diagnostics are about the program.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Bug is where freehold itself failed.
	Bug string `json:"bug,omitempty"`
}

// Answer answers a request in JSON. Whatever the request is, the answer is JSON: that of the
// method for what is to be done, or a Failure.
func (e *Engine) Answer(request []byte) (answer []byte) {
	defer func() {
		if p := recover(); p != nil {
			answer = encode(Failure{Error: fmt.Sprintf("freehold has a bug: %v", p), Bug: string(debug.Stack())})
		}
	}()
	var r Request
	if err := json.Unmarshal(request, &r); err != nil {
		return encode(Failure{Error: "not a request: " + err.Error()})
	}
	out, err := e.do(&r)
	if err != nil {
		return encode(e.failure(err, r.Stage))
	}
	return encode(out)
}

func (e *Engine) do(r *Request) (any, error) {
	switch r.Do {
	case "catalog":
		return e.Catalog(), nil
	case "elements":
		return e.Elements(r.Text)
	case "compile":
		return e.Compile(r.Name, []byte(r.Source), r.Passes), nil
	case "read":
		return e.Read(r.Name, r.File)
	}
	if r.Stage < 0 || r.Stage >= len(e.stages) {
		return nil, fmt.Errorf("there is no stage %d", r.Stage)
	}
	switch r.Do {
	case "stage":
		return e.Stage(r.Stage, min(max(r.From, 0), r.Stage)), nil
	case "lines":
		return e.Lines(r.Stage)
	case "explain":
		return e.Explain(r.Stage)
	case "check":
		return e.Check(r.Stage)
	case "run":
		return e.Run(r)
	case "peak":
		return e.Peak(r.Stage)
	case "compare":
		return e.Compare()
	case "report":
		return e.Report(r.Stage)
	}
	return nil, fmt.Errorf("%q is nothing that can be done", r.Do)
}

// failure tells what is wrong with a stage, or another error.
func (e *Engine) failure(err error, n int) Failure {
	f := Failure{Error: err.Error()}
	if n >= 0 && n < len(e.stages) {
		f.Diagnostics = diagnosticsOf(err, e.stages[n].text)
	}
	var crash *ir.CrashError
	if errors.As(err, &crash) {
		f.Bug = string(crash.Stack)
	}
	return f
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		b.Reset()
		enc.Encode(Failure{Error: err.Error()})
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// session returns a session, for the version of LLVM that the program is of, whose programs accept what freehold doesn't know.
func (e *Engine) session() *driver.Session {
	s := e.tool.For(e.taken.LLVM).NewSession()
	s.Context.AllowUnregistered = true
	return s
}

// program reads a stage. Locations are places of its own text.
func (e *Engine) program(n int) (*driver.Program, error) {
	return e.session().Parse(e.stages[n].text, e.stages[n].name)
}

// manager returns the passes that lead to a stage.
func (e *Engine) manager(n int) (*pass.OpPassManager, error) {
	m := pass.NewManager(pass.Module)
	for _, x := range e.elements[:n] {
		if err := e.add(m, x); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// sourceOf returns the text of a stage for a file name.
func (e *Engine) sourceOf(file string) []byte {
	for _, s := range e.stages {
		if s.name == file {
			return s.text
		}
	}
	return nil
}

// symbol returns the name of a function.
func symbol(fn *ir.Op) string {
	name, _ := ir.SymbolName(fn)
	return name
}
