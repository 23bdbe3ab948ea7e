package convert

import (
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// FunctionPatterns returns the patterns that convert the types of func.func and func.call,
// and of what branches pass on and functions return.
func FunctionPatterns(types *conversion.TypeConverter) []rewrite.Pattern {
	return []rewrite.Pattern{
		conversion.Pattern(rewrite.Pattern{Name: "FunctionOpInterfaceSignatureConversion", Root: funcd.Func}, types, convertFunction),
		conversion.Pattern(rewrite.Pattern{Name: "CallOpSignatureConversion", Root: funcd.Call}, types, convertCall),
		conversion.Pattern(rewrite.Pattern{Name: "ReturnOpTypeConversion", Root: funcd.Return}, types, convertOperands),
		conversion.Pattern(rewrite.Pattern{Name: "BranchOpInterfaceTypeConversion", Applies: isBranch}, types, convertBranch),
	}
}

// Functions makes the target want that func.func, calls, returns and branches between its
// blocks have the types that the converter makes; other operations are legal.
func Functions(t *conversion.Target, types *conversion.TypeConverter) {
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		return conversion.Legalized(types.IsLegalSignature(funcd.Type(op)) && types.IsLegalRegion(op.RegionAt(0)))
	}, funcd.Func)
	t.Dynamic(func(op *ir.Op) conversion.Legality { return conversion.Legalized(types.IsLegalOp(op)) }, funcd.Call)
	t.DynamicOthers(func(op *ir.Op) conversion.Legality {
		return conversion.Legalized(!endsFunctionUnknown(op) && branchIsLegal(op, types) && returnIsLegal(op, types))
	})
}

// endsFunctionUnknown tells whether an operation ends a block of a function, or may do so, and neither returns nor
// branches: what it hands on, and so in which types, isn't known.
func endsFunctionUnknown(op *ir.Op) bool {
	if op.Registered() && !op.Has(ir.TraitTerminator) || op.Block() == nil || op.Block().Last() != op || op.NumSuccessors() > 0 {
		return false
	}
	return op.Parent() != nil && interfaces.Function.Has(op.Parent()) && !op.Has(ir.TraitReturnLike) && !interfaces.Branch.Has(op)
}

func isBranch(n *ir.OpName) bool {
	_, ok := interfaces.Branch.OfName(n)
	return ok
}

// branchIsLegal tells whether what a branch passes on has legal types; true for
// others, and for branches in regions of operations in functions: their blocks keep
// their types.
func branchIsLegal(op *ir.Op, types *conversion.TypeConverter) bool {
	m, ok := interfaces.Branch.Of(op)
	if !ok || op.Parent() == nil || !op.Parent().Is(funcd.Func) {
		return true
	}
	for s := range op.NumSuccessors() {
		start, n, _ := m.SuccessorOperands(op, s)
		for i := start; i < start+n; i++ {
			if !types.IsLegal(op.Operand(i).Type()) {
				return false
			}
		}
	}
	return true
}

// returnIsLegal tells whether what a function returns has legal types; true for what
// doesn't return from a function.
func returnIsLegal(op *ir.Op, types *conversion.TypeConverter) bool {
	if !op.Has(ir.TraitReturnLike) || op.Parent() == nil {
		return true
	}
	if !interfaces.Function.Has(op.Parent()) {
		return true
	}
	return types.IsLegalOp(op)
}

func convertFunction(r *conversion.Rewriter, op *ir.Op, _ conversion.Adaptor) bool {
	t, types := funcd.Type(op), r.Types()
	inputs, ok := types.ConvertAll(t.Inputs)
	if !ok || len(inputs) != len(t.Inputs) {
		return false
	}
	results, ok := types.ConvertAll(t.Results)
	if !ok || len(results) != len(t.Results) || !r.ConvertRegionTypes(op.RegionAt(0), types) {
		return false
	}
	m, _ := interfaces.Function.Of(op)
	r.Modify(op, func() { m.SetType(op, r.Context().Function(inputs, results)) })
	return true
}

func convertCall(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
	results, ok := r.Types().ConvertAll(op.Results().Types())
	if !ok || len(results) != op.NumResults() {
		return false
	}
	call := r.CreateOp(op.ID(), results, operands.Values(), op.AllAttrs()...)
	r.Replace(op, call.Results().Values()...)
	return true
}

func convertOperands(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
	r.Modify(op, func() { op.SetOperands(operands.Values()) })
	return true
}

func convertBranch(r *conversion.Rewriter, op *ir.Op, operands conversion.Adaptor) bool {
	m, _ := interfaces.Branch.Of(op)
	r.Modify(op, func() {
		for s := range op.NumSuccessors() {
			start, n, _ := m.SuccessorOperands(op, s)
			for i := start; i < start+n; i++ {
				op.SetOperand(i, operands.Operand(i))
			}
		}
	})
	return true
}
