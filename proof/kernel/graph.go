package kernel

import "freehold/ir"

// Edge is a transfer of control, to a node of a graph, under a condition that is relative to
// the entry of the graph.
type Edge struct {
	To     int
	Cond   Lit
	St     State
	Values []Value
	From   *ir.Op // the terminator, if the edge leaves a region
	// Chosen tells that the edge comes from the head of a loop with several entries.
	Chosen bool
}

// Outside is the node that control goes to when it leaves a graph.
const Outside = -1

// Merge joins edges to the same node, whose conditions exclude each other. It returns false
// if there are none that control may follow. It takes time n log n for n edges that differ in as much: halves are joined each for
// itself, since what was joined has the differences of all that went into it.
func (v *Machine) Merge(edges []Edge) (out Edge, any bool) {
	switch n := len(edges); n {
	case 0:
	case 1:
		out = edges[0]
	default:
		first, ok := v.Merge(edges[:n/2])
		rest, others := v.Merge(edges[n/2:])
		switch out = rest; {
		case ok && others:
			out = v.join(first, rest)
		case ok:
			out = first
		}
	}
	return out, out.Cond != No
}

// join returns what is e where its condition holds, and else out.
func (v *Machine) join(e, out Edge) Edge {
	out.St.Live = e.St.Live.Merge(out.St.Live, func(_ int, x, y Lit) Lit { return v.F.Choose(e.Cond, x, y) })
	out.St.Memory = e.St.Memory.Merge(out.St.Memory, func(_ int, x, y *Value) *Value { return v.either(e.Cond, x, y) })
	out.St.locals = e.St.locals.Merge(out.St.locals, func(_ int, x, y *Value) *Value { return v.either(e.Cond, x, y) })
	values := make([]Value, len(out.Values))
	for k := range values {
		values[k] = v.Choose(e.Cond, e.Values[k], out.Values[k])
	}
	out.Values, out.Cond = values, v.F.Or(e.Cond, out.Cond)
	return out
}
