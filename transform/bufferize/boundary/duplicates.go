package boundary

import (
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// DropDuplicateResults removes the results of functions that are always the same buffer as an earlier result, through casts; callers use
// that one, cast if need be. With public false only private functions are changed. It returns how many it removed. Linear in the
// program and in pairs of results of a function.
func DropDuplicateResults(module *ir.Op, public bool) (n int) {
	changeable := map[*ir.Op]bool{} // functions with several results that may be changed
	functions(module, public, func(fn *ir.Op) error {
		changeable[fn] = len(funcd.Type(fn).Results) > 1
		return nil
	})
	b := ir.NewBuilder(module.Context())
	callers := map[*ir.Op][]call{}
	for _, c := range calls(module) {
		callers[c.callee] = append(callers[c.callee], c)
	}
	// Callees first, so that callers may return one result of theirs instead of two.
	for _, group := range analysis.NewCallGraph(module).BottomUp() {
		for _, fn := range group {
			if !changeable[fn] {
				continue
			}
			same, found := duplicates(fn)
			if found == 0 {
				continue
			}
			n += found
			interfaces.EraseResults(fn, func(i int) bool { return same[i] >= 0 })
			for _, ret := range returns(fn) {
				var kept []*ir.Value
				for i, v := range operands(ret) {
					if same[i] < 0 {
						kept = append(kept, v)
					}
				}
				ret.SetOperands(kept)
			}
			for _, c := range callers[fn] {
				c.useEarlier(b, same)
			}
		}
	}
	return n
}

// duplicates returns for each result of a function the number of the first one that is always the same buffer, or -1, and how many
// have such a one.
func duplicates(fn *ir.Op) (same []int, found int) {
	types, list := funcd.Type(fn).Results, returns(fn)
	same = make([]int, len(types))
	for j := range types {
		same[j] = -1
		for i := 0; i < j && same[j] < 0 && len(list) > 0; i++ {
			if same[i] >= 0 || !ir.IsMemRef(types[i]) || types[i] != types[j] && !memref.CastCompatible(types[i], types[j]) {
				continue
			}
			equal := true
			for _, ret := range list {
				equal = equal && uncast(ret.Operand(i)) == uncast(ret.Operand(j))
			}
			if equal {
				same[j] = i
				found++
			}
		}
	}
	return same, found
}

// uncast returns the value that casts of buffers started from.
func uncast(v *ir.Value) *ir.Value {
	for c := v.DefinedBy(memref.Cast); c != nil; c = v.DefinedBy(memref.Cast) {
		v = memref.CastOp{Op: c}.Source()
	}
	return v
}

// useEarlier replaces a call by one without the results that are earlier ones; same is as from duplicates.
func (c call) useEarlier(b *ir.Builder, same []int) {
	b.SetAfter(c.op)
	b.Loc = c.op.Loc()
	gone := make([]*ir.Value, len(same))
	for j, i := range same {
		if i < 0 {
			continue
		}
		gone[j] = c.op.Result(i)
		if t := c.op.Result(j).Type(); t != gone[j].Type() {
			gone[j] = memref.NewCast(b, t, gone[j])
		}
	}
	for j, v := range gone {
		if v != nil {
			c.op.Result(j).ReplaceAllUsesWith(v)
		}
	}
	b.SetBefore(c.op)
	c.replace(b, operands(c.op), gone)
}
