package verify

import (
	"maps"
	"slices"

	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

// walk is one execution of a graph: of the blocks of a region, or of an operation and its regions.
type walk struct {
	*verifier
	fr   *kernel.Frame
	op   *ir.Op // to which the graph belongs
	name string // what the certificate calls it
	// run executes a node, and returns the edges out of it.
	run    func(node int, in kernel.Edge) []kernel.Edge
	blocks []*ir.Block // the nodes, if they are blocks
	// heads are the loops with several entries, by their entries: all edges to these go to
	// the loop's head first.
	heads   map[int]certificate.Item
	listed  map[int]bool          // blocks that have their place in the order
	pending map[int][]kernel.Edge // edges into nodes that were not executed yet
}

// place returns what the certificate calls a node, as the head of a loop, or as where values are gathered.
func (w *walk) place(it certificate.Item) string {
	if w.blocks == nil {
		return w.name
	}
	return w.name + "^" + it.Head()
}

// follow executes a graph in the given order, in which control must be able to follow it.
// It returns the edges that leave it.
func (w *walk) follow(order []certificate.Item, in kernel.Edge) []kernel.Edge {
	w.pending = map[int][]kernel.Edge{order[0].Node: {in}}
	w.items(order)
	out := w.pending[kernel.Outside]
	delete(w.pending, kernel.Outside)
	for _, edges := range w.pending {
		for _, e := range edges {
			if e.Cond != kernel.No {
				w.Refuse(w.op, "control doesn't follow the order of its blocks")
			}
		}
	}
	return out
}

// push takes the edges that control may take, for the walk to go on with them.
func (w *walk) push(edges []kernel.Edge) {
	for _, e := range edges {
		if it, ok := w.heads[e.To]; ok && !e.Chosen {
			e = w.enter(it, e)
		}
		w.pending[e.To] = append(w.pending[e.To], e)
	}
}

// execute executes a node, or the head of a loop with several entries.
func (w *walk) execute(it certificate.Item, in kernel.Edge) []kernel.Edge {
	if len(it.Entries) == 0 {
		return w.run(it.Node, in)
	}
	var out []kernel.Edge
	rest, slots := kernel.Yes, in.Values[len(it.Entries)-1:]
	for i, n := range it.Entries {
		c := rest
		if i < len(it.Entries)-1 {
			if in.Values[i].Kind != kernel.Boolean {
				w.Refuse(w.op, "it isn't known which entry of a loop is meant")
			}
			c, rest = w.F.And(rest, in.Values[i].Truth), w.F.And(rest, in.Values[i].Truth.Not())
		}
		e := kernel.Edge{To: n, Cond: w.F.And(in.Cond, c), St: in.St, Chosen: true}
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
func (w *walk) enter(it certificate.Item, e kernel.Edge) kernel.Edge {
	var choices, slots []kernel.Value
	for i, n := range it.Entries {
		if i < len(it.Entries)-1 {
			choices = append(choices, kernel.TruthOf(kernel.LitOf(n == e.To)))
		}
		for arg, at := range it.Slots[i] {
			for len(slots) <= at {
				slots = append(slots, kernel.Value{})
			}
			switch t := w.blocks[n].Arg(arg).Type(); {
			case n == e.To:
				slots[at] = e.Values[arg]
			case slots[at] != kernel.Value{}:
			case ir.IsMemRef(t):
				slots[at] = w.PointTo(w.Global(w.op, "nothing"))
			case t == ir.Type(ir.I1):
				slots[at] = kernel.TruthOf(kernel.No)
			case w.Models.IsOwner(t):
				slots[at] = w.Null()
			default:
				slots[at] = w.Fresh(kernel.Number)
			}
		}
	}
	e.To, e.Values = it.Node, append(choices, slots...)
	return e
}

func (w *walk) items(order []certificate.Item) {
	for _, it := range order {
		in, ok := w.Merge(w.pending[it.Node])
		delete(w.pending, it.Node)
		if ok && w.blocks != nil && len(it.Entries) == 0 {
			w.fr.St, w.fr.Cond = in.St, in.Cond
			in.Values = w.gather(w.fr, w.op, w.blocks[it.Node], w.place(it), in.Values)
			in.St = w.fr.St
		}
		switch {
		case w.Err != nil:
			return
		case !ok:
		case it.Loop:
			w.loop(it, in)
		default:
			w.push(w.execute(it, in))
		}
	}
}

// iteration executes a loop once, and returns the edges back to its head and those that leave
// it.
func (w *walk) iteration(it certificate.Item, head kernel.Edge) (back, exits []kernel.Edge) {
	around := w.pending
	w.pending = map[int][]kernel.Edge{}
	w.push(w.execute(it, head))
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

// unroll executes a loop step by step: each iteration must tell whether there is another one.
func (w *walk) unroll(it certificate.Item, in kernel.Edge) {
	for range maxTrips {
		back, exits := w.iteration(it, in)
		next, again := w.Merge(back)
		if !again {
			w.push(exits)
			return
		}
		for _, e := range exits {
			again = again && e.Cond == kernel.No
		}
		if w.blocks == nil && w.op.Has(ir.TraitAutomaticAllocationScope) {
			w.fr.St = next.St
			w.EndScope(w.fr, w.fr.Path, w.op)
			next.St = w.fr.St
		}
		if !again || next.Cond != in.Cond || w.Err != nil {
			break
		}
		in = next
	}
	w.Refuse(w.op, "it isn't known how often a loop runs")
}

// fits tells whether an order has blocks at most once, and notes the loops with several entries.
func (w *walk) fits(order []certificate.Item) bool {
	if w.listed == nil {
		w.listed = map[int]bool{}
	}
	for _, it := range order {
		if len(it.Entries) == 0 && (it.Node < 0 || it.Node >= len(w.blocks) || w.listed[it.Node]) {
			return false
		}
		if w.listed[it.Node] = true; !w.fits(it.Body) {
			return false
		}
		for i, n := range it.Entries {
			if n < 0 || n >= len(w.blocks) || len(it.Slots[i]) != w.blocks[n].NumArgs() || slices.Contains(it.Entries[:i], n) {
				return false
			}
			slots := slices.Clone(it.Slots[i])
			slices.Sort(slots)
			if len(slices.Compact(slots)) < len(it.Slots[i]) {
				return false
			}
			w.heads[n] = it
		}
	}
	return true
}
