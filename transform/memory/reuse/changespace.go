package reuse

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// mayChangeSpace tells whether the buffer of a part may get another memory space: it has none that the program gave it, all names of it are its alone, and all that use these are valid with another one, too.
// Linear in the uses of the buffer.
func (f *functionPlanner) mayChangeSpace(x *part) bool {
	if x.alloc == nil || x.space != nil {
		return false
	}
	v := x.alloc.Result(0)
	ok := true
	f.buffers.Names(v, func(name *ir.Value) {
		_, ranked := name.Type().(*ir.MemRefType)
		only, one := f.buffers.Only(name)
		ok = ok && ranked && one && only == v && ir.MemorySpaceOf(name.Type()) == nil && !isPassed(name)
	})
	if !ok {
		return false
	}
	f.changeSpace(x, f.fn.Context().I64Attr(1))
	ok = f.isValid(v)
	f.changeSpace(x, nil)
	return ok
}

// isPassed tells whether a buffer is an argument of a call, whose function says in which memory space it is.
func isPassed(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if interfaces.Call.Has(u.Owner()) {
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
