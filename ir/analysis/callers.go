package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Callers knows, of functions with a body, the calls that name them, and whether anything else does.
type Callers struct {
	tables *ir.SymbolTables
	refs   map[*ir.Op][]reference // by function
	counts map[*ir.Op]int         // how often the references in a function were collected
}

// reference is one of an operation to a function.
type reference struct {
	user, in *ir.Op // in is the function around user, or nil
	count    int    // of in, when this was collected
	call     bool
}

// NewCallers collects the references in root, which are resolved in the tables. Linear time.
func NewCallers(root *ir.Op, tables *ir.SymbolTables) *Callers {
	c := &Callers{tables, map[*ir.Op][]reference{}, map[*ir.Op]int{}}
	c.collect(root, nil)
	return c
}

// Recollect tells that the operations in a function were changed, or some erased. Linear in the function.
func (c *Callers) Recollect(fn *ir.Op) {
	c.counts[fn]++
	c.collect(fn, fn.Parent())
}

func (c *Callers) collect(op, fn *ir.Op) {
	if interfaces.Function.Has(op) {
		fn = op
	}
	var callee *ir.SymbolRefAttr
	if m, ok := interfaces.Call.Of(op); ok {
		callee, _ = m.Callee(op)
	}
	ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
		f := c.tables.Lookup(op, ref)
		if f == nil || f.NumRegions() == 0 || f.RegionAt(0).Empty() {
			return
		}
		c.refs[f] = append(c.refs[f], reference{op, fn, c.counts[fn], ref == callee})
		if ref == callee {
			callee = nil // another attribute may name it as well
		}
	})
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				c.collect(o, fn)
			}
		}
	}
}

// Calls returns the calls of a function by its name, each once. Linear in the references to it.
func (c *Callers) Calls(fn *ir.Op) (calls []*ir.Op) {
	c.each(fn, func(r reference) {
		if r.call {
			calls = append(calls, r.user)
		}
	})
	return calls
}

// OnlyCalled tells whether nothing but calls refers to a function. Linear in the references to it.
func (c *Callers) OnlyCalled(fn *ir.Op) bool {
	only := true
	c.each(fn, func(r reference) { only = only && r.call })
	return only
}

// each calls f for the references to a function that are still there.
func (c *Callers) each(fn *ir.Op, f func(reference)) {
	for _, r := range c.refs[fn] {
		if r.count == c.counts[r.in] {
			f(r)
		}
	}
}
