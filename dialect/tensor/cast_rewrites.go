package tensor

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldCast drops casts to the same type.
func foldCast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if (CastOp{op}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(CastOp{op}.Source())
	}
	return nil
}

// joinShapes returns the type that knows what both types know, or nil if they
// contradict each other.
func joinShapes(c *ir.Context, a, b ir.Type) ir.Type {
	ra, rb := ranked(a), ranked(b)
	if ra == nil {
		return b
	}
	if rb == nil {
		return a
	}
	if len(ra.Shape) != len(rb.Shape) {
		return nil
	}
	shape := make([]int64, len(ra.Shape))
	for i := range shape {
		x, y := ra.Shape[i], rb.Shape[i]
		switch {
		case x == ir.Dynamic:
			shape[i] = y
		case y == ir.Dynamic || x == y:
			shape[i] = x
		default:
			return nil
		}
	}
	return c.RankedTensor(shape, ra.Elem)
}

func castPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ChainedTensorCast", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			inner := CastOp{op}.Source().DefinedBy(Cast)
			if inner == nil {
				return false
			}
			c := op.Context()
			source := CastOp{inner}.Source()
			// Dropping the cast in between must not drop a check that it makes.
			all := joinShapes(c, source.Type(), inner.Result(0).Type())
			if all == nil {
				return false
			}
			all = joinShapes(c, all, op.Result(0).Type())
			if all == nil || all != joinShapes(c, source.Type(), op.Result(0).Type()) {
				return false
			}
			r.Replace(op, NewCast(r.At(op), op.Result(0).Type(), source))
			return true
		}},
		{Name: "TensorCastExtractSlice", Rewrite: castOfSlice},
	}
}

// castOfSlice makes an extract_slice produce the type that it is cast to.
func castOfSlice(r *rewrite.Rewriter, op *ir.Op) bool {
	slice := CastOp{op}.Source().DefinedBy(ExtractSlice)
	if slice == nil {
		return false
	}
	o, t := ExtractSliceOp{slice}, ranked(op.Result(0).Type())
	if t == nil || !foldsIntoProducer(op) || slices.Equal(t.Shape, o.Type().Shape) {
		return false
	}
	dropped, _ := shapes.RankReduction(interfaces.StaticInts(slice, interfaces.StaticSizes), o.Type().Shape)
	s, dim := o.Slice(), 0
	for i := range s.Sizes {
		if dropped != nil && dropped[i] {
			continue
		}
		if dim >= len(t.Shape) {
			return false
		}
		if d := t.Shape[dim]; d != ir.Dynamic {
			s.Sizes[i] = shapes.ConstSize(d)
		}
		dim++
	}
	r.Replace(op, NewExtractSlice(r.At(op), t, o.Source(), s))
	return true
}

func bitcastPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "ChainedTensorBitcast", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		inner := BitcastOp{op}.Source().DefinedBy(Bitcast)
		if inner == nil {
			return false
		}
		b := r.At(op)
		r.Replace(op, b.CreateOp(Bitcast, []ir.Type{op.Result(0).Type()}, []*ir.Value{BitcastOp{inner}.Source()}).Result(0))
		return true
	}}}
}

// dialectPatterns apply to operations of all dialects.
func dialectPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "FoldTensorCastProducerOp", Applies: takesDestinations, Rewrite: foldCastIntoDestinationStyle}}
}

// takesDestinations tells whether operations are in destination style and work
// with any shape of their operands.
func takesDestinations(n *ir.OpName) bool {
	_, ok := interfaces.DestinationStyle.OfName(n)
	_, loop := interfaces.LoopLike.OfName(n)
	return ok && !loop && n.ID() != InsertSlice
}

// foldCastIntoDestinationStyle lets destination style operations work on the
// sources of casts that forget static sizes. A masking operation has no room for
// casts of results.
func foldCastIntoDestinationStyle(r *rewrite.Rewriter, op *ir.Op) bool {
	if p := op.Parent(); p != nil && interfaces.IsMasking(p) {
		return false
	}
	found := false
	for i := range op.NumOperands() {
		found = found || FoldableCast(op.Operand(i)) != nil
	}
	if !found {
		return false
	}
	b := r.At(op)
	n := b.Clone(op, ir.NewMapping())
	foldOperandCasts(n)
	inits := interfaces.DpsInits(n)
	res := 0
	for i := range inits {
		if t := inits.At(i).Type(); ir.IsTensor(t) && res < n.NumResults() {
			n.Result(res).SetType(t)
			res++
		}
	}
	invalid := ir.VerifyOp(n) != nil
	if invalid && (op.Is(Pack) || op.Is(Unpack)) {
		RelayoutOp{n}.takeStaticTiles()
		invalid = ir.VerifyOp(n) != nil
	}
	// Sizes that differ stay hidden: the operation is left to fail when it is executed.
	if invalid {
		r.Erase(n)
		return false
	}
	values := make([]*ir.Value, op.NumResults())
	for i := range values {
		values[i] = n.Result(i)
		if t := op.Result(i).Type(); values[i].Type() != t {
			values[i] = NewCast(b, t, values[i])
		}
	}
	r.Replace(op, values...)
	return true
}
