package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// CallGraph knows which functions of a symbol table operation call which.
type CallGraph struct {
	// Functions are the function-like operations, in program order.
	Functions []*ir.Op
	calls     map[*ir.Op][]*ir.Op // callees by function, once each, in order of the first call
	order     [][]*ir.Op
}

// NewCallGraph builds the call graph of everything nested in root. Calls of
// function values and of unknown symbols are not in it.
func NewCallGraph(root *ir.Op) *CallGraph {
	g := &CallGraph{calls: map[*ir.Op][]*ir.Op{}}
	tables := ir.NewSymbolTables()
	index := map[*ir.Op]int{}
	seen := map[[2]*ir.Op]bool{}
	var walk func(op, fn *ir.Op)
	walk = func(op, fn *ir.Op) {
		if interfaces.Function.Has(op) {
			index[op] = len(g.Functions)
			g.Functions = append(g.Functions, op)
			fn = op
		}
		if m, ok := interfaces.Call.Of(op); ok && fn != nil {
			if ref, _ := m.Callee(op); ref != nil {
				if callee := tables.Lookup(op, ref); callee != nil && !seen[[2]*ir.Op{fn, callee}] {
					seen[[2]*ir.Op{fn, callee}] = true
					g.calls[fn] = append(g.calls[fn], callee)
				}
			}
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for o := range b.Ops() {
					walk(o, fn)
				}
			}
		}
	}
	walk(root, nil)
	comps := components(len(g.Functions), func(i, j int) (int, bool) {
		calls := g.calls[g.Functions[i]]
		if j >= len(calls) {
			return 0, false
		}
		if callee, ok := index[calls[j]]; ok {
			return callee, true
		}
		return -1, true
	})
	for _, c := range comps {
		fns := make([]*ir.Op, len(c))
		for i, j := range c {
			fns[i] = g.Functions[j]
		}
		g.order = append(g.order, fns)
	}
	return g
}

// Callees returns the functions that fn calls by name, in order of the first
// calls.
func (g *CallGraph) Callees(fn *ir.Op) []*ir.Op { return g.calls[fn] }

// BottomUp returns the functions in groups that call each other (groups of one,
// where there is no recursion), callees before callers.
func (g *CallGraph) BottomUp() [][]*ir.Op { return g.order }
