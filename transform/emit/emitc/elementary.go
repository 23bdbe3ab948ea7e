package emitc

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"freehold/internal/elementary"
)

// elementarySource has functions of package elementary in C: what they compute is the same to the last bit, wherever fma is exact.
//
//go:embed elementary.c.txt
var elementarySource string

var (
	definedName = regexp.MustCompile(`(?m)^(?:static .*?\b(fh_\w+)[(\[]|typedef .* (fh_\w+);$)`)
	usedName    = regexp.MustCompile(`\bfh_\w+`)
)

// elementaryTexts returns the definitions of functions, types and tables, by their names.
var elementaryTexts = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	t := elementary.TablesOf()
	texts["fh_powers"] = numberTable("static const fh_dd fh_powers", t.Powers, "{%s, %s}")
	texts["fh_logarithms"] = numberTable("static const fh_logarithm_entry fh_logarithms", t.Logarithms, "{%s, {%s, %s}}")
	texts["fh_sines"] = numberTable("static const fh_sine_entry fh_sines", t.Sines, "{{%s, %s}, {%s, %s}}")
	texts["fh_arctangents"] = numberTable("static const fh_dd fh_arctangents", t.Arctangents, "{%s, %s}")
	var turns [][1]uint64
	for _, w := range t.Turns {
		turns = append(turns, [1]uint64{w})
	}
	texts["fh_turns"] = numberTable("static const uint64_t fh_turns", turns, "%s")
	for text := range strings.SplitSeq(elementarySource, "\n\n") {
		name := definedName.FindStringSubmatch(text)
		texts[name[1]+name[2]] = text
	}
	return texts
})

// numberTable returns the definition of an array.
func numberTable[A [1]uint64 | [2]float64 | [3]float64 | [4]float64](declaration string, entries []A, layout string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s[%d] = {\n", declaration, len(entries))
	for _, e := range entries {
		var numbers []any
		switch e := any(e).(type) {
		case [1]uint64:
			numbers = append(numbers, fmt.Sprintf("UINT64_C(%#x)", e[0]))
		case [2]float64:
			numbers = hexadecimals(e[:])
		case [3]float64:
			numbers = hexadecimals(e[:])
		case [4]float64:
			numbers = hexadecimals(e[:])
		}
		fmt.Fprintf(&b, "  "+layout+",\n", numbers...)
	}
	return b.String() + "};"
}

func hexadecimals(numbers []float64) (out []any) {
	for _, x := range numbers {
		s := "0"
		if x != 0 {
			s = strconv.FormatFloat(x, 'x', -1, 64)
		}
		out = append(out, s)
	}
	return out
}

// elementary defines a function of [elementarySource] and what it needs, and returns its name.
func (m *module) elementary(name string) string {
	if m.helpers.has(name) {
		return name
	}
	text, ok := elementaryTexts()[name]
	if !ok {
		panic("emitc: there is no elementary function " + name)
	}
	needs := usedName.FindAllString(text, -1)
	slices.Sort(needs)
	for _, n := range slices.Compact(needs) {
		switch _, other := elementaryTexts()[n]; {
		case n == name:
		case n == "fh_z_div":
			m.complexQuotient()
		case other:
			m.elementary(n)
		default:
			m.helper(n)
		}
	}
	return m.helpers.define(name, text, "math.h")
}
