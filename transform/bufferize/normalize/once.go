package normalize

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// computeOnce lets an operation that reads elements which are repeated side by side, as where an image is enlarged, and computes the same for each, such as the products of a convolution with windows of
// one element, do so before they are repeated: its result is repeated instead. It tells whether it did. Linear in the size of the operation.
func computeOnce(b *ir.Builder, op *ir.Op) bool {
	for i, v := range interfaces.DpsInputs(op).Values() {
		if s := spreadOf(v); s != nil && s.groups != nil {
			if r := repeatedIn(op, i, s); r != nil && r.canShrink(op, i) {
				r.rewrite(b)
				return true
			}
		}
	}
	return false
}

// repeated is an operation that computes the same for repeated elements.
type repeated struct {
	op      *ir.Op
	operand int
	*spread
	// kept tells which dimensions of the spread's result have elements of their own.
	kept []bool
	// along are the dimensions of the result along which elements are repeated.
	along map[int]repeatedDim
}

// repeatedDim is a dimension along which elements are repeated: the group of the operand's dimensions that it is, and how many elements there are of their own.
type repeatedDim struct {
	group int
	size  int64
}

// repeatedIn returns how an operation goes through what is repeated in an operand; nil if it doesn't do that element by element.
func repeatedIn(op *ir.Op, operand int, s *spread) *repeated {
	o, ok := linalg.AsStructured(op)
	if !ok || op.NumResults() != 1 || op.NumRegions() != 1 || len(interfaces.IndexingMaps(op)) != op.NumOperands() {
		return nil
	}
	if t, ranked := op.Result(0).Type().(*ir.RankedTensorType); !ranked || t.Encoding != nil {
		return nil
	}
	at, to := interfaces.IndexingMaps(op)[operand], interfaces.IndexingMaps(op)[interfaces.DpsInits(op)[0].Index()]
	r := &repeated{op: op, operand: operand, spread: s, kept: make([]bool, len(s.shape)), along: map[int]repeatedDim{}}
	last := -1
	for _, e := range s.from.Results {
		if e.Kind != ir.AffineDim {
			continue
		}
		d := slices.Index(s.to.Results, e)
		if d <= last {
			return nil // it is in another order
		}
		r.kept[d], last = true, d
	}
	for g, dims := range s.groups {
		whole, own := int64(1), int64(1)
		for _, d := range dims {
			whole *= s.shape[d]
			if r.kept[d] {
				own *= s.shape[d]
			}
		}
		if whole == own {
			continue
		}
		d, ok := onlyDim(o, at.Results[g])
		if n, known := sizeOfDim(o, d); !ok || !known || n != whole || o.Iterators()[d] != interfaces.Parallel || own == 1 {
			return nil
		}
		place := slices.IndexFunc(to.Results, func(e *ir.AffineExpr) bool { return e.Kind == ir.AffineDim && int(e.Value) == d })
		if others := slices.Delete(slices.Clone(at.Results), g, g+1); place < 0 || dependOn(others, d) {
			return nil
		}
		r.along[place] = repeatedDim{g, own}
	}
	if len(r.along) == 0 {
		return nil
	}
	return r
}

// onlyDim returns the dimension that an index is, but for others that have one element.
func onlyDim(o linalg.StructuredOp, e *ir.AffineExpr) (dim int, ok bool) {
	switch e.Kind {
	case ir.AffineDim:
		return int(e.Value), true
	case ir.AffineAdd:
		switch {
		case isOne(o, e.RHS):
			return onlyDim(o, e.LHS)
		case isOne(o, e.LHS):
			return onlyDim(o, e.RHS)
		}
	}
	return 0, false
}

// isOne tells whether an index is always 0.
func isOne(o linalg.StructuredOp, e *ir.AffineExpr) bool {
	if e.Kind == ir.AffineMul && e.RHS.Kind == ir.AffineConst {
		e = e.LHS
	}
	if e.Kind != ir.AffineDim {
		return false
	}
	n, known := sizeOfDim(o, int(e.Value))
	return known && n == 1
}

// canShrink tells whether an operation, the one that reads what is repeated or one that makes its destination, does the same along the dimensions of the result along which that is repeated.
func (r *repeated) canShrink(op *ir.Op, repeated int) bool {
	if op.NumResults() != 1 || !interfaces.IsMemoryEffectFree(op) || hasMeaning(op) {
		return false
	}
	if op.Is(tensor.Empty) {
		return ir.IsStaticShape(shapeOf(op))
	}
	maps := interfaces.IndexingMaps(op)
	if !interfaces.Structured.Has(op) || len(maps) != op.NumOperands() || len(interfaces.DpsInits(op)) != 1 || usesIndices(op) || !interfaces.HasTensorSemantics(op) || hasInner(op) {
		return false
	}
	init := &interfaces.DpsInits(op)[0]
	to, dims := maps[init.Index()], r.dimsOf(op)
	if dims == nil {
		return false
	}
	for i, m := range maps {
		if i == repeated || i == init.Index() {
			continue
		}
		if slices.ContainsFunc(dims, func(d int) bool { return dependOn(m.Results, d) }) {
			return false
		}
	}
	if op == r.op && slices.ContainsFunc(to.Results, func(e *ir.AffineExpr) bool { return e.Kind != ir.AffineDim }) {
		return false
	}
	def := init.Value().DefiningOp()
	return def != nil && (def.Is(tensor.Empty) || def.Is(linalg.Fill) || spreadOfOp(def) != nil) && r.canShrink(def, -1)
}

// dependOn tells whether one of several indices depends on a dimension.
func dependOn(indices []*ir.AffineExpr, dim int) bool {
	return slices.ContainsFunc(indices, func(e *ir.AffineExpr) bool { return e.DependsOn(dim) })
}

// hasInner tells whether the body of an operation reads tensors, or has loops.
func hasInner(op *ir.Op) bool {
	_, ok := scalarOperations(op.RegionAt(0))
	return !ok
}

func shapeOf(op *ir.Op) []int64 {
	shape, _ := ir.ShapeOf(op.Result(0).Type())
	return shape
}

// dimsOf returns the dimensions of an iteration that go along what is repeated; nil if it isn't one for each.
func (r *repeated) dimsOf(op *ir.Op) (out []int) {
	to := interfaces.IndexingMaps(op)[interfaces.DpsInits(op)[0].Index()]
	for at := range r.along {
		if at >= len(to.Results) || to.Results[at].Kind != ir.AffineDim {
			return nil
		}
		out = append(out, int(to.Results[at].Value))
	}
	slices.Sort(out)
	for i, e := range to.Results {
		if _, along := r.along[i]; e.Kind == ir.AffineDim && slices.Contains(out, int(e.Value)) != along {
			return nil
		}
	}
	return out
}

// rewrite does it.
func (r *repeated) rewrite(b *ir.Builder) {
	op := r.op
	b.SetBefore(op)
	b.Loc = op.Loc()
	m := ir.NewMapping()
	made := r.shrunk(b, op, m, r.own(b))
	v := r.repeat(b, made)
	op.ReplaceAllUsesWith([]*ir.Value{v})
	eraseComputed(op)
}

// own returns the elements before they are repeated, in the dimensions of the operand.
func (r *repeated) own(b *ir.Builder) *ir.Value {
	var sizes []int64 // of the operand's dimensions
	for _, g := range r.groups {
		n := int64(1)
		for _, d := range g {
			if r.kept[d] {
				n *= r.shape[d]
			}
		}
		sizes = append(sizes, n)
	}
	return tensor.NewStaticReshape(b, r.input, sizes)
}

// shrunk returns an operation of the sizes before elements are repeated, which reads by there.
func (r *repeated) shrunk(b *ir.Builder, op *ir.Op, m *ir.Mapping, by *ir.Value) *ir.Value {
	if !op.Is(tensor.Empty) {
		init := interfaces.DpsInits(op)[0].Value()
		m.Map(init, r.shrunk(b, init.DefiningOp(), ir.NewMapping(), nil))
	}
	made := b.Clone(op, m)
	if by != nil {
		made.SetOperand(r.operand, by)
	}
	t := op.Result(0).Type().(*ir.RankedTensorType)
	shape := slices.Clone(t.Shape)
	for at, d := range r.along {
		shape[at] = d.size
	}
	made.Result(0).SetType(b.Context().RankedTensorOf(shape, t.Elem, t.Encoding))
	return made.Result(0)
}

// repeat returns a tensor with the elements of one repeated as the operand had them.
func (r *repeated) repeat(b *ir.Builder, v *ir.Value) *ir.Value {
	c := b.Context()
	t := r.op.Result(0).Type().(*ir.RankedTensorType)
	var sizes, own []int64
	var groups [][]int64
	var from []*ir.AffineExpr
	for i, n := range t.Shape {
		first := int64(len(sizes))
		if at, ok := r.along[i]; ok {
			for _, d := range r.groups[at.group] {
				if r.kept[d] && r.shape[d] > 1 {
					from, own = append(from, c.AffineDim(len(sizes))), append(own, r.shape[d])
				} else if r.shape[d] == 1 {
					continue
				}
				sizes = append(sizes, r.shape[d])
			}
		} else {
			from, own = append(from, c.AffineDim(len(sizes))), append(own, n)
			sizes = append(sizes, n)
		}
		var group []int64
		for d := first; d < int64(len(sizes)); d++ {
			group = append(group, d)
		}
		groups = append(groups, group)
	}
	to := c.RankedTensorOf(sizes, t.Elem, nil)
	spread := linalg.NewGeneric(b, []*ir.Value{tensor.NewStaticReshape(b, v, own)}, []*ir.Value{tensor.NewEmptyOf(b, to, nil)},
		[]*ir.AffineMap{c.AffineMap(len(sizes), 0, from...), c.IdentityMap(len(sizes))}, make([]interfaces.Iterator, len(sizes)), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
			return args[:1]
		})
	return tensor.NewCollapseShape(b, spread.Result(0), groups)
}
