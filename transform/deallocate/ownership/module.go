package ownership

import (
	"sync"

	"freehold/ir"
	"freehold/ir/analysis"
)

// module is what functions that are processed at the same time know of each other.
type module struct {
	mu      sync.Mutex
	tables  *ir.SymbolTables
	callers *analysis.Callers
	// open tells of functions with a body whether others may call them.
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
	m.callers, m.open = analysis.NewCallers(root, m.tables), map[*ir.Op]bool{}
	for _, f := range functions {
		if f.NumRegions() > 0 && !f.RegionAt(0).Empty() {
			m.open[f] = !ir.IsPrivate(f) || !root.Has(ir.TraitSymbolTable) || !m.callers.OnlyCalled(f)
		}
	}
}

// takesOwnership tells whether the callers of a function pass it the ownership of
// its arguments.
func (m *module) takesOwnership(fn *ir.Op, o Options) bool {
	open, body := m.open[fn]
	return o.PrivateFunctionArgumentOwnership && body && !open
}
