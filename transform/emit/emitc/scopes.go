package emitc

import (
	"slices"
	"strings"
)

// While a function is written, no two of its variables have the same name. Here they get the names that a person would give them: those of variables in
// blocks that aren't inside each other are the same, so that counters are i, j and k in each loop nest. No variable hides another one.

// rescoped returns the lines of a function with the names of variables by scope. What is in fixed keeps its name.
func (f *function) rescoped(all []*line, fixed []string) []*line {
	r := &renaming{f: f, to: map[string]string{}, numbers: map[string]int{}, bases: map[string]*baseNames{}, expiring: make([][]string, len(all)+1), taken: map[string]bool{}}
	for _, name := range fixed {
		r.to[name], r.taken[name] = name, true
	}
	for _, n := range all {
		if n.kind == label {
			r.to[n.name], r.taken[n.name] = n.name, true
		}
	}
	ends := scopeEnds(all)
	last := map[string]int{}
	for i, n := range all {
		n.eachLocal(f, func(name string) { last[name] = i })
	}
	out := make([]*line, len(all))
	for i, n := range all {
		n.eachLocal(f, func(name string) {
			if r.to[name] == "" {
				r.declare(name, max(ends[i], last[name]))
			}
		})
		out[i] = r.renamed(n)
		for _, name := range r.expiring[i] {
			r.release(name)
		}
	}
	return out
}

// eachLocal calls fn for each name of a variable of the function that a line has.
func (l *line) eachLocal(f *function, fn func(name string)) {
	if l.isComment() {
		return
	}
	eachIdentifier(l.text, func(name string) {
		if f.names.bases[name] != "" {
			fn(name)
		}
	})
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
	// to are the new names of the variables that have been declared, and taken those of the variables whose scope is open.
	to    map[string]string
	taken map[string]bool
	// bases are the names that were given, by the words that they begin with, and numbers their numbers.
	bases   map[string]*baseNames
	numbers map[string]int
	// expiring are the variables whose scope ends with a line.
	expiring [][]string
}

// baseNames are the names that begin with the same word, by numbers: 0 is the word alone, 1 that with 0 behind it. next is the first that was never
// given, and free are those whose scope has ended, in order.
type baseNames struct {
	next int
	free []int
}

// declare gives a variable the first name that is free, until a line.
func (r *renaming) declare(name string, end int) {
	base := r.f.names.bases[name]
	b := r.bases[base]
	if b == nil {
		b = &baseNames{}
		r.bases[base] = b
	}
	for {
		n := b.next
		if len(b.free) > 0 {
			n, b.free = b.free[0], b.free[1:]
		} else {
			b.next++
		}
		to := named(base, n)
		if !r.taken[to] && !reserved()[to] && !r.f.m.scope.has(to) {
			r.to[name], r.numbers[name], r.taken[to] = to, n, true
			r.expiring[end] = append(r.expiring[end], name)
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
func (r *renaming) release(name string) {
	delete(r.taken, r.to[name])
	b, n := r.bases[r.f.names.bases[name]], r.numbers[name]
	at, _ := slices.BinarySearch(b.free, n)
	b.free = slices.Insert(b.free, at, n)
}

// renamed returns a line with the new names.
func (r *renaming) renamed(n *line) *line {
	if n.isComment() {
		return n
	}
	out := *n
	out.text = replaceIdentifiers(n.text, func(name string) string {
		if to, ok := r.to[name]; ok && r.f.names.bases[name] != "" {
			return to
		}
		return name
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
