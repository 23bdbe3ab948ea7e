package vector

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
)

// maskedContract is how LLVM 16 masks a contraction: one mask for each factor, whose elements count where it is true.
var maskedContract = ir.Spelling{Until: 16, Upgrade: func(b *ir.Builder, s *ir.OpState) error {
	maps, ok := s.Attr("indexing_maps").(*ir.ArrayAttr)
	if len(s.Operands) != 5 || !ok || len(maps.Elems) != 3 || len(s.Types) != 1 {
		return nil
	}
	sizes := map[int64]int64{}
	var factors [2]*ir.AffineMap
	for i := range factors {
		t, isVector := s.Operands[i].Type().(*ir.VectorType)
		m, isMap := maps.Elems[i].(*ir.AffineMapAttr)
		if !isVector || !isMap || len(m.Map.Results) != len(t.Shape) || !m.Map.IsProjectedPermutation(false) {
			return nil // an error of the verifier
		}
		factors[i] = m.Map
		for d, r := range m.Map.Results {
			sizes[r.Value] = t.Shape[d]
		}
	}
	if len(sizes) != factors[0].Dims || len(sizes) != factors[1].Dims {
		return nil // another one
	}
	var masks [2]*ir.Value
	for i, m := range factors {
		masks[i] = spreadMask(b, s.Operands[3+i], m, sizes)
	}
	mask := b.CreateOp(arith.AndI, []ir.Type{masks[0].Type()}, masks[:]).Result(0)
	masked := b.State(Mask)
	masked.Loc, masked.Types, masked.Operands = s.Loc, s.Types, []*ir.Value{mask}
	contract := *s
	contract.Operands = s.Operands[:3]
	body := masked.AddRegion().AddBlock()
	at := b.InsertionPoint()
	b.SetEnd(body)
	b.CreateOp(Yield, nil, b.Create(contract).Results().Values())
	b.SetInsertionPoint(at)
	*s = masked
	return nil
}}

// spreadMask returns the mask of all iterations of which a factor, whose elements m finds, has one.
func spreadMask(b *ir.Builder, mask *ir.Value, m *ir.AffineMap, sizes map[int64]int64) *ir.Value {
	var order []int64 // of dimensions: those that the factor doesn't have come first
	for d := range int64(m.Dims) {
		if !slices.ContainsFunc(m.Results, func(r *ir.AffineExpr) bool { return r.Value == d }) {
			order = append(order, d)
		}
	}
	spread := len(order)
	for _, r := range m.Results {
		order = append(order, r.Value)
	}
	c, shape, sorted, perm := b.Context(), make([]int64, m.Dims), make([]int64, m.Dims), make([]int64, m.Dims)
	for i, d := range order {
		shape[i], sorted[d], perm[d] = sizes[d], sizes[d], int64(i)
	}
	if spread > 0 {
		mask = b.CreateOp(Broadcast, []ir.Type{c.Vector(shape, nil, ir.I1)}, []*ir.Value{mask}).Result(0)
	}
	if slices.IsSorted(order) {
		return mask
	}
	return b.CreateOp(Transpose, []ir.Type{c.Vector(sorted, nil, ir.I1)}, []*ir.Value{mask},
		ir.NamedAttr{Name: "permutation", Value: c.DenseI64Array(perm...)}).Result(0)
}
