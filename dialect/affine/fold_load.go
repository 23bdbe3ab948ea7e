package affine

import (
	"freehold/dialect/memref"
	"freehold/ir"
)

// foldLoad finds what a load reads from a constant global: any element of one whose
// elements are all equal, else one at constant indices. Time is linear in the number
// of symbols beside the global.
func foldLoad(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if r := foldAccess(op, operands); r != nil {
		return r
	}
	get := AccessOp{op}.MemRef().DefiningOp()
	if get == nil || !get.Is(memref.GetGlobal) {
		return nil
	}
	symbol := ir.LookupSymbol(get, get.Attr("name").(*ir.SymbolRefAttr))
	if symbol == nil || !symbol.Is(memref.Global) {
		return nil
	}
	global := memref.GlobalOp{Op: symbol}
	elements, ok := global.InitialValue().(*ir.DenseElementsAttr)
	if !ok || !global.IsConstant() {
		return nil
	}
	if elements.Splat {
		return ir.FoldAttr(elements.Elem(op.Context(), 0))
	}
	shape, m := global.Type().Shape, AccessOp{op}.Map()
	at := int64(0)
	for d, e := range m.Results {
		// The reference reads out of bounds here.
		if e.Kind != ir.AffineConst || e.Value < 0 || e.Value >= shape[d] {
			return nil
		}
		at = at*shape[d] + e.Value
	}
	return ir.FoldAttr(elements.Elem(op.Context(), at))
}
