package debugging

import (
	"cmp"
	"fmt"
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/asm"
	"freehold/pass"
)

// Liveness is --test-print-liveness. It takes operations without a name, on which
// mlir-opt crashes. For mlir-opt, values with uses in blocks that can't be reached
// are live at the end of their block; here they are not. Each operation is printed with the numbers it has in the whole
// program, which takes time in the product of the two sizes.
var Liveness = pass.New(pass.Info{
	Name: "test-print-liveness", Title: "TestPrintLiveness",
	Summary: "Print where values are live (for tests)",
	Description: `Prints for each block of an operation the values that are live at its start and its end, for each
result the operations during which it is live, and for each operation the values that are live
during it. The output is large: its size grows with the product of the numbers of values and operations.`,
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	p := livenessPrinter{
		live:   analysis.NewLiveness(op),
		blocks: map[*ir.Block]int{}, ops: map[*ir.Op]int{}, values: map[*ir.Value]int{},
		texts: map[*ir.Op][]byte{},
	}
	c.Print(p.print(op))
	c.Unchanged()
	return nil
}))

// livenessPrinter writes the liveness of an operation.
type livenessPrinter struct {
	live   *analysis.Liveness
	blocks map[*ir.Block]int // numbers, in program order
	ops    map[*ir.Op]int
	values map[*ir.Value]int
	texts  map[*ir.Op][]byte
	out    []byte
}

func (p *livenessPrinter) print(op *ir.Op) []byte {
	var blocks []*ir.Block // outer ones first
	var collect func(o *ir.Op)
	collect = func(o *ir.Op) {
		for _, r := range o.Regions() {
			for b := range r.Blocks() {
				p.blocks[b] = len(blocks)
				blocks = append(blocks, b)
				for _, a := range b.Args() {
					p.values[a] = len(p.values)
				}
				for x := range b.Ops() {
					p.ops[x] = len(p.ops)
					for i := range x.NumResults() {
						p.values[x.Result(i)] = len(p.values)
					}
				}
				for x := range b.Ops() {
					collect(x)
				}
			}
		}
	}
	collect(op)
	p.text(testing(op), "// ---- Liveness -----\n")
	for _, b := range blocks {
		p.block(b)
	}
	p.text("// -------------------\n")
	return p.out
}

func (p *livenessPrinter) text(parts ...string) {
	for _, s := range parts {
		p.out = append(p.out, s...)
	}
}

func (p *livenessPrinter) block(b *ir.Block) {
	p.out = fmt.Appendf(p.out, "// - Block: %d\n// --- LiveIn: ", p.blocks[b])
	p.refs(p.live.LiveIn(b))
	p.text("\n// --- LiveOut: ")
	p.refs(p.live.LiveOut(b))
	p.text("\n// --- BeginLivenessIntervals")
	for o := range b.Ops() {
		for i := range o.NumResults() {
			v := o.Result(i)
			if i == 0 {
				p.text("\n")
			}
			p.text("// ")
			p.ref(v)
			p.text(":")
			for _, x := range p.interval(v) {
				p.text("\n//     ")
				p.op(x)
			}
		}
	}
	p.text("\n// --- EndLivenessIntervals\n// --- BeginCurrentlyLive\n")
	p.currentlyLive(b)
	p.text("// --- EndCurrentlyLive\n")
}

func (p *livenessPrinter) op(o *ir.Op) {
	if p.texts[o] == nil {
		p.texts[o] = asm.Print(o, asm.PrintOptions{AssumeVerified: true})
	}
	p.out = append(p.out, p.texts[o]...)
}

func (p *livenessPrinter) ref(v *ir.Value) {
	if v.DefiningOp() != nil {
		p.out = fmt.Appendf(p.out, "val_%d ", p.values[v])
		return
	}
	b := v.ParentBlock()
	p.out = fmt.Appendf(p.out, "arg%d@%d ", slices.Index(b.Args(), v), p.blocks[b])
}

func (p *livenessPrinter) refs(vs []*ir.Value) {
	for _, v := range slices.SortedFunc(slices.Values(vs), p.order) {
		p.ref(v)
	}
}

func (p *livenessPrinter) order(v, w *ir.Value) int { return cmp.Compare(p.values[v], p.values[w]) }

// span returns the first and last operation of the block during which a value that
// is defined in it, or live at its start, is live.
func (p *livenessPrinter) span(v *ir.Value, b *ir.Block) (first, last *ir.Op) {
	first, last = b.First(), b.Last()
	if def := v.DefiningOp(); def != nil && !p.live.IsLiveIn(v, b) {
		first = b.AncestorIn(def)
	}
	if !p.live.IsLiveOut(v, b) {
		last = analysis.LastUse(v, b)
		if last == nil || last.IsBefore(first) {
			last = first
		}
	}
	return first, last
}

// interval returns the operations during which a result is live, of the blocks
// that define it, use it or lie in between.
func (p *livenessPrinter) interval(v *ir.Value) []*ir.Op {
	seen := map[*ir.Block]bool{}
	var work []*ir.Block
	visit := func(b *ir.Block) {
		if !seen[b] {
			seen[b] = true
			work = append(work, b)
		}
	}
	visit(v.ParentBlock())
	for u := v.FirstUse(); u != nil; u = u.Next() {
		visit(u.Owner().Block())
	}
	var ops []*ir.Op
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		first, last := p.span(v, b)
		for o := first; o != nil; o = o.Next() {
			ops = append(ops, o)
			if o == last {
				break
			}
		}
		for _, s := range b.Succs() {
			if p.live.IsLiveIn(v, s) {
				visit(s)
			}
		}
	}
	slices.SortFunc(ops, func(x, y *ir.Op) int { return cmp.Compare(p.ops[x], p.ops[y]) })
	return ops
}

// currentlyLive lists each operation of the block with the values that are live
// during it.
func (p *livenessPrinter) currentlyLive(b *ir.Block) {
	begins := map[*ir.Op][]*ir.Value{}
	last := map[*ir.Value]*ir.Op{}
	add := func(v *ir.Value) {
		first, end := p.span(v, b)
		begins[first] = append(begins[first], v)
		last[v] = end
	}
	if b.First() == nil {
		return
	}
	for _, a := range b.Args() {
		add(a)
	}
	for _, v := range p.live.LiveIn(b) {
		add(v)
	}
	for o := range b.Ops() {
		for i := range o.NumResults() {
			add(o.Result(i))
		}
	}
	var live []*ir.Value
	for o := range b.Ops() {
		live = append(live, begins[o]...)
		if len(live) > 0 {
			p.text("//     ")
			p.op(o)
			p.text(" [")
			p.refs(live)
			p.text("\b]\n") // over the last space
		}
		live = slices.DeleteFunc(live, func(v *ir.Value) bool { return last[v] == o })
	}
}
