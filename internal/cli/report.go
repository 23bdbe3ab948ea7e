package cli

import (
	"errors"
	"io"
	"os"
	"strings"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// reporter shows diagnostics.
type reporter struct {
	err io.Writer
	// piece is the source at work.
	piece piece
	// attachOps adds the operation that a diagnostic is about.
	attachOps bool
	// shown says how such operations are printed, as far as the user may choose.
	shown asm.PrintOptions
	// renderer shows the lines of the piece and of other files.
	renderer asm.Renderer
	// expect takes the diagnostics that are expected. May be nil.
	expect *expectations
}

// report passes a diagnostic on to the terminal, or to the expectations.
func (r *reporter) report(diag *ir.Diagnostic) {
	if r.expect != nil {
		r.expect.match(diag, r.show)
		return
	}
	r.show(diag)
}

// reportAll reports the errors of the parser and the verifier.
func (r *reporter) reportAll(err error) {
	var one *ir.Diagnostic
	var many ir.Diagnostics
	switch {
	case errors.As(err, &many):
	case errors.As(err, &one):
		many = ir.Diagnostics{one}
	default:
		many = ir.Diagnostics{{Loc: ir.Unknown, Message: err.Error()}}
	}
	for _, x := range many {
		if r.attachOps {
			r.attachOp(x)
		}
		r.report(x)
	}
}

// start makes p the source at work.
func (r *reporter) start(p piece) {
	r.piece = p
	r.renderer = asm.Renderer{Sources: r.source}
}

// show writes a diagnostic with the source line.
func (r *reporter) show(diag *ir.Diagnostic) { r.err.Write(r.renderer.Append(nil, diag)) }

// maxShownSource is the size of the largest file, named by a location, that is
// read for the sake of a message.
const maxShownSource = 64 << 20

// source returns the contents of the piece, or of a file that a location names; nil
// if there is no such regular file. The name comes from the program and may be
// anything.
func (r *reporter) source(file string) []byte {
	if file == r.piece.name {
		return r.piece.src
	}
	var b []byte
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() <= maxShownSource {
		b, _ = os.ReadFile(file)
	}
	return b
}

// attachOp adds the operation that a diagnostic is about as its first note.
func (r *reporter) attachOp(diag *ir.Diagnostic) {
	if diag.Op == nil {
		return
	}
	o := asm.DiagnosticOptions()
	o.DebugInfo, o.PrettyDebugInfo = r.shown.DebugInfo, r.shown.PrettyDebugInfo
	o.SkipRegions, o.ValueUsers = r.shown.SkipRegions, r.shown.ValueUsers
	text := strings.TrimSuffix(string(asm.Print(diag.Op, o)), "\n")
	if strings.Contains(text, "\n") {
		text = "\n" + text
	}
	note := &ir.Diagnostic{Severity: ir.Note, Loc: diag.Loc, Message: "see current operation: " + text}
	diag.Notes = append([]*ir.Diagnostic{note}, diag.Notes...)
	diag.Op = nil
}

// load parses and verifies a module. What is wrong with it is reported, and the
// error is the exit status then.
func (r *reporter) load(src []byte, name string, allowUnregistered bool) (*ir.Op, error) {
	ctx := ir.NewContext(dialect.All()...)
	ctx.AllowUnregistered = allowUnregistered
	module, err := asm.Parse(ctx, src, name, asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(module)
	}
	if err != nil {
		r.reportAll(err)
		return nil, exitStatus(1)
	}
	return module, nil
}
