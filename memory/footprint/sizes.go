package footprint

import (
	"slices"
	"strings"
)

// Sizes are some of which the largest counts, which depends on sizes that aren't known. None of them is at least another one, whatever those are.
type Sizes []Size

// with adds a size, unless it is within another one, and leaves out what is within it.
func (s Sizes) with(size Size) Sizes {
	if slices.ContainsFunc(s, func(x Size) bool { return x.AtLeast(size) }) {
		return s
	}
	return append(slices.DeleteFunc(s, size.AtLeast), size)
}

// Each returns other sizes in place of these.
func (s Sizes) Each(by func(Size) Size) (out Sizes) {
	for _, x := range s {
		out = out.with(by(x))
	}
	return out
}

// Within tells whether the largest of these sizes is no more than the largest of others, whatever the unknown sizes are: each of them is within one of the others.
// Sums of the largest summands don't tell: 4*n + 8*m has the same as 4*n or 8*m, and is more.
func (s Sizes) Within(others Sizes) bool {
	for _, x := range s {
		if !slices.ContainsFunc(others, func(y Size) bool { return y.AtLeast(x) }) {
			return false
		}
	}
	return true
}

// String writes them as in "4*n or 8*m".
func (s Sizes) String() string { return s.Text(Size.String) }

// Text is String with the words that each of them is written in.
func (s Sizes) Text(words func(Size) string) string {
	if len(s) == 0 {
		return words(Size{})
	}
	var out []string
	for _, x := range s {
		out = append(out, words(x))
	}
	return strings.Join(out, " or ")
}
