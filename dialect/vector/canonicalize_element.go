package vector

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// foldedElements is the number of elements above which constants are made only
// where the old one is used nowhere else.
const foldedElements = 256

func extractPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "extract-of-constant", Until: 21, Rewrite: asConstant(partOfConstant)},
		{Name: "extract-of-broadcast", Until: 21, Rewrite: extractBroadcast},
		{Name: "extract-of-broadcast", Since: 22, Rewrite: extractLaterBroadcast},
		{Name: "extract-of-create-mask", Until: 21, Rewrite: extractOfCreateMask},
		{Name: "extract-of-create-mask", Since: 22, Rewrite: extractOfAnyMask},
		{Name: "extract-of-shape-cast", Rewrite: extractAllOfShapeCast},
		{Name: "extract-of-from-elements", Rewrite: extractOfFromElements},
		{Name: "extract-vector-of-from-elements", Since: 22, Rewrite: extractVectorOfFromElements},
	}
}

// constantOf returns the dense constant that a vector is, or nil.
func constantOf(v *ir.Value) *ir.DenseElementsAttr {
	if t := vec(v.Type()); t == nil || t.Scalable != nil && slices.Contains(t.Scalable, true) {
		d, _ := ir.ConstantOf(v).(*ir.DenseElementsAttr)
		if d != nil && d.Splat {
			return d
		}
		return nil
	}
	d, _ := ir.ConstantOf(v).(*ir.DenseElementsAttr)
	return d
}

// constantLike returns the constant of an operation's result type with the given elements.
func constantLike(op *ir.Op, elems ...[]byte) ir.Attribute {
	c, t := op.Context(), op.Result(0).Type()
	if v := vec(t); v != nil {
		return c.DenseElements(v, slices.Concat(elems...))
	}
	return c.DenseElements(c.Vector([]int64{1}, nil, t), elems[0]).Elem(c, 0)
}

// replaceConstant replaces an operation by a constant of its result's type with the
// given elements.
func replaceConstant(r *rewrite.Rewriter, op *ir.Op, elems ...[]byte) bool {
	r.Loc = op.Loc()
	r.Replace(op, arith.NewConstant(r.Builder, constantLike(op, elems...)).Result(0))
	return true
}

// asConstant is the pattern that replaces an operation by the constant that it is, where that is no fold.
func asConstant(constant func(*ir.Op) ir.Attribute) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		a := constant(op)
		if a == nil {
			return false
		}
		r.Loc = op.Loc()
		r.Replace(op, arith.NewConstant(r.Builder, a).Result(0))
		return true
	}
}

// foldToConstant is the fold of what is a constant.
func foldToConstant(constant func(*ir.Op) ir.Attribute) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
		if a := constant(op); a != nil {
			return ir.FoldAttr(a)
		}
		return nil
	}
}

// partOfConstant returns the constant that is extracted from one, or nil.
func partOfConstant(op *ir.Op) ir.Attribute {
	d := constantOf(ExtractOp{op}.Vector())
	if d == nil {
		return nil
	}
	if d.Splat {
		return constantLike(op, []byte(d.Data))
	}
	pos, static := staticPositionOf(op)
	if !static {
		return nil
	}
	shape := vec(ExtractOp{op}.Vector().Type()).Shape
	n, start := int64(1), int64(0)
	for i, size := range shape {
		p := int64(0)
		if i < len(pos) {
			p = pos[i]
		} else {
			n *= size
		}
		start = start*size + p
	}
	return constantLike(op, rawElements(d)[start:start+n]...)
}

// broadcastable tells whether a type can be broadcast to a vector type.
func broadcastable(from ir.Type, to *ir.VectorType) bool {
	v := vec(from)
	if v == nil {
		return from == to.Elem
	}
	diff := len(to.Shape) - len(v.Shape)
	if diff < 0 || v.Elem != to.Elem {
		return false
	}
	for i, size := range v.Shape {
		scalable := v.Scalable != nil && v.Scalable[i]
		if size == to.Shape[i+diff] && scalable == (to.Scalable != nil && to.Scalable[i+diff]) {
			continue
		}
		if size != 1 || scalable {
			return false
		}
	}
	return true
}

func extractBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	source, t := broadcastSource(ExtractOp{op}.Vector()), vec(op.Result(0).Type())
	if source == nil || t == nil || len(t.Shape) < rankOf(source.Type()) || !broadcastable(source.Type(), t) {
		return false
	}
	return replaceBroadcast(r, op, source)
}

// replaceBroadcast replaces an operation by a broadcast of v.
func replaceBroadcast(r *rewrite.Rewriter, op *ir.Op, v *ir.Value) bool {
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(Broadcast, []ir.Type{op.Result(0).Type()}, []*ir.Value{v}).Result(0))
	return true
}

func extractOfCreateMask(r *rewrite.Rewriter, op *ir.Op) bool {
	m, t := ExtractOp{op}.Vector().DefinedBy(CreateMask), vec(op.Result(0).Type())
	pos, static := staticPositionOf(op)
	if m == nil || t == nil || !static || len(pos) == 0 {
		return false
	}
	known := true
	for i, p := range pos {
		bound, ok := ir.ConstantInt(m.Operand(i))
		if !ok {
			known = false
		} else if p >= bound {
			return replaceConstant(r, op, []byte{0})
		}
	}
	if !known {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(CreateMask, []ir.Type{t}, m.Operands()[len(pos):].Values()).Result(0))
	return true
}

// extractAllOfShapeCast casts to the type that is extracted, if that is all.
func extractAllOfShapeCast(r *rewrite.Rewriter, op *ir.Op) bool {
	cast, t := ExtractOp{op}.Vector().DefinedBy(ShapeCast), vec(op.Result(0).Type())
	if cast == nil || t == nil || elementCount(vec(ShapeCastOp{cast}.Source().Type())) != elementCount(t) {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(ShapeCast, []ir.Type{t}, []*ir.Value{ShapeCastOp{cast}.Source()}).Result(0))
	return true
}

func elementCount(v *ir.VectorType) int64 {
	n, _ := ir.NumElements(v.Shape)
	return n
}

func extractOfFromElements(r *rewrite.Rewriter, op *ir.Op) bool {
	from := ExtractOp{op}.Vector().DefinedBy(FromElements)
	pos, static := staticPositionOf(op)
	if from == nil || !static || vec(op.Result(0).Type()) != nil {
		return false
	}
	r.Replace(op, from.Operand(int(offset(vec(from.Result(0).Type()).Shape, pos))))
	return true
}

// extractVectorOfFromElements makes a part of a vector of the elements that are in it.
func extractVectorOfFromElements(r *rewrite.Rewriter, op *ir.Op) bool {
	from, t := ExtractOp{op}.Vector().DefinedBy(FromElements), vec(op.Result(0).Type())
	pos, static := staticPositionOf(op)
	if from == nil || t == nil || !static || slices.Contains(pos, poisonPosition) {
		return false
	}
	n := int(elementCount(t))
	first := int(offset(vec(from.Result(0).Type()).Shape[:len(pos)], pos)) * n
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(FromElements, []ir.Type{t}, from.Operands()[first:first+n].Values()).Result(0))
	return true
}

func foldInsert(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if len(interfaces.StaticInts(op, staticPosition)) == 0 && (InsertOp{op}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(InsertOp{op}.Source())
	}
	return nil
}

func insertPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "insert-of-everything", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			v := vec(InsertOp{op}.Source().Type())
			return v != nil && elementCount(v) == elementCount(vec(op.Result(0).Type())) && replaceBroadcast(r, op, InsertOp{op}.Source())
		}},
		{Name: "insert-of-splat", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			src, dst := InsertOp{op}.Source().DefinedBy(Splat), InsertOp{op}.Dest().DefinedBy(Splat)
			return src != nil && dst != nil && SplatOp{src}.Input() == SplatOp{dst}.Input() && replaceSplat(r, op, SplatOp{src}.Input())
		}},
		{Name: "insert-of-constant", Rewrite: insertOfConstant},
		{Name: "insert-of-scalar", Since: 22, Rewrite: insertOfScalar},
		{Name: "insert-of-equal-elements", Since: 22, Rewrite: insertEqual},
		{Name: "insert-everything", Since: 22, Rewrite: insertAll},
	}
}

// replaceSplat replaces an operation by a splat of v.
func replaceSplat(r *rewrite.Rewriter, op *ir.Op, v *ir.Value) bool {
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(Splat, []ir.Type{op.Result(0).Type()}, []*ir.Value{v}).Result(0))
	return true
}

// foldableDest returns the elements of the constant that is inserted into, if a
// changed one may be made.
func foldableDest(v *ir.Value) [][]byte {
	t := vec(v.Type())
	if t.Scalable != nil && slices.Contains(t.Scalable, true) {
		return nil
	}
	d, ok := ir.ConstantOf(v).(*ir.DenseElementsAttr)
	if !ok || elementCount(t) > foldedElements && !v.HasOneUse() || !expandable(d) {
		return nil
	}
	return rawElements(d)
}

// insertsTensor tells whether a vector.insert is of a tensor, which the verifier accepts, as mlir-opt does, but which means nothing.
func insertsTensor(op *ir.Op) bool { return ir.IsTensor(InsertOp{op}.Source().Type()) }

// Fills tells whether the source has as many elements as what is at the position, without which the insertion means nothing. The verifier accepts a smaller vector in the place of
// the whole one, as mlir-opt does.
func (o InsertOp) Fills() bool {
	part := vec(o.Dest().Type()).Shape[len(interfaces.StaticInts(o.Op, staticPosition)):]
	source := vec(o.Source().Type())
	return source == nil || slices.Equal(source.Shape, part)
}

func insertOfConstant(r *rewrite.Rewriter, op *ir.Op) bool {
	elements := constantsInserted(op)
	return elements != nil && replaceConstant(r, op, elements...)
}

// constantsInserted returns the elements of a constant into which a constant is inserted; nil if the result is none.
func constantsInserted(op *ir.Op) [][]byte {
	pos, static := staticPositionOf(op)
	source := ir.ConstantOf(InsertOp{op}.Source())
	if !static || source == nil || insertsTensor(op) || slices.Contains(pos, poisonPosition) {
		return nil
	}
	if d, ok := source.(*ir.DenseElementsAttr); ok && !expandable(d) {
		return nil
	}
	elems := foldableDest(InsertOp{op}.Dest())
	if elems == nil {
		return nil
	}
	start := int64(0)
	for i, size := range vec(op.Result(0).Type()).Shape {
		p := int64(0)
		if i < len(pos) {
			p = pos[i]
		}
		start = start*size + p
	}
	copy(elems[start:], rawOf(source))
	return elems
}

func fromElementsPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "from-equal-elements", Until: 21, Rewrite: fromEqualElements(replaceSplat)},
		{Name: "from-equal-elements", Since: 22, Rewrite: fromEqualElements(replaceBroadcast)},
	}
}

// fromEqualElements fills a vector with the only element that it consists of.
func fromEqualElements(fill func(*rewrite.Rewriter, *ir.Op, *ir.Value) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		for i := range op.NumOperands() {
			if op.Operand(i) != op.Operand(0) {
				return false
			}
		}
		return fill(r, op, op.Operand(0))
	}
}
