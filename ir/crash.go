package ir

import (
	"fmt"

	"freehold/internal/parallel"
)

// CrashError is a panic in freehold itself, or in a tool's dialects and passes, which is an
// error of these and not of the program.
type CrashError struct {
	// Stage is what was being done: "the parser", "the verifier", "the printer", or the name
	// of a pass, as in "pass 'cse'".
	Stage string
	// Loc is where in the program, as far as that is known.
	Loc Location
	// Value is what it panicked with, Stack where.
	Value any
	Stack []byte
}

func (e *CrashError) Error() string { return e.Diagnostic().Error() }

// Unwrap returns the error as a diagnostic.
func (e *CrashError) Unwrap() error { return e.Diagnostic() }

// Diagnostic returns the error as a diagnostic.
func (e *CrashError) Diagnostic() *Diagnostic {
	return &Diagnostic{Loc: e.Loc, Message: fmt.Sprintf("%s crashed: %v", e.Stage, e.Value)}
}

// Guard runs a stage of the work on a program, and returns its panic as a *[CrashError]. loc
// is where it is said to be if what panicked doesn't know that.
func Guard(stage string, loc Location, run func() error) (err error) {
	p := parallel.Attempt(func() { err = run() })
	if p == nil {
		return err
	}
	if place, ok := p.Place.(Location); ok {
		loc = place
	}
	return &CrashError{stage, loc, p.Value, p.Stack}
}

// verifierCrash returns what finds the operation whose verification panics.
func verifierCrash(op *Op) func() any {
	return func() any { return CrashesAt(op, func(x *Op) { _ = VerifyOp(x) }) }
}

// CrashesAt finds the location for a panic of what was done to an operation with all that is
// nested in it: that of the first operation, inner ones before those around them, for which
// try panics; nil if there is none.
func CrashesAt(op *Op, try func(*Op)) any {
	var found Location
	op.WalkPostOrder(func(o *Op) {
		if found == nil && parallel.Attempt(func() { try(o) }) != nil {
			found = o.Loc()
		}
	})
	return found
}
