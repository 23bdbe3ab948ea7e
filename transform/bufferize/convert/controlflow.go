package convert

import (
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// ControlFlowPatterns returns the patterns that convert the types of scf.for, scf.if and
// scf.while, and of what their regions yield.
func ControlFlowPatterns(types *conversion.TypeConverter) []rewrite.Pattern {
	return []rewrite.Pattern{
		conversion.Pattern(rewrite.Pattern{Name: "ConvertForOpTypes", Root: scf.For}, types, convertRegions),
		conversion.Pattern(rewrite.Pattern{Name: "ConvertIfOpTypes", Root: scf.If}, types, convertRegions),
		conversion.Pattern(rewrite.Pattern{Name: "ConvertWhileOpTypes", Root: scf.While}, types, convertRegions),
		conversion.Pattern(rewrite.Pattern{Name: "ConvertYieldOpTypes", Root: scf.Yield}, types, convertTerminator),
		conversion.Pattern(rewrite.Pattern{Name: "ConvertConditionOpTypes", Root: scf.Condition}, types, convertTerminator),
	}
}

// ControlFlow makes the target want that scf.for, scf.if and scf.while, and what their
// regions yield, have the types that the converter makes.
func ControlFlow(t *conversion.Target, types *conversion.TypeConverter) {
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		for _, r := range op.Results().Types() {
			if !types.IsLegal(r) {
				return conversion.Illegal
			}
		}
		return conversion.Legal
	}, scf.For, scf.If)
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		switch op.Parent().ID() {
		case scf.For, scf.If, scf.While:
			return conversion.Legalized(types.IsLegalOp(op))
		}
		return conversion.Legal // others have other rules
	}, scf.Yield)
	t.Dynamic(func(op *ir.Op) conversion.Legality { return conversion.Legalized(types.IsLegalOp(op)) }, scf.While, scf.Condition)
}

// convertRegions makes the same operation with converted operands, results and block
// arguments.
func convertRegions(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
	results, ok := r.Types().ConvertAll(op.Results().Types())
	if !ok || len(results) != op.NumResults() {
		return false
	}
	s := r.State(op.ID())
	s.Operands, s.Types = operands.Values(), results
	for _, a := range op.AllAttrs() {
		s.SetAttr(a.Name, a.Value)
	}
	for range op.NumRegions() {
		s.AddRegion()
	}
	n := r.Create(s)
	for i, body := range op.Regions() {
		r.InlineRegionBefore(body, n.RegionAt(i), nil)
		if !r.ConvertRegionTypes(n.RegionAt(i), r.Types()) {
			return false
		}
	}
	r.Replace(op, n.Results().Values()...)
	return true
}

// convertTerminator converts what is yielded, which may be in an operation whose types
// have been converted already.
func convertTerminator(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
	r.CreateOp(op.ID(), nil, operands.Values(), op.AllAttrs()...)
	r.Replace(op)
	return true
}
