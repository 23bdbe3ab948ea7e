package reuse

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// spaceGroups puts parts that share names into groups, since these have one type, and tells which groups may get another memory space: one that the program gave none of them, if all that these
// names may be is in the group, and all that use them are valid with another one, too. It returns the number of its group for each part, from 1, and by number whether it may.
// Near-linear in the uses of the buffers.
func (f *functionPlanner) spaceGroups() (of []int, may []bool) {
	place := map[*ir.Value]int{}
	for i := range f.parts {
		if x := &f.parts[i]; x.alloc != nil {
			place[x.alloc.Result(0)] = i
		}
	}
	of = make([]int, len(f.parts))
	may = []bool{false}
	for i := range f.parts {
		if of[i] != 0 {
			continue
		}
		g := len(may)
		members, free := f.sharingNames(i, place)
		for _, k := range members {
			of[k] = g
		}
		may = append(may, free && f.staysValid(members))
	}
	return of, may
}

// sharingNames returns the parts that share names with one, directly or not, and whether no name stands in the way of another memory space.
func (f *functionPlanner) sharingNames(first int, place map[*ir.Value]int) (members []int, free bool) {
	members, free = []int{first}, f.parts[first].alloc != nil
	in := map[int]bool{first: true}
	for k := 0; k < len(members); k++ {
		x := &f.parts[members[k]]
		if free = free && x.space == nil; x.alloc == nil {
			continue
		}
		f.buffers.Names(x.alloc.Result(0), func(name *ir.Value) {
			_, ranked := name.Type().(*ir.MemRefType)
			free = free && ranked && ir.MemorySpaceOf(name.Type()) == nil && !isPassed(name) && f.buffers.IsLocal(name)
			f.buffers.Terminals(name, func(t *ir.Value) {
				switch i, part := place[t]; {
				case !part:
					free = false
				case !in[i]:
					in[i] = true
					members = append(members, i)
				}
			})
		})
	}
	return members, free
}

// staysValid tells whether the program stays valid if some parts, with all their names, get another memory space.
func (f *functionPlanner) staysValid(members []int) bool {
	change := func(space ir.Attribute) {
		for _, i := range members {
			f.changeSpace(&f.parts[i], space)
		}
	}
	change(f.fn.Context().I64Attr(1))
	ok := true
	for _, i := range members {
		ok = ok && f.isValid(f.parts[i].alloc.Result(0))
	}
	change(nil)
	return ok
}

// isPassed tells whether a buffer is an argument of a call, whose function says in which memory space it is, or of another operation that has to fit what it names, such as the launch of
// a kernel.
func isPassed(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if interfaces.Call.Has(op) || op.Registered() && op.Def().VerifySymbolUses != nil {
			return true
		}
	}
	return false
}

// changeSpace gives all names of the buffer of a part another memory space.
func (f *functionPlanner) changeSpace(x *part, space ir.Attribute) {
	f.buffers.Names(x.alloc.Result(0), func(name *ir.Value) {
		t := name.Type().(*ir.MemRefType)
		name.SetType(f.fn.Context().MemRefOf(t.Shape, t.Elem, t.Layout, space))
	})
}

// isValid tells whether all operations are valid that define a name of a buffer, use it, or have it as an argument of a block.
func (f *functionPlanner) isValid(v *ir.Value) bool {
	checked := map[*ir.Op]bool{}
	ok := true
	check := func(op *ir.Op) {
		if op != nil && op != f.fn && !checked[op] && ok {
			checked[op] = true
			ok = ir.VerifyOp(op) == nil
		}
	}
	f.buffers.Names(v, func(name *ir.Value) {
		if name.IsBlockArg() {
			check(name.ParentBlock().ParentOp())
		} else {
			check(name.DefiningOp())
		}
		for u := name.FirstUse(); u != nil; u = u.Next() {
			check(u.Owner())
			if u.Owner().Has(ir.TraitTerminator) {
				check(u.Owner().Parent())
			}
		}
	})
	return ok
}
