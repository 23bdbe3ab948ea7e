package kernel

import (
	"freehold/ir"
)

// ObjectKind tells where an object comes from.
type ObjectKind uint8

// The kinds of objects.
const (
	Heap     ObjectKind = iota // allocated by the function, which frees it or hands it over
	Stack                      // ends with its scope
	Argument                   // belongs to the caller
	Static                     // lives as long as the program
	Foreign                    // lives as long as the program, and may be any such buffer
	nothing                    // what null owns
)

// Object is an allocation, or one of those that earlier iterations of a loop passed on.
type Object struct {
	Kind   ObjectKind
	Op     *ir.Op // that makes it; nil for arguments
	Number int    // of an argument
	// Born is which objects lived when this one was made: it has the address of none of
	// them.
	Born Table[Lit]
	// Loop is the loop whose earlier iterations made it; empty if it isn't such an object.
	Loop string
	// Cells are the numbers of the elements in the memory of states, if those are followed.
	Cells, Size int
	shape       []int64
	vacant      bool // on the stack, or global: it may have no elements
}

// ValueKind tells what is known about a value.
type ValueKind uint8

// The kinds of values.
const (
	Number  ValueKind = iota // nothing but its identity
	Boolean                  // the condition that an i1 is
	Integer                  // a constant
	Pointer                  // which objects a memref, or the address of one, points to
	Derived                  // computed from addresses, and may be one
)

// Value is what is known about an SSA value. Equal values are the same.
type Value struct {
	Kind   ValueKind
	Truth  Lit   // of a boolean
	Number int64 // a constant, or the identity
	// Tree is where a pointer points to.
	Tree int32
	// Window tells which elements of its object it sees; where Part holds, it may be less than
	// its object, which can't be freed by it.
	Window int32
	Part   Lit
	// Shift is the distance of a pointer's base address from its object's: 0, or the number
	// of one that isn't known, or AnyShift; or Allocation.
	Shift int64
}

// What a memref sees of its object: anything; all of it; or, from FirstElements on, the first
// elements in the order of memory, with sizes of its own.
const (
	AnyWindow int32 = iota
	Whole
	FirstElements
)

// AnyShift is a shift of which nothing is known, and which may be another one each time.
const AnyShift = -1

// Choice is a pointer: Then where a condition holds, else Els; a leaf points to an object.
type Choice struct {
	cond      Lit
	Then, Els int32
	Leaf      bool
	Object    int
}

// Target is an object with the condition under which a pointer points to it.
type Target struct {
	Object int
	Guard  Lit
}

// Address tells whether a value may be an address.
func (x Value) Address() bool { return x.Kind == Pointer || x.Kind == Derived }

// Carries tells whether a value of the type may be an address, and is no memref.
func (x Value) Carries(t ir.Type) bool {
	return x.Kind == Derived || x.Kind == Pointer && !ir.IsMemRef(t)
}

// TruthOf returns a boolean.
func TruthOf(l Lit) Value { return Value{Kind: Boolean, Truth: l} }

// Constant returns a number that is known.
func Constant(n int64) Value { return Value{Kind: Integer, Number: n} }

// LitOf returns yes or no.
func LitOf(b bool) Lit {
	if b {
		return Yes
	}
	return No
}

// Fresh returns a new value of a kind, of which nothing is known.
func (v *Machine) Fresh(k ValueKind) Value {
	if k == Boolean {
		return TruthOf(v.F.Variable())
	}
	v.identities++
	return Value{Kind: k, Number: v.identities}
}

// NewObject returns the number of a new object.
func (v *Machine) NewObject(name string, o Object) int {
	n := len(v.Objects)
	v.Objects = append(v.Objects, &o)
	if name == "" {
		return n
	}
	for _, taken := v.Named[name]; taken; _, taken = v.Named[name] {
		name += "+" // made again by a loop that is executed step by step
	}
	v.Named[name] = n
	return n
}

// PointTo returns a pointer to all of an object.
func (v *Machine) PointTo(o int) Value {
	return Value{Kind: Pointer, Window: Whole, Tree: v.Tree(Choice{Leaf: true, Object: o})}
}

// Tree returns the number of a pointer.
func (v *Machine) Tree(c Choice) int32 {
	n, ok := v.trees[c]
	if !ok {
		n = int32(len(v.Choices))
		v.Choices = append(v.Choices, c)
		v.trees[c] = n
	}
	return n
}

// Choose returns the value that is x where c holds, else y.
func (v *Machine) Choose(c Lit, x, y Value) Value {
	x, y = v.orNull(x, y), v.orNull(y, x)
	switch {
	case c == Yes || x == y:
		return x
	case c == No:
		return y
	case x.Kind == Boolean && y.Kind == Boolean:
		return TruthOf(v.F.Choose(c, x.Truth, y.Truth))
	case x.Kind == Pointer && y.Kind == Pointer:
		out := Value{Kind: Pointer, Tree: v.Decide(c, x.Tree, y.Tree), Window: x.Window, Part: v.F.Choose(c, x.Part, y.Part), Shift: x.Shift}
		if x.Shift != y.Shift {
			out.Shift = AnyShift
		}
		if x.Window != y.Window {
			out.Window = AnyWindow
		}
		return out
	case x.Address() || y.Address():
		return v.Fresh(Derived)
	}
	return v.chooseNumber(c, x, y)
}

// Decide returns the pointer that is then where c holds, else els.
func (v *Machine) Decide(c Lit, then, els int32) int32 {
	// Below, the condition is known.
	if x := v.Choices[then]; !x.Leaf && x.cond == c {
		then = x.Then
	}
	if x := v.Choices[els]; !x.Leaf && x.cond == c {
		els = x.Els
	}
	if then == els {
		return then
	}
	return v.Tree(Choice{cond: c, Then: then, Els: els})
}

// Where returns the condition under which a pointer gets to a tree for which end returns
// true and hit, before it gets to one for which end returns true otherwise.
func (v *Machine) Where(tree int32, end func(int32) (done, hit bool)) Lit {
	seen := map[int32]Lit{}
	var at func(n int32) Lit
	at = func(n int32) Lit {
		l, known := seen[n]
		if known {
			return l
		}
		c := v.Choices[n]
		switch done, hit := end(n); {
		case hit:
			l = Yes
		case !done && !c.Leaf:
			l = v.F.Choose(c.cond, at(c.Then), at(c.Els))
		}
		seen[n] = l
		return l
	}
	return at(tree)
}

// Targets returns the objects that a pointer may point to, in the order of its tree.
func (v *Machine) Targets(x Value) []Target {
	if x.Kind != Pointer {
		return nil
	}
	return v.targets(x.Tree)
}

// targets returns the targets of a tree, from those of the trees below: so those of the trees of a
// chain of choices take time in the square of its length together.
func (v *Machine) targets(tree int32) []Target {
	c := v.Choices[tree]
	if c.Leaf {
		return []Target{{c.Object, Yes}}
	}
	if known, ok := v.targetsOf[tree]; ok {
		return known
	}
	then, els := v.targets(c.Then), v.targets(c.Els)
	out := make([]Target, 0, len(then)+len(els))
	position := make(map[int]int, len(then))
	for i, t := range then {
		position[t.Object] = i
		out = append(out, Target{t.Object, v.F.And(c.cond, t.Guard)})
	}
	for _, t := range els {
		if i, ok := position[t.Object]; ok {
			out[i].Guard = v.F.Choose(c.cond, then[i].Guard, t.Guard)
		} else {
			out = append(out, Target{t.Object, v.F.And(c.cond.Not(), t.Guard)})
		}
	}
	v.targetsOf[tree] = out
	return out
}

// PointsTo returns the condition under which a pointer points to an object.
func (v *Machine) PointsTo(x Value, o int) Lit {
	return v.Where(x.Tree, func(n int32) (bool, bool) { return false, v.Choices[n].Leaf && v.Choices[n].Object == o })
}

// single returns the only object that a pointer points to.
func (v *Machine) single(x Value) (int, bool) {
	if x.Kind != Pointer || !v.Choices[x.Tree].Leaf {
		return 0, false
	}
	return v.Choices[x.Tree].Object, true
}

// EqualObjects returns the condition that two pointers point to the same object.
func (v *Machine) EqualObjects(m, n int32) Lit { return v.equalTrees(m, n, false) }

// equalTrees returns the condition that two pointers lead to the same base address, or, for
// allocations, into the same one: buffers from outside may be at different addresses of one.
func (v *Machine) equalTrees(m, n int32, allocations bool) Lit {
	if m < n {
		m, n = n, m
	}
	x, y := v.Choices[m], v.Choices[n]
	if x.Leaf && y.Leaf {
		return v.sameObject(x.Object, y.Object, allocations)
	}
	k := comparison{m, n, allocations}
	l, ok := v.compared[k]
	switch {
	case ok:
	case m == n:
		l = v.F.Choose(x.cond, v.equalTrees(x.Then, x.Then, allocations), v.equalTrees(x.Els, x.Els, allocations))
	case !x.Leaf:
		l = v.F.Choose(x.cond, v.equalTrees(x.Then, n, allocations), v.equalTrees(x.Els, n, allocations))
	default:
		l = v.F.Choose(y.cond, v.equalTrees(m, y.Then, allocations), v.equalTrees(m, y.Els, allocations))
	}
	v.compared[k] = l
	return l
}

// comparison is that of two trees, or objects.
type comparison struct {
	of, with    int32
	allocations bool
}

// sameObject returns the condition that two objects have the same address.
func (v *Machine) sameObject(i, j int, allocations bool) Lit {
	x, y := v.Objects[i].Kind, v.Objects[j].Kind
	switch {
	case i == j && x != Foreign:
		return Yes
	case i == j:
		return v.F.Variable()
	case x == y && (x == Stack || x == Static) && (v.Objects[i].vacant || v.Objects[j].vacant):
		return v.sameAddress(i, j, allocations) // what is empty may be where another one starts
	case x == Heap && y == Heap || x == Stack && y == Stack:
		// A buffer may have the address of one that ended before.
		born := v.Objects[max(i, j)].Born
		ended := born.Get(min(i, j)).Not()
		if l := v.Objects[i].Loop; l != "" && l == v.Objects[j].Loop {
			ended = v.F.Or(ended, born.Get(max(i, j)).Not()) // either may be the older one
		}
		if ended == No {
			return No
		}
		return v.F.And(ended, v.sameAddress(i, j, allocations))
	case x <= Stack || y <= Stack || (x == Static || x == nothing) && (y == Static || y == nothing):
		return No
	}
	return v.sameAddress(i, j, allocations)
}

// sameAddress returns the variable that tells whether two objects have the same address.
func (v *Machine) sameAddress(i, j int, allocations bool) Lit {
	k := comparison{int32(min(i, j)), int32(max(i, j)), allocations}
	l, ok := v.addresses[k]
	if !ok {
		l = v.F.Variable()
		v.addresses[k] = l
	}
	return l
}

// sameBase returns the condition that two pointers to objects i and j, with shifts, have the
// same base address.
func (v *Machine) sameBase(i int, shift int64, j int, other int64) Lit {
	if shift != other || shift == AnyShift {
		return v.F.Variable()
	}
	return v.sameObject(i, j, false)
}
