package check

import (
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

// notes are what an analysis remembers for a certificate: which calls it followed, which
// loops it cut and how, and what certificates call operations and objects. All its methods do
// nothing on nil.
type notes struct {
	machine  *kernel.Machine // which numbers operations
	objects  map[int]string
	follow   map[string]bool
	gathered map[string]certificate.Gathering
	unrolled map[string]bool
	loops    map[string]notedLoop
	counting map[string]bool // of these, those that count
	flows    map[*flow]noted
	// given is when values got what is known about them last, as now counts.
	given map[*ir.Value]int
	now   int
}

// noted is a graph: what certificates call its loops, and what it is of.
type noted struct {
	name   string
	region *ir.Region
	op     *ir.Op
}

// notedLoop is a loop as it was followed the last time, from now on: entry are the values that enter it.
type notedLoop struct {
	name  string
	fr    *kernel.Frame
	now   int
	lp    *loop
	s     *shape
	entry []kernel.Value
	in    kernel.Edge
	first int
}

func newNotes(m *kernel.Machine) *notes {
	return &notes{machine: m, objects: map[int]string{}, follow: map[string]bool{}, gathered: map[string]certificate.Gathering{}, unrolled: map[string]bool{},
		loops: map[string]notedLoop{}, counting: map[string]bool{}, flows: map[*flow]noted{}, given: map[*ir.Value]int{}}
}

func numberOps(fn *ir.Op) map[*ir.Op]int {
	of := map[*ir.Op]int{}
	fn.Walk(func(op *ir.Op) bool {
		of[op] = len(of)
		return true
	})
	return of
}

func (n *notes) object(fr *kernel.Frame, o int, op *ir.Op, i int) {
	if n != nil {
		n.objects[o] = n.machine.ObjectName(fr, op, i)
	}
}

func (n *notes) followed(fr *kernel.Frame, op *ir.Op) {
	if n != nil {
		n.follow[n.machine.OpName(fr, op)] = true
	}
}

// valueName returns what certificates call a value.
func (n *notes) valueName(fr *kernel.Frame, v *ir.Value) string {
	if op := v.DefiningOp(); op != nil {
		return fmt.Sprintf("%s%d:%d", fr.Path, n.machine.OpNumber(fr, op), v.Index())
	}
	b := v.ArgOwner()
	k := 0
	for x := range b.Region().Blocks() {
		if x == b {
			break
		}
		k++
	}
	return fmt.Sprintf("%s%d.%d^%d:%d", fr.Path, n.machine.OpNumber(fr, b.ParentOp()), b.Region().Index(), k, v.Index())
}

// placeName returns what certificates call a place.
func (n *notes) placeName(fr *kernel.Frame, at place) string {
	if at.block == nil {
		return n.machine.OpName(fr, at.op)
	}
	return fmt.Sprintf("%s%d.%d^%d", fr.Path, n.machine.OpNumber(fr, at.op), at.block.Region().Index(), at.node)
}

// gather notes that the pointers that control brings to a place are gathered, with others; notGathered
// that those of the last time aren't; and gatheredAs the object that is value k there.
func (n *notes) gather(fr *kernel.Frame, at place, others []*ir.Value, apart bool) {
	if n == nil {
		return
	}
	g := certificate.Gathering{Apart: apart}
	for _, v := range others {
		g.Others = append(g.Others, n.valueName(fr, v))
		n.assigned(v)
	}
	n.gathered[n.placeName(fr, at)] = g
}

func (n *notes) notGathered(fr *kernel.Frame, at place) {
	if n != nil {
		delete(n.gathered, n.placeName(fr, at))
	}
}

func (n *notes) gatheredAs(fr *kernel.Frame, at place, k, o int) {
	if n != nil {
		n.objects[o] = fmt.Sprintf("at%s:%d", n.placeName(fr, at), k)
	}
}

// flow notes the graph of a region's blocks, flowOf that of an operation's regions.
func (n *notes) flow(fr *kernel.Frame, g *flow, r *ir.Region) {
	if n != nil {
		n.flows[g] = noted{name: fmt.Sprintf("%d.%d^", n.machine.OpNumber(fr, r.Op()), r.Index()), region: r}
	}
}

func (n *notes) flowOf(fr *kernel.Frame, g *flow, op *ir.Op) {
	if n != nil {
		n.flows[g] = noted{name: fmt.Sprint(n.machine.OpNumber(fr, op)), op: op}
	}
}

func (n *notes) loopName(w *walk, node int) string {
	g := n.flows[w.g]
	if entries, ok := w.g.entriesOf(node); ok {
		g.name += strings.ReplaceAll(strings.Trim(fmt.Sprint(entries), "[]"), " ", "+")
	} else if g.region != nil {
		g.name += fmt.Sprint(node)
	}
	return w.fr.Path + g.name
}

func (n *notes) unrolledLoop(w *walk, node int) {
	if n != nil {
		n.unrolled[n.loopName(w, node)] = true
	}
}

func (n *notes) loop(w *walk, c component, l notedLoop) {
	if n == nil {
		return
	}
	l.name = n.loopName(w, c.node)
	n.loops[l.name] = l
	for _, t := range l.lp.atoms {
		if t.kind == points && t.object >= l.first && w.a.Objects[t.object].Loop != 0 && n.objects[t.object] == "" {
			n.objects[t.object] = fmt.Sprintf("own%s@%d", l.name, t.argument)
		}
	}
}

// counts notes that a loop counts.
func (n *notes) counts(fr *kernel.Frame, op *ir.Op) {
	if n != nil {
		n.counting[n.machine.OpName(fr, op)] = true
	}
}

// assigned notes that a value gets something now, and time returns when that is.
func (n *notes) assigned(v *ir.Value) {
	if n != nil {
		n.now++
		n.given[v] = n.now
	}
}

func (n *notes) time() int {
	if n == nil {
		return 0
	}
	return n.now
}

// before yields the values of which it is still known what was known of them before a loop. It takes time linear in the frame's values.
func (n *notes) before(l *notedLoop, yield func(v *ir.Value, x kernel.Value)) {
	for v, x := range l.fr.Values {
		if t := n.given[v]; t > 0 && t <= l.now {
			yield(v, x)
		}
	}
}

// nameOf returns what certificates call an object; nothing if they have no name for it.
func (a *analysis) nameOf(o int) string {
	switch x := a.Objects[o]; {
	case x.Given:
		return fmt.Sprint("given", x.Number)
	case x.Kind == kernel.Argument:
		return fmt.Sprint("arg", x.Number)
	case x.Kind == kernel.NullObject:
		return "null"
	case x.Kind == kernel.Foreign && a.notes.objects[o] == "":
		return "global:nothing"
	case x.Kind == kernel.Static:
		return fmt.Sprint("global:", x.Op.Attr("name"))
	}
	return a.notes.objects[o]
}

// items returns the order of a graph as certificates have it; apart tells that the entries of
// a loop share nothing.
func (g *blockFlow) items(order []component, apart bool) (out []certificate.Item) {
	for _, c := range order {
		it := certificate.Item{Node: c.node, Loop: c.loop, Body: g.items(c.body, apart)}
		if entries, ok := g.entriesOf(c.node); ok {
			it.Entries = entries
			_, it.Slots = g.sharedArguments(entries, apart)
		}
		out = append(out, it)
	}
	return out
}

// entriesOf returns the entries of the loop before which a node was put.
func (g *flow) entriesOf(node int) ([]int, bool) {
	if node <= g.exit {
		return nil, false
	}
	return g.dispatch[node-g.exit-1], true
}
