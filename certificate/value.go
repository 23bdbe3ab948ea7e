package certificate

import "freehold/ir"

// objectKind tells where an object comes from.
type objectKind uint8

const (
	heap     objectKind = iota // allocated by the function, which frees it or hands it over
	stack                      // ends with its scope
	argument                   // belongs to the caller
	global                     // lives as long as the program
)

// object is an allocation, or one of those that earlier iterations of a loop passed on.
type object struct {
	kind   objectKind
	op     *ir.Op // that makes it; nil for arguments
	number int    // of an argument
	// born is which objects lived when this one was made: it has the address of none of
	// them.
	born table[lit]
	// cells are the numbers of the elements in the memory of states, if those are followed.
	cells, size int
	shape       []int64
}

// valueKind tells what is known about a value.
type valueKind uint8

const (
	number  valueKind = iota // nothing but its identity
	boolean                  // the condition that an i1 is
	integer                  // a constant
	pointer                  // which objects a memref, or the address of one, points to
	derived                  // computed from addresses, and may be one
)

// value is what is known about an SSA value. Equal values are the same.
type value struct {
	kind   valueKind
	truth  lit   // of a boolean
	number int64 // a constant, or the identity
	// tree is where a pointer points to.
	tree int32
	// partial is not the whole object from its first element on, as far as is known; where
	// part holds, it may be less than its object, which can't be freed by it.
	partial bool
	part    lit
	// shift is the distance of a pointer's base address from its object's: 0, or the number
	// of one that isn't known, or anyShift.
	shift int64
}

// anyShift is a shift of which nothing is known, and which may be another one each time.
const anyShift = -1

// choice is a pointer: then where cond holds, else els; a leaf points to an object.
type choice struct {
	cond      lit
	then, els int32
	leaf      bool
	object    int
}

// target is an object with the condition under which a pointer points to it.
type target struct {
	object int
	guard  lit
}

// address tells whether a value may be an address, carries whether one of the type is that
// and no memref.
func (x value) address() bool { return x.kind == pointer || x.kind == derived }
func (x value) carries(t ir.Type) bool {
	return x.kind == derived || x.kind == pointer && !ir.IsMemRef(t)
}

func truthOf(l lit) value    { return value{kind: boolean, truth: l} }
func constant(n int64) value { return value{kind: integer, number: n} }

// fresh returns a new value of a kind, of which nothing is known.
func (v *verifier) fresh(k valueKind) value {
	if k == boolean {
		return truthOf(v.f.variable())
	}
	v.identities++
	return value{kind: k, number: v.identities}
}

func (v *verifier) newObject(name string, o object) int {
	n := len(v.objects)
	v.objects = append(v.objects, &o)
	if name == "" {
		return n
	}
	for _, taken := v.named[name]; taken; _, taken = v.named[name] {
		name += "+" // made again by a loop that is executed step by step
	}
	v.named[name] = n
	return n
}

// pointTo returns a pointer to all of an object.
func (v *verifier) pointTo(o int) value {
	return value{kind: pointer, tree: v.tree(choice{leaf: true, object: o})}
}

func (v *verifier) tree(c choice) int32 {
	n, ok := v.trees[c]
	if !ok {
		n = int32(len(v.choices))
		v.choices = append(v.choices, c)
		v.trees[c] = n
	}
	return n
}

// choose returns the value that is x where c holds, else y.
func (v *verifier) choose(c lit, x, y value) value {
	switch {
	case c == yes || x == y:
		return x
	case c == no:
		return y
	case x.kind == boolean && y.kind == boolean:
		return truthOf(v.f.choose(c, x.truth, y.truth))
	case x.kind == pointer && y.kind == pointer:
		out := value{kind: pointer, tree: v.decide(c, x.tree, y.tree), partial: x.partial || y.partial, part: v.f.choose(c, x.part, y.part), shift: x.shift}
		if x.shift != y.shift {
			out.shift = anyShift
		}
		return out
	case x.address() || y.address():
		return v.fresh(derived)
	}
	return v.fresh(number)
}

func (v *verifier) decide(c lit, then, els int32) int32 {
	if then == els {
		return then
	}
	return v.tree(choice{cond: c, then: then, els: els})
}

// where returns the condition under which a pointer gets to a tree for which end returns
// true and hit, before it gets to one for which end returns true otherwise.
func (v *verifier) where(tree int32, end func(int32) (done, hit bool)) lit {
	seen := map[int32]lit{}
	var at func(n int32) lit
	at = func(n int32) lit {
		l, known := seen[n]
		if known {
			return l
		}
		c := v.choices[n]
		switch done, hit := end(n); {
		case hit:
			l = yes
		case !done && !c.leaf:
			l = v.f.choose(c.cond, at(c.then), at(c.els))
		}
		seen[n] = l
		return l
	}
	return at(tree)
}

// leaves returns the objects that a pointer may point to, in the order of its tree, without
// looking into the trees for which skip is true.
func (v *verifier) leaves(tree int32, skip func(int32) bool) (out []int) {
	seen := map[int32]bool{}
	var visit func(n int32)
	visit = func(n int32) {
		if seen[n] || skip != nil && skip(n) {
			return
		}
		seen[n] = true
		c := v.choices[n]
		if !c.leaf {
			visit(c.then)
			visit(c.els)
			return
		}
		out = append(out, c.object)
	}
	visit(tree)
	return out
}

// targets returns the objects that a pointer may point to.
func (v *verifier) targets(x value) (out []target) {
	if x.kind != pointer {
		return nil
	}
	if c := v.choices[x.tree]; c.leaf {
		return []target{{c.object, yes}}
	}
	if known, ok := v.targetsOf[x.tree]; ok {
		return known
	}
	for _, o := range v.leaves(x.tree, nil) {
		out = append(out, target{o, v.pointsTo(x, o)})
	}
	v.targetsOf[x.tree] = out
	return out
}

// pointsTo returns the condition under which a pointer points to an object.
func (v *verifier) pointsTo(x value, o int) lit {
	return v.where(x.tree, func(n int32) (bool, bool) { return false, v.choices[n].leaf && v.choices[n].object == o })
}

// single returns the only object that a pointer points to.
func (v *verifier) single(x value) (int, bool) {
	if x.kind != pointer || !v.choices[x.tree].leaf {
		return 0, false
	}
	return v.choices[x.tree].object, true
}

// equalObjects returns the condition that two pointers point to the same object.
func (v *verifier) equalObjects(m, n int32) lit {
	if m < n {
		m, n = n, m
	}
	x, y := v.choices[m], v.choices[n]
	if x.leaf && y.leaf {
		return v.sameObject(x.object, y.object)
	}
	k := [2]int32{m, n}
	l, ok := v.compared[k]
	switch {
	case ok:
	case m == n:
		l = v.f.choose(x.cond, v.equalObjects(x.then, x.then), v.equalObjects(x.els, x.els))
	case !x.leaf:
		l = v.f.choose(x.cond, v.equalObjects(x.then, n), v.equalObjects(x.els, n))
	default:
		l = v.f.choose(y.cond, v.equalObjects(m, y.then), v.equalObjects(m, y.els))
	}
	v.compared[k] = l
	return l
}

// sameObject returns the condition that two objects have the same address.
func (v *verifier) sameObject(i, j int) lit {
	x, y := v.objects[i].kind, v.objects[j].kind
	switch {
	case i == j:
		return yes
	case x == heap && y == heap:
		// A buffer may have the address of one that was freed before.
		ended := v.objects[max(i, j)].born.get(min(i, j)).not()
		if ended == no {
			return no
		}
		return v.f.and(ended, v.sameAddress(i, j))
	case x <= stack || y <= stack || x == global && y == global:
		return no
	}
	return v.sameAddress(i, j)
}

// sameAddress returns the variable that tells whether two objects have the same address.
func (v *verifier) sameAddress(i, j int) lit {
	k := [2]int{min(i, j), max(i, j)}
	l, ok := v.addresses[k]
	if !ok {
		l = v.f.variable()
		v.addresses[k] = l
	}
	return l
}

// sameBase returns the condition that two pointers to objects i and j, with shifts, have the
// same base address.
func (v *verifier) sameBase(i int, shift int64, j int, other int64) lit {
	if shift != other || shift == anyShift {
		return v.f.variable()
	}
	return v.sameObject(i, j)
}
