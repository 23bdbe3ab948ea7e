// Package irgen makes up programs for property tests: text that parses, verifies,
// terminates, and never reads what was not written.
package irgen

import (
	"fmt"
	"strings"
)

// Chooser makes the choices of a generator: it returns a number in [0, n), for
// n > 0. Smaller numbers should give smaller programs.
type Chooser func(n int) int

// writer is what the generators have in common: text, indentation and fresh names.
type writer struct {
	choose Chooser
	text   strings.Builder
	indent int
	names  int
}

func (w *writer) line(format string, args ...any) {
	for range w.indent {
		w.text.WriteString("  ")
	}
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// fresh returns a new name for a value.
func (w *writer) fresh() string {
	w.names++
	return fmt.Sprintf("%%%d", w.names-1)
}

// freshN returns "%7:2" for two results, or "%7" for one, and the names of the
// results.
func (w *writer) freshN(n int) (def string, names []string) {
	v := w.fresh()
	if n == 1 {
		return v, []string{v}
	}
	for i := range n {
		names = append(names, fmt.Sprintf("%s#%d", v, i))
	}
	// A pack takes one number.
	return fmt.Sprintf("%s:%d", v, n), names
}

func (w *writer) flip() bool { return w.choose(2) == 1 }

func pick[T any](w *writer, list []T) T { return list[w.choose(len(list))] }

// value is an SSA value of the program.
type value struct{ name, typ string }

func namesOf(vs []value) string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = v.name
	}
	return strings.Join(names, ", ")
}

func typesOf(vs []value) string {
	types := make([]string, len(vs))
	for i, v := range vs {
		types[i] = v.typ
	}
	return strings.Join(types, ", ")
}

func pairs(args, values []value) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = args[i].name + " = " + v.name
	}
	return strings.Join(list, ", ")
}

func params(vs []value) string {
	list := make([]string, len(vs))
	for i, v := range vs {
		list[i] = v.name + ": " + v.typ
	}
	return strings.Join(list, ", ")
}

// scope holds what dominates the place where text is written.
type scope struct {
	values []value
	outer  *scope
}

// of returns the values of a type, inner ones last.
func (s *scope) of(typ string) []string {
	var out []string
	if s.outer != nil {
		out = s.outer.of(typ)
	}
	for _, v := range s.values {
		if v.typ == typ {
			out = append(out, v.name)
		}
	}
	return out
}
