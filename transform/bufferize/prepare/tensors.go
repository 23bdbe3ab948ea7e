package prepare

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// TensorPatterns returns the patterns that replace operations on tensors for which
// bufferization has no rule.
func TensorPatterns() []rewrite.Pattern {
	return append(shapePatterns(), []rewrite.Pattern{
		{Name: "DecomposeConcat", Root: tensor.Concat, Rewrite: concatToSlices},
		{Name: "DecomposePack", Root: tensor.Pack, Rewrite: relayout},
		{Name: "DecomposeUnpack", Root: tensor.Unpack, Rewrite: relayout},
		{Name: "DecomposeBitcast", Root: tensor.Bitcast, Rewrite: bitcastElements},
		{Name: "DecomposeGather", Root: tensor.Gather, Rewrite: gatherElements},
		{Name: "DecomposeScatter", Root: tensor.Scatter, Rewrite: scatterElements},
		{Name: "ReshapeByType", Root: tensor.Reshape, Rewrite: reshapeByType},
		{Name: "DecomposeWinogradFilterTransform", Root: linalg.WinogradFilterTransform, Rewrite: winogradTiles},
		{Name: "DecomposeWinogradInputTransform", Root: linalg.WinogradInputTransform, Rewrite: winogradTiles},
		{Name: "DecomposeWinogradOutputTransform", Root: linalg.WinogradOutputTransform, Rewrite: winogradTiles},
		{Name: "HoistFromAtomicUpdate", Root: memref.GenericAtomicRMW, Rewrite: hoistFromAtomic},
		{Name: "PoisonToEmpty", Root: ub.Poison, Rewrite: poisonToEmpty},
		{Name: "CopyBetweenMemorySpaces", Root: bufferization.ToMemref, Rewrite: copyBetweenSpaces},
		{Name: "MaterializeInFresh", Root: bufferization.MaterializeInDestination, Rewrite: materializeInFresh},
		{Name: "CopyBeforeUnrankedCall", Root: tensor.Cast, Rewrite: (&callees{}).copyBeforeUnrankedCall},
	}...)
}

// reshapeByType replaces a tensor.reshape whose types say all about the shapes by a collapse or an expansion, or both: no buffer is needed for the sizes then.
func reshapeByType(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tensor.ReshapeOp{Op: op}.Source()
	from, ranked := v.Type().(*ir.RankedTensorType)
	to, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if !ranked || !ok || from.Encoding != nil || to.Encoding != nil || !ir.IsStaticShape(from.Shape) || !ir.IsStaticShape(to.Shape) ||
		ir.ElementCount(from.Shape) != ir.ElementCount(to.Shape) {
		return false
	}
	r.Replace(op, tensor.NewStaticReshape(r.At(op), v, to.Shape))
	return true
}

// FoldsOf is the version of LLVM whose folds and patterns programs are simplified with, whichever they are of: how much memory a program needs shouldn't depend on that.
const FoldsOf = 22

// FoldPatterns returns the canonicalization patterns of operations that [TensorPatterns] replaces by others of which less is known.
func FoldPatterns(c *ir.Context) (out []rewrite.Pattern) {
	decomposed := []*ir.OpID{tensor.Pack, tensor.Unpack, tensor.Concat, tensor.Gather, tensor.Scatter, tensor.Bitcast}
	for _, p := range rewrite.Canonicalizations(c) { // a fill has patterns for what reads it, too
		if slices.Contains(decomposed, p.Root) {
			out = append(out, p)
		}
	}
	return append(out, rewrite.Pattern{Name: "FoldCopyToEmpty", Root: linalg.Copy, Rewrite: copyToEmpty})
}

// copyToEmpty takes the tensor that is copied to an empty one, as canonicalization does with a linalg.generic that only copies: whether a copy is needed is up to bufferization.
func copyToEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	o := linalg.StructuredOp{Op: op}
	if op.NumResults() == 0 {
		return false
	}
	dest, source := o.Inits().At(0).DefiningOp(), o.Inputs().At(0)
	if dest == nil || !dest.Is(tensor.Empty) || source.Type() != op.Result(0).Type() {
		return false
	}
	r.Replace(op, source)
	return true
}

// materializeInFresh takes a tensor as it is, instead of in the place of a new one: nobody can tell in which buffer it is then, and one that must be in a certain
// place can't be copied where a branch passes on either it or another one.
func materializeInFresh(r *rewrite.Rewriter, op *ir.Op) bool {
	o := bufferization.MaterializeInDestinationOp{Op: op}
	dest := o.Dest().DefiningOp()
	if op.NumResults() == 0 || dest == nil || o.Source().Type() != op.Result(0).Type() {
		return false
	}
	fresh := dest.Is(tensor.Empty) || dest.Is(bufferization.AllocTensor) && bufferization.AllocTensorOp{Op: dest}.MemorySpace() == nil
	if fresh {
		r.Replace(op, o.Source())
	}
	return fresh
}

// concatToSlices inserts the parts of a tensor.concat into an empty tensor, so that they
// may be computed in place.
func concatToSlices(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.ConcatOp{Op: op}
	r.Loc = op.Loc()
	b, c, t := r.Builder, r.Context(), o.Type()
	m, ok := interfaces.ReifyShapes.Of(op)
	if !ok {
		return false
	}
	reified := m(b, op)
	if reified == nil {
		return false
	}
	var dynamic []*ir.Value
	for i, n := range t.Shape {
		if n == ir.Dynamic {
			dynamic = append(dynamic, arith.ValueOf(b, reified[0][i]))
		}
	}
	joined := tensor.NewEmptyOf(b, t, dynamic)
	start := shapes.ConstSize(0)
	for _, v := range o.Inputs().Values() {
		slice := shapes.Slice{Sizes: tensor.MixedSizes(b, v)}
		for range t.Shape {
			slice.Offsets = append(slice.Offsets, shapes.ConstSize(0))
			slice.Strides = append(slice.Strides, shapes.ConstSize(1))
		}
		slice.Offsets[o.Dim()] = start
		joined = tensor.NewInsertSlice(b, v, joined, slice)
		start = affine.FoldedApply(b, 0, c.AffineAdd(c.AffineSymbol(0), c.AffineSymbol(1)), start, slice.Sizes[o.Dim()])
	}
	r.Replace(op, joined)
	return true
}

// bitcastElements casts the elements. Integers that are signed or unsigned, which no
// operation of arith takes, are taken for signless ones of the same bits.
func bitcastElements(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tensor.BitcastOp{Op: op}.Source()
	from, ok := v.Type().(*ir.RankedTensorType)
	to, ranked := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok || !ranked {
		return false
	}
	r.Loc = op.Loc()
	dest := tensor.NewEmpty(r.Builder, tensor.MixedSizes(r.Builder, v), to.Elem, to.Encoding)
	rank := len(from.Shape)
	id := r.Context().IdentityMap(rank)
	generic := linalg.NewGeneric(r.Builder, []*ir.Value{v}, []*ir.Value{dest}, []*ir.AffineMap{id, id}, make([]interfaces.Iterator, rank),
		func(b *ir.Builder, args []*ir.Value) []*ir.Value {
			v := retyped(b, args[0], signless(b.Context(), from.Elem))
			if t := signless(b.Context(), to.Elem); v.Type() != t {
				v = arith.NewCast(b, arith.Bitcast, t, v)
			}
			return []*ir.Value{retyped(b, v, to.Elem)}
		})
	result := generic.Result(0)
	if result.Type() != to {
		result = tensor.NewCast(r.Builder, to, result)
	}
	r.Replace(op, result)
	return true
}

// signless returns the type of the same bits that operations of arith take.
func signless(c *ir.Context, t ir.Type) ir.Type {
	if i, ok := t.(*ir.IntegerType); ok && i.Signedness != ir.Signless {
		return c.Integer(i.Width)
	}
	return t
}

// retyped returns a number of a type that is kept in the same way.
func retyped(b *ir.Builder, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type() == t {
		return v
	}
	return builtin.NewUnrealizedConversionCast(b, []ir.Type{t}, v).Result(0)
}

// gatherElements computes each element of the slices from its position. A position out of
// bounds is undefined before and after.
func gatherElements(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.GatherOp{Op: op}
	r.Loc = op.Loc()
	b, t := r.Builder, op.Result(0).Type().(*ir.RankedTensorType)
	source, batch := o.Source().Type().(*ir.RankedTensorType), batchRank(o.Indices())
	full := len(t.Shape) == batch+len(source.Shape)
	// place is the dimension of the result that belongs to a dimension of the source.
	place := make([]int, len(source.Shape))
	sizes := tensor.MixedSizes(b, o.Indices())[:batch]
	for d := range place {
		switch {
		case !slices.Contains(o.Dims(), int64(d)):
			place[d] = len(sizes)
			sizes = append(sizes, tensor.MixedSize(b, o.Source(), d))
		case full:
			sizes = append(sizes, shapes.ConstSize(1))
		}
	}
	_, dynamic := shapes.SplitMixed(sizes)
	dest := tensor.NewEmptyOf(b, t, dynamic)
	id := b.Context().IdentityMap(len(t.Shape))
	generic := linalg.NewGeneric(b, nil, []*ir.Value{dest}, []*ir.AffineMap{id}, make([]interfaces.Iterator, len(t.Shape)), func(b *ir.Builder, _ []*ir.Value) []*ir.Value {
		at := make([]*ir.Value, batch)
		for i := range at {
			at[i] = linalg.NewIndex(b, i)
		}
		position := listedPosition(b, o.Indices(), at, o.Dims(), len(place))
		for d := range position {
			if position[d] == nil {
				position[d] = linalg.NewIndex(b, place[d])
			}
		}
		return []*ir.Value{tensor.NewExtract(b, o.Source(), position...)}
	})
	r.Replace(op, generic.Result(0))
	return true
}

// scatterElements inserts one element after another in a nest of loops: which position an
// element goes to is known at run time only.
func scatterElements(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.ScatterOp{Op: op}
	r.Loc = op.Loc()
	b, batch := r.Builder, batchRank(o.Indices())
	dest, source := o.Dest().Type().(*ir.RankedTensorType), o.Source().Type().(*ir.RankedTensorType)
	full := len(source.Shape) == batch+len(dest.Shape)
	sizes := tensor.MixedSizes(b, o.Source())
	zero, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	var at []*ir.Value // in the source
	var nest func(b *ir.Builder, t *ir.Value) *ir.Value
	nest = func(b *ir.Builder, t *ir.Value) *ir.Value {
		if len(at) < len(sizes) {
			if d := len(at); d >= batch && full && slices.Contains(o.Dims(), int64(d-batch)) {
				at = append(at, zero)
				return nest(b, t)
			}
			loop := scf.NewFor(b, zero, arith.ValueOf(b, sizes[len(at)]), one, []*ir.Value{t}, func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
				at = append(at, iv)
				return []*ir.Value{nest(b, args[0])}
			})
			return loop.Result(0)
		}
		position := listedPosition(b, o.Indices(), at[:batch], o.Dims(), len(dest.Shape))
		next := batch
		for d := range position {
			if position[d] == nil {
				position[d] = at[next]
			} else if !full {
				continue
			}
			next++
		}
		return tensor.NewInsert(b, tensor.NewExtract(b, o.Source(), at...), t, position...)
	}
	r.Replace(op, nest(b, o.Dest()))
	return true
}

// batchRank returns the number of dimensions of a tensor of positions: the last dimension of
// the tensor is not one of them.
func batchRank(indices *ir.Value) int { return len(indices.Type().(*ir.RankedTensorType).Shape) - 1 }

// listedPosition reads the position at a place of a tensor of positions: what it says
// about dims, and nil for other dimensions.
func listedPosition(b *ir.Builder, indices *ir.Value, at []*ir.Value, dims []int64, rank int) []*ir.Value {
	position := make([]*ir.Value, rank)
	for k, d := range dims {
		x := tensor.NewExtract(b, indices, append(at[:len(at):len(at)], arith.ConstantIndex(b, int64(k)))...)
		if x.Type() != ir.Index {
			x = arith.NewCast(b, arith.IndexCast, ir.Index, x)
		}
		position[d] = x
	}
	return position
}

// poisonToEmpty replaces a tensor about which nothing is known.
func poisonToEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	if !ir.IsTensor(op.Result(0).Type()) {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, anyValue(r.Builder, op.Result(0).Type()))
	return true
}
