package engine

import (
	"bytes"
	"errors"
	"unicode/utf16"

	"freehold/ir"
)

// Place is a place of a stage's text. Line counts from 1, and is 0 if there is no place;
// Column counts from 0, in units of UTF-16, as browsers do.
type Place struct {
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Length is that of what is meant, 0 if only its start is known.
	Length int `json:"length,omitempty"`
}

// Diagnostic is a message about a place.
type Diagnostic struct {
	Place
	// Kind is "error", "warning", "remark" or "note"; of findings, what was found, such as
	// "leak".
	Kind    string       `json:"kind"`
	Message string       `json:"message"`
	Notes   []Diagnostic `json:"notes,omitempty"`
}

// diagnosticsOf returns the diagnostics that are an error, with places in a text.
func diagnosticsOf(err error, text []byte) []Diagnostic {
	var all ir.Diagnostics
	errors.As(err, &all)
	return newPlaces(text).diagnostics(all)
}

// places finds places in a text.
type places struct {
	text []byte
	// starts are where lines start.
	starts []int
}

func newPlaces(text []byte) *places {
	p := &places{text: text, starts: []int{0}}
	for i, c := range text {
		if c == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	return p
}

// line returns a line, from 1, without its end.
func (p *places) line(n int) []byte {
	if n < 1 || n > len(p.starts) {
		return nil
	}
	line, _, _ := bytes.Cut(p.text[p.starts[n-1]:], []byte("\n"))
	return line
}

// of returns the place of a location.
func (p *places) of(l ir.Location, span int) Place {
	if l == nil {
		return Place{}
	}
	pos, ok := ir.SourcePos(l)
	if !ok || pos.Line == 0 || int(pos.Line) > len(p.starts) {
		return Place{}
	}
	line := p.line(int(pos.Line))
	from := min(max(int(pos.Col)-1, 0), len(line))
	to := min(from+max(span, 0), len(line))
	return Place{int(pos.Line), utf16Length(line[:from]), utf16Length(line[from:to])}
}

// named returns the place of a value; where that is where the operation is that makes it, only the start is known.
func (p *places) named(l ir.Location, name string) Place {
	where := p.of(l, len(name))
	if line := utf16.Encode([]rune(string(p.line(where.Line)))); string(utf16.Decode(line[min(where.Column, len(line)):][:where.Length])) != name {
		where.Length = 0
	}
	return where
}

func utf16Length(s []byte) (n int) {
	for _, r := range string(s) {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

func (p *places) diagnostic(d *ir.Diagnostic) Diagnostic {
	return Diagnostic{p.of(d.Loc, d.Span), d.Severity.String(), d.Message, p.diagnostics(d.Notes)}
}

func (p *places) diagnostics(list []*ir.Diagnostic) []Diagnostic {
	var out []Diagnostic
	for _, d := range list {
		out = append(out, p.diagnostic(d))
	}
	return out
}
