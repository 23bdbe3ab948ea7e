package engine

import (
	"errors"
	"fmt"

	"freehold/compile"
	"freehold/exec"
	"freehold/exec/interp"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Runs is what a function does at a stage, and what the program as it was given does on the
// same arguments.
type Runs struct {
	Function string `json:"function"`
	// Before is of the program as it was given, if the stage is another one.
	Before *Run `json:"before,omitempty"`
	After  *Run `json:"after"`
	// Same tells whether both have the same results, bit for bit; Difference, how not.
	Same       bool   `json:"same,omitempty"`
	Difference string `json:"difference,omitempty"`
}

// Run is an execution.
type Run struct {
	// Error tells why it couldn't be executed.
	Error string `json:"error,omitempty"`
	// Output is what it printed.
	Output    string  `json:"output,omitempty"`
	Results   []Value `json:"results,omitempty"`
	Arguments []Value `json:"arguments,omitempty"`
	// Findings are what it did wrong, with places of the stage's text.
	Findings    []Diagnostic `json:"findings,omitempty"`
	Allocations int64        `json:"allocations"`
	Frees       int64        `json:"frees"`
	Copies      int64        `json:"copies"`
	BytesCopied int64        `json:"bytesCopied"`
	PeakBytes   int64        `json:"peakBytes"`
	Steps       int64        `json:"steps"`
}

// Value is a result, or an argument that the function may have written to.
type Value struct {
	Index int    `json:"index"`
	Type  string `json:"type"`
	Size  string `json:"size,omitempty"`
	Text  string `json:"text"`
}

// Run executes a function at a stage.
func (e *Engine) Run(r *Request) (*Runs, error) {
	out := &Runs{}
	after, fn, err := e.execute(r, r.Stage, &out.After)
	if err != nil {
		return nil, err
	}
	out.Function = symbol(fn)
	if r.Stage == 0 {
		return out, nil
	}
	before, _, err := e.execute(r, 0, &out.Before)
	switch {
	case err != nil:
		out.Before = &Run{Error: err.Error()}
	case after == nil || before == nil || after.Stopped() != nil || before.Stopped() != nil:
	default:
		out.Difference = difference(before, after)
		out.Same = out.Difference == ""
	}
	return out, nil
}

// execute runs the function of a stage, and shows what it did. The result is nil if it can't
// be executed.
func (e *Engine) execute(r *Request, n int, shown **Run) (*interp.Result, *ir.Op, error) {
	p, err := e.program(n)
	if err != nil {
		return nil, nil, err
	}
	module, err := compile.Executable(p.Module)
	if err != nil {
		return nil, nil, err
	}
	fn, err := interp.Entry(module, r.Entry)
	if err != nil {
		return nil, nil, err
	}
	args, err := interp.Texts{Values: r.Arguments, Random: true, Seed: r.Seed, Limit: e.MaxBytes}.Arguments(fn)
	if err != nil {
		return nil, nil, err
	}
	places := newPlaces(e.stages[n].text)
	res, err := interp.Run(module, fn, args, interp.Options{
		MaxBytes: e.MaxBytes, TakeArguments: true, Resources: interp.Resources(p.Document), Elided: &r.Seed,
	})
	if err != nil {
		*shown = &Run{Error: err.Error()}
		var finding *exec.Finding
		if errors.As(err, &finding) {
			(*shown).Findings = []Diagnostic{places.diagnostic(finding.Diagnostic)}
		}
		return nil, fn, nil
	}
	st := res.Stats
	*shown = &Run{
		Output: res.Output(), Results: values(res.Values), Arguments: values(res.Buffers), Allocations: st.Allocations,
		Frees: st.Frees, Copies: st.Copies, BytesCopied: st.BytesCopied, PeakBytes: st.PeakBytes, Steps: st.Steps,
	}
	for _, f := range res.Findings {
		d := places.diagnostic(f.Diagnostic)
		d.Kind = f.Kind.String()
		(*shown).Findings = append((*shown).Findings, d)
	}
	return res, fn, nil
}

func values(list []interp.Value) []Value {
	var out []Value
	for i, v := range list {
		if v.Type == nil {
			continue // an argument that isn't a buffer
		}
		out = append(out, Value{i, v.Type.String(), v.Shape(), v.Text()})
	}
	return out
}

// difference tells how what a function did differs, or "".
func difference(want, got *interp.Result) string {
	if len(want.Values) != len(got.Values) {
		return fmt.Sprintf("%d results before and %d after", len(want.Values), len(got.Values))
	}
	for i := range want.Values {
		if d := interp.Difference(want.Values[i], got.Values[i], interp.Tolerance{}); d != "" {
			return fmt.Sprintf("result %d: %s", i, d)
		}
	}
	for i := range min(len(want.Buffers), len(got.Buffers)) {
		// What is a tensor before isn't written to.
		if want.Buffers[i].Tensor == nil || got.Buffers[i].Tensor == nil {
			continue
		}
		if d := interp.Difference(want.Buffers[i], got.Buffers[i], interp.Tolerance{}); d != "" {
			return fmt.Sprintf("argument %d: %s", i, d)
		}
	}
	d, _ := interp.EffectDifference(want.Effects, got.Effects, interp.Tolerance{})
	return d
}

// functions lists the functions of a module that can be run.
func functions(module *ir.Op) []Function {
	var out []Function
	entry, _ := interp.Entry(module, "")
	for op := range module.BodyBlock(0).Ops() {
		m, ok := interfaces.Function.Of(op)
		if !ok || op.BodyBlock(0) == nil {
			continue
		}
		f := Function{Name: symbol(op), Arguments: []string{}, Entry: op == entry}
		for _, t := range m.Type(op).Inputs {
			f.Arguments = append(f.Arguments, t.String())
		}
		out = append(out, f)
	}
	return out
}
