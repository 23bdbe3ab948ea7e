package stablehlo

import (
	"fmt"
	"slices"

	"freehold/ir"
)

// GatherDims says which dimensions of the operand, of the indices and of the result of a gather belong together; and, as
// scatter is gather the other way round, those of the operand, of the indices and of the updates of a scatter.
type GatherDims struct {
	// Offset are the dimensions of the result that are along a slice; in a scatter, of the updates.
	Offset []int64
	// Collapsed are the dimensions of the operand that slices don't have.
	Collapsed []int64
	// OperandBatch and IndicesBatch are dimensions of the operand and of the indices that go along.
	OperandBatch, IndicesBatch []int64
	// Map gives the dimension of the operand of each part of an index.
	Map []int64
	// Vector is the dimension of the indices along which the parts of an index are; their rank if each is one number.
	Vector int64
}

// GatherDimsOf reads the attributes #stablehlo.gather and #stablehlo.scatter; nil if it is another one.
func GatherDimsOf(a ir.Attribute) *GatherDims {
	d, ok := a.(*ir.DialectAttr)
	if !ok || d.Mnemonic != "gather" && d.Mnemonic != "scatter" || len(d.Params) != 6 {
		return nil
	}
	l := func(i int) []int64 { return Ints(d.Params[i]) }
	return &GatherDims{l(0), l(1), l(2), l(3), l(4), d.Params[5].(*ir.IntegerAttr).Value}
}

// check demands what holds of gathers and scatters alike.
func (g *GatherDims) check(operand, indices []int64) error {
	rank := int64(len(indices))
	if g.Vector < 0 || g.Vector > rank {
		return fmt.Errorf("index_vector_dim %d isn't in [0, %d]", g.Vector, rank)
	}
	parts := int64(1)
	if g.Vector < rank {
		parts = indices[g.Vector]
	}
	if !ir.SameSize(parts, int64(len(g.Map))) {
		return fmt.Errorf("an index has %d parts, for %d dimensions", parts, len(g.Map))
	}
	for _, l := range []struct {
		name string
		dims []int64
		rank int
	}{{"start_index_map", g.Map, len(operand)}, {"collapsed dimensions and those of batches", slices.Concat(g.Collapsed, g.OperandBatch), len(operand)},
		{"batch dimensions of the indices", g.IndicesBatch, len(indices)}, {"start_index_map and batch dimensions", slices.Concat(g.Map, g.OperandBatch), len(operand)}} {
		if err := checkDims(l.name, l.dims, l.rank); err != nil {
			return err
		}
	}
	for _, l := range [][]int64{g.Offset, g.Collapsed, g.OperandBatch} {
		if !slices.IsSorted(l) {
			return fmt.Errorf("dimensions should be sorted: %v", l)
		}
	}
	if len(g.OperandBatch) != len(g.IndicesBatch) {
		return fmt.Errorf("operand and indices have %d and %d batch dimensions", len(g.OperandBatch), len(g.IndicesBatch))
	}
	if slices.Contains(g.IndicesBatch, g.Vector) {
		return fmt.Errorf("index_vector_dim is a batch dimension")
	}
	for i, d := range g.OperandBatch {
		if !ir.SameSize(operand[d], indices[g.IndicesBatch[i]]) {
			return fmt.Errorf("batch dimensions %d and %d have different sizes", d, g.IndicesBatch[i])
		}
	}
	return nil
}

// Window returns the dimensions of the operand that slices have, in order.
func (g *GatherDims) Window(rank int) []int64 {
	var out []int64
	for d := range int64(rank) {
		if !slices.Contains(g.Collapsed, d) && !slices.Contains(g.OperandBatch, d) {
			out = append(out, d)
		}
	}
	return out
}

// Batch returns the dimensions of the indices that the result has, in order.
func (g *GatherDims) Batch(rank int) []int64 {
	var out []int64
	for d := range int64(rank) {
		if d != g.Vector {
			out = append(out, d)
		}
	}
	return out
}

// resultShape returns the shape of the result of a gather. Sizes of slices may be unknown.
func (g *GatherDims) resultShape(operand, indices, sizes []int64) ([]int64, error) {
	if err := g.check(operand, indices); err != nil {
		return nil, err
	}
	if len(sizes) != len(operand) {
		return nil, fmt.Errorf("expected %d slice sizes", len(operand))
	}
	for i, n := range sizes {
		if n == ir.Dynamic {
			continue
		}
		if n < 0 || operand[i] != ir.Dynamic && n > operand[i] {
			return nil, fmt.Errorf("slice size %d is out of range in dimension %d", n, i)
		}
		if (slices.Contains(g.Collapsed, int64(i)) || slices.Contains(g.OperandBatch, int64(i))) && n > 1 {
			return nil, fmt.Errorf("slice size %d in dimension %d, which slices don't have", n, i)
		}
	}
	window, batch := g.Window(len(operand)), g.Batch(len(indices))
	rank := len(window) + len(batch)
	if len(g.Offset) != len(window) {
		return nil, fmt.Errorf("expected %d offset dimensions, got %d", len(window), len(g.Offset))
	}
	if err := checkDims("offset_dims", g.Offset, rank); err != nil {
		return nil, err
	}
	shape := make([]int64, 0, rank)
	for d := range int64(rank) {
		if i := slices.Index(g.Offset, d); i >= 0 {
			shape = append(shape, sizes[window[i]])
		} else {
			shape = append(shape, indices[batch[0]])
			batch = batch[1:]
		}
	}
	return shape, nil
}
