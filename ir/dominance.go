package ir

// Dominance answers dominance queries across the regions of a program. Trees are
// computed when they are first needed, and only for regions of several blocks;
// they don't see later changes to the control flow.
// The order of the operations within blocks may change. It must be used by one
// goroutine at a time.
type Dominance struct{ domTrees }

// NewDominance returns an empty cache of dominance information.
func NewDominance() *Dominance { return &Dominance{newDomTrees(false)} }

// domTrees keeps the dominator trees of regions, or their post-dominator trees.
type domTrees struct {
	post  bool
	trees map[*Region]*DomTree
}

func newDomTrees(post bool) domTrees { return domTrees{post, map[*Region]*DomTree{}} }

// Tree returns the tree of a region: its post-dominator tree if asked of a
// [PostDominance].
func (d *domTrees) Tree(r *Region) *DomTree {
	t := d.trees[r]
	if t == nil {
		t = newDomTree(r, d.post)
		d.trees[r] = t
	}
	return t
}

// HasSSADominance tells whether uses in the region must be dominated by
// definitions, which is not so in graph regions, nor in those of unregistered
// operations.
func HasSSADominance(r *Region) bool {
	return r == nil || r.op == nil || r.op.Registered() && !r.op.Has(TraitGraphRegion)
}

// ProperlyDominates tells whether a is executed before b whenever b is. An
// operation does not dominate what is nested in it.
func (d *Dominance) ProperlyDominates(a, b *Op) bool { return d.opDominates(a, b, false) }

// Dominates tells whether a is b, encloses it, or properly dominates it.
func (d *Dominance) Dominates(a, b *Op) bool { return a == b || d.opDominates(a, b, true) }

func (d *Dominance) opDominates(a, b *Op, enclosing bool) bool {
	if a == b {
		return !HasSSADominance(a.Region())
	}
	if a.block == nil {
		return false
	}
	if a.block != b.block {
		r := a.block.region
		if r == nil {
			return false
		}
		if b = r.AncestorIn(b); b == nil {
			return false
		}
		if a == b {
			return enclosing
		}
	}
	if a.block == b.block {
		return !HasSSADominance(a.block.region) || a.IsBefore(b)
	}
	return d.Tree(a.block.region).Dominates(a.block, b.block)
}

// ValueDominates tells whether the value may be used by op: it is the result of
// an operation that properly dominates op, or an argument of a block that
// dominates op's.
func (d *Dominance) ValueDominates(v *Value, op *Op) bool {
	if o := v.op(); o != nil {
		return d.opDominates(o, op, false)
	}
	return d.BlockDominates(v.block(), op.block)
}

// BlockDominates tells whether block a is b, encloses it, or dominates it.
func (d *Dominance) BlockDominates(a, b *Block) bool {
	b = a.enclosed(b)
	return b != nil && (a == b || d.Tree(a.region).Dominates(a, b))
}

// enclosed returns the block of a's region that is b or holds it, or nil.
func (a *Block) enclosed(b *Block) *Block {
	for a != b && b != nil && (a.region == nil || b.region != a.region) {
		p := b.ParentOp()
		if p == nil {
			return nil
		}
		b = p.block
	}
	return b
}

// IsReachable tells whether control can reach the block from its region's entry.
func (d *Dominance) IsReachable(b *Block) bool {
	return b.region == nil || b.region.first == b || d.Tree(b.region).IsReachable(b)
}

// NearestCommonDominator returns the closest block that dominates both blocks,
// which may be in different regions; nil if there is none.
func (d *Dominance) NearestCommonDominator(a, b *Block) *Block {
	return nearestCommon(a, b, d.Tree)
}

// nearestCommon returns the closest block that dominates both blocks in the sense
// of the given trees of regions.
func nearestCommon(a, b *Block, tree func(*Region) *DomTree) *Block {
	// Bring both into the innermost common region.
	for {
		if x := a.enclosed(b); x != nil {
			if a == x {
				return a
			}
			return tree(a.region).NearestCommonDominator(a, x)
		}
		p := a.ParentOp()
		if p == nil || p.block == nil {
			return nil
		}
		a = p.block
	}
}

// PostDominance answers post-dominance queries across the regions of a program.
// Trees are computed when they are first needed; they don't see later changes to
// the control flow. It must be used by one goroutine at a time.
type PostDominance struct{ domTrees }

// NewPostDominance returns an empty cache of post-dominance information.
func NewPostDominance() *PostDominance { return &PostDominance{newDomTrees(true)} }

// BlockPostDominates tells whether block a is b, encloses it, or post-dominates it.
func (d *PostDominance) BlockPostDominates(a, b *Block) bool {
	b = a.enclosed(b)
	return b != nil && (a == b || d.Tree(a.region).Dominates(a, b))
}

// NearestCommonPostDominator returns the closest block that post-dominates both
// blocks, which may be in different regions; nil if there is none.
func (d *PostDominance) NearestCommonPostDominator(a, b *Block) *Block {
	return nearestCommon(a, b, d.Tree)
}
