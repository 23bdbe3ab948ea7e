package ir

import (
	"fmt"
	"strings"
)

// Severity of a diagnostic.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	Remark
	Note
)

func (s Severity) String() string {
	return [...]string{"error", "warning", "remark", "note"}[s]
}

// Diagnostic is a message about a place in the program. It is an error value, in which
// [errors.As] finds [Diagnostics], too.
type Diagnostic struct {
	Severity Severity
	Loc      Location
	Message  string
	Notes    []*Diagnostic
	// Span is the length in bytes of the text from Loc on that the message is about;
	// 0 if only its start is known.
	Span int
	// Op is the operation that the message is about, if any.
	Op *Op
	// Suffix is an operation whose generic form completes the message; most messages
	// have none.
	Suffix *Op
	// ValidSince is the first version of LLVM in which Op is valid, if that is known, and later than that of its context. It is
	// evident then that the program is one for that version.
	ValidSince int
}

func (d *Diagnostic) Error() string {
	var b strings.Builder
	switch p, ok := SourcePos(d.Loc); {
	case ok && p.Line == 0: // the file as a whole
		fmt.Fprintf(&b, "%s: ", p.File())
	case ok:
		fmt.Fprintf(&b, "%s:%d:%d: ", p.File(), p.Line, p.Col)
	}
	b.WriteString(d.Message)
	return b.String()
}

// As makes [errors.As] find a single diagnostic as [Diagnostics], so that who asks for
// these gets all errors of a program, however many there are.
func (d *Diagnostic) As(target any) bool {
	ds, ok := target.(*Diagnostics)
	if ok {
		*ds = Diagnostics{d}
	}
	return ok
}

// Diagnostics are several messages as one error. In it, [errors.As] finds the first as
// *[Diagnostic].
type Diagnostics []*Diagnostic

// Unwrap returns the messages as errors. Linear time.
func (ds Diagnostics) Unwrap() []error {
	errs := make([]error, len(ds))
	for i, d := range ds {
		errs[i] = d
	}
	return errs
}

func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// MaxReported is how many errors of a program are reported where all are asked for.
const MaxReported = 20

// AtMost returns the first n > 0 diagnostics. If there are more, a note at the last says
// so.
func (ds Diagnostics) AtMost(n int) Diagnostics {
	if len(ds) <= n {
		return ds
	}
	ds[n-1].WithNote(ds[n].Loc, "there are more errors, from here on")
	return ds[:n:n]
}

// Errorf returns an error about a place. Its message is the formatted text.
func Errorf(loc Location, format string, args ...any) *Diagnostic {
	return &Diagnostic{Loc: loc, Message: fmt.Sprintf(format, args...)}
}

// Errorf returns an error about the operation, whose message starts with its
// name: "'arith.addi' op ...".
func (o *Op) Errorf(format string, args ...any) *Diagnostic {
	return &Diagnostic{Loc: o.loc, Op: o, Message: "'" + o.spelledName() + "' op " + fmt.Sprintf(format, args...)}
}

// PlainErrorf returns an error about the operation without its name.
func (o *Op) PlainErrorf(format string, args ...any) *Diagnostic {
	return &Diagnostic{Loc: o.loc, Op: o, Message: fmt.Sprintf(format, args...)}
}

// WithNote adds a note and returns the diagnostic.
func (d *Diagnostic) WithNote(loc Location, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, &Diagnostic{Severity: Note, Loc: loc, Message: fmt.Sprintf(format, args...)})
	return d
}
