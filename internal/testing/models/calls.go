package models

import (
	"fmt"
	"strings"
)

// program is a main function and the private ones that it calls.
type program struct {
	private strings.Builder
}

// define adds a private function.
func (p *program) define(name string, w *writer, results ...tensor) {
	text := w.function(results...)
	p.private.WriteString(strings.Replace(text, "func.func @main", "func.func private @"+name, 1))
}

// function returns the program with a main function.
func (p *program) function(w *writer, results ...tensor) string {
	return p.private.String() + w.function(results...)
}

// like is the type of a value that isn't there yet.
func like(elem string, shape ...int) tensor { return tensor{"", elem, shape} }

// call calls a function with operands, which are tensors or names of indices.
func (w *writer) call(name string, results []tensor, operands ...any) []tensor {
	var list, kinds []string
	for _, o := range operands {
		if t, ok := o.(tensor); ok {
			list, kinds = append(list, t.name), append(kinds, t.typ())
			continue
		}
		list, kinds = append(list, o.(string)), append(kinds, "index")
	}
	n := w.name()
	w.line("  %s:%d = func.call @%s(%s) : (%s) -> (%s)", n, len(results), name, strings.Join(list, ", "), strings.Join(kinds, ", "), types(results))
	return parts(n, results)
}

// parts are the results of an operation with several.
func parts(name string, like []tensor) []tensor {
	var all []tensor
	for i, t := range like {
		all = append(all, tensor{fmt.Sprintf("%s#%d", name, i), t.elem, t.shape})
	}
	return all
}

// repeat is a loop that counts %NAME from 0 to n, and carries tensors, for which body returns the next ones.
func (w *writer) repeat(counter string, n int, start []tensor, body func(now []tensor) []tensor) []tensor {
	zero, one, end, loop := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(n), "index"), w.name()
	var now []tensor
	var carried []string
	for _, s := range start {
		t := tensor{w.name(), s.elem, s.shape}
		now, carried = append(now, t), append(carried, t.name+" = "+s.name)
	}
	w.line("  %s:%d = scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", loop, len(start), counter, zero, end, one, strings.Join(carried, ", "), types(start))
	next := body(now)
	w.line("  scf.yield %s : %s\n  }", names(next), types(next))
	return parts(loop, start)
}

// choose is an if on an i1, whose branches return tensors.
func (w *writer) choose(condition string, yes, no func() []tensor) []tensor {
	// Branches are written apart, since the types are told before them.
	whole := w.String()
	branch := func(f func() []tensor) (string, []tensor) {
		w.Reset()
		out := f()
		return w.String(), out
	}
	first, a := branch(yes)
	second, b := branch(no)
	w.Reset()
	w.WriteString(whole)
	n := w.name()
	w.line("  %s:%d = scf.if %s -> (%s) {", n, len(a), condition, types(a))
	w.WriteString(first)
	w.line("  scf.yield %s : %s\n  } else {", names(a), types(a))
	w.WriteString(second)
	w.line("  scf.yield %s : %s\n  }", names(b), types(b))
	return parts(n, a)
}

// dense is a product with a matrix and the addition of a row, both of which are new arguments.
func (w *writer) dense(x tensor, out int) tensor {
	n := len(x.shape)
	return w.add(w.matmul(x, w.argument("f32", x.shape[n-1], out)), along(w.argument("f32", out), n-1))
}
