package rewrite

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// constantPool keeps at most one constant of each value at the start of each
// region that constants belong in: the closest enclosing one that is isolated
// from above, or that a dialect wants them in.
type constantPool struct {
	rewriter *Rewriter
	// known has the constants while they are few, as in most functions; then they are in
	// the maps.
	known []pooledConstant
	index map[constantKey]*ir.Op
	owned map[*ir.Op]bool
	// from is the region whose home was looked for last; homes has those of regions that
	// are nested deeply.
	from, home *ir.Region
	homes      map[*ir.Region]*ir.Region
	changed    bool // a constant was moved or replaced since the pool was empty
}

type pooledConstant struct {
	key constantKey
	op  *ir.Op
}

type constantKey struct {
	region  *ir.Region
	dialect *ir.Dialect
	value   ir.Attribute
	typ     ir.Type
}

// fewConstants is up to how many constants a list is faster than a map.
const fewConstants = 16

// reset makes the pool empty.
func (p *constantPool) reset() {
	p.known = p.known[:0]
	p.index, p.owned, p.homes = nil, nil, nil
	p.from, p.home = nil, nil
	p.changed = false
}

func (p *constantPool) find(key constantKey) *ir.Op {
	if p.index != nil {
		return p.index[key]
	}
	for i := range p.known {
		if p.known[i].key == key {
			return p.known[i].op
		}
	}
	return nil
}

// owns tells whether op, which may be nil, is a constant of the pool.
func (p *constantPool) owns(op *ir.Op) bool {
	if p.index != nil {
		return p.owned[op]
	}
	for i := range p.known {
		if p.known[i].op == op {
			return true
		}
	}
	return false
}

func (p *constantPool) insert(key constantKey, op *ir.Op) {
	switch {
	case p.index != nil:
		p.index[key], p.owned[op] = op, true
	case len(p.known) < fewConstants:
		p.known = append(p.known, pooledConstant{key, op})
	default:
		p.index, p.owned = map[constantKey]*ir.Op{}, map[*ir.Op]bool{}
		for _, c := range p.known {
			p.insert(c.key, c.op)
		}
		p.insert(key, op)
	}
}

// add makes the pool own a constant, which is moved to the start of its region
// unless it comes right after constants that the pool owns; it returns true. If
// the pool has a constant of the same value, op is replaced by it, and add returns
// false.
func (p *constantPool) add(op *ir.Op, value ir.Attribute) bool {
	block := op.Block()
	if p.owns(op) {
		if block.First() != op && !p.owns(op.Prev()) {
			op.MoveBefore(block.First())
			p.changed = true
		}
		op.SetLoc(ir.Unknown)
		return true
	}
	region := p.insertionRegion(block.Region())
	key := constantKey{region, op.Dialect(), value, op.Result(0).Type()}
	if c := p.find(key); c != nil {
		c.SetLoc(ir.Unknown)
		p.rewriter.Replace(op, c.Result(0))
		p.changed = true
		return false
	}
	if start := region.Entry().First(); block != region.Entry() || start != op && !p.owns(op.Prev()) {
		op.MoveBefore(start)
		op.SetLoc(ir.Unknown)
		p.changed = true
	}
	p.insert(key, op)
	return true
}

// insertionRegion returns the region at whose start the constants of a region belong.
func (p *constantPool) insertionRegion(r *ir.Region) *ir.Region {
	const shallow = 8
	if r == p.from {
		return p.home
	}
	home, known := p.homes[r]
	if !known {
		depth := 0
		for home = r; ; depth++ {
			op := home.Op()
			if op == nil || op.Block() == nil || !op.Registered() || op.Has(ir.TraitIsolatedFromAbove) {
				break
			}
			if f, ok := interfaces.FoldToRegionEntry.OfDialect(op.Dialect()); ok && f(home) {
				break
			}
			if home = op.Region(); depth >= shallow {
				if h, ok := p.homes[home]; ok {
					home = h
					break
				}
			}
		}
		if depth >= shallow {
			if p.homes == nil {
				p.homes = map[*ir.Region]*ir.Region{}
			}
			p.homes[r] = home
		}
	}
	p.from, p.home = r, home
	return home
}

// ConstantValue returns the value of a constant operation, or nil.
func ConstantValue(op *ir.Op) ir.Attribute {
	if op.NumResults() != 1 || op.NumOperands() != 0 {
		return nil
	}
	if c := op.Def().Constant; c != nil {
		return c(op)
	}
	return ir.ConstantOf(op.Result(0))
}
