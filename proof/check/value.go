package check

import (
	"slices"

	"freehold/ir"
)

// valueKind tells what is known about a value.
type valueKind uint8

const (
	// opaque: nothing but its identity.
	opaque valueKind = iota
	// boolean: the formula that an i1 is.
	boolean
	// integer: a constant.
	integer
	// pointer: which objects a memref, or the address of one, may point to.
	pointer
	// derived: a number, or several, that was computed from addresses, and may be one.
	derived
)

// value is what the analysis knows about an SSA value.
type value struct {
	kind valueKind
	// truth is the formula of a boolean.
	truth lit
	// number is an integer constant, or the identity of an opaque or derived value.
	number int64
	// targets are the objects that a pointer may point to. One and only one guard
	// holds wherever the pointer is defined.
	targets []target
	// choice is the same pointer as a tree of decisions.
	choice int32
	// window tells which elements of its object a memref sees: all of them, or the first ones
	// in the order of memory, with sizes of its own, which windows have; or nobody knows.
	window int32
	// part tells when a memref may be less than its object, which can't be freed by it.
	part lit
	// shift is the distance of a pointer's base address from that of its object: 0, or the
	// number of a distance that isn't known, or anyShift; or allocation.
	shift int64
}

// The windows that have no sizes of their own.
const (
	anyWindow int32 = iota
	wholeWindow
	ownSizes // and greater ones
)

// anyShift is a shift of which nothing is known: it may be another one each time.
const anyShift = -1

// target is an object with the condition under which a pointer points to it.
type target struct {
	object int
	guard  lit
}

func truthOf(l lit) value    { return value{kind: boolean, truth: l} }
func constant(n int64) value { return value{kind: integer, number: n} }
func (v value) guardOf(o int) lit {
	for _, t := range v.targets {
		if t.object == o {
			return t.guard
		}
	}
	return no
}

// single returns the only object that a pointer points to.
func (v value) single() (int, bool) {
	if v.kind == pointer && len(v.targets) == 1 {
		return v.targets[0].object, true
	}
	return 0, false
}

func sameValue(v, w value) bool {
	return v.kind == w.kind && v.choice == w.choice && v.truth == w.truth && v.number == w.number && v.window == w.window && v.part == w.part && v.shift == w.shift && slices.Equal(v.targets, w.targets)
}

// choose returns the value that is v where c holds, else w.
func (a *analysis) choose(c lit, v, w value) value {
	v, w = a.orNull(v, w), a.orNull(w, v)
	switch {
	case c == yes || sameValue(v, w):
		return v
	case c == no:
		return w
	case v.kind == boolean && w.kind == boolean:
		return truthOf(a.f.ite(c, v.truth, w.truth))
	case v.kind == pointer && w.kind == pointer:
		out := value{kind: pointer, window: v.window, part: a.f.ite(c, v.part, w.part), shift: v.shift, choice: a.decide(c, v.choice, w.choice)}
		if v.shift != w.shift {
			out.shift = anyShift
		}
		if v.window != w.window {
			out.window = anyWindow
		}
		at := make(map[int]int, len(v.targets)+len(w.targets))
		add := func(o int, g lit) {
			if g == no {
				return
			}
			if i, ok := at[o]; ok {
				out.targets[i].guard = a.f.or(out.targets[i].guard, g)
				return
			}
			at[o] = len(out.targets)
			out.targets = append(out.targets, target{o, g})
		}
		for _, t := range v.targets {
			add(t.object, a.f.and(c, t.guard))
		}
		for _, t := range w.targets {
			add(t.object, a.f.and(c.not(), t.guard))
		}
		if len(out.targets) == 1 {
			// Both sides point there, whichever is chosen.
			out.targets[0].guard = yes
		}
		return out
	case v.address() || w.address():
		return a.derivedValue()
	}
	return a.chooseNumber(c, v, w)
}

// address tells whether a value that is no memref may be an address.
func (v value) address() bool { return v.kind == pointer || v.kind == derived }

// carries tells whether a value of the type is an address, or was computed from one, and
// is no memref.
func (v value) carries(t ir.Type) bool {
	return v.kind == derived || v.kind == pointer && !ir.IsMemRef(t)
}

// derivedValue returns a new value that was computed from an address.
func (a *analysis) derivedValue() value {
	a.opaque++
	return value{kind: derived, number: a.opaque}
}

// unknown returns a new opaque value.
func (a *analysis) unknown() value {
	a.opaque++
	return value{number: a.opaque}
}

// decision is a pointer as a tree: it is the pointer then where cond holds, else
// els. A leaf has an object instead.
type decision struct {
	cond      lit
	then, els int32
	leaf      bool
	object    int
}

// overTree computes something of a tree of decisions, from its ends on: end returns what it is at a
// node, if that is one; choose what it is of both branches. Linear in the nodes.
func overTree[T any](a *analysis, tree int32, end func(n int32, d decision) (T, bool), choose func(cond lit, then, els T) T) T {
	seen := map[int32]T{}
	var of func(n int32) T
	of = func(n int32) T {
		out, done := seen[n]
		if done {
			return out
		}
		d := a.decisions[n]
		if out, done = end(n, d); !done {
			out = choose(d.cond, of(d.then), of(d.els))
		}
		seen[n] = out
		return out
	}
	return of(tree)
}

// pointTo returns a pointer to all of an object.
func (a *analysis) pointTo(o int) value {
	return value{kind: pointer, targets: []target{{o, yes}}, window: wholeWindow, choice: a.tree(decision{leaf: true, object: o})}
}

// decide returns the tree that is t where c holds, else e.
func (a *analysis) decide(c lit, t, e int32) int32 {
	switch {
	case t == e || c == yes:
		return t
	case c == no:
		return e
	}
	return a.tree(decision{cond: c, then: t, els: e})
}

func (a *analysis) tree(d decision) int32 {
	n, ok := a.trees[d]
	if !ok {
		n = int32(len(a.decisions))
		a.decisions = append(a.decisions, d)
		a.trees[d] = n
	}
	return n
}

// equal returns the formula that tells whether two pointers have the same base address.
// It takes time in the product of the sizes of their trees at most, in which parts that
// were compared before don't count.
func (a *analysis) equal(v, w value) lit {
	if a.sameShift(v.shift, w.shift) == no {
		return a.f.variable()
	}
	return a.equalTrees(v.choice, w.choice, v.shift == allocation)
}

// sameShift returns yes if two shifts are the same, else no: then addresses may be equal or
// not, also those of different objects.
func (a *analysis) sameShift(x, y int64) lit { return boolLit(x == y && x != anyShift) }

// equalObjects returns the formula that tells whether two pointers point to the same
// object.
func (a *analysis) equalObjects(v, w value) lit { return a.equalTrees(v.choice, w.choice, false) }

// equalTrees is equal for the base addresses, or the allocations, that two trees lead to.
func (a *analysis) equalTrees(m, n int32, allocations bool) lit {
	if m < n {
		m, n = n, m
	}
	x, y := a.decisions[m], a.decisions[n]
	if x.leaf && y.leaf {
		return a.sameObject(x.object, y.object, allocations)
	}
	k := comparison{m, n, allocations}
	if l, ok := a.compared[k]; ok {
		return l
	}
	a.steps++
	if a.exhausted() {
		return no
	}
	var l lit
	switch {
	case m == n && !x.leaf:
		l = a.f.ite(x.cond, a.equalTrees(x.then, x.then, allocations), a.equalTrees(x.els, x.els, allocations))
	case !x.leaf:
		l = a.f.ite(x.cond, a.equalTrees(x.then, n, allocations), a.equalTrees(x.els, n, allocations))
	default:
		l = a.f.ite(y.cond, a.equalTrees(m, y.then, allocations), a.equalTrees(m, y.els, allocations))
	}
	a.compared[k] = l
	return l
}

// equalTargets is like equal for parts of pointers, whose targets are objects of
// the loop.
func (a *analysis) equalTargets(v, w []target) lit {
	guards := make(map[int]lit, len(v))
	for _, t := range v {
		guards[t.object] = t.guard
	}
	out := no
	for _, t := range w {
		if g, ok := guards[t.object]; ok {
			out = a.f.or(out, a.f.and(g, t.guard))
		}
	}
	return out
}

// comparison is that of two trees, or objects: of their base addresses, or their allocations.
// Buffers from outside may be in one allocation, at different addresses.
type comparison struct {
	of, with    int32
	allocations bool
}

// sameObject returns the formula that tells whether two objects have the same base address,
// or are in the same allocation.
func (a *analysis) sameObject(i, j int, allocations bool) lit {
	x, y := a.objects[i].kind, a.objects[j].kind
	switch {
	case i == j && x == foreign:
		return a.f.variable() // it may be another one each time
	case i == j:
		return yes
	case x == y && (x == stack || x == global) && (a.objects[i].vacant || a.objects[j].vacant):
		return a.equality(i, j, allocations) // what is empty may be where another one starts
	case x == heap && y == heap || x == stack && y == stack:
		// The address of a buffer that ended may be that of a new one.
		born := a.objects[max(i, j)].born
		lived := born.get(min(i, j))
		if l := a.objects[i].of; l != nil && l == a.objects[j].of {
			// Either may be the older one.
			lived = a.f.and(lived, born.get(max(i, j)))
		}
		if lived == yes {
			return no
		}
		return a.f.and(lived.not(), a.equality(i, j, allocations))
	case x.owned() || y.owned() || (x == global || x == nothing) && (y == global || y == nothing):
		return no
	}
	return a.equality(i, j, allocations)
}

// equality returns the variable that tells whether two objects have the same address.
func (a *analysis) equality(i, j int, allocations bool) lit {
	k := comparison{int32(min(i, j)), int32(max(i, j)), allocations}
	e, ok := a.equalities[k]
	if !ok {
		e = a.f.variable()
		a.equalities[k] = e
	}
	return e
}
