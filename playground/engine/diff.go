package engine

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
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

// valueName matches the name of a value in a program as it is printed, without the number of
// the result where there are several.
var valueName = regexp.MustCompile(`%[A-Za-z0-9_$.-]+`)

// hunks returns where programs differ, as they are printed, in order. Values that have other
// names only because others came or went before them are no difference.
func hunks(before, after []byte) []Hunk {
	if bytes.Equal(before, after) {
		return nil
	}
	x, y := linesOf(before), linesOf(after)
	names := renaming{}
	var all []change
	add := func(c change) {
		if n := len(all) - 1; n >= 0 && all[n].xEnd == c.x && all[n].yEnd == c.y {
			all[n].xEnd, all[n].yEnd = c.xEnd, c.yEnd
			return
		}
		all = append(all, c)
	}
	at := change{}
	for _, c := range append(changes(mask(before), mask(after)), change{len(x), len(x), len(y), len(y)}) {
		for i, j := at.xEnd, at.yEnd; i < c.x; i, j = i+1, j+1 {
			if !names.same(x[i], y[j]) {
				add(change{i, i + 1, j, j + 1})
			}
		}
		names.forget(x[c.x:c.xEnd])
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

// mask returns the text with the same name for all values, and a newline in the end.
func mask(text []byte) []byte {
	return append(bytes.TrimSuffix(valueName.ReplaceAll(text, []byte("%")), []byte("\n")), '\n')
}

// changes compares texts line by line.
func changes(before, after []byte) []change {
	var out []change
	x, y := 0, 0
	open := false
	_, unified, _ := strings.Cut(string(diff.Diff("", before, "", after)), "\n@@")
	for _, line := range strings.SplitAfter("@@"+unified, "\n") {
		x0, y0 := x, y
		switch {
		case strings.HasPrefix(line, "@@ "):
			x, y = startsOf(line)
			open = false
			continue
		case strings.HasPrefix(line, "-"):
			x++
		case strings.HasPrefix(line, "+"):
			y++
		default:
			x, y, open = x+1, y+1, false
			continue
		}
		if !open {
			out = append(out, change{x: x0, y: y0})
			open = true
		}
		out[len(out)-1].xEnd, out[len(out)-1].yEnd = x, y
	}
	return out
}

// startsOf returns the numbers, from 0, of the first lines of a chunk whose header is
// "@@ -x,n +y,n @@".
func startsOf(header string) (x, y int) {
	fields := strings.Fields(header)
	number := func(s string) int {
		first, count, _ := strings.Cut(s[1:], ",")
		n, _ := strconv.Atoi(first)
		if count != "0" {
			n--
		}
		return n
	}
	return number(fields[1]), number(fields[2])
}

// renaming knows what values of a text are called in another one.
type renaming map[string]string

// same tells whether two lines, which are equal but for names, mean the same, and learns the
// names of what they define.
func (r renaming) same(x, y string) bool {
	from, to := valueName.FindAllStringIndex(x, -1), valueName.FindAllStringIndex(y, -1)
	if len(from) != len(to) {
		return false
	}
	equal := true
	for i := range from {
		a, b := x[from[i][0]:from[i][1]], y[to[i][0]:to[i][1]]
		if defines(x, from[i]) {
			r[a] = b
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
		for _, at := range valueName.FindAllStringIndex(line, -1) {
			if defines(line, at) {
				delete(r, line[at[0]:at[1]])
			}
		}
	}
}

// defined matches the results of an operation.
var defined = regexp.MustCompile(`^\s*%[^=()]* = `)

// defines tells whether the name at a place of a line is that of a result or of an argument, as
// in "%x, %y:2 = ", "%x = " within an operation, and "%x: type".
func defines(line string, at []int) bool {
	rest := line[at[1]:]
	return strings.HasPrefix(rest, " = ") || strings.HasPrefix(rest, ":") || at[0] < len(defined.FindString(line))
}
