package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

func setAttrInts(op *ir.Op, name string, values []int64) {
	op.SetAttr(name, i64Array(op.Context(), values))
}

func i64Array(c *ir.Context, values []int64) *ir.ArrayAttr {
	elems := make([]ir.Attribute, len(values))
	for i, v := range values {
		elems[i] = c.I64Attr(v)
	}
	return c.ArrayAttr(elems...)
}

// rankOf returns the rank of a vector type, 0 for other types.
func rankOf(t ir.Type) int {
	if v := vec(t); v != nil {
		return len(v.Shape)
	}
	return 0
}

// staticPositionOf returns the position of an extract or insert without dynamic
// parts.
func staticPositionOf(op *ir.Op) ([]int64, bool) {
	pos := interfaces.StaticInts(op, staticPosition)
	return pos, !slices.Contains(pos, ir.Dynamic)
}

// extractFrom makes an extract take its part, at another position, from v.
func extractFrom(op *ir.Op, v *ir.Value, pos []int64) []ir.FoldResult {
	op.SetAttr(staticPosition, op.Context().DenseI64Array(pos...))
	op.SetOperand(0, v)
	return ir.FoldedInPlace()
}

// foldExtract looks for where the part that is extracted comes from.
func foldExtract(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	v := ExtractOp{op}.Vector()
	pos, static := staticPositionOf(op)
	if len(pos) == 0 && v.Type() == op.Result(0).Type() {
		return ir.FoldValue(v)
	}
	if source := broadcastSource(v); source != nil && source.Type() == op.Result(0).Type() {
		return ir.FoldValue(source)
	}
	if !static {
		return nil
	}
	for _, fold := range []func(*ir.Op, []int64) []ir.FoldResult{extractOfExtract, extractOfInserts, extractOfBroadcast, extractOfShapeCast, extractOfSlice, extractOfSliceInserts} {
		if f := fold(op, pos); f != nil {
			return f
		}
	}
	return nil
}

// broadcastSource returns what v is a broadcast or splat of, or nil.
func broadcastSource(v *ir.Value) *ir.Value {
	if op := v.DefiningOp(); op != nil && (op.Is(Broadcast) || op.Is(Splat)) {
		return op.OnlyOperand()
	}
	return nil
}

func extractOfExtract(op *ir.Op, pos []int64) []ir.FoldResult {
	v, all := ExtractOp{op}.Vector(), slices.Clone(pos)
	for inner := v.DefinedBy(Extract); inner != nil; inner = v.DefinedBy(Extract) {
		p, static := staticPositionOf(inner)
		if !static {
			break
		}
		all = append(slices.Clone(p), all...)
		v = ExtractOp{inner}.Vector()
	}
	if v == (ExtractOp{op}).Vector() {
		return nil
	}
	return extractFrom(op, v, all)
}

// extractOfInserts follows insertions and transpositions back to the vector that
// the part was in first. Dimensions of the vector that are not part of the position
// are numbered -1, -2, ... so that transpositions of them are noticed.
func extractOfInserts(op *ir.Op, position []int64) []ir.FoldResult {
	rank := rankOf(ExtractOp{op}.Vector().Type())
	n := len(position)
	at := slices.Clone(position)
	for i := n; i < rank; i++ {
		at = append(at, int64(n-i-1))
	}
	inOrder := func(rest []int64) bool {
		for i, d := range rest {
			if d != int64(-1-i) {
				return false
			}
		}
		return true
	}
	v := ExtractOp{op}.Vector()
	for way := (ir.Trail{}); ; {
		if way.Returns(v) {
			return nil
		}
		if t := v.DefinedBy(Transpose); t != nil {
			moved := make([]int64, len(at))
			for i, p := range interfaces.StaticInts(t, "permutation") {
				moved[p] = at[i]
			}
			at, v = moved, TransposeOp{t}.Vector()
			continue
		}
		ins := v.DefinedBy(Insert)
		if ins == nil {
			break
		}
		into, static := staticPositionOf(ins)
		if !static {
			return nil
		}
		if len(into) <= len(at) && slices.Equal(into, at[:len(into)]) {
			rest := at[len(into):]
			switch {
			case len(into) == n:
				if inOrder(rest) {
					return ir.FoldValue(InsertOp{ins}.Source())
				}
				return nil
			case len(into) < n && inOrder(at[n:]):
				return extractFrom(op, InsertOp{ins}.Source(), slices.Clone(at[len(into):n]))
			}
			return nil
		}
		apart := false
		for i := range into {
			apart = apart || at[i] >= 0 && at[i] != into[i]
		}
		if !apart {
			return nil // what was inserted is a part of what is extracted
		}
		v = InsertOp{ins}.Dest()
	}
	if v == (ExtractOp{op}).Vector() || !inOrder(at[n:]) {
		return nil
	}
	return extractFrom(op, v, at[:n])
}

func extractOfBroadcast(op *ir.Op, pos []int64) []ir.FoldResult {
	bc := ExtractOp{op}.Vector().DefinedBy(Broadcast)
	if bc == nil {
		return nil
	}
	src, dst := vec(BroadcastOp{bc}.Source().Type()), vec(bc.Result(0).Type())
	part := vec(op.Result(0).Type())
	if src == nil || rankOf(op.Result(0).Type()) >= len(src.Shape) {
		return nil
	}
	if part != nil && len(part.Shape) > 0 && !slices.Equal(src.Shape[len(src.Shape)-len(part.Shape):], part.Shape) {
		return nil
	}
	diff := len(dst.Shape) - len(src.Shape)
	at := slices.Clone(pos)
	for i := diff; i < len(at); i++ {
		if src.Shape[i-diff] == 1 && dst.Shape[i] != 1 {
			at[i] = 0
		}
	}
	return extractFrom(op, BroadcastOp{bc}.Source(), at[diff:])
}

// extractOfShapeCast extracts from before a shape_cast, if the dimensions of the
// part are the last ones there, too.
func extractOfShapeCast(op *ir.Op, pos []int64) []ir.FoldResult {
	cast := ExtractOp{op}.Vector().DefinedBy(ShapeCast)
	if cast == nil {
		return nil
	}
	src, dst := vec(ShapeCastOp{cast}.Source().Type()), vec(cast.Result(0).Type())
	if len(src.Shape) == 0 || len(dst.Shape) == 0 {
		return nil
	}
	var part []int64
	if v := vec(op.Result(0).Type()); v != nil {
		part = v.Shape
	}
	if len(part) > len(src.Shape) || !slices.Equal(src.Shape[len(src.Shape)-len(part):], part) {
		return nil
	}
	linear := int64(0)
	for i, p := range pos {
		linear = linear*dst.Shape[i] + p
	}
	at := make([]int64, len(src.Shape)-len(part))
	for i := len(at) - 1; i >= 0; i-- {
		at[i] = linear % src.Shape[i]
		linear /= src.Shape[i]
	}
	return extractFrom(op, ShapeCastOp{cast}.Source(), at)
}

// extractOfSlice extracts from what a slice was taken of, if the part has only
// dimensions that the slice left alone.
func extractOfSlice(op *ir.Op, pos []int64) []ir.FoldResult {
	slice := ExtractOp{op}.Vector().DefinedBy(ExtractStridedSlice)
	if slice == nil || !allOnes(listAttr(slice, "strides")) {
		return nil
	}
	src, dst := vec(ExtractStridedSliceOp{slice}.Vector().Type()), vec(slice.Result(0).Type())
	offsets := listAttr(slice, "offsets")
	for n := len(offsets); n > 0 && offsets[n-1] == 0 && src.Shape[n-1] == dst.Shape[n-1]; n = len(offsets) {
		offsets = offsets[:n-1]
	}
	if rankOf(op.Result(0).Type()) > len(dst.Shape)-len(offsets) {
		return nil
	}
	at := slices.Clone(pos)
	for i, o := range offsets {
		at[i] += o
	}
	return extractFrom(op, ExtractStridedSliceOp{slice}.Vector(), at)
}

func allOnes(list []int64) bool {
	return !slices.ContainsFunc(list, func(v int64) bool { return v != 1 })
}

// extractOfSliceInserts follows insertions of slices to the one that holds the part.
func extractOfSliceInserts(op *ir.Op, pos []int64) []ir.FoldResult {
	part := rankOf(op.Result(0).Type())
	for ins := (ExtractOp{op}).Vector().DefinedBy(InsertStridedSlice); ins != nil; ins = (InsertStridedSliceOp{ins}).Dest().DefinedBy(InsertStridedSlice) {
		src, dst := vec(InsertStridedSliceOp{ins}.Source().Type()), vec(InsertStridedSliceOp{ins}.Dest().Type())
		if part > len(src.Shape) || !allOnes(listAttr(ins, "strides")) {
			return nil
		}
		diff := len(dst.Shape) - len(src.Shape)
		offsets := listAttr(ins, "offsets")
		var at []int64
		apart := false
		for d, p := range pos {
			size := int64(1)
			if d >= diff {
				size = src.Shape[d-diff]
			}
			if p < offsets[d] || p >= offsets[d]+size {
				apart = true
				break
			}
			if d >= diff {
				at = append(at, p-offsets[d])
			}
		}
		if apart {
			continue
		}
		for i := len(src.Shape) - part; i < len(src.Shape); i++ {
			if src.Shape[i] != dst.Shape[i+diff] {
				return nil
			}
		}
		return extractFrom(op, InsertStridedSliceOp{ins}.Source(), at)
	}
	return nil
}

// foldExtractElement folds elements, at constant positions, of constants, splats
// and broadcast scalars.
func foldExtractElement(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) < 2 || operands[1] == nil {
		return nil
	}
	if source := broadcastSource(ExtractElementOp{op}.Vector()); source != nil && vec(source.Type()) == nil {
		return ir.FoldValue(source)
	}
	d, ok := operands[0].(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	i, ok := elementIndex(vec(ExtractElementOp{op}.Vector().Type()), operands[1:])
	if !ok {
		return nil
	}
	return ir.FoldAttr(d.Elem(op.Context(), i))
}

// elementIndex returns the constant position of an element of a vector of at most
// one dimension.
func elementIndex(v *ir.VectorType, position []ir.Attribute) (int64, bool) {
	if len(v.Shape) == 0 {
		return 0, len(position) == 0
	}
	if len(position) == 0 {
		return 0, false
	}
	at, ok := position[0].(*ir.IntegerAttr)
	if !ok || at.Big != nil || at.Value < 0 || at.Value >= v.Shape[0] {
		return 0, false
	}
	return at.Value, true
}

// foldInsertElement folds insertions of constants into constants.
func foldInsertElement(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	d, ok := operands[1].(*ir.DenseElementsAttr)
	if !ok || operands[0] == nil || !expandable(d) {
		return nil
	}
	i, ok := elementIndex(vec(op.Result(0).Type()), operands[2:])
	if !ok {
		return nil
	}
	elems := rawElements(d)
	elems[i] = ir.AppendElement(nil, operands[0])
	return ir.FoldAttr(op.Context().DenseElements(d.Type, slices.Concat(elems...)))
}

// listedElements is the number of elements up to which folding lists those of what took no
// memory before.
const listedElements = 1 << 20

// expandable tells whether the elements of a constant may be listed: a splat takes no
// memory before.
func expandable(d *ir.DenseElementsAttr) bool {
	shape, _ := ir.ShapeOf(d.Type)
	n, countable := ir.NumElements(shape)
	return !d.Splat || countable && n <= listedElements
}

// rawElements returns the bytes of all elements.
func rawElements(d *ir.DenseElementsAttr) [][]byte {
	out := make([][]byte, d.Len())
	for i := range out {
		out[i] = []byte(d.Raw(int64(i)))
	}
	return out
}

// rawOf returns the bytes of the elements of a constant: one for a scalar.
func rawOf(a ir.Attribute) [][]byte {
	if d, ok := a.(*ir.DenseElementsAttr); ok {
		return rawElements(d)
	}
	return [][]byte{ir.AppendElement(nil, a)}
}
