package driver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"freehold/internal/lazyregexp"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
	"freehold/transform/import/tflite/model"
)

// Choice is the version of LLVM whose operations, folds and defaults a program is taken to have, and why.
type Choice struct {
	// LLVM is the version; 0 where nothing tells, which is that of the definitions, 19.
	LLVM int
	// Because says what it was chosen for, and Loc where that is.
	Because string
	Loc     ir.Location
}

// Note tells the choice as a diagnostic.
func (c Choice) Note() *ir.Diagnostic {
	return &ir.Diagnostic{Severity: ir.Note, Loc: c.Loc, Message: fmt.Sprintf("taken for a program of LLVM %d: %s", cmp.Or(c.LLVM, ir.DefinedBy), c.Because)}
}

// Sentence tells, as a line of the text about the program's own version, what programs are taken for.
func (c Choice) Sentence() string {
	if c.LLVM == 0 {
		return fmt.Sprintf("  takes a program for one of the version of LLVM that its spelling tells, or else of LLVM %d\n", ir.DefinedBy)
	}
	return fmt.Sprintf("  takes programs for those of LLVM %d: %s\n", c.LLVM, c.Because)
}

// versionComment matches a line with nothing but a comment that names the version of LLVM.
var versionComment = lazyregexp.New(`(?m)^[ \t]*//[ \t]*mlir-version[ \t]*[:=][ \t]*(\S*)[ \t]*$`)

// CommentedLLVM returns the choice that the first comment of a text makes that names a version; none if no comment does. A comment that
// names no version that is read is an error.
func CommentedLLVM(src []byte, name string) (Choice, error) {
	if bytecode.Is(src) || model.Is(src) || !bytes.Contains(src, []byte("mlir-version")) {
		return Choice{}, nil
	}
	m := versionComment().FindSubmatchIndex(src)
	if m == nil {
		return Choice{}, nil
	}
	line := 1 + bytes.Count(src[:m[2]], []byte("\n"))
	loc := ir.FileLineCol(name, uint32(line), uint32(m[2]-bytes.LastIndexByte(src[:m[2]], '\n')))
	llvm, err := ParseLLVMVersion(string(src[m[2]:m[3]]))
	if err != nil {
		return Choice{}, ir.Errorf(loc, "%s", err)
	}
	return Choice{llvm, "this comment says so", loc}, nil
}

// todays is the version of LLVM that a program is taken for which is of a later one than 19, if nothing in it is later still or was given up
// before.
const todays = 22

// latest is the last version that is known.
const latest = 24

// told returns the choice that the spelling of a program makes.
func told(e asm.Evidence) Choice {
	if e.Since <= ir.DefinedBy {
		return Choice{0, "nothing in it is of another version", ir.Unknown}
	}
	llvm := min(max(e.Since, todays), latest)
	why := "'" + e.What + "' is spelled so since LLVM " + strconv.Itoa(e.Since)
	if e.Since <= e.Until && e.Until < llvm {
		llvm = e.Until
		why += ", and something else until LLVM " + strconv.Itoa(e.Until)
	}
	return Choice{llvm, why, e.Loc}
}

// read parses and verifies a program for the version of LLVM that a comment names, or else the one that its spelling tells; given is what
// is taken where neither does so, if it names a version: then, the spelling isn't asked. o is how programs are parsed of
// which nothing is known, and context makes the contexts. Programs of later versions are read twice.
func (t *Tool) read(p piece, given Choice, o asm.ParseOptions, context func(*Tool) *ir.Context) (*asm.Document, Choice, error) {
	if given.LLVM != 0 {
		o.Version = given.LLVM
		doc, err := parse(context(t.For(given.LLVM)), p, o)
		return doc, given, err
	}
	var e asm.Evidence
	o.Evidence = &e
	doc, err := parse(context(t), p, o)
	verified(&e, err)
	c := told(e)
	if c.LLVM == 0 {
		return doc, c, err
	}
	o.Evidence = nil
	return t.read(p, c, o, context)
}

// verified adds to what a spelling says that an error is none in a later version.
func verified(e *asm.Evidence, err error) {
	var found ir.Diagnostics
	if !errors.As(err, &found) {
		return
	}
	for _, d := range found {
		if d.ValidSince > e.Since {
			e.Since, e.What, e.Loc = d.ValidSince, d.Op.Name(), d.Op.Loc()
		}
	}
}
