package asm

import (
	"strconv"
	"strings"

	"freehold/ir"
)

// SourceNames finds the names that values have in the text that they were read from, by their
// locations. It is not safe for concurrent use.
type SourceNames struct {
	source func(file string) []byte
	lines  map[string][]string
}

// NewSourceNames returns the names in the texts of files; source returns that of a file, or
// nil if there is none, and may be nil.
func NewSourceNames(source func(file string) []byte) *SourceNames {
	return &SourceNames{source, map[string][]string{}}
}

// Line returns a line of a file, counted from 1, or "".
func (n *SourceNames) Line(file string, number uint32) string {
	if n.source == nil {
		return ""
	}
	lines, ok := n.lines[file]
	if !ok {
		lines = strings.Split(string(n.source(file)), "\n")
		n.lines[file] = lines
	}
	if number == 0 || int(number) > len(lines) {
		return ""
	}
	return lines[number-1]
}

// Value returns the name of a value, "%x" or "%x#1", or "" if its place doesn't tell. The
// place of an operation's results is that of the operation's name, before which they stand;
// that of a block's argument is the argument's own.
func (n *SourceNames) Value(v *ir.Value) string {
	loc, ok := ir.SourcePos(v.Loc())
	if !ok {
		return ""
	}
	line := n.Line(loc.File(), loc.Line)
	col := int(loc.Col) - 1
	if col < 0 || col > len(line) {
		return ""
	}
	if v.IsBlockArg() {
		return nameAt(line[col:])
	}
	before, found := strings.CutSuffix(strings.TrimRight(line[:col], " \t"), "=")
	if !found {
		return ""
	}
	index := v.Index()
	start := strings.IndexByte(before, '%')
	if start < 0 {
		return ""
	}
	for _, group := range strings.Split(before[start:], ",") {
		name, count := nameAt(strings.TrimSpace(group)), 1
		if name == "" {
			return ""
		}
		if _, digits, several := strings.Cut(group, ":"); several {
			count, _ = strconv.Atoi(strings.TrimSpace(digits))
			if index < count {
				return name + "#" + strconv.Itoa(index)
			}
		} else if index == 0 {
			return name
		}
		index -= count
	}
	return ""
}

// nameAt returns the value's name that a text begins with.
func nameAt(text string) string {
	if !strings.HasPrefix(text, "%") {
		return ""
	}
	end := 1
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	if end == 1 {
		return ""
	}
	return text[:end]
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("$._-", c) >= 0
}
