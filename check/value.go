package check

import "slices"

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
)

// value is what the analysis knows about an SSA value.
type value struct {
	kind valueKind
	// truth is the formula of a boolean.
	truth lit
	// number is an integer constant, or the identity of an opaque value.
	number int64
	// targets are the objects that a pointer may point to. One and only one guard
	// holds wherever the pointer is defined.
	targets []target
	// whole tells that a memref is all of its object, from the first element on.
	whole bool
}

// target is an object with the condition under which a pointer points to it.
type target struct {
	object int
	guard  lit
}

func truthOf(l lit) value    { return value{kind: boolean, truth: l} }
func constant(n int64) value { return value{kind: integer, number: n} }
func pointTo(o int) value    { return value{kind: pointer, targets: []target{{o, yes}}, whole: true} }
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
	return v.kind == w.kind && v.truth == w.truth && v.number == w.number && v.whole == w.whole && slices.Equal(v.targets, w.targets)
}

// choose returns the value that is v where c holds, else w.
func (a *analysis) choose(c lit, v, w value) value {
	switch {
	case c == yes || sameValue(v, w):
		return v
	case c == no:
		return w
	case v.kind == boolean && w.kind == boolean:
		return truthOf(a.f.ite(c, v.truth, w.truth))
	case v.kind == pointer && w.kind == pointer:
		out := value{kind: pointer, whole: v.whole && w.whole}
		add := func(o int, g lit) {
			if g == no {
				return
			}
			for i := range out.targets {
				if out.targets[i].object == o {
					out.targets[i].guard = a.f.or(out.targets[i].guard, g)
					return
				}
			}
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
	}
	return a.unknown()
}

// unknown returns a new opaque value.
func (a *analysis) unknown() value {
	a.opaque++
	return value{number: a.opaque}
}

// equal returns the formula that tells whether two pointers point to the same
// object. Buffers from outside, of which nothing is known, may be the same.
func (a *analysis) equal(v, w value) lit {
	out := no
	for _, s := range v.targets {
		for _, t := range w.targets {
			if e := a.sameObject(s.object, t.object); e != no {
				out = a.f.or(out, a.f.and(e, a.f.and(s.guard, t.guard)))
			}
		}
	}
	return out
}

// sameObject returns the formula that tells whether two objects are the same
// memory.
func (a *analysis) sameObject(i, j int) lit {
	x, y := a.objects[i].kind, a.objects[j].kind
	switch {
	case i == j && x == foreign:
		return a.f.variable() // it may be another one each time
	case i == j:
		return yes
	case x.owned() || y.owned() || x == global && y == global:
		return no
	}
	k := [2]int{min(i, j), max(i, j)}
	e, ok := a.equalities[k]
	if !ok {
		e = a.f.variable()
		a.equalities[k] = e
	}
	return e
}
