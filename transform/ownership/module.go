package ownership

import (
	"sync"

	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// module is what functions that are processed at the same time know of each other.
type module struct {
	mu     sync.Mutex
	tables *ir.SymbolTables
	// calls lists the calls of each function with a body.
	calls map[*ir.Op][]*ir.Op
	// open holds the functions that others may call.
	open map[*ir.Op]bool
	// summaries tell what functions do with their arguments, if the options need it.
	summaries *analysis.CallSummaries
}

// lookup resolves a symbol.
func (m *module) lookup(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tables.Lookup(from, ref)
}

// findCalls collects the calls in root of the functions.
func (m *module) findCalls(root *ir.Op, functions []*ir.Op) {
	m.calls, m.open = map[*ir.Op][]*ir.Op{}, map[*ir.Op]bool{}
	for _, f := range functions {
		if f.NumRegions() == 0 || f.RegionAt(0).Empty() {
			continue
		}
		m.calls[f] = nil
		m.open[f] = !ir.IsPrivate(f) || !root.Has(ir.TraitSymbolTable)
	}
	ir.SymbolUses(root, func(user *ir.Op, ref *ir.SymbolRefAttr) {
		f := m.tables.Lookup(user, ref)
		if _, known := m.calls[f]; !known {
			return
		}
		if c, ok := iface.Call.Of(user); ok {
			if callee, _ := c.Callee(user); callee == ref {
				m.calls[f] = append(m.calls[f], user)
				return
			}
		}
		m.open[f] = true
	})
}

// takesOwnership tells whether the callers of a function pass it the ownership of
// its arguments.
func (m *module) takesOwnership(fn *ir.Op, o Options) bool {
	_, body := m.calls[fn]
	return o.PrivateFunctionArgumentOwnership && body && !m.open[fn]
}
