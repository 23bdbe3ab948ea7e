package prepare

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// TakeSlices lets private functions take slices of tensors where they are: an argument for which all calls pass slices gets a
// layout with strides that aren't known. Else its buffer would be dense, and each call had to copy its slice. The function may only read
// elements of the argument, or slices of it, so that it needs no other layout for it. It returns how many arguments it marked. Linear time.
func TakeSlices(op *ir.Op) (n int) {
	if !op.Has(ir.TraitSymbolTable) {
		return 0
	}
	callers := analysis.NewCallers(op, ir.NewSymbolTables())
	op.Walk(func(fn *ir.Op) bool {
		calls := callers.Calls(fn)
		if len(calls) == 0 || !callers.OnlyCalled(fn) || !ir.IsPrivate(fn) {
			return true
		}
		for _, arg := range fn.RegionAt(0).Entry().Args() {
			if t, ok := arg.Type().(*ir.RankedTensorType); ok && len(t.Shape) > 0 && onlySlices(calls, arg.Index()) && onlyElements(arg) &&
				interfaces.ArgAttr(fn, arg.Index(), bufferization.BufferLayoutAttr) == nil {
				interfaces.SetArgAttr(fn, arg.Index(), bufferization.BufferLayoutAttr, anyStrides(fn.Context(), len(t.Shape)))
				n++
			}
		}
		return true
	})
	return n
}

// anyStrides returns the layout with strides and an offset that aren't known.
func anyStrides(c *ir.Context, rank int) ir.Attribute {
	sum := c.AffineSymbol(0)
	for i := range rank {
		sum = c.AffineAdd(sum, c.AffineMul(c.AffineDim(i), c.AffineSymbol(i+1)))
	}
	return c.AffineMapAttr(c.AffineMap(rank, rank+1, sum))
}

// onlySlices tells whether all calls pass slices as an argument.
func onlySlices(calls []*ir.Op, arg int) bool {
	for _, call := range calls {
		m, _ := interfaces.Call.Of(call)
		start, _ := m.Args(call)
		if call.Operand(start+arg).DefinedBy(tensor.ExtractSlice) == nil {
			return false
		}
	}
	return true
}

// onlyElements tells whether only elements, and sizes, are read of a tensor.
func onlyElements(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		switch op := u.Owner(); {
		case op.Is(tensor.Extract) || op.Is(tensor.Dim):
		case op.Is(tensor.ExtractSlice):
			if !dropsAllUnits(op) || !onlyElements(op.Result(0)) {
				return false
			}
		case op.Dialect() != nil && op.Dialect().Name == "linalg":
			if start, n := inits(op); n == 0 || start <= u.Index() && u.Index() < start+n {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// dropsAllUnits tells whether a slice has all dimensions, or none of size 1: else MLIR can't tell by strides that aren't known which
// of them it has.
func dropsAllUnits(slice *ir.Op) bool {
	sizes := interfaces.SliceOf(slice).Sizes
	dropped := len(sizes) - len(slice.Result(0).Type().(*ir.RankedTensorType).Shape)
	units := 0
	for _, s := range sizes {
		if s.IsConst(1) {
			units++
		}
	}
	return dropped == 0 || dropped == units
}
