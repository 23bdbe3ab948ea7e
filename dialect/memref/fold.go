package memref

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// castOf returns the memref.cast that defines v, or nil.
func castOf(v *ir.Value) *ir.Op {
	if op := v.DefiningOp(); op != nil && op.Is(Cast) {
		return op
	}
	return nil
}

// FoldCasts makes the operation use the ranked sources of casts instead of their
// results, except for the operand except, and tells whether there were any. Casts stay if the operation would be
// invalid without them, as it is where it could only fail when it is executed.
func FoldCasts(op *ir.Op, except *ir.Value) bool {
	var casts []*ir.Value
	for i := range op.NumOperands() {
		v := op.Operand(i)
		c := castOf(v)
		if c == nil || v == except || memrefOf(CastOp{c}.Source().Type()) == nil {
			continue
		}
		if casts == nil {
			casts = op.Operands().Values()
		}
		op.SetOperand(i, CastOp{c}.Source())
	}
	if casts != nil && ir.VerifyOp(op) != nil {
		op.SetOperands(casts)
		return false
	}
	return casts != nil
}

func foldCastOperands(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

func foldStore(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if FoldCasts(op, StoreOp{op}.Value()) {
		return ir.FoldedInPlace()
	}
	return nil
}

func foldCast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if (CastOp{op}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(CastOp{op}.Source())
	}
	// Casts that can't both succeed stay: mlir-opt makes one of them that is invalid.
	if d := (CastOp{op}).Source().DefinedBy(Cast); d != nil && !CastCompatible(CastOp{d}.Source().Type(), op.Result(0).Type()) {
		return nil
	}
	if FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

func foldMemorySpaceCast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if (MemorySpaceCastOp{op}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(MemorySpaceCastOp{op}.Source())
	}
	if d := (MemorySpaceCastOp{op}).Source().DefiningOp(); d != nil && d.Is(MemorySpaceCast) {
		op.SetOperand(0, MemorySpaceCastOp{d}.Source())
		return ir.FoldedInPlace()
	}
	return nil
}

// CanFoldIntoConsumer tells whether a cast only forgets what is static about a
// buffer, so that what uses its result can use its source instead.
func CanFoldIntoConsumer(cast *ir.Op) bool {
	from, to := memrefOf(CastOp{cast}.Source().Type()), memrefOf(cast.Result(0).Type())
	if from == nil || to == nil || len(from.Shape) != len(to.Shape) || from.Elem != to.Elem {
		return false
	}
	sf, of, ok1 := from.StridesAndOffset()
	st, ot, ok2 := to.StridesAndOffset()
	if !ok1 || !ok2 || learns(of, ot) {
		return false
	}
	for i := range from.Shape {
		if learns(from.Shape[i], to.Shape[i]) || learns(sf[i], st[i]) {
			return false
		}
	}
	return true
}

// learns tells whether a number is dynamic before and static after a cast.
func learns(from, to int64) bool { return from == ir.Dynamic && to != ir.Dynamic }

func foldCopy(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if to := uncastCopy(op, CanFoldIntoConsumer); to != nil {
		op.SetOperands(to)
		return ir.FoldedInPlace()
	}
	return nil
}

// uncastCopy returns the operands of a copy without those casts of ranked buffers that may go; nil if there are none, or
// if the shapes could not be the same then: buffers whose sizes differ are left to be told apart when the program runs.
func uncastCopy(op *ir.Op, may func(cast *ir.Op) bool) []*ir.Value {
	var to []*ir.Value
	for i := range op.Operands() {
		if c := castOf(op.Operand(i)); c != nil && memrefOf(CastOp{c}.Source().Type()) != nil && may(c) {
			if to == nil {
				to = op.Operands().Values()
			}
			to[i] = CastOp{c}.Source()
		}
	}
	if to == nil || !ir.CompatibleShapes(to[0].Type(), to[1].Type()) {
		return nil
	}
	return to
}

func foldRank(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if shape, ok := ir.ShapeOf(RankOp{op}.MemRef().Type()); ok {
		return ir.FoldAttr(op.Context().IndexAttr(int64(len(shape))))
	}
	return nil
}

// nthDynamic returns the value that stands for dynamic dimension i of the shape.
func nthDynamic(shape []int64, i int, sizes ir.Operands) *ir.Value {
	n := ir.NumDynamic(shape[:i])
	if n >= len(sizes) {
		return nil
	}
	return sizes.At(n)
}

// dimFolder returns how memref.dim folds.
func dimFolder(sized func(v *ir.Value, i int) *ir.Value) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldDim(op, operands, sized) }
}

// foldDim folds a size that is static, or that sized returns the value of.
func foldDim(op *ir.Op, operands []ir.Attribute, sized func(v *ir.Value, i int) *ir.Value) []ir.FoldResult {
	o := DimOp{op}
	idx, ok := operands[1].(*ir.IntegerAttr)
	m := memrefOf(o.Source().Type())
	if !ok || m == nil || idx.Value < 0 || idx.Value >= int64(len(m.Shape)) {
		return nil
	}
	i := int(idx.Value)
	if m.Shape[i] != ir.Dynamic {
		return ir.FoldAttr(op.Context().IndexAttr(m.Shape[i]))
	}
	if v := sized(o.Source(), i); v != nil {
		return ir.FoldValue(v)
	}
	if FoldCasts(op, nil) {
		return ir.FoldedInPlace()
	}
	return nil
}

// laterDynamicSize is [DynamicSize] as LLVM 22 has it, which doesn't ask a reinterpret_cast.
func laterDynamicSize(v *ir.Value, i int) *ir.Value {
	if v.DefinedBy(ReinterpretCast) != nil {
		return nil
	}
	return DynamicSize(v, i)
}

// DynamicSize returns the value that the operation which defines v was given as
// the size of dynamic dimension i, or nil.
func DynamicSize(v *ir.Value, i int) *ir.Value {
	def := v.DefiningOp()
	if def == nil {
		return nil
	}
	if o, ok := AsAlloc(def); ok {
		return nthDynamic(o.Type().Shape, i, o.DynamicSizes())
	}
	switch {
	case def.Is(View):
		o := ViewOp{def}
		return nthDynamic(o.Type().Shape, i, o.Sizes())
	case def.Is(ReinterpretCast):
		return interfaces.MixedSizes(def)[i].Value
	case def.Is(SubView):
		o := SubViewOp{def}
		n := 0
		for d, dropped := range o.DroppedDims() {
			if dropped {
				continue
			}
			if n == i {
				return o.Slice().Sizes[d].Value
			}
			n++
		}
	}
	return nil
}

// foldReshape removes a reshape that undoes the one that defines its source.
func foldReshape(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	src := viewOp{op}.Source()
	if src.Type() == op.Result(0).Type() && ir.IsStaticShape(memrefOf(src.Type()).Shape) {
		return ir.FoldValue(src)
	}
	def := src.DefiningOp()
	if def == nil || def.OpName() == op.OpName() || !def.Is(ExpandShape) && !def.Is(CollapseShape) {
		return nil
	}
	if (viewOp{def}).Source().Type() != op.Result(0).Type() || def.Attr(ReassociationAttr) != op.Attr(ReassociationAttr) {
		return nil
	}
	// A group of several dynamic dimensions might be split in another way.
	big := op
	if def.Is(ExpandShape) {
		big = def
	}
	if op.Is(ExpandShape) {
		shape := memrefOf(big.Result(0).Type()).Shape
		for _, g := range interfaces.Reassociation(op) {
			dynamic := 0
			for _, d := range g {
				if shape[d] == ir.Dynamic {
					dynamic++
				}
			}
			if dynamic > 1 {
				return nil
			}
		}
	}
	return ir.FoldValue(viewOp{def}.Source())
}

func foldReinterpretCast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	src := ReinterpretCastOp{op}.Source()
	if def := src.DefiningOp(); def != nil && def != op {
		if def.Is(ReinterpretCast) || def.Is(Cast) || def.Is(SubView) && shapes.AllConst(interfaces.MixedOffsets(def), 0) {
			op.SetOperand(0, viewOp{def}.Source())
			return ir.FoldedInPlace()
		}
	}
	t := memrefOf(op.Result(0).Type())
	if src.Type() != ir.Type(t) || !isStaticLayout(t) {
		return nil
	}
	return ir.FoldValue(src)
}

// isStaticLayout tells whether sizes, strides and offset are all static.
func isStaticLayout(m *ir.MemRefType) bool {
	strides, offset, ok := m.StridesAndOffset()
	return ok && offset != ir.Dynamic && ir.IsStaticShape(strides) && ir.IsStaticShape(m.Shape)
}

func foldSubView(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := SubViewOp{op}
	if ir.Type(o.SourceType()) != op.Result(0).Type() {
		return nil
	}
	s := o.Slice()
	if isStaticLayout(o.SourceType()) || ir.IsStaticShape(o.SourceType().Shape) && allAscend(s.Strides) {
		return ir.FoldValue(o.Source()) // All elements are not out of bounds in their order only.
	}
	// A part of all of a part is that part.
	def := o.Source().DefiningOp()
	if def == nil || !def.Is(SubView) {
		return nil
	}
	if shapes.AllConst(s.Offsets, 0) && shapes.AllConst(s.Strides, 1) && shapes.SameList(s.Sizes, interfaces.MixedSizes(def)) {
		return ir.FoldValue(o.Source())
	}
	return nil
}

// allAscend tells whether the strides are known to be positive.
func allAscend(strides []shapes.OpFoldResult) bool {
	return !slices.ContainsFunc(strides, func(s shapes.OpFoldResult) bool {
		n, ok := s.Int()
		return !ok || n <= 0
	})
}

func foldTranspose(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := TransposeOp{op}
	if o.Permutation().IsIdentity() && o.Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(o.Source())
	}
	if d := o.Source().DefiningOp(); d != nil && d.Is(Transpose) {
		c := op.Context()
		m := c.Compose(o.Permutation(), TransposeOp{d}.Permutation())
		op.SetAttr("permutation", c.AffineMapAttr(m))
		op.SetOperand(0, TransposeOp{d}.Source())
		return ir.FoldedInPlace()
	}
	return nil
}
