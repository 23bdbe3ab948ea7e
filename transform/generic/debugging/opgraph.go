package debugging

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/ir"
	"freehold/pass"
)

// graphOptions say what a graph shows.
type graphOptions struct {
	maxLabel                  uint32
	attrs, types, order, uses bool
}

func (o *graphOptions) declare(d *pass.Decl) {
	d.Uint(&o.maxLabel, "max-label-len", 20, "How many characters of an attribute or type to show")
	d.Bool(&o.attrs, "print-attrs", true, "List attributes in the boxes of operations")
	d.Bool(&o.order, "print-control-flow-edges", false, "Draw an edge from each operation to the next")
	d.Bool(&o.uses, "print-data-flow-edges", true, "Draw an edge from each value to its uses")
	d.Bool(&o.types, "print-result-types", true, "Show the types of results")
}

// OpGraph is --view-op-graph.
var OpGraph = pass.New(pass.Info{
	Name: "view-op-graph", Title: "ViewOpGraph",
	Summary: "Draw the program as a graph for Graphviz",
	Description: `Prints a graph in the language of Graphviz. Operations and block arguments are nodes, blocks and
operations with regions are clusters. A solid edge leads from a value to the operation that uses it,
a dashed one from an operation to the next one of its block. For programs of some dozens of operations: larger graphs can't
be read.`,
}, (*graphOptions).declare, pass.OnModule(func(c *pass.Context, o *graphOptions, op *ir.Op) error {
	g := &graph{graphOptions: *o, nodes: map[*ir.Value]node{}, hues: map[string]int{}}
	g.chooseHues(op)
	g.b.WriteString("digraph G {\n")
	g.line("compound = true;")
	g.op(op)
	g.edges()
	g.b.WriteString("}\n")
	c.Print([]byte(g.b.String()))
	c.Unchanged()
	return nil
}))

// maxElements is how many elements an attribute may have to be shown.
const maxElements = 16

// graph is a graph that is being written.
type graph struct {
	graphOptions
	b      strings.Builder
	depth  int
	last   int // number of the last node or cluster
	nodes  map[*ir.Value]node
	hues   map[string]int // numbers of the names of operations
	next   []edge
	values []use
}

// node is an operation or a block argument. One with regions is drawn as a cluster,
// and node is an invisible point in it.
type node struct{ number, cluster int }

// edge leads from an operation to the one that follows it.
type edge struct{ from, to node }

// use is a use of a value.
type use struct {
	value *ir.Value
	by    node
	label string
}

// chooseHues gives each kind of operation a number.
func (g *graph) chooseHues(op *ir.Op) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				g.chooseHues(o)
			}
		}
	}
	if _, ok := g.hues[op.Name()]; !ok {
		g.hues[op.Name()] = len(g.hues)
	}
}

// line writes an indented line.
func (g *graph) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("  ", g.depth+1))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

// number returns the next number of a node or cluster.
func (g *graph) number() int {
	g.last++
	return g.last
}

// cluster writes a cluster and what body writes in it.
func (g *graph) cluster(label string, body func()) node {
	n := node{cluster: g.number()}
	g.line("subgraph cluster_%d {", n.cluster)
	g.depth++
	n.number = g.number()
	g.line(`v%d [label = " ", shape = plain];`, n.number)
	g.line("label = %s;", quote(label))
	body()
	g.depth--
	g.line("}")
	return n
}

func (g *graph) op(op *ir.Op) node {
	var n node
	if op.NumRegions() > 0 {
		n = g.cluster(g.label(op), func() {
			for _, r := range op.Regions() {
				for b := range r.Blocks() {
					g.block(b)
				}
			}
		})
	} else {
		n.number = g.number()
		hue := float64(g.hues[op.Name()]) / float64(len(g.hues))
		g.line(`v%d [fillcolor = "%.6f 1.0 1.0", label = %s, shape = ellipse, style = filled];`, n.number, hue, quote(g.label(op)))
	}
	for i, v := range op.Operands().Values() {
		label := ""
		if op.NumOperands() > 1 {
			label = strconv.Itoa(i)
		}
		g.values = append(g.values, use{v, n, label})
	}
	for i := range op.NumResults() {
		g.nodes[op.Result(i)] = n
	}
	return n
}

func (g *graph) block(b *ir.Block) {
	g.cluster("", func() {
		for i, a := range b.Args() {
			n := node{number: g.number()}
			g.nodes[a] = n
			g.line(`v%d [label = "arg%d", shape = ellipse];`, n.number, i)
		}
		var before node
		for o := range b.Ops() {
			n := g.op(o)
			if before.number != 0 {
				g.next = append(g.next, edge{before, n})
			}
			before = n
		}
	})
}

// edges writes all edges.
func (g *graph) edges() {
	if g.order {
		for _, e := range g.next {
			g.edge(e.from, e.to, "", "dashed")
		}
	}
	if g.uses {
		for _, u := range g.values {
			if from, ok := g.nodes[u.value]; ok {
				g.edge(from, u.by, u.label, "solid")
			}
		}
	}
}

// edge writes an edge. It ends at the borders of clusters, where labels would float.
func (g *graph) edge(from, to node, label, style string) {
	var attrs []string
	if from.cluster == 0 && to.cluster == 0 {
		attrs = append(attrs, "label = "+quote(label))
	}
	if to.cluster != 0 {
		attrs = append(attrs, fmt.Sprintf("lhead = cluster_%d", to.cluster))
	}
	if from.cluster != 0 {
		attrs = append(attrs, fmt.Sprintf("ltail = cluster_%d", from.cluster))
	}
	attrs = append(attrs, "style = "+style)
	g.line("v%d -> v%d [%s];", from.number, to.number, strings.Join(attrs, ", "))
}

// label returns the text of an operation.
func (g *graph) label(op *ir.Op) string {
	var b strings.Builder
	b.WriteString(op.Name())
	if g.types {
		types := make([]string, op.NumResults())
		for i := range types {
			types[i] = op.Result(i).Type().String()
		}
		b.WriteString(" : (" + g.shorten(strings.Join(types, ", ")) + ")")
	}
	if g.attrs {
		b.WriteByte('\n')
		for _, a := range op.AllAttrs() {
			b.WriteString("\n" + a.Name + ": " + g.attr(a.Value))
		}
	}
	return b.String()
}

// attr returns the text of an attribute, without the elements of large ones.
func (g *graph) attr(a ir.Attribute) string {
	switch a := a.(type) {
	case *ir.DenseElementsAttr:
		if a.Splat {
			return a.String()
		}
		if shape, _ := ir.ShapeOf(a.Type); a.Len() > maxElements {
			return strings.Repeat("[", len(shape)) + "..." + strings.Repeat("]", len(shape)) + " : " + a.Type.String()
		}
	case *ir.ArrayAttr:
		if len(a.Elems) > maxElements {
			return "[...]"
		}
	}
	return g.shorten(a.String())
}

func (g *graph) shorten(s string) string {
	if uint64(len(s)) <= uint64(g.maxLabel) {
		return s
	}
	return s[:g.maxLabel] + "..."
}

// quote returns text in quotes, with escapes for what isn't printable ASCII.
func quote(s string) string {
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			b = append(b, '\\', c)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c >= ' ' && c < 0x7f:
			b = append(b, c)
		default:
			b = fmt.Appendf(b, `\%02X`, c)
		}
	}
	return string(append(b, '"'))
}
