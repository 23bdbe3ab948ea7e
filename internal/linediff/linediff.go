// Package linediff finds where two programs differ, as they are printed: values that only have another number are no
// difference.
package linediff

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Hunk is a place where two texts differ: Added lines from line At of the new text on, counted
// from 1, are instead of the Removed ones.
type Hunk struct {
	At      int      `json:"at"`
	Added   int      `json:"added"`
	Removed []string `json:"removed,omitempty"`
}

// change is a Hunk by the numbers of lines: [x, xEnd) became [y, yEnd).
type change struct{ x, xEnd, y, yEnd int }

// names returns where the names of values are in a line of a program as it is printed, without the number of
// the result where there are several.
func names(line string) [][2]int {
	var out [][2]int
	for at := strings.IndexByte(line, '%'); at >= 0; {
		end := at + 1
		for end < len(line) && isNameByte(line[end]) {
			end++
		}
		if end > at+1 {
			out = append(out, [2]int{at, end})
		}
		next := strings.IndexByte(line[end:], '%')
		if next < 0 {
			break
		}
		at = end + next
	}
	return out
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_$.-", c) >= 0
}

// Hunks returns where programs differ, as they are printed, in order. Values that have other
// names only because others came or went before them are no difference.
func Hunks(before, after []byte) []Hunk {
	if bytes.Equal(before, after) {
		return nil
	}
	x, y := linesOf(before), linesOf(after)
	masked, maskedAfter := mask(x), mask(y)
	renamed := renaming{}
	var all []change
	add := func(c change) {
		if n := len(all) - 1; n >= 0 && all[n].xEnd == c.x && all[n].yEnd == c.y {
			all[n].xEnd, all[n].yEnd = c.xEnd, c.yEnd
			return
		}
		all = append(all, c)
	}
	at := change{}
	for _, c := range append(changes(masked, maskedAfter), change{len(x), len(x), len(y), len(y)}) {
		for i, j := at.xEnd, at.yEnd; i < c.x; i, j = i+1, j+1 {
			if same := renamed.same(x[i], y[j]); !same || masked[i] != maskedAfter[j] {
				add(change{i, i + 1, j, j + 1})
			}
		}
		renamed.forget(x[c.x:c.xEnd])
		if c.x < c.xEnd || c.y < c.yEnd {
			add(c)
		}
		at = c
	}
	out := make([]Hunk, len(all))
	for i, c := range all {
		out[i] = Hunk{c.y + 1, c.yEnd - c.y, x[c.x:c.xEnd]}
	}
	return out
}

func linesOf(text []byte) []string {
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// mask returns the lines with the same name for all values.
func mask(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = maskLine(line)
	}
	return out
}

func maskLine(line string) string {
	found := names(line)
	if len(found) == 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	end := 0
	for _, at := range found {
		b.WriteString(line[end : at[0]+1])
		end = at[1]
	}
	b.WriteString(line[end:])
	return b.String()
}

// changes compares lists of lines, each as a character of a text: of what compares lines as they are, go-udiff gives up after
// 100 differences, which one pass can make in one function, and go-difflib takes quadratic time where lines repeat, as masked ones do.
func changes(before, after []string) []change {
	d := diffmatchpatch.New()
	d.DiffTimeout = diffTime
	numbers := map[string]rune{}
	var out []change
	at, open := change{}, false
	for _, e := range d.DiffMainRunes(number(numbers, before), number(numbers, after), false) {
		n := utf8.RuneCountInString(e.Text)
		if e.Type == diffmatchpatch.DiffEqual {
			at = change{at.xEnd + n, at.xEnd + n, at.yEnd + n, at.yEnd + n}
			open = false
			continue
		}
		if !open {
			out = append(out, at)
			open = true
		}
		if e.Type == diffmatchpatch.DiffDelete {
			at.xEnd += n
		} else {
			at.yEnd += n
		}
		out[len(out)-1] = at
	}
	return out
}

// diffTime is how long the search for the smallest difference may take.
const diffTime = time.Second

// number returns a number for each line, the same for equal ones, as characters.
func number(numbers map[string]rune, lines []string) []rune {
	out := make([]rune, len(lines))
	for i, line := range lines {
		n, ok := numbers[line]
		if !ok {
			n = rune(len(numbers))
			if n >= surrogates {
				n += surrogatesEnd - surrogates
			}
			// If there are more lines than characters, the last ones are told apart later.
			n = min(n, unicode.MaxRune)
			numbers[line] = n
		}
		out[i] = n
	}
	return out
}

// surrogates and those up to surrogatesEnd are no characters.
const (
	surrogates    = 0xD800
	surrogatesEnd = 0xE000
)

// renaming knows what values of a text are called in another one.
type renaming map[string]string

// same tells whether two lines, which are equal but for names, mean the same, and learns the
// names of what they define.
func (r renaming) same(x, y string) bool {
	if x == y && len(r) == 0 {
		return true
	}
	from, to := names(x), names(y)
	if len(from) != len(to) {
		return false
	}
	equal := true
	for i := range from {
		a, b := x[from[i][0]:from[i][1]], y[to[i][0]:to[i][1]]
		if defines(x, from[i]) {
			if r[a] = b; a == b {
				delete(r, a) // as is taken of a name that isn't there
			}
			continue
		}
		known, ok := r[a]
		if !ok {
			known = a
		}
		equal = equal && known == b
	}
	return equal
}

// forget forgets what is defined in lines that are no more.
func (r renaming) forget(lines []string) {
	for _, line := range lines {
		for _, at := range names(line) {
			if defines(line, at) {
				delete(r, line[at[0]:at[1]])
			}
		}
	}
}

// defines tells whether the name at a place of a line is that of a result or of an argument, as
// in "%x, %y:2 = ", "%x = " within an operation, and "%x: type".
func defines(line string, at [2]int) bool {
	rest := line[at[1]:]
	return strings.HasPrefix(rest, " = ") || strings.HasPrefix(rest, ":") || at[0] < definedUntil(line)
}

// definedUntil returns where the results of the operation in a line end; 0 if it has none.
func definedUntil(line string) int {
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "%") {
		return 0
	}
	if i := strings.IndexAny(line, "=()"); i > 0 && strings.HasPrefix(line[i-1:], " = ") {
		return i + 2
	}
	return 0
}

// Unified returns what differs between programs, in the format of diff -u, with three lines around each place; "" if
// nothing does, but the names of values. It takes at most a second and a half.
func Unified(before, after []byte, from, to string) string {
	const around = 3
	found := Hunks(before, after)
	if len(found) == 0 {
		return ""
	}
	old, lines := linesOf(before), linesOf(after)
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	shift := 0 // of the lines behind a place, from the new text to the old one
	for i := 0; i < len(found); {
		last := i
		for last+1 < len(found) && found[last+1].At-(found[last].At+found[last].Added) <= 2*around {
			last++
		}
		start := max(found[i].At-1-around, 0)
		end := min(found[last].At-1+found[last].Added+around, len(lines))
		var body strings.Builder
		at, removed, added := start, 0, 0
		for _, h := range found[i : last+1] {
			for ; at < h.At-1; at++ {
				// The old line may have other names.
				body.WriteString(" " + old[at+shift+removed-added] + "\n")
			}
			for _, l := range h.Removed {
				body.WriteString("-" + l + "\n")
			}
			for range h.Added {
				body.WriteString("+" + lines[at] + "\n")
				at++
			}
			removed, added = removed+len(h.Removed), added+h.Added
		}
		for ; at < end; at++ {
			body.WriteString(" " + old[at+shift+removed-added] + "\n")
		}
		size := end - start
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n%s", start+shift+1, size+removed-added, start+1, size, body.String())
		shift += removed - added
		i = last + 1
	}
	return b.String()
}
