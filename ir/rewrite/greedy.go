package rewrite

import (
	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Strictness says which operations the greedy driver may rewrite.
type Strictness uint8

const (
	// AnyOp allows all operations in the scope.
	AnyOp Strictness = iota
	// ExistingAndNewOps allows the given operations and those that patterns create.
	ExistingAndNewOps
	// ExistingOps allows the given operations only.
	ExistingOps
)

// NoLimit switches a limit of [Config] off, and Nothing is a limit that allows nothing, for
// which 0 can't stand.
const (
	NoLimit = -1
	Nothing = -2
)

// Config directs the greedy driver. The zero value rewrites everything, bottom up,
// with aggressive simplification of regions and at most ten iterations.
type Config struct {
	// TopDown visits operations before what is nested in them and before their users.
	TopDown bool
	// Simplify is how regions are simplified between iterations.
	Simplify SimplifyLevel
	// MaxIterations limits how often the program is visited; 0 means ten.
	MaxIterations int
	// MaxRewrites limits the applications of patterns within an iteration; 0 means no
	// limit.
	MaxRewrites int
	// Strictness says which operations may be rewritten.
	Strictness Strictness
	// Arena is the memory for what patterns create. May be nil.
	Arena *ir.Arena
}

// patience bounds the changes in one iteration, as a number for the program and one for
// each operation: patterns that need more undo each other's work, or never end.
const patience, patiencePerOp = 100_000, 16

// ApplyPatternsGreedily folds the operations in op's regions and applies patterns
// to them until nothing changes any more. Operations that become dead are erased,
// equal constants merged. op must be isolated from above. It returns whether
// anything changed, and whether the rewriting came to an end within the limits.
//
// The order of work is that of MLIR's applyPatternsAndFoldGreedily, since the
// order of the operations in the result depends on it.
func ApplyPatternsGreedily(op *ir.Op, patterns *PatternSet, c Config) (changed, converged bool) {
	converged = true
	for _, r := range op.Regions() {
		ch, co := ApplyPatternsGreedilyToRegion(r, patterns, c)
		changed, converged = changed || ch, converged && co
	}
	return changed, converged
}

// ApplyPatternsGreedilyToRegion is [ApplyPatternsGreedily] for one region of an
// operation that is isolated from above.
func ApplyPatternsGreedilyToRegion(r *ir.Region, patterns *PatternSet, c Config) (changed, converged bool) {
	return newDriver(r.Op().Context(), r, patterns, c).run(r)
}

// run rewrites a region until nothing changes. It may be called for one region
// after another.
func (d *driver) run(r *ir.Region) (changed, converged bool) {
	d.scope = r
	limit := d.config.MaxIterations
	if limit == 0 {
		limit = 10
	}
	if limit < NoLimit {
		return false, true
	}
	if d.allowed != nil {
		walkRegion(r, func(op *ir.Op) { d.allowed[op] = true })
	}
	d.endless = false
	again, simple := true, false
	for n := 0; again && (limit == NoLimit || n < limit); n++ {
		d.seed(r)
		again = d.process()
		d.work.clear()
		if d.endless {
			// In loops that control doesn't reach, or no longer, values may be made of themselves, and are simpler each time.
			if d.regions[0] = r; d.config.Simplify == SimplifyNothing || !EraseUnreachableBlocks(d.simplifier.r, d.regions[:]) {
				return true, false
			}
			d.endless, changed = false, true
			continue
		}
		if simple && !again && !d.pool.changed {
			break // nothing happened since there was nothing to simplify
		}
		d.regions[0] = r
		simple = !d.simplifier.simplify(d.regions[:], d.config.Simplify)
		again = again || !simple
		changed = changed || again
	}
	return changed, !again
}

// ApplyPatternsToOps folds the given operations and applies patterns to them, and,
// as c.Strictness allows, to others, without visiting everything repeatedly and
// without simplifying regions. It returns whether anything changed and whether
// the rewriting came to an end. The operations must be in one region or nested in
// it.
func ApplyPatternsToOps(ops []*ir.Op, patterns *PatternSet, c Config) (changed, converged bool) {
	if len(ops) == 0 {
		return false, true
	}
	d := newDriver(ops[0].Context(), commonRegion(ops), patterns, c)
	if c.Strictness != AnyOp {
		for _, op := range ops {
			d.allowed[op] = true
		}
	}
	for _, op := range ops {
		d.work.push(op)
	}
	changed = d.process()
	converged = !d.endless && d.work.pop() == nil
	d.work.clear()
	return changed, converged
}

// commonRegion returns the innermost region that holds all the operations.
func commonRegion(ops []*ir.Op) *ir.Region {
	r := ops[0].Region()
	for _, op := range ops[1:] {
		for r != nil && r.AncestorIn(op) == nil {
			if r.Op() == nil {
				return nil
			}
			r = r.Op().Region()
		}
	}
	return r
}

func walkRegion(r *ir.Region, fn func(op *ir.Op)) {
	for b := r.Entry(); b != nil; {
		nb := b.Next()
		for op := b.First(); op != nil; {
			next := op.Next()
			op.WalkPostOrder(fn)
			op = next
		}
		b = nb
	}
}

// driver applies patterns; it watches its rewriter.
type driver struct {
	rewriter *Rewriter
	patterns *PatternSet
	config   Config
	scope    *ir.Region
	work     worklist
	allowed  map[*ir.Op]bool // if not all operations may be rewritten
	pool     *constantPool
	folder   Folder
	// simplifier erases what is dead between iterations, unwatched: what regions lose is
	// not worth looking at again before the next iteration.
	simplifier *regionSimplifier
	endless    bool          // the last iteration was given up, since it made too many changes
	regions    [1]*ir.Region // scratch
	ancestors  []*ir.Op      // scratch
}

func newDriver(c *ir.Context, scope *ir.Region, patterns *PatternSet, config Config) *driver {
	d := &driver{patterns: patterns, config: config, scope: scope, folder: Folder{LLVM: patterns.llvm}}
	b := ir.NewBuilderIn(c, config.Arena)
	b.Listener = d
	d.rewriter = &Rewriter{Builder: b, observer: d}
	d.pool = &constantPool{rewriter: d.rewriter}
	d.simplifier = &regionSimplifier{r: NewRewriter(c)}
	if config.Strictness != AnyOp {
		d.allowed = map[*ir.Op]bool{}
	}
	return d
}

// seed fills the worklist with the operations of the region, so that the first
// are popped last, unless rewriting goes top down. Constants are merged on the
// way, and left out.
func (d *driver) seed(r *ir.Region) {
	d.pool.reset()
	if d.config.TopDown {
		d.seedTopDown(r)
		d.work.reverse()
		return
	}
	walkRegion(r, func(op *ir.Op) {
		if !d.pooled(op) {
			d.push(op)
		}
	})
}

func (d *driver) seedTopDown(r *ir.Region) {
	for b := r.Entry(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; {
			next := op.Next()
			if !d.pooled(op) {
				d.pushSingle(op)
				for _, nested := range op.Regions() {
					d.seedTopDown(nested)
				}
			}
			op = next
		}
	}
}

// pooled tells whether op was a constant that was replaced by an equal one.
func (d *driver) pooled(op *ir.Op) bool {
	v := ConstantValue(op)
	return v != nil && !d.pool.add(op, v)
}

// process works until the worklist is empty and returns whether anything changed.
func (d *driver) process() (changed bool) {
	var op *ir.Op
	defer parallel.Locate(func() any {
		if op == nil {
			return nil
		}
		return op.Loc()
	})
	r := d.rewriter
	limit, budget := d.config.MaxRewrites, patience+patiencePerOp*d.work.len()
	for n := 0; limit == 0 || limit == NoLimit || n < limit; {
		if op = d.work.pop(); op == nil {
			break
		}
		if budget < 0 {
			d.endless = true
			break
		}
		if interfaces.IsTriviallyDead(op) {
			r.Erase(op)
			changed = true
			continue
		}
		// Folded constants would come back as constants.
		if !op.Has(ir.TraitConstantLike) {
			results, inPlace := d.folder.Fold(op)
			if inPlace {
				d.modified(op)
				changed = true
				budget--
				continue
			}
			if len(results) > 0 {
				r.SetBefore(op)
				if values := Materialize(r.Builder, op, results); values != nil {
					r.Replace(op, values...)
					changed = true
					budget--
					continue
				}
			}
		}
		if d.patterns.apply(r, op) {
			changed = true
			budget--
			n++
		}
	}
	return changed
}

// push adds an operation in the scope and those that hold it to the worklist.
func (d *driver) push(op *ir.Op) {
	if op.Region() == d.scope {
		d.pushSingle(op)
		return
	}
	d.ancestors = d.ancestors[:0]
	for op != nil {
		d.ancestors = append(d.ancestors, op)
		r := op.Region()
		if r == d.scope {
			for _, a := range d.ancestors {
				d.pushSingle(a)
			}
			return
		}
		if r == nil {
			return
		}
		op = r.Op()
	}
}

func (d *driver) pushSingle(op *ir.Op) {
	if d.allowed == nil || d.allowed[op] {
		d.work.push(op)
	}
}

// OpInserted implements [ir.Listener].
func (d *driver) OpInserted(op *ir.Op) {
	if d.config.Strictness == ExistingAndNewOps {
		d.allowed[op] = true
	}
	d.push(op)
}

func (d *driver) modified(op *ir.Op) { d.push(op) }

// manyOperands is how many operands are looked at without remembering which were.
const manyOperands = 16

// erased takes the operation from the worklist, and puts there what defines its
// operands if few other operations use them: that may be dead now, or have a
// single use, which many patterns ask for.
func (d *driver) erased(op *ir.Op) {
	// An operation with very many operands may have a value among them very often, and
	// looking through its uses each time would be quadratic.
	var seen map[*ir.Value]bool
	if op.NumOperands() > manyOperands {
		seen = map[*ir.Value]bool{}
	}
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if v == nil || v.DefiningOp() == nil || seen[v] {
			continue
		}
		if seen != nil {
			seen[v] = true
		}
		var other *ir.Op
		few := true
		for u := v.FirstUse(); u != nil && few; u = u.Next() {
			user := u.Owner()
			switch {
			case user == op || user == other:
			case other == nil:
				other = user
			default:
				few = false
			}
		}
		if few {
			d.push(v.DefiningOp())
		}
	}
	d.work.remove(op)
	if d.allowed != nil {
		delete(d.allowed, op)
	}
}
