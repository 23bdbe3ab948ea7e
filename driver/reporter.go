package driver

import (
	"errors"
	"io"
	"os"
	"strings"

	"freehold/internal/terminal"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/import/tflite/model"
)

// Reporter shows diagnostics with the lines of the source that they are about.
type Reporter struct {
	// Err is where they are written to.
	Err io.Writer
	// piece is the source at work.
	piece piece
	// AttachOps adds the operation that a diagnostic is about.
	AttachOps bool
	// WholeFiles shows places without a line as the file's name alone, see [asm.Renderer].
	WholeFiles bool
	// Shown says how such operations are printed, as far as the user may choose.
	Shown asm.PrintOptions
	// renderer shows the lines of the piece and of other files.
	renderer asm.Renderer
	// expect takes the diagnostics that are expected. May be nil.
	expect *expectations
}

// Report passes a diagnostic on to the terminal, or to the expectations.
func (r *Reporter) Report(diag *ir.Diagnostic) {
	if r.expect != nil {
		r.expect.match(diag, r.Show)
		return
	}
	r.Show(diag)
}

// ReportAll reports the errors of the parser and the verifier.
func (r *Reporter) ReportAll(err error) {
	var many ir.Diagnostics
	if !errors.As(err, &many) {
		many = ir.Diagnostics{{Loc: ir.Unknown, Message: err.Error()}}
	}
	for _, x := range many {
		if r.AttachOps {
			r.AttachOp(x)
		}
		r.Report(x)
	}
}

// Start makes a text the source at work; diagnostics name it.
func (r *Reporter) Start(src []byte, name string) {
	r.piece = piece{src: src, name: name}
	r.renderer = asm.Renderer{Sources: r.source, WholeFiles: r.WholeFiles}
	if style := terminal.StyleOf(r.Err); style {
		r.renderer.Paint = painter(style)
	}
	if terminal.IsTerminal(r.Err) {
		r.renderer.Width = terminal.Width(r.Err)
	}
}

// Show writes a diagnostic with the source line.
func (r *Reporter) Show(diag *ir.Diagnostic) { r.Err.Write(r.renderer.Append(nil, diag)) }

// SourceText returns the lines that locations in a file mean: the file itself, or the operators of a model of TensorFlow Lite.
func SourceText(src []byte) []byte {
	if model.Is(src) {
		return model.Listing(src)
	}
	return src
}

// maxShownSource is the size of the largest file, named by a location, that is
// read for the sake of a message.
const maxShownSource = 64 << 20

// source returns the contents of the piece, or of a file that a location names; nil
// if there is no such regular file. The name comes from the program and may be
// anything.
func (r *Reporter) source(file string) []byte {
	if file == r.piece.name {
		return SourceText(r.piece.src)
	}
	var b []byte
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() <= maxShownSource {
		b, _ = os.ReadFile(file)
	}
	return b
}

// AttachOp adds the operation that a diagnostic is about as its first note.
func (r *Reporter) AttachOp(diag *ir.Diagnostic) {
	if diag.Op == nil {
		return
	}
	o := asm.DiagnosticOptions()
	o.DebugInfo, o.PrettyDebugInfo = r.Shown.DebugInfo, r.Shown.PrettyDebugInfo
	o.SkipRegions, o.ValueUsers = r.Shown.SkipRegions, r.Shown.ValueUsers
	text := strings.TrimSuffix(string(textOf(&asm.Document{Module: diag.Op}, o)), "\n")
	if strings.Contains(text, "\n") {
		text = "\n" + text
	}
	note := &ir.Diagnostic{Severity: ir.Note, Loc: diag.Loc, Message: "see current operation: " + text}
	diag.Notes = append([]*ir.Diagnostic{note}, diag.Notes...)
	diag.Op = nil
}

// painter returns what gives the parts of a diagnostic their style, see [asm.Renderer].
func painter(style terminal.Style) func(part asm.Part, severity ir.Severity, text string) string {
	return func(part asm.Part, severity ir.Severity, text string) string {
		switch {
		case part == asm.PartPlace:
			return style.Heading(text)
		case part == asm.PartMessage && severity == ir.Note:
			return text
		case part == asm.PartMessage:
			return style.Heading(text)
		case part == asm.PartCaret:
			return style.Good(strings.TrimRight(text, " "))
		case severity == ir.Error:
			return style.Bad(text)
		case severity == ir.Warning:
			return style.Warning(text)
		case severity == ir.Remark:
			return style.Remark(text)
		}
		return style.Note(text)
	}
}
