package transformd

import (
	"slices"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/ir/constraint"
)

// optionsText accepts the options of a pass as text; LLVM 22 has a dictionary.
var optionsText = func() ir.AttrConstraint {
	c := constraint.StrAttr
	c.Respell = textOf
	return c
}()

// textOf returns the options of a dictionary as text; nil if it is none, or has values other than numbers, words and
// lists of them.
func textOf(c *ir.Context, a ir.Attribute) ir.Attribute {
	d, ok := a.(*ir.DictAttr)
	if !ok {
		return nil
	}
	var words []string
	for _, e := range d.Entries {
		value, ok := valueText(e.Value)
		if !ok {
			return nil
		}
		words = append(words, e.Name+"="+value)
	}
	return c.StringAttr(strings.Join(words, " "))
}

func valueText(a ir.Attribute) (string, bool) {
	switch a := a.(type) {
	case *ir.StringAttr:
		if strings.ContainsAny(a.Value, " {}") {
			return "{" + a.Value + "}", true
		}
		return a.Value, true
	case *ir.IntegerAttr:
		if a.Type == ir.Type(ir.I1) {
			return strconv.FormatBool(a.Value != 0), true
		}
		return strconv.FormatInt(a.Value, 10), true
	case *ir.ArrayAttr:
		var list []string
		for _, e := range a.Elems {
			text, ok := valueText(e)
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		return strings.Join(list, ","), true
	}
	return "", false
}

// printOptions makes a dictionary of texts of options, if there are any.
func printOptions(b *ir.Builder, op *ir.Op) {
	s, ok := op.Attr("options").(*ir.StringAttr)
	if !ok {
		return
	}
	var entries []ir.NamedAttr
	for _, word := range split(s.Value) {
		name, value, given := strings.Cut(word, "=")
		if !given {
			value = "true"
		}
		if len(value) > 1 && value[0] == '{' && value[len(value)-1] == '}' {
			value = value[1 : len(value)-1]
		}
		entries = append(entries, ir.NamedAttr{Name: name, Value: b.Context().StringAttr(value)})
	}
	slices.SortStableFunc(entries, func(x, y ir.NamedAttr) int { return strings.Compare(x.Name, y.Name) })
	op.SetAttr("options", nil)
	if len(entries) > 0 {
		op.SetAttr("options", b.Context().DictAttr(slices.CompactFunc(entries, func(x, y ir.NamedAttr) bool { return x.Name == y.Name })...))
	}
}

// split cuts options at spaces that aren't in braces.
func split(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ' ' && depth == 0
	})
}
