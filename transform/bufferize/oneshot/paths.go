package oneshot

import (
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
)

// paths answers questions about the ways that control can take through the blocks of
// regions. What it finds out about a region is kept.
type paths struct {
	cycles  map[*ir.Region]*iranalysis.Cycles
	without map[*ir.Block]*iranalysis.Cycles
}

func (p *paths) of(r *ir.Region) *iranalysis.Cycles {
	c := p.cycles[r]
	if c == nil {
		if p.cycles == nil {
			p.cycles, p.without = map[*ir.Region]*iranalysis.Cycles{}, map[*ir.Block]*iranalysis.Cycles{}
		}
		c = iranalysis.NewCycles(r)
		p.cycles[r] = c
	}
	return c
}

// circle tells whether control can go from a to b and back, or from a block back to
// itself, without passing through except, which a and b are not, or there is no such
// way. A region is looked at once, and once more for each exception that is in a cycle
// with a and b.
func (p *paths) circle(a, b, except *ir.Block) bool {
	c := p.of(a.Region())
	if a == except || b == except || !c.SameCycle(a, b) {
		return false
	}
	if except.Region() != a.Region() || !c.SameCycle(a, except) {
		return true
	}
	c = p.without[except]
	if c == nil {
		c = iranalysis.NewCyclesWithout(a.Region(), except)
		p.without[except] = c
	}
	return c.SameCycle(a, b)
}

// lead tells whether control can go from a to b, another block, without passing
// through except, which properly dominates a. From a block that dominates b and that
// except properly dominates it can: a path to b that passes except passes the block
// afterwards. So only few blocks are visited: those on the way to the first that
// dominates b, and none that come after b. Blocks that control never gets to may count
// as such that it can.
func (p *paths) lead(dom *ir.Dominance, a, b, except *ir.Block) bool {
	c := p.of(a.Region())
	seen := map[*ir.Block]bool{except: true}
	work := []*ir.Block{a}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || !c.MayLead(x, b) {
			continue
		}
		seen[x] = true
		if x == b || dom.BlockDominates(x, b) && dom.BlockDominates(except, x) {
			return true
		}
		work = append(work, x.Succs()...)
	}
	return false
}
