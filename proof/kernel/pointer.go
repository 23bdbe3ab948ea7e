package kernel

import "slices"

// Choice is a pointer: Then where a condition holds, else Els; a leaf points to an object.
type Choice struct {
	Cond      Lit
	Then, Els int32
	Leaf      bool
	Object    int
}

// Target is an object with the condition under which a pointer points to it.
type Target struct {
	Object int
	Guard  Lit
}

// PointTo returns a pointer to all of an object.
func (v *Machine) PointTo(o int) Value {
	return Value{Kind: Pointer, Window: v.Objects[o].Type, Tree: v.Tree(Choice{Leaf: true, Object: o})}
}

// Tree returns the number of a pointer.
func (v *Machine) Tree(c Choice) int32 {
	n, ok := v.trees[c]
	if !ok {
		n = int32(len(v.Choices))
		v.Choices, v.targetsOf = append(v.Choices, c), append(v.targetsOf, nil)
		v.trees[c] = n
	}
	return n
}

// Decide returns the pointer that is then where c holds, else els.
func (v *Machine) Decide(c Lit, then, els int32) int32 {
	switch {
	case then == els || c == Yes:
		return then
	case c == No:
		return els
	}
	return v.Tree(Choice{Cond: c, Then: then, Els: els})
}

// OverTree computes something of a pointer, from its ends on: end returns what it is at a
// node, if that is one; choose what it is of both branches. Linear in the nodes.
func OverTree[T any](v *Machine, tree int32, end func(n int32, d Choice) (T, bool), choose func(cond Lit, then, els T) T) T {
	seen := map[int32]T{}
	var of func(n int32) T
	of = func(n int32) T {
		out, done := seen[n]
		if done {
			return out
		}
		d := v.Choices[n]
		if out, done = end(n, d); !done {
			out = choose(d.Cond, of(d.Then), of(d.Els))
		}
		seen[n] = out
		return out
	}
	return of(tree)
}

// Where returns the condition under which a pointer gets to a tree for which end returns
// true and hit, before it gets to one for which end returns true otherwise.
func (v *Machine) Where(tree int32, end func(int32) (done, hit bool)) Lit {
	return OverTree(v, tree, func(n int32, c Choice) (Lit, bool) {
		done, hit := end(n)
		return LitOf(hit), hit || done || c.Leaf
	}, v.F.Choose)
}

// Without returns the pointer that a tree is where it points to none of some objects; false if it
// always points to one.
func (v *Machine) Without(tree int32, some func(object int) bool) (int32, bool) {
	const never = -1
	out := OverTree(v, tree, func(n int32, c Choice) (int32, bool) {
		if c.Leaf && some(c.Object) {
			return never, true
		}
		return n, c.Leaf
	}, func(cond Lit, then, els int32) int32 {
		switch {
		case then == never:
			return els
		case els == never:
			return then
		}
		return v.Decide(cond, then, els)
	})
	return out, out != never
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
	if known := v.targetsOf[tree]; known != nil {
		return known
	}
	c := v.Choices[tree]
	if c.Leaf {
		v.targetsOf[tree] = []Target{{c.Object, Yes}}
		return v.targetsOf[tree]
	}
	then, els := v.targets(c.Then), v.targets(c.Els)
	out := make([]Target, 0, len(then)+len(els))
	position := make(map[int]int, len(then))
	for i, t := range then {
		position[t.Object] = i
		out = append(out, Target{t.Object, v.F.And(c.Cond, t.Guard)})
	}
	for _, t := range els {
		if i, ok := position[t.Object]; ok {
			out[i].Guard = v.F.Choose(c.Cond, then[i].Guard, t.Guard)
		} else {
			out = append(out, Target{t.Object, v.F.And(c.Cond.Not(), t.Guard)})
		}
	}
	out = slices.DeleteFunc(out, func(t Target) bool { return t.Guard == No })
	if len(out) == 1 {
		out[0].Guard = Yes // both sides point there, whichever is chosen
	}
	v.targetsOf[tree] = out
	return out
}

// Guard returns the condition under which a pointer points to an object, from its targets.
func (v *Machine) Guard(x Value, o int) Lit {
	for _, t := range v.Targets(x) {
		if t.Object == o {
			return t.Guard
		}
	}
	return No
}

// PointsTo returns the condition under which a pointer points to an object.
func (v *Machine) PointsTo(x Value, o int) Lit {
	return v.Where(x.Tree, func(n int32) (bool, bool) { return false, v.Choices[n].Leaf && v.Choices[n].Object == o })
}

// Single returns the only object that a pointer points to.
func (v *Machine) Single(x Value) (int, bool) {
	if x.Kind != Pointer || !v.Choices[x.Tree].Leaf {
		return 0, false
	}
	return v.Choices[x.Tree].Object, true
}
