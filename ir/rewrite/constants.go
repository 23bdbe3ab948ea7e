package rewrite

import (
	"freehold/iface"
	"freehold/ir"
)

// ConstantPool keeps at most one constant of each value at the start of each
// region that constants belong in: the closest enclosing one that is isolated
// from above, or that a dialect wants them in.
type ConstantPool struct {
	rewriter *Rewriter
	regions  map[*ir.Region]map[constantKey]*ir.Op
	owned    map[*ir.Op]bool
	home     map[*ir.Region]*ir.Region // cache of insertionRegion
	spare    []map[constantKey]*ir.Op  // empty
	changed  bool                      // Add moved or replaced a constant since the pool was empty
}

type constantKey struct {
	dialect *ir.Dialect
	value   ir.Attribute
	typ     ir.Type
}

// NewConstantPool returns an empty pool that changes the program with r.
func NewConstantPool(r *Rewriter) *ConstantPool {
	return &ConstantPool{rewriter: r, regions: map[*ir.Region]map[constantKey]*ir.Op{}, owned: map[*ir.Op]bool{}, home: map[*ir.Region]*ir.Region{}}
}

// reset makes the pool empty.
func (p *ConstantPool) reset() {
	for _, known := range p.regions {
		if len(known) <= fewConstants {
			clear(known)
			p.spare = append(p.spare, known)
		}
	}
	clear(p.regions)
	if len(p.owned) > fewConstants {
		p.owned = map[*ir.Op]bool{}
	}
	clear(p.owned)
	clear(p.home)
	p.changed = false
}

// fewConstants is up to how many constants the memory for them is used again: clearing a
// map takes time for all that it ever held.
const fewConstants = 64

// in returns the constants of a region.
func (p *ConstantPool) in(region *ir.Region) map[constantKey]*ir.Op {
	known := p.regions[region]
	if known == nil {
		if n := len(p.spare); n > 0 {
			known = p.spare[n-1]
			p.spare = p.spare[:n-1]
		} else {
			known = map[constantKey]*ir.Op{}
		}
		p.regions[region] = known
	}
	return known
}

// Add makes the pool own a constant, which is moved to the start of its region
// unless it comes right after constants that the pool owns; it returns true. If
// the pool has a constant of the same value, op is replaced by it, and Add returns
// false.
func (p *ConstantPool) Add(op *ir.Op, value ir.Attribute) bool {
	block := op.Block()
	if p.owned[op] {
		if block.First() != op && !p.owned[op.Prev()] {
			op.MoveBefore(block.First())
			p.changed = true
		}
		op.SetLoc(ir.Unknown)
		return true
	}
	region := p.insertionRegion(block.Region())
	known := p.in(region)
	key := constantKey{op.Dialect(), value, op.Result(0).Type()}
	if c := known[key]; c != nil {
		c.SetLoc(ir.Unknown)
		p.rewriter.Replace(op, c.Result(0))
		p.changed = true
		return false
	}
	if start := region.Entry().First(); block != region.Entry() || start != op && !p.owned[op.Prev()] {
		op.MoveBefore(start)
		op.SetLoc(ir.Unknown)
		p.changed = true
	}
	known[key] = op
	p.owned[op] = true
	return true
}

// Constant returns a constant of the pool for an attribute that op folds to,
// creating it if there is none; nil if op's dialect can't make one.
func (p *ConstantPool) Constant(op *ir.Op, value ir.Attribute, t ir.Type) *ir.Value {
	m, ok := iface.ConstantMaterializer.OfDialect(op.Dialect())
	if !ok {
		return nil
	}
	region := p.insertionRegion(op.Region())
	known := p.in(region)
	key := constantKey{op.Dialect(), value, t}
	if c := known[key]; c != nil {
		return c.Result(0)
	}
	at := p.rewriter.InsertionPoint()
	defer p.rewriter.SetInsertionPoint(at)
	p.rewriter.SetStart(region.Entry())
	c := m(p.rewriter.Builder, value, t)
	if c == nil {
		return nil
	}
	c.SetLoc(ir.Unknown)
	// Another dialect may own the constant's operation.
	own := constantKey{c.Dialect(), value, t}
	if other := known[own]; other != nil && own != key {
		p.rewriter.Erase(c)
		c = other
	}
	known[key], known[own] = c, c
	p.owned[c] = true
	return c.Result(0)
}

// Forget must be called before an operation that the pool may own is erased.
func (p *ConstantPool) Forget(op *ir.Op) {
	if !p.owned[op] {
		return
	}
	delete(p.owned, op)
	for k, c := range p.regions[p.insertionRegion(op.Region())] {
		if c == op {
			delete(p.regions[p.insertionRegion(op.Region())], k)
		}
	}
}

func (p *ConstantPool) insertionRegion(r *ir.Region) *ir.Region {
	if home, ok := p.home[r]; ok {
		return home
	}
	home := r
	for {
		op := home.Op()
		if op == nil || op.Block() == nil || !op.Registered() || op.Has(ir.TraitIsolatedFromAbove) {
			break
		}
		if f, ok := iface.FoldToRegionEntry.OfDialect(op.Dialect()); ok && f(home) {
			break
		}
		home = op.Region()
	}
	p.home[r] = home
	return home
}

// ConstantValue returns the value of a constant-like operation, or nil.
func ConstantValue(op *ir.Op) ir.Attribute {
	if op.NumResults() != 1 || op.NumOperands() != 0 {
		return nil
	}
	return iface.Constant(op.Result(0))
}
