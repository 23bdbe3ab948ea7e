package kernel

// SameAddress returns the condition that two pointers have the same base address, or, if they are addresses of allocations, own
// the same one; anything, also of different objects, if their shifts aren't known to be the same. It takes time in the product of the
// sizes of their trees at most, in which parts that were compared before don't count.
func (v *Machine) SameAddress(x, y Value) Lit {
	if x.Shift != y.Shift || x.Shift == AnyShift {
		return v.F.Variable()
	}
	return v.equalTrees(x.Tree, y.Tree, x.Shift == Allocation)
}

// EqualObjects returns the condition that two pointers point to the same object.
func (v *Machine) EqualObjects(x, y Value) Lit { return v.equalTrees(x.Tree, y.Tree, false) }

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
	if ok {
		return l
	}
	if v.Steps++; v.Exhausted() {
		return No
	}
	switch {
	case m == n:
		l = v.F.Choose(x.Cond, v.equalTrees(x.Then, x.Then, allocations), v.equalTrees(x.Els, x.Els, allocations))
	case !x.Leaf:
		l = v.F.Choose(x.Cond, v.equalTrees(x.Then, n, allocations), v.equalTrees(x.Els, n, allocations))
	default:
		l = v.F.Choose(y.Cond, v.equalTrees(m, y.Then, allocations), v.equalTrees(m, y.Els, allocations))
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
	case x == y && (x == Stack || x == Static) && (v.Objects[i].MayBeEmpty || v.Objects[j].MayBeEmpty):
		return v.sameAddress(i, j, allocations) // what is empty may be where another one starts
	case x == Heap && y == Heap || x == Stack && y == Stack:
		// A buffer may have the address of one that ended before.
		born := v.Objects[max(i, j)].Born
		ended := born.Get(min(i, j)).Not()
		if l := v.Objects[i].Loop; l != 0 && l == v.Objects[j].Loop {
			ended = v.F.Or(ended, born.Get(max(i, j)).Not()) // either may be the older one
		}
		if ended == No {
			return No
		}
		return v.F.And(ended, v.sameAddress(i, j, allocations))
	case x.Owned() || y.Owned() || (x == Static || x == NullObject) && (y == Static || y == NullObject):
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
