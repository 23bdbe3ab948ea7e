package driver

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"freehold/internal/foreign"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
	"freehold/transform/import/tflite"
	"freehold/transform/import/tflite/model"
)

// The stages of the work on a program that may crash, but for passes.
const (
	parserStage   = "the parser"
	verifierStage = "the verifier"
	printerStage  = "the printer"
)

// parse reads and verifies a program, in MLIR's textual format or bytecode, or a model of TensorFlow Lite. It returns all errors of one that the parser was to
// recover from.
func parse(ctx *ir.Context, p piece, o asm.ParseOptions) (doc *asm.Document, err error) {
	err = ir.Guard(parserStage, ir.FileLineCol(p.name, 1, 1), func() error {
		switch {
		case bytecode.Is(p.src):
			doc, err = bytecode.Read(ctx, p.src, p.name, o)
		case model.Is(p.src):
			doc, err = tflite.Import(ctx, p.src, p.name)
		default:
			doc, err = asm.ParseDocument(ctx, p.src, p.name, o)
		}
		return err
	})
	if err == nil {
		err = ir.Guard(verifierStage, doc.Module.Loc(), func() error {
			err := ir.Verify(doc.Module)
			if err != nil && o.Recover {
				err = ir.VerifyAll(doc.Module)
			}
			return err
		})
	}
	if err != nil {
		var crash *ir.CrashError
		if !errors.As(err, &crash) && !model.Is(p.src) {
			err = explainForeign(ctx, p, err, o.Recover)
		}
		return nil, err
	}
	return doc, nil
}

// explainForeign returns what is to be said of a file that can't be read, for the reason err: what else it is, if that is known. dialects tells that
// so is what dialect of another project a program is in, in place of all errors that come of it.
func explainForeign(ctx *ir.Context, p piece, err error, dialects bool) error {
	if f := foreign.Of(p.src); f != nil {
		return ir.Errorf(ir.FileLineCol(p.name, 0, 0), "this is no program in MLIR's text or bytecode, but %s", f)
	}
	if !dialects || ctx.AllowUnregistered || bytecode.Is(p.src) {
		return err
	}
	if foreign.IsData(p.src) {
		return ir.Errorf(ir.FileLineCol(p.name, 0, 0), "this is no program in MLIR's text or bytecode, but data of a kind that isn't known")
	}
	if d := foreign.DialectIn(p.src, func(name string) bool { return ctx.Dialect(name) != nil }); d != nil {
		return ir.Errorf(ir.FileLineCol(p.name, uint32(d.Line), uint32(d.Column)), "%s", d)
	}
	return err
}

// saveReproducer writes a program on which something crashed to a temporary file,
// after comments that say what happened, and tells the user.
func (d *optDriver) saveReproducer(what error, stack, program []byte, how string) {
	f, err := os.CreateTemp("", "freehold-crash-*.mlir")
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "// %s\n// %s\n\n", what, strings.ReplaceAll(strings.TrimSpace(string(stack)), "\n", "\n// "))
	f.Write(program)
	fmt.Fprintf(d.Err, "note: a reproducer was written to %s (run it with %s)\n", f.Name(), how)
}

// crashed saves the program if the error is a crash of the parser, verifier or printer.
func (d *optDriver) crashed(err error, program []byte) {
	var crash *ir.CrashError
	if errors.As(err, &crash) {
		d.saveReproducer(crash, crash.Stack, program, "the same flags")
	}
}

// textOf returns the textual form of a program that is shown or saved whatever happens: the
// generic one where an operation's own syntax can't be printed, and a comment on why where
// nothing can.
func textOf(doc *asm.Document, o asm.PrintOptions) []byte {
	text, err := printed(doc, o)
	if err == nil {
		return text
	}
	comment := []byte("// " + strings.ReplaceAll(err.Error(), "\n", "\n// ") + "\n")
	o.Generic = true
	text, _ = printed(doc, o)
	return append(comment, text...)
}

// printed returns the textual form of a program, or a *[ir.CrashError].
func printed(doc *asm.Document, o asm.PrintOptions) (text []byte, err error) {
	err = ir.Guard(printerStage, doc.Module.Loc(), func() error {
		text = asm.PrintDocument(doc, o)
		return nil
	})
	return text, err
}
