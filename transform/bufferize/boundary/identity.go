package boundary

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// MarkIdentity marks the functions with a body in op that have buffers, and those of their results that are buffers: what writes to one buffer
// is seen by all that have it, so that they can't be given copies, as results can that are tensors, or are marked by [interfaces.OwnedAttr]. Run it before tensors become
// buffers. It returns how many it marked. Linear time.
func MarkIdentity(op *ir.Op) (n int) {
	op.Walk(func(fn *ir.Op) bool {
		m, ok := interfaces.Function.Of(fn)
		if !ok || fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
			return true
		}
		if !hasBuffers(fn) {
			return false
		}
		fn.SetAttr(interfaces.IdentityAttr, ir.Unit)
		n++
		results := m.Type(fn).Results
		interfaces.SetResAttrs(fn, interfaces.IdentityAttr, func(i int) (ir.Attribute, bool) {
			marked := ir.IsMemRef(results[i]) && interfaces.ResAttr(fn, i, interfaces.OwnedAttr) == nil
			if marked {
				n++
			}
			return ir.Unit, marked
		})
		return false
	})
	return n
}

// unmarkIdentity takes the marks away, and returns how many there were. Linear time.
func unmarkIdentity(op *ir.Op) (n int) {
	op.Walk(func(fn *ir.Op) bool {
		if !interfaces.Function.Has(fn) {
			return true
		}
		if fn.Attr(interfaces.IdentityAttr) != nil {
			fn.SetAttr(interfaces.IdentityAttr, nil)
			n++
		}
		interfaces.SetResAttrs(fn, interfaces.IdentityAttr, func(i int) (ir.Attribute, bool) {
			marked := interfaces.HasIdentity(fn, i)
			if marked {
				n++
			}
			return nil, marked
		})
		return false
	})
	return n
}

// hasBuffers tells whether anything in a function is a buffer.
func hasBuffers(fn *ir.Op) (found bool) {
	fn.Walk(func(op *ir.Op) bool {
		for _, t := range op.Results().Types() {
			found = found || ir.IsMemRef(t)
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, a := range b.Args() {
					found = found || ir.IsMemRef(a.Type())
				}
			}
		}
		return !found
	})
	return found
}
