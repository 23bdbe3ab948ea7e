// Package terminal knows whether what is written is read by a person at a terminal: in colours and
// as wide as the window, or by another program: plain, and at most 80 columns wide.
package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// When tells when to use colours.
type When string

// The values of the flag --color.
const (
	Auto   When = "auto"
	Always When = "always"
	Never  When = "never"
)

// Set is for flags.
func (w *When) Set(text string) error {
	switch When(text) {
	case Auto, Always, Never:
		*w = When(text)
		return nil
	}
	return fmt.Errorf("not one of %s, %s and %s", Auto, Always, Never)
}

// String returns the flag's value.
func (w *When) String() string { return string(*w) }

// Type is for help texts.
func (w *When) Type() string { return "when" }

// Stream is a stream that knows when the user wants colours on it, and whether something
// that was written is lost. It isn't for several goroutines.
type Stream struct {
	io.Writer
	// When may be nil, which is Auto.
	When *When
	lost error
}

// Write writes p, and keeps the first error.
func (s *Stream) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.lost == nil {
		s.lost = err
	}
	return n, err
}

// Lost returns the first error of Write, or nil.
func (s *Stream) Lost() error { return s.lost }

// Unwrap returns the file that a stream is written to, or nil.
func Unwrap(w io.Writer) *os.File {
	for s, ok := w.(*Stream); ok; s, ok = w.(*Stream) {
		w = s.Writer
	}
	f, _ := w.(*os.File)
	return f
}

// IsTerminal tells whether a stream is a terminal that can do more than print.
func IsTerminal(w io.Writer) bool {
	f := Unwrap(w)
	return f != nil && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// PlainWidth is how wide lines are that no terminal shows.
const PlainWidth = 80

// Width returns how many columns a stream has: those of the terminal, or PlainWidth.
func Width(w io.Writer) int {
	if f := Unwrap(w); f != nil {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return max(columns, 40)
		}
	}
	return PlainWidth
}

// StyleOf returns how to write to a stream: in colours if the user says so, or on a terminal
// unless the environment has NO_COLOR (https://no-color.org).
func StyleOf(w io.Writer) Style {
	when := Auto
	if s, ok := w.(*Stream); ok && s.When != nil {
		when = *s.When
	}
	switch when {
	case Always:
		return true
	case Never:
		return false
	}
	return Style(os.Getenv("NO_COLOR") == "" && IsTerminal(w))
}

// Style tells whether texts get colours.
type Style bool

// The codes of ECMA-48, section 8.3.117.
const (
	bold    = "1"
	faint   = "2"
	red     = "1;31"
	green   = "1;32"
	magenta = "1;35"
	blue    = "1;34"
	cyan    = "1;36"
)

func (s Style) in(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Heading is for the first lines of tables and for what sums up.
func (s Style) Heading(text string) string { return s.in(bold, text) }

// Aside is for what is less important.
func (s Style) Aside(text string) string { return s.in(faint, text) }

// Good is for what is as it should be, and Bad for what isn't.
func (s Style) Good(text string) string { return s.in(green, text) }

// Bad is the opposite of Good.
func (s Style) Bad(text string) string { return s.in(red, text) }

// Warning, Remark and Note are for the words that say which of these a message is.
func (s Style) Warning(text string) string { return s.in(magenta, text) }

// Remark is for the word before a remark.
func (s Style) Remark(text string) string { return s.in(blue, text) }

// Note is for the word before a note.
func (s Style) Note(text string) string { return s.in(cyan, text) }
