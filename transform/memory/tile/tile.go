package tile

import (
	"math"

	"freehold/ir"
	"freehold/transform/memory/schedule"
)

// Options limit what is computed in tiles.
type Options struct {
	// Limit is how much memory a block may need, with what is alive around it: no more is computed in tiles than is needed for that. 0 is as little as possible.
	Limit int64
	// Search bounds how many operations there may be from the first one of a group to the last, times those of the block, where these are many; 0 is [DefaultSearch].
	Search int
	// Margin is how many percent below the peak most of a block should be, if that is possible: also what isn't needed for the peak is computed in tiles then.
	Margin int
	// Memo, if it isn't nil, has groups that were chosen in another copy of the program, which are taken, and gets those that are chosen.
	Memo *Memo
	// Same, if it isn't nil, is narrowed to limits for which the same would be done.
	Same *Limits
}

// Limits are those from Least to Most.
type Limits struct{ Least, Most int64 }

// AnyLimit are all limits.
func AnyLimit() Limits { return Limits{0, math.MaxInt64} }

// Have tells whether a limit is one of them.
func (l Limits) Have(limit int64) bool { return l.Least <= limit && limit <= l.Most }

// narrow leaves those that are also among others.
func (l *Limits) narrow(least, most int64) {
	if l != nil {
		l.Least, l.Most = max(l.Least, least), min(l.Most, most)
	}
}

// DefaultSearch is how far groups are looked for if nothing else is said: from a thousand operations on, groups get shorter.
const DefaultSearch = 1_000_000

func (o *Options) search() int {
	if o.Search > 0 {
		return o.Search
	}
	return DefaultSearch
}

// Result is what became of a block.
type Result struct {
	Block *ir.Block
	// Before and After are what it needs, as far as can be estimated.
	Before, After int64
	// Groups counts the groups of operations that are computed in tiles, Operations those in them.
	Groups, Operations int
}

// Run computes operations of each block in root in tiles, the innermost first, and returns what became of those blocks in which this lowers the peak. It
// takes time in the order of the operations of a block times those of the largest group, squared.
func Run(root *ir.Op, o Options) ([]Result, error) {
	var results []Result
	around, err := aliveAround(root, o.Limit > 0 || o.Same != nil)
	if err != nil {
		return nil, err
	}
	err = schedule.Visit(root, func(g *schedule.Graph) (int64, error) {
		b, err := newBlock(g)
		if err != nil {
			return 0, refuse(g, err)
		}
		inner, outside := o, around.of(g.Block)
		inner.Limit = max(o.Limit-outside, 0)
		r := b.tile(inner)
		switch {
		case r.Before <= 0:
		case r.Before <= inner.Limit:
			o.Same.narrow(r.Before+outside, math.MaxInt64)
		case r.After < r.Before && r.After > inner.Limit:
			o.Same.narrow(0, r.After+outside-1)
		case r.After < r.Before:
			o.Same.narrow(o.Limit, o.Limit)
		}
		if r.Groups > 0 {
			results = append(results, r)
		}
		return r.After, nil
	})
	return results, err
}

func refuse(g *schedule.Graph, err error) error {
	return g.Block.ParentOp().Errorf("operations can't be computed in tiles: %v", err)
}

// aroundOp tells of operations with regions what is alive while they are executed, but for what is in them.
type aroundOp map[*ir.Op]int64

// aliveAround finds that out if somebody needs it. Near-linear.
func aliveAround(root *ir.Op, needed bool) (aroundOp, error) {
	if !needed {
		return nil, nil
	}
	around := aroundOp{}
	err := schedule.Visit(root, func(g *schedule.Graph) (peak int64, err error) {
		b, err := newBlock(g)
		if err != nil {
			return 0, refuse(g, err)
		}
		for i, op := range g.Ops {
			if op.NumRegions() > 0 {
				around[op] = b.profile[i] - g.Steps[i].Extra
			}
		}
		return b.peak, nil
	})
	return around, err
}

// of returns what is alive around a block.
func (a aroundOp) of(block *ir.Block) (sum int64) {
	for op := block.ParentOp(); op != nil; op = op.Parent() {
		sum += a[op]
	}
	return sum
}

// Need is what operations of a block need while they are executed: one alone, or a group that is computed in tiles.
type Need struct {
	// First and Last are places in the order of the block.
	First, Last int
	Bytes       int64
}

// Needs returns what the operations of a block need if as many are computed in tiles as lowers its peak, in order. It takes the time of [Run].
func Needs(g *schedule.Graph) ([]Need, error) {
	b, err := newBlock(g)
	if err != nil {
		return nil, err
	}
	groups, _ := b.choose(Options{})
	var out []Need
	k := len(groups) - 1
	for i := 0; i < len(b.profile); i++ {
		if k >= 0 && groups[k].first == i {
			out = append(out, Need{i, groups[k].last, groups[k].peak})
			i, k = groups[k].last, k-1
			continue
		}
		out = append(out, Need{i, i, b.profile[i]})
	}
	return out, nil
}

// tile computes what is chosen in tiles.
func (b *block) tile(o Options) Result {
	limit := o.Limit
	r := Result{Block: b.Block, Before: b.peak, After: b.peak}
	if r.Before <= limit {
		return r
	}
	choices, peak := o.Memo.choose(b, o)
	if peak >= r.Before {
		return r
	}
	for i := range choices {
		if g := b.sized(&choices[i], max(peak, limit)); g != nil {
			g.emit()
			r.Groups++
			r.Operations += len(g.places)
		}
	}
	placeLate(b.Block)
	r.After = max(peak, min(limit, r.Before))
	return r
}

// sized returns the group of a choice with the largest tiles by which it keeps to a limit, or else that which needs the least.
func (b *block) sized(c *choice, limit int64) (best *group) {
	if b.Ops[c.last].Block() == nil {
		return nil // a view that a later group wrote into: nothing is left to compute
	}
	var least int64
	last := b.node(c.last, c.dim)
	if last == nil {
		return nil
	}
	for rows := int64(1); rows < last.size; rows *= 2 {
		fits := false
		for _, lead := range leads {
			g, ok := b.groupOf(c, rows, lead)
			if !ok {
				break
			}
			peak := g.peak(c.first)
			if best == nil || peak < least || peak <= limit {
				best, least = g, peak
			}
			if fits = peak <= limit; fits {
				break
			}
		}
		if best != nil && !fits {
			break
		}
	}
	return best
}

// leads are how many steps ahead of the first one are tried.
var leads = []int{0, 4, 12}
