package memref

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// access says where an operation that reads or writes at a position of a buffer has both.
type access struct {
	buffer, indices int // numbers of operand groups
	// vector tells that it accesses several elements.
	vector bool
}

var accesses = map[*ir.OpID]access{
	memref.Load:          {buffer: 0, indices: 1},
	memref.Store:         {buffer: 1, indices: 2},
	vector.Load:          {buffer: 0, indices: 1, vector: true},
	vector.Store:         {buffer: 1, indices: 2, vector: true},
	vector.MaskedLoad:    {buffer: 0, indices: 1, vector: true},
	vector.MaskedStore:   {buffer: 0, indices: 1, vector: true},
	vector.TransferRead:  {buffer: 0, indices: 1, vector: true},
	vector.TransferWrite: {buffer: 1, indices: 2, vector: true},
}

// AliasPatterns returns the patterns that make accesses of views accesses of what is viewed. Since LLVM 22, those for accesses of the
// affine dialect are apart; see [AffineAliasPatterns].
func AliasPatterns() []rewrite.Pattern {
	list := []rewrite.Pattern{subViewFolder}
	for _, id := range []*ir.OpID{memref.Load, memref.Store, vector.Load, vector.Store, vector.MaskedLoad, vector.MaskedStore,
		vector.TransferRead, vector.TransferWrite} {
		list = append(list, rewrite.Pattern{Name: "AccessOfViewFolder", Root: id, Rewrite: accessOfView})
	}
	for _, p := range affineFolders() {
		p.Until = 21
		list = append(list, p)
	}
	return list
}

// AffineAliasPatterns are [AliasPatterns] for accesses of the affine dialect.
func AffineAliasPatterns() []rewrite.Pattern { return append(affineFolders(), subViewFolder) }

var subViewFolder = rewrite.Pattern{Name: "SubViewOfSubViewFolder", Root: memref.SubView, Rewrite: subViewOfSubView}

func affineFolders() (list []rewrite.Pattern) {
	for _, id := range []*ir.OpID{affine.Load, affine.Store} {
		list = append(list, rewrite.Pattern{Name: "AffineAccessOfViewFolder", Root: id, Rewrite: affineAccessOfView})
	}
	return list
}

// accessOfView accesses what is viewed instead of the view.
func accessOfView(r *rewrite.Rewriter, op *ir.Op) bool {
	a := accesses[op.ID()]
	buffer := op.OperandGroup(a.buffer).At(0)
	view := buffer.DefiningOp()
	if view == nil || sourceDims[view.ID()] == nil || !a.reaches(op, view) {
		return false
	}
	b := r.At(op)
	b.Loc = op.Loc()
	indices, ok := sourceIndices(b, sourceDims[view.ID()], view, mixed(op.OperandGroup(a.indices).Values()), !a.vector)
	if !ok {
		return false
	}
	values := arith.ValuesOf(b, indices)
	r.Modify(op, func() {
		if a.transfers(op) && view.Is(memref.ExpandShape) {
			t := vector.TransferOp{Op: op}
			a.replace(op, interfaces.ViewSource(view), values)
			t.SetMinorIdentity(len(values))
			return
		}
		if a.transfers(op) {
			a.moveTo(vector.TransferOp{Op: op}, interfaces.ViewSource(view), values, memref.SubViewOp{Op: view}.DroppedDims())
			return
		}
		a.replace(op, interfaces.ViewSource(view), values)
	})
	return true
}

// reaches tells whether an access means the same elements of what is viewed, which a position there says.
func (a access) reaches(op, view *ir.Op) bool {
	if a.transfers(op) {
		if view.Is(memref.ExpandShape) {
			return op.Context().LLVM() >= digitsSince && op.Is(vector.TransferRead) && readsAlike(vector.TransferOp{Op: op}, view)
		}
		return view.Is(memref.SubView) && shapes.AllConst(memref.SubViewOp{Op: view}.Slice().Strides, 1) &&
			!slices.Contains(vector.TransferOp{Op: op}.InBounds(), false)
	}
	if !a.vector {
		return true
	}
	// Elements that are next to each other in a dimension of the vector must be so in the same dimension from the end. A dimension
	// of the vector whose size is 1 may be anywhere.
	v := vectorOf(op)
	to := steps(view)
	rank := len(interfaces.ViewSource(view).Type().(*ir.MemRefType).Shape)
	for i, n := range slices.Backward(v.Shape) {
		fromEnd := len(v.Shape) - i
		if fromEnd > rank || fromEnd > len(to) || (n != 1 || v.Scalable != nil) && to[len(to)-fromEnd] != rank-fromEnd {
			return false
		}
	}
	return true
}

// readsAlike tells whether a transfer reads the same from what was expanded, in its last dimensions: there, elements that are next to each
// other are so in both, and where the transfer may go over the end, that is the same.
func readsAlike(o vector.TransferOp, view *ir.Op) bool {
	source := interfaces.ViewSource(view).Type().(*ir.MemRefType).Shape
	expanded := view.Result(0).Type().(*ir.MemRefType).Shape
	v, inBounds, to := o.VectorType().Shape, o.InBounds(), steps(view)
	if len(v) > len(source) || !o.HasMinorIdentity() {
		return false
	}
	for i, inside := range inBounds {
		d, from := len(expanded)-len(v)+i, len(source)-len(v)+i
		if to[d] != from && (v[i] != 1 || !inside) || !inside && expanded[d] != source[from] {
			return false
		}
	}
	return true
}

// transfers tells whether an operation is a transfer, which has a map from the dimensions of the buffer to those of the vector.
func (access) transfers(op *ir.Op) bool {
	return op.Is(vector.TransferRead) || op.Is(vector.TransferWrite)
}

// replace makes an operation access another buffer, or tensor, at another position.
func (a access) replace(op *ir.Op, buffer *ir.Value, at []*ir.Value) {
	op.SetOperandGroup(a.indices, at)
	start, _ := op.OperandGroupRange(a.buffer)
	op.SetOperand(start, buffer)
}

// vectorOf returns the type of what an access of vectors reads or writes, or that of its mask, which has the same shape.
func vectorOf(op *ir.Op) *ir.VectorType {
	for _, v := range slices.Concat(op.Operands().Values(), op.Results().Values()) {
		if t, ok := v.Type().(*ir.VectorType); ok {
			return t
		}
	}
	return nil
}

// steps tells for each dimension of a view in which dimension of what is viewed the next element along it is the next one, wherever
// it is; -1 if there is none.
func steps(view *ir.Op) (to []int) {
	switch {
	case view.Is(memref.SubView):
		o := memref.SubViewOp{Op: view}
		strides := o.Slice().Strides
		for d, dropped := range o.DroppedDims() {
			switch {
			case dropped:
			case strides[d].IsConst(1):
				to = append(to, d)
			default:
				to = append(to, -1)
			}
		}
	case view.Is(memref.ExpandShape):
		shape := view.Result(0).Type().(*ir.MemRefType).Shape
		for g, group := range (memref.ExpandShapeOp{Op: view}).Reassociation() {
			for i := range group {
				if onlyUnits(shape, group[i+1:]) {
					to = append(to, g)
				} else {
					to = append(to, -1)
				}
			}
		}
	case view.Is(memref.CollapseShape):
		o := memref.CollapseShapeOp{Op: view}
		shape := o.Source().Type().(*ir.MemRefType).Shape
		for _, group := range o.Reassociation() {
			at := -1
			for i, d := range group { // a dimension without others that it could go on in
				if onlyUnits(shape, group[:i]) && onlyUnits(shape, group[i+1:]) && (at < 0 || shape[d] != 1) {
					at = int(d)
				}
			}
			to = append(to, at)
		}
	}
	return to
}

func onlyUnits(shape, dims []int64) bool {
	return !slices.ContainsFunc(dims, func(d int64) bool { return shape[d] != 1 })
}

// keepDims makes the permutation map of a transfer one from the dimensions of a source in which more dimensions are; dropped
// says which.
func keepDims(o vector.TransferOp, dropped []bool) {
	c := o.Context()
	var dims []*ir.AffineExpr
	for d, drop := range dropped {
		if !drop {
			dims = append(dims, c.AffineDim(d))
		}
	}
	m := o.PermutationMap()
	results := make([]*ir.AffineExpr, len(m.Results))
	for i, e := range m.Results {
		results[i] = e
		if e.Kind == ir.AffineDim {
			results[i] = dims[e.Value]
		}
	}
	o.SetPermutationMap(c.AffineMap(len(dropped), 0, results...))
}

// affineAccessOfView is accessOfView for accesses whose position is an affine map.
func affineAccessOfView(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.AccessOp{Op: op}
	view := o.MemRef().DefiningOp()
	if view == nil || sourceDims[view.ID()] == nil {
		return false
	}
	b := r.At(op)
	b.Loc = op.Loc()
	m := o.Map()
	operands := mixed(o.MapOperands().Values())
	var at []shapes.OpFoldResult
	for _, e := range m.Results {
		at = append(at, affine.FoldedApply(b, m.Dims, e, operands...))
	}
	rules := sourceDims[view.ID()]
	if view.Is(memref.CollapseShape) && slices.Contains(interfaces.ViewSource(view).Type().(*ir.MemRefType).Shape, ir.Dynamic) {
		rules = rules[len(rules)-1:] // digits in a basis of values can't be positions of the affine dialect
	}
	indices, ok := sourceIndices(b, rules, view, at, true)
	if !ok {
		return false
	}
	values := arith.ValuesOf(b, indices)
	r.Modify(op, func() {
		o.SetMemRef(interfaces.ViewSource(view))
		o.SetMap(b.Context().IdentityMap(len(values)), values)
	})
	return true
}

// subViewOfSubView takes a part of a part directly. Both must have strides of one.
func subViewOfSubView(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := memref.SubViewOp{Op: op}
	def := inner.Source().DefinedBy(memref.SubView)
	if def == nil {
		return false
	}
	outer := memref.SubViewOp{Op: def}
	part, whole := inner.Slice(), outer.Slice()
	if !shapes.AllConst(part.Strides, 1) || !shapes.AllConst(whole.Strides, 1) {
		return false
	}
	b := r.At(op)
	b.Loc = op.Loc()
	offsets, _ := sourceIndices(b, sourceDims[def.ID()], def, part.Offsets, false)
	s := shapes.Slice{Offsets: offsets, Strides: whole.Strides}
	next := 0
	for d, dropped := range outer.DroppedDims() {
		if dropped {
			s.Sizes = append(s.Sizes, whole.Sizes[d])
		} else {
			s.Sizes = append(s.Sizes, part.Sizes[next])
			next++
		}
	}
	t := memref.RankReducedSubViewType(b.Context(), inner.Type().Shape, outer.SourceType(), s)
	v := memref.NewSubView(b, t, outer.Source(), s)
	if t != inner.Type() {
		v = memref.NewCast(b, inner.Type(), v) // more is known now
	}
	r.Replace(op, v)
	return true
}

func mixed(values []*ir.Value) []shapes.OpFoldResult {
	list := make([]shapes.OpFoldResult, len(values))
	for i, v := range values {
		list[i] = shapes.SizeOf(v)
	}
	return list
}

// position computes the position in what is viewed from one in the view; nothing if it can't. Inside says that the latter is within the view.
type position func(b *ir.Builder, view *ir.Op, at []shapes.OpFoldResult, inside bool) []shapes.OpFoldResult

// sourceDims have, for each kind of view, the rules of versions of LLVM, the latest first.
var sourceDims = map[*ir.OpID][]versioned[position]{
	memref.SubView:       {{0, positionInWhole}},
	memref.ExpandShape:   {{digitsSince, numberOfDigits}, {0, positionBeforeExpansion}},
	memref.CollapseShape: {{digitsSince, digitsOfNumber}, {0, positionBeforeCollapse}},
}

// sourceIndices returns the position in what is viewed, by one of the rules.
func sourceIndices(b *ir.Builder, rules []versioned[position], view *ir.Op, at []shapes.OpFoldResult, inside bool) ([]shapes.OpFoldResult, bool) {
	list := ruleOf(b.Context(), rules)(b, view, at, inside)
	return list, len(list) == len(interfaces.ViewSource(view).Type().(*ir.MemRefType).Shape)
}

func positionInWhole(b *ir.Builder, view *ir.Op, at []shapes.OpFoldResult, _ bool) []shapes.OpFoldResult {
	o := memref.SubViewOp{Op: view}
	return positionOfSlice(b, o.Slice(), o.DroppedDims(), at)
}

// positionOfSlice returns the position in what a slice is of, given one in the slice, which lacks the dropped dimensions.
func positionOfSlice(b *ir.Builder, s shapes.Slice, droppedDims []bool, at []shapes.OpFoldResult) (list []shapes.OpFoldResult) {
	c := b.Context()
	e := c.AffineAdd(c.AffineSymbol(0), c.AffineMul(c.AffineSymbol(1), c.AffineSymbol(2)))
	for d, dropped := range droppedDims {
		if dropped {
			list = append(list, s.Offsets[d])
			continue
		}
		list = append(list, affine.FoldedApply(b, 0, e, s.Offsets[d], at[0], s.Strides[d]))
		at = at[1:]
	}
	return list
}

func positionBeforeExpansion(b *ir.Builder, view *ir.Op, at []shapes.OpFoldResult, _ bool) (list []shapes.OpFoldResult) {
	c := b.Context()
	o := memref.ExpandShapeOp{Op: view}
	shape := view.Result(0).Type().(*ir.MemRefType).Shape
	given := o.OutputShape()
	var sizesOf [][]shapes.OpFoldResult
	for g, group := range o.Reassociation() {
		sizesOf = append(sizesOf, expandedSizes(b, o.Source(), g, group, shape, given))
	}
	for g, group := range o.Reassociation() {
		sizes := sizesOf[g]
		n := len(group)
		var dynamic, indices []shapes.OpFoldResult
		for _, d := range group {
			indices = append(indices, at[d])
		}
		e, suffix := c.AffineSymbol(n-1), c.AffineConstant(1)
		for i := n - 2; i >= 0; i-- {
			if k, ok := sizes[i+1].Int(); ok {
				suffix = c.AffineMul(suffix, c.AffineConstant(k))
			} else {
				suffix = c.AffineMul(suffix, c.AffineDim(len(dynamic)))
				dynamic = append(dynamic, sizes[i+1])
			}
			e = c.AffineAdd(c.AffineMul(suffix, c.AffineSymbol(i)), e)
		}
		list = append(list, affine.FoldedApply(b, len(dynamic), e, append(dynamic, indices...)...))
	}
	return list
}

// expandedSizes returns the sizes of the dimensions in a group, but of the first one, which isn't needed. A single dynamic one
// is computed from the size of what was expanded.
func expandedSizes(b *ir.Builder, source *ir.Value, g int, group, shape []int64, given []shapes.OpFoldResult) []shapes.OpFoldResult {
	sizes := slices.Clone(given[group[0]:][:len(group)])
	dynamic, product := -1, int64(1)
	for i, d := range group {
		switch {
		case shape[d] != ir.Dynamic:
			product *= shape[d]
		case dynamic >= 0:
			return sizes
		default:
			dynamic = i
		}
	}
	if dynamic <= 0 || product == 0 {
		return sizes
	}
	size := memref.NewDim(b, source, g)
	if product != 1 {
		size = arith.New(b, arith.DivUI, size, arith.ConstantIndex(b, product))
	}
	sizes[dynamic] = shapes.SizeOf(size)
	return sizes
}

func positionBeforeCollapse(b *ir.Builder, view *ir.Op, at []shapes.OpFoldResult, _ bool) (list []shapes.OpFoldResult) {
	c := b.Context()
	o := memref.CollapseShapeOp{Op: view}
	shape := o.Source().Type().(*ir.MemRefType).Shape
	for range shape {
		if len(o.Reassociation()) == 0 {
			list = append(list, shapes.ConstSize(0))
		}
	}
	for g, group := range o.Reassociation() {
		exprs := make([]*ir.AffineExpr, len(group))
		suffix := int64(1)
		for i := len(group) - 1; i >= 0; i-- {
			e := c.AffineFloorDiv(c.AffineDim(0), c.AffineConstant(suffix))
			if i > 0 {
				n := shape[group[i]]
				if n == ir.Dynamic || n == 0 {
					return nil
				}
				suffix *= n
				e = c.AffineFloorDiv(c.AffineMod(c.AffineDim(0), c.AffineConstant(suffix)), c.AffineConstant(suffix/n))
			}
			exprs[i] = e
		}
		for _, e := range exprs {
			list = append(list, affine.FoldedApply(b, 1, e, at[g]))
		}
	}
	return list
}
