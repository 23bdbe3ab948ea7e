package engine

import (
	"bytes"
	"fmt"
	"strings"

	"freehold/driver"
	"freehold/internal/linediff"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// stage is a program as text.
type stage struct {
	// name is what stands for it in locations, title the pass before it.
	name, title string
	text        []byte
	// lines are those of the given program at which its operations are, in the order of a walk; 0 for none.
	lines []int32
}

// Compiled is what became of a program.
type Compiled struct {
	// Stages are the program and what each pass made of it, up to the one that failed.
	Stages []StageSummary `json:"stages"`
	// Diagnostics are about the program as it was given: errors in it, and what passes say.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	// Failed is the number of the pass that failed, from 1, and 0 if none did; Error says why.
	Failed int    `json:"failed,omitempty"`
	Error  string `json:"error,omitempty"`
	Bug    string `json:"bug,omitempty"`
	// LLVM says what version of LLVM the program is taken for, and why, if that isn't the one of the definitions.
	LLVM string `json:"llvm,omitempty"`
	// Functions are those that can be run.
	Functions []Function `json:"functions,omitempty"`
	// Tensors tells whether the program has tensors, and so whether there is anything to
	// bufferize.
	Tensors bool `json:"tensors,omitempty"`
}

// StageSummary says how much a pass changed, in lines.
type StageSummary struct {
	Title   string `json:"title"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// Function is a function with a body.
type Function struct {
	Name      string   `json:"name"`
	Arguments []string `json:"arguments"`
	// Entry tells whether it is the one that is run if none is named.
	Entry bool `json:"entry,omitempty"`
}

// Compile reads a program and runs passes on it. What is wrong is in the answer.
func (e *Engine) Compile(name string, src []byte, elements []string) *Compiled {
	e.elements, e.explained, e.taken = elements, nil, driver.Choice{}
	e.stages = []stage{{name: name, title: "program", text: src}}
	out := &Compiled{Stages: []StageSummary{{Title: "program"}}}
	places := newPlaces(src)
	fail := func(n int, err error) {
		f := e.failure(err, 0)
		out.Failed, out.Error, out.Bug = n, f.Error, f.Bug
		out.Diagnostics = append(out.Diagnostics, f.Diagnostics...)
	}
	session, p, err := e.tool.Open(src, name, driver.Choice{}, true)
	if session != nil {
		e.passes = session.Passes
		session.Warnings = func(d *ir.Diagnostic) { out.Diagnostics = append(out.Diagnostics, places.diagnostic(d)) }
		e.taken = session.Chosen
		if e.taken.LLVM != 0 {
			out.LLVM = e.taken.Note().Message
		}
	}
	if err != nil {
		if session != nil {
			driver.Suggest(err, session.Context, src, name)
		}
		fail(0, err)
		return out
	}
	out.Functions = functions(p.Module)
	p.Module.Walk(func(op *ir.Op) bool {
		out.Tensors = out.Tensors || interfaces.HasTensorTypes(op)
		return !out.Tensors
	})
	spelling := asm.PrintOptions{Threads: 1, Name: e.nameOf()}
	e.printed, err = p.Text(spelling)
	if err != nil {
		fail(0, err)
		return out
	}
	before := e.printed
	e.stages[0].lines = linesOf(p.Module)
	for i, x := range elements {
		after, err := e.step(p, x, spelling)
		if err != nil {
			fail(i+1, err)
			return out
		}
		s := stage{name: fmt.Sprintf("%s after %d", name, i+1), title: headOf(x), text: after}
		if bytes.Equal(before, after) {
			s.text, s.lines = before, e.stages[i].lines
		} else {
			s.lines = linesOf(p.Module)
		}
		e.stages = append(e.stages, s)
		sum := StageSummary{Title: s.title}
		for _, h := range linediff.Hunks(before, after) {
			sum.Added += h.Added
			sum.Removed += len(h.Removed)
		}
		out.Stages = append(out.Stages, sum)
		before = after
	}
	return out
}

// step runs an element of the pipeline.
func (e *Engine) step(p *driver.Program, element string, spelling asm.PrintOptions) ([]byte, error) {
	m := pass.NewManager(pass.Module)
	if err := e.add(m, element); err != nil {
		return nil, err
	}
	if err := p.RunManager(m); err != nil {
		return nil, err
	}
	return p.Text(spelling)
}

// nameOf returns what tells the names that values have in the program as it was given; numbers are no names.
func (e *Engine) nameOf() func(v *ir.Value) string {
	names := asm.NewSourceNames(e.sourceOf)
	return func(v *ir.Value) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(names.Value(v), "%"), "#")
		if name != "" && name[0] >= '0' && name[0] <= '9' {
			return ""
		}
		return name
	}
}
