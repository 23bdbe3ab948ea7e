package prepare

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// MarkDistinctArguments marks the tensor arguments of functions with a body that nothing in op refers to, by
// [analysis.DistinctAttr], if there are no buffers in op at all: bufferization lets functions write to the buffers of their
// arguments, so it takes these to be different ones. What is called in op may get the same buffer several times, and free it once.
// It returns how many it marked. Linear time.
func MarkDistinctArguments(op *ir.Op) (n int) {
	if hasBuffers(op) {
		return 0
	}
	used := map[string]bool{}
	ir.SymbolUses(op, func(_ *ir.Op, ref *ir.SymbolRefAttr) { used[ref.Leaf()] = true })
	eachFunction(op, func(fn *ir.Op) {
		if name, _ := ir.SymbolName(fn); used[name] {
			return
		}
		entry := fn.RegionAt(0).Entry()
		interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
			if !ir.IsTensor(entry.Arg(i).Type()) || analysis.IsDistinct(entry.Arg(i)) {
				return attrs
			}
			n++
			return append(attrs, ir.NamedAttr{Name: analysis.DistinctAttr, Value: ir.Unit})
		})
	})
	return n
}

// UnmarkDistinctArguments takes the marks of [MarkDistinctArguments] away, and returns how many there were. Linear time.
func UnmarkDistinctArguments(op *ir.Op) (n int) {
	eachFunction(op, func(fn *ir.Op) {
		interfaces.EditArgAttrs(fn, func(_ int, attrs []ir.NamedAttr) []ir.NamedAttr {
			var out []ir.NamedAttr
			for _, a := range attrs {
				if a.Name == analysis.DistinctAttr {
					n++
				} else {
					out = append(out, a)
				}
			}
			return out
		})
	})
	return n
}

// eachFunction calls do for the functions in op that have a body.
func eachFunction(op *ir.Op, do func(fn *ir.Op)) {
	op.Walk(func(x *ir.Op) bool {
		if interfaces.Function.Has(x) && x.NumRegions() > 0 && !x.RegionAt(0).Empty() {
			do(x)
		}
		return true
	})
}

// hasBuffers tells whether any value, or argument or result of a function, is a buffer, or any symbol one.
func hasBuffers(op *ir.Op) (found bool) {
	op.Walk(func(x *ir.Op) bool {
		for _, v := range x.Results().Values() {
			found = found || isBuffer(v.Type())
		}
		for _, r := range x.Regions() {
			for b := range r.Blocks() {
				for i := range b.NumArgs() {
					found = found || isBuffer(b.Arg(i).Type())
				}
			}
		}
		if m, ok := interfaces.Function.Of(x); ok && !found {
			t := m.Type(x)
			for _, list := range [][]ir.Type{t.Inputs, t.Results} {
				for _, t := range list {
					found = found || isBuffer(t)
				}
			}
		}
		return !found
	})
	return found
}

func isBuffer(t ir.Type) bool { return ir.IsMemRef(t) }
