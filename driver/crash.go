package driver

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// CrashError is an error in freehold itself, or in a tool's dialects: what was to be
// done to a program panicked.
type CrashError struct {
	// Stage is what was being done: "parser", "verifier" or "printer".
	Stage string
	// Source names the program.
	Source string
	// Value is what it panicked with, Stack where.
	Value any
	Stack []byte
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("the %s crashed on %s: %v", e.Stage, e.Source, e.Value)
}

// guard runs one stage of the work on a program, and returns its panic as an error.
func guard(stage, source string, run func() error) (err error) {
	if p := parallel.Attempt(func() { err = run() }); p != nil {
		return &CrashError{stage, source, p.Value, p.Stack}
	}
	return err
}

// parse reads and verifies a program, in MLIR's textual format or bytecode. It returns all errors of one that the parser was to
// recover from.
func parse(ctx *ir.Context, p piece, o asm.ParseOptions) (doc *asm.Document, err error) {
	err = guard("parser", p.name, func() error {
		read := asm.ParseDocument
		if bytecode.Is(p.src) {
			read = bytecode.Read
		}
		doc, err = read(ctx, p.src, p.name, o)
		return err
	})
	if err == nil {
		err = guard("verifier", p.name, func() error {
			err := ir.Verify(doc.Module)
			if err != nil && o.Recover {
				err = ir.VerifyAll(doc.Module)
			}
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
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
	var crash *CrashError
	if errors.As(err, &crash) {
		d.saveReproducer(crash, crash.Stack, program, "the same flags")
	}
}
