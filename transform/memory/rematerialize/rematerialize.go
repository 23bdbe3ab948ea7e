package rematerialize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/order"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/tile"
	"freehold/transform/memory/work"
)

// Options limit what is computed again.
type Options struct {
	// ExtraWork is how many operations on numbers may be executed again, as a share of those of the program.
	ExtraWork float64
	// Limit is how much memory a block may need: no more is computed again than is needed for that. 0 is as little as possible.
	Limit int64
	// Tiled looks at what is needed if operations are computed in tiles, as [tile.Run] does it; not in blocks of thousands of operations, where that takes too long.
	Tiled bool
}

// mostTiled bounds how many operations a block may have of which it is found out again and again what it needs in tiles.
const mostTiled = 2000

// Result is what became of a program.
type Result struct {
	Blocks []Block
	// Work is how many operations on numbers the program took, Extra how many more it takes now.
	Work, Extra int64
}

// Block is what became of a block.
type Block struct {
	*ir.Block
	// Before and After are what it needs, as far as can be estimated.
	Before, After int64
	// Again counts the operations that are executed again.
	Again int
}

// Run computes tensors again in the blocks of root, the innermost first, where that lowers the peak, and returns what became of the blocks in which
// it does. Each tensor takes near-linear time for each candidate.
func Run(root *ir.Op, o Options) (Result, error) {
	out := Result{Work: work.Of(root)}
	budget := int64(o.ExtraWork * float64(out.Work))
	err := schedule.Visit(root, func(g *schedule.Graph) (int64, error) {
		r := &remaker{seen: seen{graph: g}, times: executions(g.Block), left: budget - out.Extra, limit: o.Limit, tiled: o.Tiled && len(g.Ops) <= mostTiled}
		if err := r.measure(); err != nil {
			return 0, g.Block.ParentOp().Errorf("operations can't be executed again: %v", err)
		}
		before, left := r.peak, r.left
		if err := r.run(); err != nil {
			return 0, err
		}
		if n := r.again(); n > 0 {
			out.Blocks = append(out.Blocks, Block{g.Block, before, r.peak, n})
			out.Extra += left - r.left
		}
		return r.peak, nil
	})
	return out, err
}

// executions returns how often a block is executed each time its function is, as far as is known.
func executions(b *ir.Block) int64 {
	n := int64(1)
	for op := b.ParentOp(); op != nil && !interfaces.Function.Has(op); op = op.Parent() {
		if interfaces.LoopLike.Has(op) {
			n = min(n*work.Trips(op), 1<<40)
		}
	}
	return n
}

// remaker works on a block.
type remaker struct {
	seen
	// times is how often the block is executed, left how much work there may be still, limit the peak that is low enough.
	times, left, limit int64
	tiled              bool
	done               []*change
	found              []candidate
}

// seen is what was found out about the block as it is.
type seen struct {
	graph *schedule.Graph
	needs []tile.Need
	// peak is the largest of needs, at the first operations of which there are several.
	peak int64
	at   tile.Need
	tops int
}

// candidate is a buffer that isn't used for some time, and the first step that uses it then.
type candidate struct{ buffer, next int }

// measure finds out what is alive at a time.
func (r *remaker) measure() (err error) {
	if r.needs, err = r.measured(); err != nil {
		return err
	}
	r.peak, r.tops = 0, 0
	for _, n := range r.needs {
		switch {
		case n.Bytes > r.peak:
			r.peak, r.at, r.tops = n.Bytes, n, 1
		case n.Bytes == r.peak:
			r.tops++
		}
	}
	return nil
}

// measured returns what the operations need.
func (r *remaker) measured() ([]tile.Need, error) {
	if r.tiled {
		return tile.Needs(r.graph)
	}
	inOrder := make([]int, len(r.graph.Steps))
	for i := range inOrder {
		inOrder[i] = i
	}
	profile, err := r.graph.Profile(inOrder)
	out := make([]tile.Need, len(profile))
	for i, p := range profile {
		out[i] = tile.Need{First: i, Last: i, Bytes: p}
	}
	return out, err
}

// run computes again what lowers the peak, one tensor after another, those that save the most for their work first. Peaks that are as high as others go
// one by one; what was done for some of them only is undone, so that none is begun with where there are more of them than changes would take away.
func (r *remaker) run() error {
	good := 0 // how many changes have paid
	least := r.peak
	for r.peak > r.limit && len(r.done) < mostChanges {
		c, err := r.best()
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
		if err := r.apply(c); err != nil {
			return err
		}
		if r.peak < least {
			least, good = r.peak, len(r.done)
		}
	}
	for len(r.done) > good {
		r.undo()
	}
	return r.renew()
}

// mostChanges bounds how many tensors of a block are computed again.
const mostChanges = 256

// best returns the change that lowers the peak the most for its work; nil if none does, or there are more peaks as high than go with as many changes as there may be.
func (r *remaker) best() (best *change, err error) {
	peak, tops := r.peak, r.tops
	var value float64
	most := 0 // peaks that go with one change
	r.found = r.found[:0]
	for k := range r.graph.Buffers {
		if next, idle := r.idle(&r.graph.Buffers[k]); idle {
			r.found = append(r.found, candidate{k, next})
		}
	}
	slices.SortStableFunc(r.found, func(x, y candidate) int {
		return int(min(max(r.graph.Buffers[y.buffer].Size-r.graph.Buffers[x.buffer].Size, -1), 1))
	})
	for _, x := range r.found[:min(len(r.found), r.mostCandidates())] {
		c := r.changeOf(x)
		if c == nil || c.work > r.left {
			continue
		}
		before := r.seen
		if err := r.apply(c); err != nil {
			return nil, err
		}
		saved := float64(peak-r.peak) + float64(tops-r.tops)/float64(len(r.needs)+1)
		switch {
		case r.peak < peak:
			most = tops
		case r.peak > peak || r.tops >= tops:
			saved = 0
		default:
			most = max(most, tops-r.tops)
		}
		if v := saved / float64(c.work+1); v > value {
			best, value = c, v
		}
		r.undo()
		r.seen = before
	}
	if best == nil || most*(mostChanges-len(r.done)) < tops {
		return nil, nil
	}
	return r.changeOf(best.of), nil
}

// mostCandidates bounds how many tensors are tried at a time, the largest first: fewer where each takes long.
func (r *remaker) mostCandidates() int {
	if r.tiled {
		return max(2, min(24, 4000/(len(r.graph.Ops)+1)))
	}
	return 24
}

// idle tells whether a buffer is alive at the peak and could do without being so, and returns the step that uses it next: nothing uses it at the peak. In tiles, that
// doesn't matter: what uses it may need but some rows at a time, and so may what makes it, if these were all that uses it.
func (r *remaker) idle(b *order.Buffer) (next int, idle bool) {
	if b.Kept || len(b.Users) == 0 || b.Maker > r.at.Last || !r.tiled && b.Maker == r.at.First {
		return 0, false
	}
	next = len(r.graph.Steps)
	first := slices.Min(b.Users)
	for _, u := range b.Users {
		switch {
		case u == r.at.First && !r.tiled:
			return 0, false
		case u >= r.at.First && (u > first || !r.tiled):
			next = min(next, u)
		}
	}
	return next, next < len(r.graph.Ops)
}

// renew makes the graph of the block as it is now.
func (r *remaker) renew() error {
	r.graph = r.graph.Again()
	return r.measure()
}

// again counts the operations that are executed again.
func (r *remaker) again() (n int) {
	for _, c := range r.done {
		n += c.operations
	}
	return n
}
