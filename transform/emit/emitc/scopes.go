package emitc

import (
	"slices"
	"strings"
)

// While a function is written, no two of its variables have the same name. Here they get the names that a person would give them: those of variables in
// blocks that aren't inside each other are the same, so that counters are i, j and k in each loop nest. No variable hides another one.

// rescoped returns the lines of a function with the names of variables by scope. What is in fixed keeps its name.
func (f *function) rescoped(all []*line, fixed []string) []*line {
	r := &renaming{f: f, locals: make(map[string]*local, len(all)), bases: map[string]*baseNames{}, expiring: make([][]*local, len(all)+1), taken: map[string]bool{}}
	fix := func(name string) { r.locals[name], r.taken[name] = &local{to: name}, true }
	for _, name := range fixed {
		fix(name)
	}
	for _, n := range all {
		if n.kind == label {
			fix(n.name)
		}
	}
	ends := scopeEnds(all)
	for i, n := range all {
		if !n.isComment() {
			eachIdentifier(n.text, func(name string) {
				if v := r.local(name); v != nil {
					v.last = i
				}
			})
		}
	}
	out := make([]*line, len(all))
	for i, n := range all {
		out[i] = r.renamed(n, ends[i])
		for _, v := range r.expiring[i] {
			r.release(v)
		}
	}
	return out
}

func (l *line) isComment() bool {
	return strings.HasPrefix(l.text, "/*") || strings.HasPrefix(l.text, "#")
}

// scopeEnds returns, for each line, the last line in which a variable that it declares may be seen: that which closes the block that the line is in,
// or that it opens with a loop.
func scopeEnds(all []*line) []int {
	ends := make([]int, len(all))
	var open []int
	for i, n := range all {
		for len(open) > 0 && closes(all[open[len(open)-1]], n) {
			ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		ends[i] = len(all)
	}
	return ends
}

// closes tells whether a line is behind the scope of what an earlier one declares.
func closes(declaration, n *line) bool {
	if strings.HasPrefix(declaration.text, "for (") {
		return n.indent <= declaration.indent
	}
	return n.indent < declaration.indent
}

// renaming is the state of rescoped.
type renaming struct {
	f *function
	// locals are the variables by the names that they have, and nil for what is none.
	locals map[string]*local
	// taken are the new names of the variables whose scope is open.
	taken map[string]bool
	// bases are the names that were given, by the words that they begin with.
	bases map[string]*baseNames
	// expiring are the variables whose scope ends with a line.
	expiring [][]*local
}

// local is a variable of the function: the word that its name begins with, the new name once it is declared, the number of that, and the last line that has it.
type local struct {
	base, to     string
	number, last int
}

// local returns the variable that has a name, or nil.
func (r *renaming) local(name string) *local {
	v, known := r.locals[name]
	if !known {
		if base := r.f.names.bases[name]; base != "" {
			v = &local{base: base}
		}
		r.locals[name] = v
	}
	return v
}

// baseNames are the names that begin with the same word, by numbers: 0 is the word alone, 1 that with 0 behind it. next is the first that was never
// given, and free are those whose scope has ended, in order.
type baseNames struct {
	next int
	free []int
}

// declare gives a variable the first name that is free, until a line.
func (r *renaming) declare(v *local, end int) {
	b := r.bases[v.base]
	if b == nil {
		b = &baseNames{}
		r.bases[v.base] = b
	}
	for {
		n := b.next
		if len(b.free) > 0 {
			n, b.free = b.free[0], b.free[1:]
		} else {
			b.next++
		}
		to := named(v.base, n)
		if !r.taken[to] && !reserved()[to] && !r.f.m.scope.has(to) {
			v.to, v.number, r.taken[to] = to, n, true
			r.expiring[end] = append(r.expiring[end], v)
			return
		}
	}
}

// named returns the name of a variable by its number. Counters within each other are i, j, k, and so on.
func named(base string, n int) string {
	if base == counters[0] {
		if n < len(counters) {
			return counters[n]
		}
		n -= len(counters) - 1
	}
	return numbered(base, n-1)
}

// release ends the scope of a variable.
func (r *renaming) release(v *local) {
	delete(r.taken, v.to)
	b := r.bases[v.base]
	at, _ := slices.BinarySearch(b.free, v.number)
	b.free = slices.Insert(b.free, at, v.number)
}

// renamed returns a line with the new names. Variables that it declares may be seen up to a line.
func (r *renaming) renamed(n *line, end int) *line {
	if n.isComment() {
		return n
	}
	out := *n
	out.text = replaceIdentifiers(n.text, func(name string) string {
		v := r.local(name)
		if v == nil {
			return name
		}
		if v.to == "" {
			r.declare(v, max(end, v.last))
		}
		return v.to
	})
	out.text = updated(out.text)
	return &out
}

// updated returns a statement x = x + y as x += y.
func updated(text string) string {
	place, value, ok := strings.Cut(text, " = ")
	value, ends := strings.CutSuffix(value, ";")
	rest, same := strings.CutPrefix(value, place+" ")
	if !ok || !ends || !same || len(rest) < 3 || rest[1] != ' ' || precedences[rest[:1]] < additive {
		return text
	}
	// What follows is one operand, and isn't one of a looser operator.
	if p, known := precedenceOf(rest[2:]); !known || p <= precedences[rest[:1]] {
		return text
	}
	return tidied(place + " " + rest[:1] + "= " + rest[2:] + ";")
}
