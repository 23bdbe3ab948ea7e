package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// conditional finds where a buffer comes from if a condition holds: control flow that passes on a buffer often passes on,
// beside it, whether it is owned, or is what decides about that.
type conditional struct {
	visited map[[2]*ir.Value]bool
	sources []*ir.Value
}

// sourcesIf returns the values from which a buffer may come if a condition holds. Linear in the ways on which both get there.
func sourcesIf(v, condition *ir.Value) []*ir.Value {
	c := conditional{visited: map[[2]*ir.Value]bool{}}
	c.visit(v, condition)
	return c.sources
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
	if op.Is(scf.If) && v.DefiningOp() != nil && !slices.Contains(op.Results().Values(), condition) {
		yielded := func(r int) *ir.Value { return op.RegionAt(r).Entry().Last().Operand(v.Index()) }
		c.choose(scf.IfOp{Op: op}.Condition(), condition, yielded(0), yielded(1))
		return
	}
	found := false
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
			i := slices.Index(inputs, v)
			if i < 0 {
				return
			}
			found = true
			if i >= len(operands) {
				c.sources = append(c.sources, v)
				return
			}
			var passed *ir.Value
			if j := slices.Index(inputs, condition); j >= 0 && j < len(operands) {
				passed = operands.At(j)
			}
			c.visit(operands.At(i), passed)
		})
	}
	if !found {
		c.sources = append(c.sources, v)
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

// freesApart tells whether buffer i of a dealloc and another one are never the same where both are to be freed, whichever the other one is.
func (s *simplifier) freesApart(memrefs, conditions []*ir.Value, i int) bool {
	sources := &collection{s: s, members: sourcesIf(memrefs[i], conditions[i])}
	for j, m := range memrefs {
		if j == i || distinctAllocAndBlockArg(m, memrefs[i]) || s.query(m, memrefs[i]) == analysis.NeverAlias {
			continue
		}
		for _, other := range sourcesIf(m, conditions[j]) {
			if sources.mayAlias(other, -1) {
				return false
			}
		}
	}
	return true
}
