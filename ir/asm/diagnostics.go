package asm

import (
	"errors"
	"strconv"
	"strings"

	"freehold/ir"
)

// Render appends diagnostics as the command line tool shows them: file, line and
// column, the message, the line of the source with a caret, and the notes. d may
// be any error; what is not a diagnostic is written as a line of its own. sources
// returns the text of a file, or nil if there is none; it may be nil. Notes about
// the operation a diagnostic is about are printed by the printer.
func Render(w []byte, d error, sources func(file string) []byte) []byte {
	r := renderer{w: w, sources: sources, tables: map[string]*sourceText{}}
	r.error(d)
	return r.w
}

// renderer keeps the line tables of the files that diagnostics point to.
type renderer struct {
	w       []byte
	sources func(file string) []byte
	tables  map[string]*sourceText
}

type sourceText struct {
	text  string
	lines lineTable
}

func (r *renderer) error(d error) {
	var many ir.Diagnostics
	var one *ir.Diagnostic
	switch {
	case d == nil:
	case errors.As(d, &many):
		for _, x := range many {
			r.diagnostic(x)
		}
	case errors.As(d, &one):
		r.diagnostic(one)
	default:
		r.w = append(r.w, "error: "...)
		r.w = append(r.w, d.Error()...)
		r.w = append(r.w, '\n')
	}
}

func (r *renderer) diagnostic(d *ir.Diagnostic) {
	bare := d.Loc
	if bare == nil {
		bare = ir.Unknown
	}
	r.line(bare, d.Severity, text(d), true)
	r.callSites(bare)
	last := bare
	for _, n := range d.Notes {
		loc := n.Loc
		if loc == nil {
			loc = bare
		}
		r.line(loc, n.Severity, text(n), !ir.SameLocation(loc, last))
		last = loc
	}
}

// text returns the message with the operation that completes it.
func text(d *ir.Diagnostic) string {
	if d.Suffix == nil {
		return d.Message
	}
	return d.Message + string(Print(d.Suffix, DiagnosticOptions()))
}

// maxCallers is how many callers of an inlined location are shown.
const maxCallers = 10

// callSites adds a note for each caller of an inlined location.
func (r *renderer) callSites(l ir.Location) {
	for range maxCallers {
		c := callSite(l)
		if c == nil {
			return
		}
		l = c.Caller
		r.line(l, ir.Note, "called from", true)
	}
}

// callSite returns the first call site in a location, or nil.
func callSite(l ir.Location) *ir.CallSiteLoc {
	switch l := l.(type) {
	case *ir.CallSiteLoc:
		return l
	case *ir.NameLoc:
		return callSite(l.Child)
	case *ir.FusedLoc:
		for _, x := range l.Locs {
			if c := callSite(x); c != nil {
				return c
			}
		}
	}
	return nil
}

// line writes one message, with its source line if showSource is set.
func (r *renderer) line(l ir.Location, severity ir.Severity, message string, showSource bool) {
	pos, ok := ir.SourcePos(l)
	if ok {
		r.w = append(r.w, pos.File...)
		r.w = append(r.w, ':')
		r.w = strconv.AppendUint(r.w, uint64(pos.Line), 10)
		r.w = append(r.w, ':')
		r.w = strconv.AppendUint(r.w, uint64(pos.Col), 10)
		r.w = append(r.w, ": "...)
	} else if l != ir.Location(ir.Unknown) {
		r.w = append(r.w, l.String()...)
		r.w = append(r.w, ": "...)
	} else {
		r.w = append(r.w, "<unknown>:0: "...)
	}
	r.w = append(r.w, severity.String()...)
	r.w = append(r.w, ": "...)
	r.w = append(r.w, message...)
	r.w = append(r.w, '\n')
	if !ok || !showSource {
		return
	}
	text, ok := r.sourceLine(pos.File, pos.Line)
	if !ok {
		return
	}
	r.w = append(r.w, expandTabs(text)...)
	r.w = append(r.w, '\n')
	col := int(pos.Col) - 1
	if col >= 0 && col <= len(text) {
		r.w = append(r.w, strings.Repeat(" ", len(expandTabs(text[:col])))...)
		r.w = append(r.w, '^')
	}
	r.w = append(r.w, '\n')
}

// sourceLine returns a line of a file, counted from 1.
func (r *renderer) sourceLine(file string, line uint32) (string, bool) {
	t := r.tables[file]
	if t == nil {
		t = &sourceText{}
		if r.sources != nil {
			t.text = string(r.sources(file))
		}
		t.lines = newLineTable(t.text)
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

// expandTabs replaces tabs by spaces up to the next multiple of 8.
func expandTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] != '\t' {
			b.WriteByte(s[i])
			continue
		}
		for {
			b.WriteByte(' ')
			if b.Len()%8 == 0 {
				break
			}
		}
	}
	return b.String()
}
