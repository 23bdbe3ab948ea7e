package compile

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
)

// Outcome is what a pipeline makes of a program.
type Outcome struct {
	footprint.Summary
	// Time is what the passes took.
	Time time.Duration
	// Error says in a line why the pipeline refuses the program, "" if it doesn't.
	Error string
}

// Try compiles a module and tells what came out. The module is changed. The error is that of the registry, which must know
// the steps' passes; that the pipeline refuses the program is none.
func (o Options) Try(registry *pass.Registry, module *ir.Op) (Outcome, error) {
	var out Outcome
	m, err := registry.ParsePipeline(o.Pipeline())
	if err != nil {
		return out, err
	}
	var first *ir.Diagnostic
	run := &pass.Runner{VerifyEach: true, Sink: func(d *ir.Diagnostic) {
		if first == nil && d.Severity == ir.Error {
			first = d
		}
	}, Text: func([]byte) {}}
	start := time.Now()
	err = run.Run(m, module)
	out.Time = time.Since(start)
	if err != nil {
		if !errors.As(err, &first) && first == nil {
			out.Error = err.Error()
			return out, nil
		}
		out.Error = first.Message
		if p, ok := ir.SourcePos(first.Loc); ok {
			out.Error = fmt.Sprintf("line %d: %s", p.Line, first.Message)
		}
		out.Error, _, _ = strings.Cut(out.Error, "\n")
		return out, nil
	}
	out.Summary = footprint.Analyze(module).Summarize().WithArenas(footprint.Arenas(module))
	return out, nil
}
