package kernel

import (
	"maps"
	"slices"

	"freehold/ir"
	"freehold/proof/certificate"
)

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
// if there are none that control may follow. It takes time n log n for n edges that differ in as much.
func (v *Machine) Merge(edges []Edge) (out Edge, any bool) {
	var taken []Edge
	for _, e := range edges {
		if e.Cond != No {
			taken = append(taken, e)
		}
	}
	if len(taken) == 0 {
		return out, false
	}
	out = v.mergeAll(taken)
	return out, out.Cond != No
}

// chained is the number of edges that are joined one after the other. Halves of more are joined each for itself, since what was joined has
// the differences of all that went into it.
const chained = 8

func (v *Machine) mergeAll(edges []Edge) Edge {
	if n := len(edges) / 2; len(edges) > chained {
		return v.join(v.mergeAll(edges[:n]), v.mergeAll(edges[n:]))
	}
	out := edges[len(edges)-1]
	for _, e := range slices.Backward(edges[:len(edges)-1]) {
		out = v.join(e, out)
	}
	return out
}

// join returns what is e where its condition holds, and else out.
func (v *Machine) join(e, out Edge) Edge {
	out.St.Live = e.St.Live.Merge(out.St.Live, func(_ int, x, y Lit) Lit { return v.F.Choose(e.Cond, x, y) })
	out.St.Memory = e.St.Memory.Merge(out.St.Memory, func(_ int, x, y *Value) *Value { return v.either(e.Cond, x, y) })
	out.St.locals = e.St.locals.Merge(out.St.locals, func(_ int, x, y *Value) *Value { return v.both(e.Cond, x, y) })
	values := make([]Value, len(out.Values))
	for k := range values {
		values[k] = v.Choose(e.Cond, e.Values[k], out.Values[k])
	}
	out.Values, out.Cond = values, v.F.Or(e.Cond, out.Cond)
	return out
}

// Walk is one execution of a graph: Run executes a node, Loop a loop from the edge into it; Name
// returns what the certificate calls a loop.
type Walk struct {
	V      *Machine
	Fr     *Frame
	Op     *ir.Op // to which the graph belongs
	Run    func(node int, in Edge) []Edge
	Name   func(certificate.Item) string
	Blocks []*ir.Block // the nodes, if they are blocks
	// Heads are the loops with several entries, by their entries: all edges to these go to
	// the loop's head first.
	Heads   map[int]certificate.Item
	listed  map[int]bool   // blocks that have their place in the order
	pending map[int][]Edge // edges into nodes that were not executed yet
	Loop    func(it certificate.Item, in Edge)
	// Enter is called before an edge into a node is followed from outside; may be nil.
	Enter func(it certificate.Item, in *Edge)
}

// Follow executes a graph in the given order, in which control must be able to follow it.
// It returns the edges that leave it.
func (w *Walk) Follow(order []certificate.Item, in Edge) []Edge {
	w.pending = map[int][]Edge{order[0].Node: {in}}
	w.items(order)
	out := w.pending[Outside]
	delete(w.pending, Outside)
	for _, edges := range w.pending {
		for _, e := range edges {
			if e.Cond != No {
				w.V.Refuse(w.Op, "control doesn't follow the order of its blocks")
			}
		}
	}
	return out
}

// Push takes the edges that control may take, for the walk to go on with them.
func (w *Walk) Push(edges []Edge) {
	for _, e := range edges {
		if it, ok := w.Heads[e.To]; ok && !e.Chosen {
			e = w.enter(it, e)
		}
		w.pending[e.To] = append(w.pending[e.To], e)
	}
}

// execute executes a node, or the head of a loop with several entries.
func (w *Walk) execute(it certificate.Item, in Edge) []Edge {
	if len(it.Entries) == 0 {
		return w.Run(it.Node, in)
	}
	var out []Edge
	rest, slots := Yes, in.Values[len(it.Entries)-1:]
	for i, n := range it.Entries {
		c := rest
		if i < len(it.Entries)-1 {
			if in.Values[i].Kind != Boolean {
				w.V.Refuse(w.Op, "it isn't known which entry of a loop is meant")
			}
			c, rest = w.V.F.And(rest, in.Values[i].Truth), w.V.F.And(rest, in.Values[i].Truth.Not())
		}
		e := Edge{To: n, Cond: w.V.F.And(in.Cond, c), St: in.St, Chosen: true}
		for _, at := range it.Slots[i] {
			e.Values = append(e.Values, slots[at])
		}
		out = append(out, e)
	}
	return out
}

// enter makes an edge to an entry of a loop one to its head. Its values are booleans that tell
// which entry is meant, and the entries' arguments, which share the slots that the certificate
// says. The slots that the entry doesn't have hold nothing that is used.
func (w *Walk) enter(it certificate.Item, e Edge) Edge {
	var choices, slots []Value
	for i, n := range it.Entries {
		if i < len(it.Entries)-1 {
			choices = append(choices, TruthOf(LitOf(n == e.To)))
		}
		for arg, at := range it.Slots[i] {
			for len(slots) <= at {
				slots = append(slots, Value{})
			}
			switch t := w.Blocks[n].Arg(arg).Type(); {
			case n == e.To:
				slots[at] = e.Values[arg]
			case slots[at] != Value{}:
			case ir.IsMemRef(t):
				slots[at] = w.V.PointTo(w.V.Global(w.Op, "nothing"))
			case t == ir.Type(ir.I1):
				slots[at] = TruthOf(No)
			case w.V.Models.IsOwner(t):
				slots[at] = w.V.Null()
			default:
				slots[at] = w.V.Fresh(Number)
			}
		}
	}
	e.To, e.Values = it.Node, append(choices, slots...)
	return e
}

func (w *Walk) items(order []certificate.Item) {
	for _, it := range order {
		in, ok := w.V.Merge(w.pending[it.Node])
		delete(w.pending, it.Node)
		if ok && w.Enter != nil && len(it.Entries) == 0 {
			w.Enter(it, &in)
		}
		switch {
		case w.V.Err != nil:
			return
		case !ok:
		case it.Loop:
			w.Loop(it, in)
		default:
			w.Push(w.execute(it, in))
		}
	}
}

// Iteration executes a loop once, and returns the edges back to its head and those that leave
// it.
func (w *Walk) Iteration(it certificate.Item, head Edge) (back, exits []Edge) {
	around := w.pending
	w.pending = map[int][]Edge{}
	w.Push(w.execute(it, head))
	w.items(it.Body)
	for _, n := range slices.Sorted(maps.Keys(w.pending)) {
		if n != it.Node {
			exits = append(exits, w.pending[n]...)
		}
	}
	back, w.pending = w.pending[it.Node], around
	return back, exits
}

// maxTrips limits the iterations of loops that are executed step by step.
const maxTrips = 1 << 12

// Unroll executes a loop step by step: each iteration must tell whether there is another one.
func (w *Walk) Unroll(it certificate.Item, in Edge) {
	for range maxTrips {
		back, exits := w.Iteration(it, in)
		next, again := w.V.Merge(back)
		if !again {
			w.Push(exits)
			return
		}
		for _, e := range exits {
			again = again && e.Cond == No
		}
		if w.Blocks == nil && w.Op.Has(ir.TraitAutomaticAllocationScope) {
			w.Fr.St = next.St
			w.V.EndScope(w.Fr, w.Fr.Path, w.Op)
			next.St = w.Fr.St
		}
		if !again || next.Cond != in.Cond || w.V.Err != nil {
			break
		}
		in = next
	}
	w.V.Refuse(w.Op, "it isn't known how often a loop runs")
}

// Fits tells whether an order has blocks at most once, and notes the loops with several entries.
func (w *Walk) Fits(order []certificate.Item) bool {
	if w.listed == nil {
		w.listed = map[int]bool{}
	}
	for _, it := range order {
		if len(it.Entries) == 0 && (it.Node < 0 || it.Node >= len(w.Blocks) || w.listed[it.Node]) {
			return false
		}
		if w.listed[it.Node] = true; !w.Fits(it.Body) {
			return false
		}
		for i, n := range it.Entries {
			if n < 0 || n >= len(w.Blocks) || len(it.Slots[i]) != w.Blocks[n].NumArgs() || slices.Contains(it.Entries[:i], n) {
				return false
			}
			slots := slices.Clone(it.Slots[i])
			slices.Sort(slots)
			if len(slices.Compact(slots)) < len(it.Slots[i]) {
				return false
			}
			w.Heads[n] = it
		}
	}
	return true
}
