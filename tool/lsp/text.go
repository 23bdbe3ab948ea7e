package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// text is a document's text, with positions as the client counts them.
type text struct {
	src    string
	starts []int // of lines
	utf8   bool  // columns are bytes, and not units of UTF-16
}

func newText(src string, inBytes bool) *text {
	t := &text{src: src, starts: []int{0}, utf8: inBytes}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// line returns a line, counted from 0, without its end.
func (t *text) line(n int) string {
	if n < 0 || n >= len(t.starts) {
		return ""
	}
	end := len(t.src)
	if n+1 < len(t.starts) {
		end = t.starts[n+1] - 1
	}
	return strings.TrimSuffix(t.src[t.starts[n]:end], "\r")
}

// position returns where a byte is.
func (t *text) position(offset int) position {
	offset = min(max(offset, 0), len(t.src))
	// Within a character there is no position: it is that of the character.
	for n := 1; n < utf8.UTFMax && offset > 0 && offset < len(t.src) && !utf8.RuneStart(t.src[offset]); n++ {
		offset--
	}
	n := sort.SearchInts(t.starts, offset+1) - 1
	return position{n, t.columns(t.src[t.starts[n]:offset])}
}

// columns returns how many columns a part of a line takes.
func (t *text) columns(s string) int {
	if t.utf8 {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n++
		if r >= 1<<16 {
			n++
		}
	}
	return n
}

// offset returns the byte at a position; the end of the line for columns behind it.
func (t *text) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.starts) {
		return len(t.src)
	}
	line, start := t.line(p.Line), t.starts[p.Line]
	if t.utf8 {
		return start + min(max(p.Character, 0), len(line))
	}
	at := 0
	for n := 0; n < p.Character && at < len(line); n++ {
		r, size := utf8.DecodeRuneInString(line[at:])
		at += size
		if r >= 1<<16 {
			n++
		}
	}
	return start + at
}

func (t *text) span(start, end int) span { return span{t.position(start), t.position(end)} }

// lineStart returns the offset of a line's start, counted from 0.
func (t *text) lineStart(n int) int { return t.starts[min(max(n, 0), len(t.starts)-1)] }
