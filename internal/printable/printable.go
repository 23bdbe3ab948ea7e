// Package printable shows texts from files on terminals: what would move the cursor, change colours, or turn the
// order of letters around is shown by its number.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text in which each character that can't be seen is replaced: controls, marks of direction, spaces other
// than the usual one, and bytes that are no UTF-8. Ends of lines and tabs stay, and so do bytes of 0, which terminals ignore: a message of
// mlir-opt has one.
func Text(s string) string { return escaped(s, true) }

// Name is Text for what has to stay in its line: ends of lines and tabs are replaced, too.
func Name(s string) string { return escaped(s, false) }

func escaped(s string, lines bool) string {
	if plain(s, lines) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if lines && (r == '\n' || r == '\t' || r == 0) {
			b.WriteRune(r)
		} else {
			b.WriteString(shown(r, s[i:i+size]))
		}
		i += size
	}
	return b.String()
}

func plain(s string, lines bool) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && !(lines && (c == '\n' || c == '\t' || c == 0)) {
			return false
		}
	}
	return true
}

// shown returns a character, or what stands for it.
func shown(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case unicode.IsPrint(r):
		return raw
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// Line returns a line as it is shown, with tabs up to multiples of 8 columns, and for each place in it, a number of
// bytes, how many columns are before it there. Places are in ascending order.
func Line(s string, places ...int) (text string, columns []int) {
	var b strings.Builder
	column := 0
	reached := func(at int) {
		for len(columns) < len(places) && places[len(columns)] <= at {
			columns = append(columns, column)
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		// A place within a character is at its beginning.
		reached(i + size - 1)
		part := ""
		switch {
		case r == '\t':
			part = strings.Repeat(" ", 8-column%8)
			column += len(part)
		default:
			part = shown(r, s[i:i+size])
			if part == s[i:i+size] {
				column += width(r)
			} else {
				column += len(part)
			}
		}
		b.WriteString(part)
		i += size
	}
	for len(columns) < len(places) {
		columns = append(columns, column)
	}
	return b.String(), columns
}

// wide are the ranges of characters that take two columns (Unicode Standard Annex #11, East Asian Width).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

// width returns how many columns a character takes.
func width(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
