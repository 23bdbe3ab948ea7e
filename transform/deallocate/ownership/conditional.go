package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// conditionals find where buffers come from if conditions hold: control flow that passes on a buffer often passes on, beside it, whether
// it is owned, or is what decides about that. The program stays as it is while they are asked.
type conditionals struct {
	arrivals map[*ir.Op]map[*ir.Value][]arrival // by operation with regions, and by what gets values there
}

// arrival is a value that gets to a result of an operation with regions, or to an argument of one of its blocks.
type arrival struct {
	edge int       // numbers the ways on which control gets from region to region
	from *ir.Value // nil if the operation itself makes it
}

// arrivalsAt returns what gets to the results of an operation and to the arguments of its regions. The first time it is linear in all that does.
func (c *conditionals) arrivalsAt(op *ir.Op) map[*ir.Value][]arrival {
	if all, ok := c.arrivals[op]; ok {
		return all
	}
	var all map[*ir.Value][]arrival
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		all = map[*ir.Value][]arrival{}
		edge := 0
		interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
			for i, to := range inputs {
				a := arrival{edge: edge}
				if i < len(operands) {
					a.from = operands.At(i)
				}
				all[to] = append(all[to], a)
			}
			edge++
		})
	}
	c.arrivals[op] = all
	return all
}

// conditional finds where one buffer comes from.
type conditional struct {
	*conditionals
	visited map[[2]*ir.Value]bool
	sources []*ir.Value
}

// sourcesIf returns the values from which a buffer may come if a condition holds. Linear in the ways on which both get there.
func (c *conditionals) sourcesIf(v, condition *ir.Value) []*ir.Value {
	one := conditional{conditionals: c, visited: map[[2]*ir.Value]bool{}}
	one.visit(v, condition)
	return one.sources
}

// visit looks at a buffer; the condition is nil if it may hold.
func (c *conditional) visit(v, condition *ir.Value) {
	v = wholeOf(v)
	k := [2]*ir.Value{v, condition}
	if c.visited[k] || condition != nil && ir.IsConstantBool(condition, false) {
		return
	}
	c.visited[k] = true
	var op *ir.Op
	if op = v.DefiningOp(); op == nil {
		op = v.ParentBlock().ParentOp()
	}
	if op.Is(arith.Select) && (arith.SelectOp{Op: op}).Condition().Type() == ir.Type(ir.I1) {
		c.choose(arith.SelectOp{Op: op}.Condition(), condition, arith.SelectOp{Op: op}.TrueValue(), arith.SelectOp{Op: op}.FalseValue())
		return
	}
	if op.Is(scf.If) && v.DefiningOp() != nil && (condition == nil || condition.DefiningOp() != op) {
		yielded := func(r int) *ir.Value { return op.RegionAt(r).Entry().Last().Operand(v.Index()) }
		c.choose(scf.IfOp{Op: op}.Condition(), condition, yielded(0), yielded(1))
		return
	}
	all := c.arrivalsAt(op)
	if len(all[v]) == 0 {
		c.sources = append(c.sources, v)
	}
	for _, a := range all[v] {
		if a.from == nil {
			c.sources = append(c.sources, v)
			continue
		}
		var passed *ir.Value
		for _, b := range all[condition] {
			if b.edge == a.edge {
				passed = b.from
			}
		}
		c.visit(a.from, passed)
	}
}

// choose looks at what is a where decides holds, else b.
func (c *conditional) choose(decides, condition, a, b *ir.Value) {
	if condition == nil || negated(condition) != decides && negated(decides) != condition {
		c.visit(a, nil)
	}
	if condition == nil || condition != decides {
		c.visit(b, nil)
	}
}

// negated returns what a truth value is the negation of, nil if it is none.
func negated(v *ir.Value) *ir.Value {
	if op := v.DefiningOp(); op != nil && op.Is(arith.XOrI) && ir.IsConstantBool(arith.XOrIOp{Op: op}.RHS(), true) {
		return arith.XOrIOp{Op: op}.LHS()
	}
	return nil
}

// wholeOf returns the buffer that a value is a view, or the base, of.
func wholeOf(v *ir.Value) *ir.Value {
	var t ir.Trail
	for {
		v = analysis.ViewBase(v)
		op := v.DefiningOp()
		if t.Returns(v) || op == nil || !op.Is(memref.ExtractStridedMetadata) || v.Index() != 0 {
			return v
		}
		v = memref.ExtractStridedMetadataOp{Op: op}.Source()
	}
}

// freed are the buffers of a dealloc, with where each comes from if it is to be freed.
type freed struct {
	memrefs []*ir.Value
	sources [][]*ir.Value
	all     *collection // the sources
	of      []int       // numbers of the buffers of which these are sources
}

// freed returns where the buffers of a dealloc come from.
func (s *simplifier) freed(memrefs, conditions []*ir.Value) *freed {
	f := &freed{memrefs: memrefs}
	c := conditionals{arrivals: map[*ir.Op]map[*ir.Value][]arrival{}}
	var all []*ir.Value
	for i, m := range memrefs {
		sources := c.sourcesIf(m, conditions[i])
		f.sources = append(f.sources, sources)
		for _, v := range sources {
			all, f.of = append(all, v), append(f.of, i)
		}
	}
	f.all = s.collect(all)
	return f
}

// apart tells whether buffer i and another one are never the same where both are to be freed, whichever the other one is. It takes the time of
// looking at the sources that a table can't tell apart.
func (f *freed) apart(i int) bool {
	apart := true
	for _, v := range f.sources[i] {
		f.all.aliases(v, func(n int, _ analysis.Alias) bool {
			j := f.of[n]
			apart = j == i || distinctAllocAndBlockArg(f.all.members[n], v) ||
				distinctAllocAndBlockArg(f.memrefs[j], f.memrefs[i]) || f.all.s.query(f.memrefs[j], f.memrefs[i]) == analysis.NeverAlias
			return apart
		})
		if !apart {
			return false
		}
	}
	return true
}
