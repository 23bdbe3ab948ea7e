package memref

import "freehold/ir"

// CastNeverFails tells whether there is a cast between two types that can't fail at run
// time because of the layout: no stride or offset goes from dynamic to static.
func CastNeverFails(from, to ir.Type) bool {
	src, ok1 := from.(*ir.MemRefType)
	dst, ok2 := to.(*ir.MemRefType)
	if !ok1 || !ok2 || !CastCompatible(from, to) {
		return false
	}
	ss, so, ok1 := src.StridesAndOffset()
	ds, do, ok2 := dst.StridesAndOffset()
	if !ok1 || !ok2 || len(ss) != len(ds) || so == ir.Dynamic && do != ir.Dynamic {
		return false
	}
	for i := range ss {
		if ss[i] == ir.Dynamic && ds[i] != ir.Dynamic {
			return false
		}
	}
	return true
}
