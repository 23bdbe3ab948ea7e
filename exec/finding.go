package exec

import "freehold/ir"

// Kind classifies findings.
type Kind uint8

// The kinds of findings.
const (
	UseAfterFree Kind = iota
	DoubleFree
	InvalidFree
	OutOfBounds
	Uninitialized
	Leak
	DivisionByZero
	SizeMismatch
	Assertion
	StepLimit
	MemoryLimit
	Undefined
	PoisonUse
	// Overlap is that a part of an arena is needed whose memory another part has taken.
	Overlap
	// Interrupted: somebody wants the execution to end, see [Machine].
	Interrupted
)

var kindNames = [...]string{
	"use after free", "double free", "invalid free", "out of bounds", "uninitialized read", "leak",
	"division by zero", "size mismatch", "assertion", "step limit", "memory limit", "undefined behavior", "use of poison", "overlap", "interrupted",
}

func (k Kind) String() string { return kindNames[k] }

// Finding is something that a program did wrong when it was executed. It is an
// error; its diagnostic tells the place of the access and, in notes, those of the
// allocation and of its release.
type Finding struct {
	Kind Kind
	*ir.Diagnostic
}

// Unwrap returns the diagnostic.
func (f *Finding) Unwrap() error { return f.Diagnostic }

// Findf returns a finding at an operation. If that is nowhere in the source, as the body of a named
// structured operation is, it is at the innermost operation around it that is somewhere.
func Findf(k Kind, op *ir.Op, format string, args ...any) *Finding {
	at := op
	for at.Loc() == ir.Location(ir.Unknown) && at.Parent() != nil && at.Parent().Loc() != nil {
		at = at.Parent()
	}
	d := ir.Errorf(at.Loc(), format, args...)
	d.Op = op
	return &Finding{k, d}
}

// about adds notes with the places of an allocation and of its release.
func (f *Finding) about(a *Alloc) *Finding {
	if a.Loc != nil {
		f.WithNote(a.Loc, "%s", a.Origin.note())
	}
	if a.FreeLoc != nil {
		f.WithNote(a.FreeLoc, "freed here")
	}
	return f
}

func (o Origin) note() string {
	switch o {
	case Stack:
		return "allocated on the stack here"
	case Global:
		return "global defined here"
	case Argument:
		return "argument of the program"
	}
	return "allocated here"
}

// memory says, as the subject of a sentence, what memory is that isn't on the heap.
func (o Origin) memory() string {
	switch o {
	case Stack:
		return "stack memory"
	case Global:
		return "memory of a global"
	case Argument:
		return "memory of an argument, which belongs to the caller,"
	}
	return "memory of a tensor, which was not allocated,"
}
