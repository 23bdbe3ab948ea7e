package asm

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"freehold/internal/printable"
	"freehold/internal/textwrap"
	"freehold/ir"
)

// Render appends diagnostics as the command line tool shows them: file, line and
// column, the message, the line of the source with a caret, and the notes. d may
// be any error; what is not a diagnostic is written as a line of its own. sources
// returns the text of a file, or nil if there is none; it may be nil. Notes about
// the operation a diagnostic is about are printed by the printer.
func Render(w []byte, d error, sources func(file string) []byte) []byte {
	return (&Renderer{Sources: sources}).Append(w, d)
}

// Renderer renders diagnostics one after the other, and finds the lines of each
// file just once. It is not safe for concurrent use.
type Renderer struct {
	// Sources returns the text of a file, or nil if there is none. It is asked once
	// for a file. May be nil.
	Sources func(file string) []byte
	// Paint puts a part of a message into colours. May be nil.
	Paint func(part Part, severity ir.Severity, text string) string
	// Width is how many bytes of a source line are shown at most, so that the caret stays below
	// its place in a window that is so wide; messages of one line are broken between words. 0 is no
	// limit but that for very long lines.
	Width int
	// WholeFiles shows a place without a line, which means the file as a whole, as the file's name alone. mlir-opt shows line 0.
	WholeFiles bool

	w      []byte
	tables map[string]*sourceText
}

// Part is a part of a message.
type Part uint8

// The parts: file, line and column; the word "error" or another one; the text, and what marks the
// place in the source line.
const (
	PartPlace Part = iota
	PartSeverity
	PartMessage
	PartCaret
)

// paint writes what was written since start in colours.
func (r *Renderer) paint(start int, part Part, severity ir.Severity) {
	if r.Paint != nil {
		r.w = append(r.w[:start], r.Paint(part, severity, string(r.w[start:]))...)
	}
}

// Append is [Render] with what is known of the files already.
func (r *Renderer) Append(w []byte, d error) []byte {
	r.w = w
	r.error(d)
	w, r.w = r.w, nil
	return w
}

type sourceText struct {
	text  string
	lines lineTable
}

func (r *Renderer) error(d error) {
	var ds ir.Diagnostics
	switch {
	case d == nil:
	case errors.As(d, &ds):
		for _, x := range ds {
			r.diagnostic(x)
		}
	default:
		r.w = append(r.w, "error: "...)
		r.w = append(r.w, printable.Text(d.Error())...)
		r.w = append(r.w, '\n')
	}
}

func (r *Renderer) diagnostic(d *ir.Diagnostic) {
	bare := d.Loc
	if bare == nil {
		bare = ir.Unknown
	}
	r.line(bare, d.Severity, text(d), true, d.Span)
	last := r.callSites(bare)
	for _, n := range d.Notes {
		loc := n.Loc
		if loc == nil {
			loc = bare
		}
		r.line(loc, n.Severity, text(n), !ir.SameLocation(loc, last), n.Span)
		last = loc
	}
}

// text returns the message with the operation that completes it, which starts on a
// line of its own if it takes several.
func text(d *ir.Diagnostic) string {
	if d.Suffix == nil {
		return d.Message
	}
	op := string(Print(d.Suffix, DiagnosticOptions()))
	if strings.Contains(op, "\n") {
		return d.Message + "\n" + op
	}
	return d.Message + op
}

// maxCallers is how many callers of an inlined location are shown.
const maxCallers = 10

// callSites adds a note for each caller of an inlined location, and returns the
// location of the last one.
func (r *Renderer) callSites(l ir.Location) ir.Location {
	for range maxCallers {
		c := callSite(l)
		if c == nil {
			break
		}
		l = c.Caller
		r.line(l, ir.Note, "called from", true, 0)
	}
	return l
}

// callSite returns the first call site in a location, or nil.
func callSite(l ir.Location) *ir.CallSiteLoc {
	var found *ir.CallSiteLoc
	ir.WalkLocation(l, func(l ir.Location) bool {
		found, _ = l.(*ir.CallSiteLoc)
		return found == nil
	})
	return found
}

// broken breaks a message that stands behind so many bytes between words, if it has just one line
// and that is too wide.
func (r *Renderer) broken(message string, behind int) string {
	if r.Width <= 0 || behind+len(message) <= r.Width || strings.Contains(message, "\n") {
		return message
	}
	const indent = "\n    "
	taken := strings.Repeat("x", max(behind-1, 1))
	lines := textwrap.Lines(taken+" "+message, max(r.Width-len(indent)+1, 20))
	lines[0] = strings.TrimPrefix(strings.TrimPrefix(lines[0], taken), " ")
	return strings.Join(lines, indent)
}

// line writes one message, with its source line if showSource is set. A longer span
// is underlined as far as the line goes.
func (r *Renderer) line(l ir.Location, severity ir.Severity, message string, showSource bool, span int) {
	pos, ok := ir.SourcePos(l)
	start, first := len(r.w), len(r.w)
	if ok {
		r.w = append(r.w, printable.Name(pos.File())...)
		if pos.Line > 0 || !r.WholeFiles {
			r.w = append(r.w, ':')
			r.w = strconv.AppendUint(r.w, uint64(pos.Line), 10)
			r.w = append(r.w, ':')
			r.w = strconv.AppendUint(r.w, uint64(pos.Col), 10)
		}
		r.w = append(r.w, ": "...)
	} else {
		r.w = append(r.w, "<unknown>:0: "...)
	}
	used := len(r.w) - first
	r.paint(start, PartPlace, severity)
	start = len(r.w)
	r.w = append(r.w, severity.String()...)
	r.w = append(r.w, ": "...)
	used += len(r.w) - start
	r.paint(start, PartSeverity, severity)
	start = len(r.w)
	if !ok && l != ir.Location(ir.Unknown) {
		r.w = append(r.w, printable.Name(l.String())...)
		r.w = append(r.w, ": "...)
	}
	r.w = append(r.w, r.broken(printable.Text(message), used)...)
	r.paint(start, PartMessage, severity)
	r.w = append(r.w, '\n')
	if !ok || !showSource {
		return
	}
	text, ok := r.sourceLine(pos.File(), pos.Line)
	if !ok {
		return
	}
	col := int(pos.Col) - 1
	if col > len(text) {
		return // There is no such place.
	}
	longest, around := maxShownLine, shownAround
	if r.Width > 0 && r.Width < maxShownLine {
		longest, around = r.Width, max(r.Width/2-len(gap)-1, 1)
	}
	text, col = excerpt(text, col, longest, around)
	end := max(min(col+span, len(text)), col)
	shown, columns := printable.Line(text, col, end)
	r.w = append(r.w, shown...)
	r.w = append(r.w, '\n')
	if col >= 0 && col <= len(text) {
		r.w = append(r.w, strings.Repeat(" ", columns[0])...)
		start = len(r.w)
		r.w = append(r.w, '^')
		if end > col+1 {
			r.w = append(r.w, strings.Repeat("~", max(columns[1]-columns[0]-1, 0))...)
		}
		r.paint(start, PartCaret, severity)
	}
	r.w = append(r.w, '\n')
}

// maxShownLine is the length of the longest line that is shown whole, and shownAround
// is what is shown of longer ones on either side of the caret. There may be as many
// errors in a line as it has characters.
const (
	maxShownLine = 2000
	shownAround  = 200
)

// gap stands for what is left out of a line.
const gap = "..."

// excerpt returns the part of a line to show and where the column is in it. Lines up to the
// longest are shown whole, of others so much around the column.
func excerpt(line string, col, longest, around int) (string, int) {
	if len(line) <= longest {
		return line, col
	}
	col = min(max(col, 0), len(line))
	start, end := max(col-around, 0), min(col+around, len(line))
	// What isn't there on one side makes room on the other.
	start, end = max(min(start, len(line)-2*around), 0), min(max(end, 2*around), len(line))
	for start < col && !utf8.RuneStart(line[start]) {
		start++
	}
	for end > col && end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	shown := line[start:end]
	col -= start
	if start > 0 {
		shown, col = gap+shown, col+len(gap)
	}
	if end < len(line) {
		shown += gap
	}
	return shown, col
}

// sourceLine returns a line of a file, counted from 1.
func (r *Renderer) sourceLine(file string, line uint32) (string, bool) {
	t := r.tables[file]
	if t == nil {
		t = &sourceText{}
		if r.Sources != nil {
			t.text = string(r.Sources(file))
		}
		t.lines = newLineTable(t.text)
		if r.tables == nil {
			r.tables = map[string]*sourceText{}
		}
		r.tables[file] = t
	}
	if t.text == "" || line == 0 || int(line) > len(t.lines.starts) {
		return "", false
	}
	start := t.lines.starts[line-1]
	end := len(t.text)
	if int(line) < len(t.lines.starts) {
		end = t.lines.starts[line] - 1
	}
	return strings.TrimSuffix(t.text[start:end], "\r"), true
}
