package pass

import (
	"slices"
	"strings"
)

// parse sets options from text of the form `a=1 b="x y" c={d=2}`: words separated by
// spaces, where quotes and braces protect what is in them. A repeated list option is
// extended; of other options the last value counts.
func (d *Decl) parse(text string) error {
	seen := map[*Option]bool{}
	for {
		text = strings.TrimLeft(text, " \t\n\r")
		if text == "" {
			return nil
		}
		end := scanValue(text, " \t\n\r", "{}")
		arg := text[:end]
		text = text[end:]
		name, val, given := strings.Cut(arg, "=")
		o := d.option(name)
		if o == nil {
			return &UnknownOptionError{name, Similar(name, d.optionNames())}
		}
		if !given && o.Kind != BoolKind {
			return &ValueError{name, "requires a value!"}
		}
		if err := o.value.set(unquote(val), seen[o]); err != nil {
			return err
		}
		seen[o] = true
	}
}

func (d *Decl) sorted() []*Option {
	return slices.SortedFunc(slices.Values(d.options), func(a, b *Option) int { return strings.Compare(a.Name, b.Name) })
}

func (d *Decl) option(name string) *Option {
	for _, o := range d.options {
		if o.Name == name {
			return o
		}
	}
	return nil
}

func (d *Decl) optionNames() []string {
	var names []string
	for _, o := range d.options {
		names = append(names, o.Name)
	}
	return names
}

// text returns all options in the form that parse reads, in order of their names.
// Empty lists leave just their separating space. Options that mlir-opt-19 doesn't have are left
// out while they have their defaults; shown tells whether any option is not left out.
func (d *Decl) text() (text string, shown bool) {
	var words []string
	for _, o := range d.sorted() {
		switch given, text := o.value.given(), o.value.text(); {
		case o.Own && given == o.given && text == o.Default:
		case given:
			words = append(words, o.Name+"="+text)
		default:
			words = append(words, "")
		}
	}
	return strings.Join(words, " "), len(words) > 0
}

// scanValue returns the length of the prefix of text before the first of the stop
// characters that is outside of quotes and of the given kinds of brackets, of which
// each closing one follows its opening one.
func scanValue(text, stop, brackets string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		kind := strings.IndexByte(brackets, c)
		switch {
		case c == '"' || c == '\'':
			if n := strings.IndexByte(text[i+1:], c); n >= 0 {
				i += n + 1
			}
		case kind >= 0 && kind%2 == 0:
			depth++
		case kind >= 0 && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte(stop, c) >= 0:
			return i
		}
	}
	return len(text)
}

// splitList returns the elements of a list, at least one. What protects commas in an
// element remains a part of it.
func splitList(text string) []string {
	var out []string
	for {
		n := scanValue(text, ",", "{}[]()")
		out = append(out, text[:n])
		if n == len(text) {
			return out
		}
		text = text[n+1:]
	}
}

// unquote removes one pair of quotes or braces around the text, and the space inside
// of it. An empty pair stays.
func unquote(s string) string {
	if n := len(s); n > 2 {
		switch a, z := s[0], s[n-1]; {
		case a == '"' && z == '"', a == '\'' && z == '\'', a == '{' && z == '}':
			return strings.TrimSpace(s[1 : n-1])
		}
	}
	return s
}

// quote puts braces around text that wouldn't be read as one word.
func quote(s string) string {
	if strings.ContainsAny(s, " \t\n") && scanValue(s, " \t\n", "{}") < len(s) {
		return "{" + s + "}"
	}
	return s
}
