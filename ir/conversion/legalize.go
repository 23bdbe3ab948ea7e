package conversion

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// legalizer makes single operations legal.
type legalizer struct {
	*state
	target   *Target
	patterns *rewrite.PatternSet
	plans    map[*ir.OpID]*plan   // see planFor
	rules    map[*ir.OpName]*rule // what the target says, as far as it was asked
	folder   rewrite.Folder
	before   modified           // scratch
	active   []*rewrite.Pattern // the patterns that are being applied, the outermost first
}

// legalize makes an operation legal, or tells that it can't.
func (l *legalizer) legalize(op *ir.Op) bool {
	if ignored(op) || l.legality(op) == Legal {
		return true
	}
	if l.fold(op) {
		return true
	}
	for _, p := range l.planFor(op.ID()) {
		if l.apply(p, op) {
			return true
		}
	}
	return false
}

// legality is the target's, which is asked once for each name.
func (l *legalizer) legality(op *ir.Op) Legality {
	r, ok := l.rules[op.OpName()]
	if !ok {
		r = l.target.rule(op.ID(), dialectName(op))
		l.rules[op.OpName()] = r
	}
	if r == nil {
		return Unknown
	}
	return r.of(op)
}

// fold replaces an operation by what it folds to, if that is legal.
func (l *legalizer) fold(op *ir.Op) bool {
	def := op.Def()
	if def.Fold == nil && def.Traits&(ir.TraitCommutative|ir.TraitIdempotent|ir.TraitInvolution) == 0 || op.Has(ir.TraitConstantLike) {
		return false
	}
	start := len(l.log)
	results, inPlace := l.foldOnce(op)
	for inPlace { // up to what it folds to: if that isn't legal, the operation stays as it was
		results, inPlace = l.foldOnce(op)
	}
	if len(results) == 0 {
		return len(l.log) > start && l.legalize(op)
	}
	r := l.rewriter
	r.SetBefore(op)
	values := rewrite.Materialize(r.Builder, op, results)
	if values == nil {
		l.rollback(start)
		return false
	}
	made := len(l.log)
	l.Replace(op, values)
	for _, c := range l.log[start:made:made] {
		if c, ok := c.(created); ok && !l.legalize(c.op) {
			l.rollback(start)
			return false
		}
	}
	return true
}

// foldOnce folds an operation, and records what that changes in it.
func (l *legalizer) foldOnce(op *ir.Op) (results []ir.FoldResult, inPlace bool) {
	l.before.take(op)
	results, inPlace = l.folder.Fold(op)
	if inPlace {
		before := l.before
		l.before = modified{}
		l.record(&before)
	}
	return results, inPlace
}

// apply applies a pattern and legalizes what it created and changed. If that fails,
// all is undone.
func (l *legalizer) apply(p *rewrite.Pattern, op *ir.Op) bool {
	if !p.BoundedRecursion && slices.Contains(l.active, p) {
		return false
	}
	l.active = append(l.active, p)
	start := len(l.log)
	l.rewriter.SetBefore(op)
	l.rewriter.Loc = op.Loc()
	ok := p.Rewrite(l.rewriter, op) && l.legalizeChanges(op, start)
	l.active = l.active[:len(l.active)-1]
	if !ok {
		l.rollback(start)
	}
	return ok
}

// legalizeChanges legalizes what the last pattern moved, changed and created.
func (l *legalizer) legalizeChanges(root *ir.Op, start int) bool {
	// What is added meanwhile comes behind them, and is undone no further.
	changes := l.log[start:len(l.log):len(l.log)]
	return l.legalizeBlocks(root, changes) && l.legalizeModified(changes) && l.legalizeCreated(changes)
}

// legalizeBlocks sees to blocks that got another place: their arguments are converted if
// the region wants that; else the operation that holds them is legalized again.
func (l *legalizer) legalizeBlocks(root *ir.Op, changes []change) bool {
	var done map[*ir.Op]bool
	for _, c := range changes {
		var b *ir.Block
		switch c := c.(type) {
		case blockCreated:
			b = c.block
		case *blockMoved:
			b = c.block
		default:
			continue
		}
		parent := b.ParentOp()
		if parent == nil || parent == root || b.NumArgs() == 0 {
			continue
		}
		if types := l.regions[b.Region()]; types != nil {
			if !l.convertBlock(b, types) {
				return false
			}
			continue
		}
		if done == nil {
			done = map[*ir.Op]bool{}
			for _, c := range changes {
				if c, ok := c.(created); ok {
					done[c.op] = true
				}
			}
		}
		if !done[parent] {
			done[parent] = true
			if !l.legalize(parent) {
				return false
			}
		}
	}
	return true
}

func (l *legalizer) legalizeModified(changes []change) bool {
	for _, c := range changes {
		if c, ok := c.(*modified); ok && !l.legalize(c.op) {
			return false
		}
	}
	return true
}

func (l *legalizer) legalizeCreated(changes []change) bool {
	for _, c := range changes {
		if c, ok := c.(created); ok && !l.legalize(c.op) {
			return false
		}
	}
	return true
}
