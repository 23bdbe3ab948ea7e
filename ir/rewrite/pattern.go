// Package rewrite changes programs: folding, the greedy pattern driver, dialect
// conversion, region simplification and inlining.
package rewrite

import "freehold/ir"

// Pattern is a local rewrite of operations.
type Pattern struct {
	// Name is for debugging and statistics.
	Name string
	// Root is the definition of the operations that the pattern matches; nil matches
	// any operation.
	Root *ir.OpDef
	// Benefit orders the patterns of one operation: higher first, then in order of
	// registration. The default is 1, spelled 0.
	Benefit int
	// Rewrite changes the program around op and returns true, or changes nothing and
	// returns false. All changes go through the rewriter.
	Rewrite func(r *Rewriter, op *ir.Op) bool
}

// Canonicalization is implemented by operations with canonicalization patterns;
// the Root of the patterns may be left out.
var Canonicalization = ir.NewInterface[[]Pattern]("getCanonicalizationPatterns")

// DialectCanonicalization is implemented by dialects with patterns that don't
// belong to one operation.
var DialectCanonicalization = ir.NewInterface[[]Pattern]("getCanonicalizationPatterns (dialect)")

// Rewriter is a builder that tells the driver about changes.
type Rewriter struct {
	*ir.Builder
	observer observer
}

// observer is told about changes by the rewriter.
type observer interface {
	ir.Listener
	modified(op *ir.Op)
	replaced(op *ir.Op, values []*ir.Value)
	erased(op *ir.Op)
}

// NewRewriter returns a rewriter that no driver watches.
func NewRewriter(c *ir.Context) *Rewriter { return &Rewriter{Builder: ir.NewBuilder(c)} }

// Replace replaces the uses of op's results by the values and erases op.
func (r *Rewriter) Replace(op *ir.Op, values ...*ir.Value) {
	if r.observer != nil {
		r.observer.replaced(op, values)
	}
	r.notifyUsers(op)
	op.ReplaceAllUsesWith(values)
	r.Erase(op)
}

// ReplaceWithNew creates an operation before op, replaces op's results by its
// results and erases op.
func (r *Rewriter) ReplaceWithNew(op *ir.Op, s ir.OpState) *ir.Op {
	r.SetBefore(op)
	if s.Loc == nil || s.Loc == ir.Location(ir.Unknown) {
		s.Loc = op.Loc()
	}
	n := r.Create(s)
	r.Replace(op, n.Results().Values()...)
	return n
}

// Erase erases an operation whose results have no uses.
func (r *Rewriter) Erase(op *ir.Op) {
	if r.observer != nil {
		op.WalkPostOrder(func(o *ir.Op) { r.observer.erased(o) })
	}
	op.Erase()
}

// Modify runs fn, which changes op in place (operands, attributes, successors,
// result types).
func (r *Rewriter) Modify(op *ir.Op, fn func()) {
	fn()
	if r.observer != nil {
		r.observer.modified(op)
	}
}

// ReplaceUses makes all uses of v uses of w.
func (r *Rewriter) ReplaceUses(v, w *ir.Value) {
	if r.observer != nil {
		for u := v.FirstUse(); u != nil; u = u.Next() {
			r.observer.modified(u.Owner())
		}
	}
	v.ReplaceAllUsesWith(w)
}

// ReplaceUsesIf makes the chosen uses of v uses of w.
func (r *Rewriter) ReplaceUsesIf(v, w *ir.Value, choose func(*ir.Use) bool) {
	v.ReplaceUsesIf(w, func(u *ir.Use) bool {
		if !choose(u) {
			return false
		}
		if r.observer != nil {
			r.observer.modified(u.Owner())
		}
		return true
	})
}

func (r *Rewriter) notifyUsers(op *ir.Op) {
	if r.observer == nil {
		return
	}
	for i := range op.NumResults() {
		for u := op.Result(i).FirstUse(); u != nil; u = u.Next() {
			r.observer.modified(u.Owner())
		}
	}
}

// InlineBlockBefore moves the operations of a block before the operation at (nil:
// to the end of dest), replaces the block's arguments by the values and erases the
// block.
func (r *Rewriter) InlineBlockBefore(src, dest *ir.Block, at *ir.Op, values []*ir.Value) {
	for i, a := range src.Args() {
		r.ReplaceUses(a, values[i])
	}
	for op := src.First(); op != nil; op = src.First() {
		op.Remove()
		dest.InsertBefore(op, at)
		if r.observer != nil {
			r.observer.modified(op)
		}
	}
	src.Erase()
}

// EraseBlock erases a block with its operations, which nothing outside uses.
func (r *Rewriter) EraseBlock(b *ir.Block) {
	for op := b.Last(); op != nil; op = b.Last() {
		for i := range op.NumResults() {
			for _, u := range op.Result(i).Uses() {
				u.Set(nil)
			}
		}
		r.Erase(op)
	}
	b.Erase()
}
