package tile

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/memory/schedule"
	"freehold/transform/memory/work"
)

// node is an operation that can compute some rows of its result alone: the slices along one dimension. Or it is a reduction that goes through the rows of its
// operands, one after the other, and adds them to its result.
type node struct {
	op   *ir.Op
	dim  int   // of the result, or reduced
	size int64 // how many rows there are, or counts as many
	// uncounted tells that only an execution knows how many rows there are.
	uncounted bool
	// bytes is the size of a row.
	bytes int64
	// reads are the tensors that it reads by rows, as operands or in its body; rest are the other values that it needs.
	reads []read
	rest  []*ir.Value
	// place tells of each operand whether it is a destination whose contents don't matter, or are all the same: each tile gets one of its own. Then fill is
	// the number, or nil.
	place []bool
	fill  []*ir.Value
	// computes tells that it takes operations on numbers: each row is computed once.
	computes bool
	// loop is the dimension of the iteration space that goes through the rows, of a structured operation.
	loop int
	// seen is the number of the last search that came here.
	seen int
}

// reduced stands for the dimension of a node that goes through rows that its result doesn't have.
const reduced = -1

// accumulates tells that the node adds rows to its result, which is there as a whole.
func (n *node) accumulates() bool { return n.dim == reduced }

// read is a tensor that is read by rows.
type read struct {
	value *ir.Value
	// operand is which operand it is, or -1 if the body reads it.
	operand int
	access
	// size is how many rows it has, or counts as many.
	size int64
	// maker is the place of the operation in the block that defines the tensor, or -1.
	maker int
}

// nodeOf returns how an operation computes its result row by row, or reduces its operands so; nil if it can't. Linear in the size of the operation.
func nodeOf(op *ir.Op, dim int) *node {
	if op.NumResults() != 1 || !interfaces.IsMemoryEffectFree(op) || op.Has(ir.TraitConstantLike) {
		return nil
	}
	t, ranked := op.Result(0).Type().(*ir.RankedTensorType)
	if !ranked || t.Encoding != nil || dim >= len(t.Shape) || !ir.IsStaticShape(t.Shape) && !interfaces.ReifyShapes.Has(op) {
		return nil
	}
	n := &node{op: op, dim: dim, place: make([]bool, op.NumOperands()), fill: make([]*ir.Value, op.NumOperands()), loop: -1}
	if dim != reduced {
		n.size = t.Shape[dim]
	}
	if !n.describe() || n.size == 0 || !n.readsRows() {
		return nil
	}
	n.bytes = schedule.SizeOfRow(t, dim)
	n.computes = work.Of(op) > 0
	return n
}

// readsRows tells whether it is known which rows are read. If it isn't known how many rows there are, each one must be made of that with the same number alone: then what
// is read has as many, and n.size is what such a size counts as.
func (n *node) readsRows() bool {
	n.uncounted = n.size == ir.Dynamic
	for i := range n.reads {
		r := &n.reads[i]
		shape, ranked := ir.ShapeOf(r.value.Type())
		if !ranked || (shape[r.dim] == ir.Dynamic) != n.uncounted || r.scale < 0 {
			return false
		}
		if n.uncounted && (r.operand < 0 || r.access != same(r.dim)) {
			return false
		}
		if r.size = shape[r.dim]; n.uncounted {
			r.size = schedule.UnknownSize
		}
	}
	if n.uncounted {
		n.size = schedule.UnknownSize
		return !n.op.Is(tensor.ExtractSlice) && !n.op.Is(tensor.InsertSlice)
	}
	return true
}

// describe finds out what is read.
func (n *node) describe() bool {
	op := n.op
	switch {
	case interfaces.Structured.Has(op):
		return n.structured()
	case n.accumulates():
		return false
	case op.Is(tensor.Pad):
		return n.padded()
	case op.Is(tensor.ExtractSlice):
		return n.extracted()
	case op.Is(tensor.InsertSlice):
		return n.inserted()
	case op.Is(tensor.Concat):
		return n.joined()
	case op.Is(tensor.CollapseShape):
		return n.collapsed()
	case op.Is(tensor.ExpandShape):
		return n.expanded()
	}
	return false
}

// row adds an operand that is read by rows.
func (n *node) row(operand int, a access) {
	n.reads = append(n.reads, read{value: n.op.Operand(operand), operand: operand, access: a})
}

// others notes the operands from one on as needed.
func (n *node) others(from int) { n.rest = append(n.rest, n.op.Operands().Values()[from:]...) }

func (n *node) structured() bool {
	op := n.op
	maps, inits := interfaces.IndexingMaps(op), interfaces.DpsInits(op)
	if len(inits) != 1 || len(maps) != op.NumOperands() || op.NumRegions() != 1 || op.BodyBlock(0) == nil || !interfaces.HasTensorSemantics(op) {
		return false
	}
	ranges, result := work.KnownRanges(op), maps[inits[0].Index()]
	if !n.goesThrough(result, ranges) {
		return false
	}
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if i == inits[0].Index() && n.isPlace(i) {
			continue
		}
		if !ir.IsTensor(v.Type()) || uses(maps[i], n.loop) == 0 {
			if i == inits[0].Index() && !n.accumulates() {
				return false
			}
			n.rest = append(n.rest, v)
			continue
		}
		a, ok := accessBy(maps[i], n.loop, ranges)
		if !ok {
			return false
		}
		n.row(i, a)
	}
	return n.body(ranges)
}

// goesThrough finds the dimension of the iteration space that goes through the rows: that of the result, or else the outermost one of those that are reduced,
// so that each element of the result is computed in the same order, row by row.
func (n *node) goesThrough(result *ir.AffineMap, ranges []int64) bool {
	iterators := interfaces.Iterators(n.op)
	if n.accumulates() {
		for i, kind := range iterators {
			if kind == interfaces.Reduction && ranges[i] != 1 {
				n.loop, n.size = i, ranges[i]
				return uses(result, i) == 0
			}
		}
		return false
	}
	if n.dim >= len(result.Results) || result.Results[n.dim].Kind != ir.AffineDim {
		return false
	}
	n.loop = int(result.Results[n.dim].Value)
	return iterators[n.loop] == interfaces.Parallel && uses(result, n.loop) == 1
}

// uses counts the results of a map that a dimension is part of.
func uses(m *ir.AffineMap, dim int) (n int) {
	for _, r := range m.Results {
		if r.DependsOn(dim) {
			n++
		}
	}
	return n
}

// accessBy returns the rows that a map reads, of which just one result depends on the dimension of the rows.
func accessBy(m *ir.AffineMap, dim int, ranges []int64) (access, bool) {
	if uses(m, dim) != 1 {
		return access{}, false
	}
	at := slices.IndexFunc(m.Results, func(r *ir.AffineExpr) bool { return r.DependsOn(dim) })
	a, ok := accessOf(m.Results[at], dim, ranges)
	a.dim = at
	return a, ok
}

// accessOf returns the rows that an expression stands for.
func accessOf(e *ir.AffineExpr, dim int, ranges []int64) (access, bool) {
	div := int64(1)
	if e.Kind == ir.AffineFloorDiv && e.RHS.Kind == ir.AffineConst && e.RHS.Value > 0 {
		e, div = e.LHS, e.RHS.Value
	}
	scale, lo, hi, ok := linear(e, dim, ranges)
	return access{scale: scale, first: lo, last: hi, div: div}, ok && scale > 0
}

// linear returns an expression as a multiple of a dimension and something between two numbers.
func linear(e *ir.AffineExpr, dim int, ranges []int64) (scale, lo, hi int64, ok bool) {
	switch e.Kind {
	case ir.AffineConst:
		return 0, e.Value, e.Value, true
	case ir.AffineDim:
		if e.Value == int64(dim) {
			return 1, 0, 0, true
		}
		return 0, 0, ranges[e.Value] - 1, ranges[e.Value] != ir.Dynamic
	case ir.AffineAdd:
		s, l, h, ok1 := linear(e.LHS, dim, ranges)
		t, m, i, ok2 := linear(e.RHS, dim, ranges)
		return s + t, l + m, h + i, ok1 && ok2
	case ir.AffineMul:
		if e.RHS.Kind == ir.AffineConst && e.RHS.Value >= 0 {
			s, l, h, ok := linear(e.LHS, dim, ranges)
			return s * e.RHS.Value, l * e.RHS.Value, h * e.RHS.Value, ok
		}
	}
	return 0, 0, 0, false
}

// isPlace tells whether a destination has no contents, or the same number everywhere.
func isPlace(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && (op.Is(tensor.Empty) || op.Is(linalg.Fill) && linalg.FillOp{Op: op}.Output().DefinedBy(tensor.Empty) != nil)
}

// isUnread tells whether nothing depends on what is in a destination.
func isUnread(init *ir.Use) bool {
	o, ok := linalg.AsStructured(init.Owner())
	return ok && !o.ReadsInit(init)
}

// isPlace notes whether the contents of a destination don't matter, or are all the same.
func (n *node) isPlace(operand int) bool {
	v := n.op.Operand(operand)
	switch {
	case isUnread(n.op.OperandUse(operand)):
	case !isPlace(v):
		return false
	default:
		if op := v.DefinedBy(linalg.Fill); op != nil {
			number := linalg.FillOp{Op: op}.Value()
			n.fill[operand] = number
			n.rest = append(n.rest, number)
		}
	}
	n.place[operand] = true
	return true
}

func (n *node) padded() bool {
	p := tensor.PadOp{Op: n.op}
	low, high := p.Low(), p.High()
	if p.ConstantPadding() == nil || low[n.dim].Value != nil || high[n.dim].Value != nil || low[n.dim].Const < 0 || high[n.dim].Const < 0 || n.size == ir.Dynamic && high[n.dim].Const > 0 {
		return false
	}
	n.row(0, access{dim: n.dim, scale: 1, first: -low[n.dim].Const, last: -low[n.dim].Const, div: 1})
	n.others(1)
	n.rest = append(n.rest, p.ConstantPadding())
	return true
}

func (n *node) extracted() bool {
	s, dim := interfaces.SliceOf(n.op), n.dim
	for i, dropped := range (tensor.ExtractSliceOp{Op: n.op}).DroppedDims() {
		if dropped && i <= dim {
			dim++
		}
	}
	offset, stride := s.Offsets[dim], s.Stride(dim)
	if offset.Value != nil || stride.Value != nil || stride.Const <= 0 {
		return false
	}
	n.row(0, access{dim: dim, scale: stride.Const, first: offset.Const, last: offset.Const, div: 1})
	n.others(1)
	return true
}

// inserted is about rows of an insertion that goes through all rows, or through each so many-th of those behind a known one: the others are those of the destination, as in a border,
// or between the rows of an image that a transposed convolution spreads.
func (n *node) inserted() bool {
	s, dim := interfaces.SliceOf(n.op), n.dim
	offset, size, stride := s.Offsets[dim], s.Sizes[dim], s.Stride(dim)
	if offset.Value != nil || size.Value != nil || stride.Value != nil || stride.Const <= 0 {
		return false
	}
	for i, dropped := range (tensor.InsertSliceOp{Op: n.op}).DroppedDims() {
		switch {
		case dropped && i == n.dim:
			return false
		case dropped && i < n.dim:
			dim--
		}
	}
	n.row(0, access{dim: dim, scale: 1, first: -offset.Const, last: -offset.Const, div: stride.Const})
	if !n.isPlace(1) {
		n.row(1, same(n.dim))
	}
	n.others(2)
	return true
}

func (n *node) joined() bool {
	if int64(n.dim) == (tensor.ConcatOp{Op: n.op}).Dim() {
		return false
	}
	for i := range n.op.NumOperands() {
		n.row(i, same(n.dim))
	}
	return true
}

// collapsed is about rows that are in one dimension of the source, which may have become several rows each.
func (n *node) collapsed() bool {
	group := interfaces.Reassociation(n.op)[n.dim]
	shape, _ := ir.ShapeOf(tensor.CollapseShapeOp{Op: n.op}.Source().Type())
	at, inner, ok := outermost(group, shape)
	if !ok {
		return false
	}
	n.row(0, access{dim: at, scale: 1, div: inner})
	return true
}

// expanded is about rows that are in the outermost dimension that one of the source becomes.
func (n *node) expanded() bool {
	shape, _ := ir.ShapeOf(n.op.Result(0).Type())
	for i, group := range interfaces.Reassociation(n.op) {
		if at, inner, ok := outermost(group, shape); ok && at == n.dim {
			n.row(0, access{dim: i, scale: inner, last: inner - 1, div: 1})
			n.others(1)
			return true
		}
	}
	return false
}

// outermost returns the first dimension of a group that has more than one element, or any number of them, and how many elements those behind it have; false if that isn't known.
func outermost(group, shape []int64) (dim int, inner int64, ok bool) {
	inner = 1
	for _, d := range group {
		switch {
		case ok && shape[d] == ir.Dynamic:
			return 0, 0, false
		case ok:
			inner *= shape[d]
		case shape[d] != 1:
			dim, ok = int(d), true
		}
	}
	return dim, inner, ok && inner > 0
}
