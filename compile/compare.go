package compile

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"freehold/ir"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/proof/check"
)

// Comparison is what one of the pipelines makes of a program.
type Comparison struct {
	// Deallocation tells which one; "" is the program as it was given.
	Deallocation Deallocation
	footprint.Summary
	// Time is what the passes took.
	Time time.Duration
	// Refused says in a line why the pipeline doesn't take the program, "" if it does.
	Refused string
}

// Compare compiles a program by each way to insert frees, and tells what came out, first of all what the program itself is, in
// which tensors count that nothing computes, as they do in reports. Nothing is proved. program returns the module each time anew. It fails as program and the registry do.
func Compare(registry *pass.Registry, program func() (*ir.Op, error)) ([]Comparison, error) {
	module, err := program()
	if err != nil {
		return nil, err
	}
	out := []Comparison{{Summary: check.Footprint(module, 0).Summarize()}}
	for i, d := range Deallocations() {
		if i > 0 {
			if module, err = program(); err != nil {
				return nil, err
			}
		}
		c := Compiler{Options: Options{Deallocation: d}, Registry: registry, Unchecked: true}
		row := Comparison{Deallocation: d}
		res, err := c.Compile(module)
		var refused *RefusedError
		switch {
		case errors.As(err, &refused):
			row.Refused = line(refused.Diagnostic)
		case err != nil:
			return nil, err
		default:
			row.Summary, row.Time = res.After, res.Time
		}
		out = append(out, row)
	}
	return out, nil
}

// line is a diagnostic in a line of text.
func line(d *ir.Diagnostic) string {
	text, _, _ := strings.Cut(d.Message, "\n")
	if p, ok := ir.SourcePos(d.Loc); ok {
		text = fmt.Sprintf("line %d: %s", p.Line, text)
	}
	return text
}
