package normalize

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// FoldBroadcasts lets structured operations read what is broadcast, or filled, for them where it comes from: an operand's map tells which element that is. Named operations on
// elements become generic ones; other named ones stay, as their name is worth more than a small tensor. What computes the same for elements that are repeated side by side, is
// computed before these are repeated, unless keepEnlarged leaves them. It returns how many operands it replaced. Linear time.
func FoldBroadcasts(fn *ir.Op, keepEnlarged bool) (n int) {
	if hasBuffers(fn) {
		return 0
	}
	b := ir.NewBuilder(fn.Context())
	for _, op := range structuredIn(fn) {
		if !keepEnlarged && computeOnce(b, op) {
			n++
			continue
		}
		n += foldInto(b, op, keepEnlarged)
	}
	return n
}

// foldInto does it for the operands of one operation.
func foldInto(b *ir.Builder, op *ir.Op, keepEnlarged bool) (n int) {
	maps := slices.Clone(interfaces.IndexingMaps(op))
	if len(maps) != op.NumOperands() || op.NumResults() == 0 || !interfaces.HasTensorSemantics(op) || !op.Is(linalg.Generic) && !isElementwise(op) ||
		hasMeaning(op) {
		return 0
	}
	operands := op.Operands().Values()
	for i := range interfaces.DpsInputs(op) {
		s := spreadOf(operands[i])
		if s == nil || s.groups != nil && (keepEnlarged || !interfaces.AllParallel(op)) {
			continue // products go through their operands in ways of their own
		}
		from := s.source(b.Context(), maps[i])
		if !covers(maps, i, from) {
			continue
		}
		operands[i], maps[i] = s.input, from
		n++
	}
	if n == 0 {
		return 0
	}
	b.SetBefore(op)
	b.Loc = op.Loc()
	inputs := len(interfaces.DpsInputs(op))
	made := linalg.NewGenericWithoutBody(b, operands[:inputs], operands[inputs:], maps, interfaces.Iterators(op))
	made.RegionAt(0).TakeBody(op.RegionAt(0))
	op.ReplaceAllUsesWith(made.Results().Values())
	op.Erase()
	return n
}

// isElementwise tells whether a named operation computes each element from those at places that don't depend on others: its name says no more than its body.
func isElementwise(op *ir.Op) bool {
	if op.NumRegions() != 1 || op.Is(linalg.Map) || op.Is(linalg.Fill) || spreadOfOp(op) != nil {
		return false
	}
	maps := interfaces.IndexingMaps(op)
	return interfaces.AllParallel(op) && !slices.ContainsFunc(maps, func(m *ir.AffineMap) bool { return !m.IsProjectedPermutation(true) })
}

// spread is an operation that puts the elements of its first operand into more places of a new tensor.
type spread struct {
	input    *ir.Value // what is spread
	from, to *ir.AffineMap
	// groups are the dimensions of the tensor that are joined afterwards, of the sizes shape, as where an image is enlarged; nil if none are.
	groups [][]int64
	shape  []int64
}

// spreadOf returns the operation that spreads elements to make a tensor, or nil.
func spreadOf(v *ir.Value) *spread {
	def := v.DefiningOp()
	if def == nil || !ir.IsTensor(v.Type()) {
		return nil
	}
	if !def.Is(tensor.CollapseShape) {
		return spreadOfOp(def)
	}
	joined := tensor.CollapseShapeOp{Op: def}
	made := joined.Source().DefiningOp()
	if made == nil {
		return nil
	}
	s := spreadOfOp(made)
	if s != nil {
		s.groups = joined.Reassociation()
		s.shape, _ = ir.ShapeOf(joined.Source().Type())
		if !ir.IsStaticShape(s.shape) {
			return nil
		}
	}
	return s
}

func spreadOfOp(op *ir.Op) *spread {
	maps := interfaces.IndexingMaps(op)
	input, init, ok := linalg.InputAndInit(op)
	if !ok || len(maps) != 2 || op.NumResults() != 1 || op.NumRegions() != 1 || !isFree(init) || !maps[1].IsPermutation() {
		return nil
	}
	body := op.BodyBlock(0)
	if body == nil || body.First() != body.Last() || body.Last().OnlyOperand() != body.Arg(0) {
		return nil
	}
	shape, _ := ir.ShapeOf(input.Type())
	if !maps[0].IsProjectedPermutation(true) || bytesOf(op.Result(0).Type()) <= bytesOf(input.Type()) || !ir.IsStaticShape(shape) {
		return nil // it only moves, or the sizes don't tell
	}
	return &spread{input: input, from: maps[0], to: maps[1]}
}

// source returns the map that reads what is spread, for one that reads where it is spread to.
func (s *spread) source(c *ir.Context, at *ir.AffineMap) *ir.AffineMap {
	of := make([]*ir.AffineExpr, s.to.Dims) // what a dimension of the spread is for the reader
	indices := at.Results
	if s.groups != nil {
		indices = s.apart(c, indices)
	}
	for i, r := range s.to.Results {
		of[r.Value] = indices[i]
	}
	return c.AffineMap(at.Dims, at.Syms, resultsOf(c, s.from, of)...)
}

// apart returns the indices before dimensions are joined, for those afterwards.
func (s *spread) apart(c *ir.Context, indices []*ir.AffineExpr) []*ir.AffineExpr {
	out := make([]*ir.AffineExpr, len(s.shape))
	for i, g := range s.groups {
		within := int64(1) // how many elements a step of the dimension is
		for k, d := range slices.Backward(g) {
			e := c.AffineFloorDiv(indices[i], c.AffineConstant(within))
			switch {
			case s.shape[d] == 1:
				e = c.AffineConstant(0)
			case slices.ContainsFunc(g[:k], func(o int64) bool { return s.shape[o] != 1 }):
				e = c.AffineMod(e, c.AffineConstant(s.shape[d]))
			}
			out[d] = e
			within *= s.shape[d]
		}
	}
	return out
}

func resultsOf(c *ir.Context, m *ir.AffineMap, dims []*ir.AffineExpr) (out []*ir.AffineExpr) {
	for _, r := range m.Results {
		out = append(out, c.AffineReplace(r, dims, nil))
	}
	return out
}

// covers tells whether all dimensions of an iteration are known from operands, if one of them is read by another map.
func covers(maps []*ir.AffineMap, i int, by *ir.AffineMap) bool {
	maps = slices.Clone(maps)
	maps[i] = by
	return coverDims(maps, by.Dims)
}

// coverDims tells whether each of so many dimensions is a result of one of the maps.
func coverDims(maps []*ir.AffineMap, dims int) bool {
	known := make([]bool, dims)
	for _, m := range maps {
		for _, r := range m.Results {
			if r.Kind == ir.AffineDim {
				known[r.Value] = true
			}
		}
	}
	return !slices.Contains(known, false)
}
