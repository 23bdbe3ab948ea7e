package tensor

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// viewBufferize is what operations have whose result is a view of the first
// operand's buffer.
type viewBufferize struct {
	interfaces.BufferizeDefaults
	relation interfaces.BufferRelation
}

func (m viewBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	if u.Index() != 0 {
		return nil
	}
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: m.relation, Definite: true}}
}

// readsBufferize is what operations have that only read their tensor operands.
type readsBufferize struct{ interfaces.BufferizeDefaults }

func (readsBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

// allocBufferize is what operations have whose result is a new buffer.
type allocBufferize struct{ interfaces.BufferizeDefaults }

func (allocBufferize) Allocates(*ir.Value) bool { return true }

// sourceSpace returns the type and memory space of the buffer of a tensor.
func sourceSpace(v *ir.Value, t interfaces.BufferTyper) (ir.Type, ir.Attribute, error) {
	src, err := t.BufferType(v)
	if err != nil {
		return nil, nil, err
	}
	return src, ir.MemorySpaceOf(src), nil
}

type castBufferize struct{ viewBufferize }

func (castBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := CastOp{v.DefiningOp()}
	src, space, err := sourceSpace(op.Source(), t)
	if err != nil {
		return nil, err
	}
	result, ok := v.Type().(*ir.RankedTensorType)
	if !ok {
		return t.IdentityType(v.Type(), space), nil
	}
	if m, ok := src.(*ir.MemRefType); ok {
		return t.Context().MemRefOf(result.Shape, result.Elem, m.Layout, space), nil
	}
	if t.State().LLVM() < 17 {
		// The layout is what is asked for where nothing is known of it.
		u, err := t.UnknownType(v)
		if m, ok := u.(*ir.MemRefType); ok {
			return t.Context().MemRefOf(result.Shape, result.Elem, m.Layout, space), nil
		}
		return u, err
	}
	return t.DynamicType(result, space), nil
}

func (castBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(CastOp{op}.Source())
	if err != nil {
		return err
	}
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	if buffer.Type() != t || b.State().LLVM() < 17 {
		buffer = memref.NewCast(b.Builder(), t, buffer)
	}
	b.Replace(op, buffer)
	return nil
}

type collapseBufferize struct{ viewBufferize }

// Reads returns true because the source is copied if its layout can't be
// collapsed.
func (collapseBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (collapseBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := CollapseShapeOp{v.DefiningOp()}
	src, space, err := sourceSpace(op.Source(), t)
	if err != nil {
		return nil, err
	}
	if m := memref.CollapsedInPlace(t.Context(), src.(*ir.MemRefType), op.Reassociation(), t.State().LLVM()); m != nil {
		return m, nil
	}
	return t.IdentityType(v.Type(), space), nil
}

func (collapseBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := CollapseShapeOp{op}
	buffer, err := b.Buffer(o.Source())
	if err != nil {
		return err
	}
	c, m := b.Context(), buffer.Type().(*ir.MemRefType)
	if result := op.Result(0).Type().(*ir.RankedTensorType); len(result.Shape) == 0 {
		t := c.MemRefOf(nil, result.Elem, nil, m.Space)
		if !m.HasIdentityLayout() {
			_, offset, ok := m.StridesAndOffset()
			if !ok {
				return op.PlainErrorf("failed to bufferize: the source layout is not strided")
			}
			t = c.MemRefOf(nil, result.Elem, c.StridedLayout(offset, nil), m.Space)
		}
		b.Replace(op, memref.NewCollapseShape(b.Builder(), t, buffer, o.Reassociation()))
		return nil
	}
	t := memref.CollapsedInPlace(c, m, o.Reassociation(), b.State().LLVM())
	if t == nil {
		if buffer, err = identityCopy(b, o.Source(), m); err != nil {
			return err
		}
		t = memref.CollapsedType(c, buffer.Type().(*ir.MemRefType), o.Reassociation())
	}
	b.Replace(op, memref.NewCollapseShape(b.Builder(), t, buffer, o.Reassociation()))
	return nil
}

// identityCopy returns a copy of a tensor as a buffer with the identity layout.
func identityCopy(b interfaces.Bufferizer, v *ir.Value, m *ir.MemRefType) (*ir.Value, error) {
	copied, err := b.CopyTensor(v, true)
	if err != nil {
		return nil, err
	}
	return b.ToBuffer(copied, b.Context().MemRefOf(m.Shape, m.Elem, nil, m.Space)), nil
}

// expandBufferize makes a view of the sizes that the operation was given, or of what is computed from those of the buffer.
type expandBufferize struct {
	viewBufferize
	given bool
}

func (expandBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := ExpandShapeOp{v.DefiningOp()}
	src, err := t.BufferType(op.Source())
	if err != nil {
		return nil, err
	}
	r := memref.ExpandedType(t.Context(), src.(*ir.MemRefType), v.Type().(*ir.RankedTensorType).Shape, op.Reassociation())
	if r == nil {
		return nil, op.PlainErrorf("failed to bufferize: the source layout can't be expanded")
	}
	return r, nil
}

func (m expandBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := ExpandShapeOp{op}
	buffer, err := b.Buffer(o.Source())
	if err != nil {
		return err
	}
	t := memref.ExpandedType(b.Context(), buffer.Type().(*ir.MemRefType), op.Result(0).Type().(*ir.RankedTensorType).Shape, o.Reassociation())
	if t == nil {
		return op.PlainErrorf("failed to bufferize: the source layout can't be expanded")
	}
	sizes := o.OutputShape()
	if !m.given {
		sizes = expandedSizes(b, o, buffer)
	}
	b.Replace(op, memref.NewExpandShape(b.Builder(), t, buffer, o.Reassociation(), sizes))
	return nil
}

// expandedSizes returns the sizes of an expanded buffer: what the type says, and else, as in MLIR,
// what is computed from the sizes of the buffer; where a dimension is split into several of unknown sizes,
// which makes MLIR crash, they are those that the operation was given.
func expandedSizes(b interfaces.Bufferizer, o ExpandShapeOp, buffer *ir.Value) []shapes.OpFoldResult {
	shape := o.Result(0).Type().(*ir.RankedTensorType).Shape
	dynamic := func(dim int64) bool { return shape[dim] == ir.Dynamic }
	out := o.OutputShape()
	for i, n := range shape {
		if n != ir.Dynamic {
			out[i] = shapes.ConstSize(n)
		}
	}
	for _, group := range o.Reassociation() {
		if i := slices.IndexFunc(group, dynamic); i >= 0 && slices.ContainsFunc(group[i+1:], dynamic) {
			return out
		}
	}
	if ir.IsStaticShape(shape) {
		return out
	}
	var source []shapes.OpFoldResult
	for i := range buffer.Type().(*ir.MemRefType).Shape {
		source = append(source, b.SizeOf(buffer, i))
	}
	for i, group := range o.Reassociation() {
		at := slices.IndexFunc(group, dynamic)
		if at < 0 || source[i].Value == nil {
			continue
		}
		known := int64(1)
		for _, dim := range group {
			if !dynamic(dim) {
				known *= shape[dim]
			}
		}
		by := arith.ConstantIndex(b.Builder(), known)
		size := source[i].Value
		if known != 1 {
			size = arith.New(b.Builder(), arith.DivUI, size, by)
		}
		out[group[at]] = shapes.OpFoldResult{Value: size}
	}
	return out
}

type dimBufferize struct{ interfaces.BufferizeDefaults }

func (dimBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(DimOp{op}.Source())
	if err != nil {
		return err
	}
	b.Replace(op, b.Builder().CreateOp(memref.Dim, []ir.Type{ir.Index}, []*ir.Value{buffer, DimOp{op}.Index()}).Result(0))
	return nil
}

type rankBufferize struct{ interfaces.BufferizeDefaults }

func (rankBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(RankOp{op}.Tensor())
	if err != nil {
		return err
	}
	b.Replace(op, b.Builder().CreateOp(memref.Rank, []ir.Type{op.Result(0).Type()}, []*ir.Value{buffer}).Result(0))
	return nil
}

type emptyBufferize struct{ allocBufferize }

// WritesResult returns false: the contents are undefined.
func (emptyBufferize) WritesResult(*ir.Value, interfaces.AnalysisState) bool { return false }

func (emptyBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	if !op.HasUses() {
		b.Erase(op)
		return nil
	}
	t, err := b.CopyTensor(op.Result(0), false)
	if err != nil {
		return err
	}
	op.Result(0).ReplaceAllUsesWith(t)
	b.Erase(op)
	return nil
}

type extractSliceBufferize struct{ viewBufferize }

func (extractSliceBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	op := ExtractSliceOp{v.DefiningOp()}
	src, err := t.BufferType(op.Source())
	if err != nil {
		return nil, err
	}
	return memref.RankReducedSubViewType(t.Context(), op.Type().Shape, src.(*ir.MemRefType), op.Slice()), nil
}

func (m extractSliceBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := ExtractSliceOp{op}
	buffer, err := b.Buffer(o.Source())
	if err != nil {
		return err
	}
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	b.Replace(op, memref.NewSubView(b.Builder(), t.(*ir.MemRefType), buffer, o.Slice()))
	return nil
}

type extractBufferize struct{ readsBufferize }

func (extractBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(ExtractOp{op}.Tensor())
	if err != nil {
		return err
	}
	b.Replace(op, memref.NewLoad(b.Builder(), buffer, ExtractOp{op}.Indices().Values()...))
	return nil
}

type fromElementsBufferize struct{ allocBufferize }

func (fromElementsBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	space, ok := b.DefaultMemorySpace(op.Result(0).Type())
	if !ok {
		return op.PlainErrorf("memory space not implemented yet")
	}
	t := op.Result(0).Type().(*ir.RankedTensorType)
	alloc, err := b.CopyTensor(op.Result(0), false)
	if err != nil {
		return err
	}
	buffer := b.ToBuffer(alloc, b.IdentityType(t, space))
	elements := op.Operands().Values()
	// One constant for each index that occurs.
	var most int64
	for _, d := range t.Shape {
		most = max(most, d)
	}
	var constants []*ir.Value
	if len(elements) > 0 {
		for i := range most {
			constants = append(constants, arith.ConstantIndex(b.Builder(), i))
		}
	}
	index := make([]int64, len(t.Shape))
	for _, e := range elements {
		at := make([]*ir.Value, len(index))
		for d, i := range index {
			at[d] = constants[i]
		}
		memref.NewStore(b.Builder(), e, buffer, at...)
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < t.Shape[d] {
				break
			}
			index[d] = 0
		}
	}
	b.Replace(op, buffer)
	return nil
}

// MoveBody moves the body of a generate or pad operation to the builder's
// insertion point, with the indices for its arguments, and returns what it yields.
// The body is left with its end alone.
func MoveBody(b *ir.Builder, body *ir.Block, indices []*ir.Value) *ir.Value {
	for i, a := range body.Args() {
		a.ReplaceAllUsesWith(indices[i])
	}
	yield := body.Last()
	for o := body.First(); o != yield; o = body.First() {
		o.Remove()
		b.Insert(o)
	}
	return yield.OnlyOperand()
}

type generateBufferize struct{ allocBufferize }

func (generateBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	if _, ok := b.DefaultMemorySpace(op.Result(0).Type()); !ok {
		return op.PlainErrorf("memory space not implemented yet")
	}
	alloc, err := b.CopyTensor(op.Result(0), false)
	if err != nil {
		return err
	}
	t := b.MapElements(alloc, func(b *ir.Builder, indices []*ir.Value) *ir.Value {
		return MoveBody(b, GenerateOp{op}.Body(), indices)
	})
	op.Result(0).ReplaceAllUsesWith(t)
	b.Erase(op)
	return nil
}

type splatBufferize struct{ allocBufferize }

func (splatBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	alloc, err := b.CopyTensor(op.Result(0), false)
	if err != nil {
		return err
	}
	input := SplatOp{op}.Input()
	t := b.MapElements(alloc, func(_ *ir.Builder, indices []*ir.Value) *ir.Value {
		for _, i := range indices {
			b.Erase(i.DefiningOp())
		}
		return input
	})
	op.Result(0).ReplaceAllUsesWith(t)
	b.Erase(op)
	return nil
}

type padBufferize struct{ readsBufferize }

func (padBufferize) Allocates(*ir.Value) bool { return true }

func (padBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	_, space, err := sourceSpace(PadOp{v.DefiningOp()}.Source(), t)
	if err != nil {
		return nil, err
	}
	return t.IdentityType(v.Type(), space), nil
}

func (padBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := PadOp{op}
	padSizes(b.Builder(), o)
	alloc, err := b.CopyTensor(op.Result(0), false)
	if err != nil {
		return err
	}
	filled := b.MapElements(alloc, func(b *ir.Builder, indices []*ir.Value) *ir.Value {
		return MoveBody(b, o.Body(), indices)
	})
	src := o.SourceType()
	s := shapes.Slice{Offsets: o.Low()}
	shapes.FoldConstants(s.Offsets, true, false)
	for i, d := range src.Shape {
		size := shapes.ConstSize(d)
		if d == ir.Dynamic {
			size = shapes.SizeOf(NewDim(b.Builder(), o.Source(), int64(i)))
		}
		s.Sizes = append(s.Sizes, size)
		s.Strides = append(s.Strides, shapes.ConstSize(1))
	}
	r := NewInsertSlice(b.Builder(), o.Source(), filled, s)
	op.Result(0).ReplaceAllUsesWith(r)
	b.Erase(op)
	return nil
}

// padSizes creates the dynamic sizes of the result. MLIR creates them before those of
// the allocation, and uses only the latter.
func padSizes(b *ir.Builder, o PadOp) {
	c := b.Context()
	low, high := o.Low(), o.High()
	sum := c.AffineMap(0, 3, c.AffineAdd(c.AffineAdd(c.AffineSymbol(0), c.AffineSymbol(1)), c.AffineSymbol(2)))
	for i, d := range o.Type().Shape {
		if d == ir.Dynamic {
			size := NewDim(b, o.Source(), int64(i))
			before := arith.ValueOf(b, low[i])
			affine.NewApply(b, sum, size, before, arith.ValueOf(b, high[i]))
		}
	}
}

type insertBufferize struct {
	interfaces.DestinationBufferize
}

func (insertBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := InsertOp{op}
	dest, err := b.Buffer(o.Dest())
	if err != nil {
		return err
	}
	memref.NewStore(b.Builder(), o.Scalar(), dest, o.Indices().Values()...)
	b.Replace(op, dest)
	return nil
}

// overwritesAll tells whether a slice is all of a tensor of the given shape.
func overwritesAll(s shapes.Slice, shape []int64) bool {
	for i, d := range shape {
		if d == ir.Dynamic || !s.Sizes[i].IsConst(d) {
			return false
		}
	}
	return shapes.AllConst(s.Offsets, 0) && shapes.AllConst(s.Strides, 1)
}

type insertSliceBufferize struct {
	interfaces.DestinationBufferize
}

// Reads tells whether the operand is the source, or a destination that is not
// overwritten altogether.
func (insertSliceBufferize) Reads(u *ir.Use, _ interfaces.AnalysisState) bool {
	return !interfaces.IsInit(u) || !overwritesAll(interfaces.SliceOf(u.Owner()), u.Value().Type().(*ir.RankedTensorType).Shape)
}

func (insertSliceBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := InsertSliceOp{op}
	dest, err := copyIntoSlice(b, o.Source(), o.Dest(), o.Slice())
	if err != nil {
		return err
	}
	b.Replace(op, dest)
	return nil
}

// copyIntoSlice copies the buffer of source into a slice of that of dest, and
// returns the latter.
func copyIntoSlice(b interfaces.Bufferizer, source, dest *ir.Value, s shapes.Slice) (*ir.Value, error) {
	into, err := b.Buffer(dest)
	if err != nil {
		return nil, err
	}
	t := memref.RankReducedSubViewType(b.Context(), source.Type().(*ir.RankedTensorType).Shape, into.Type().(*ir.MemRefType), s)
	part := memref.NewSubView(b.Builder(), t, into, s)
	from, err := b.Buffer(source)
	if err != nil {
		return nil, err
	}
	return into, b.Copy(from, part)
}

type parallelInsertSliceBufferize struct{ interfaces.BufferizeDefaults }

// Reads is true also for a destination that is overwritten altogether, of which another iteration may write another part.
func (parallelInsertSliceBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (parallelInsertSliceBufferize) Writes(u *ir.Use, _ interfaces.AnalysisState) bool {
	return u.Index() == 1
}

// PlanCopies makes no copies: the destination is the output of the loop, which is
// written in place.
func (parallelInsertSliceBufferize) PlanCopies(*ir.Op, interfaces.AnalysisState, interfaces.CopyPlanner) {
}

func (parallelInsertSliceBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	// The copy goes before the terminator that holds the operation.
	b.Builder().SetBefore(op.Parent())
	if _, err := copyIntoSlice(b, InsertSliceOp{op}.Source(), InsertSliceOp{op}.Dest(), interfaces.SliceOf(op)); err != nil {
		return err
	}
	b.Erase(op)
	return nil
}

type reshapeBufferize struct{ viewBufferize }

// Reads tells that the shape is read.
func (reshapeBufferize) Reads(u *ir.Use, _ interfaces.AnalysisState) bool { return u.Index() == 1 }

// AliasingValues returns the result, for the shape, too: so does MLIR until version 19.
func (reshapeBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

// laterReshapeBufferize is how LLVM 20 and later bufferize tensor.reshape: the result has nothing to do with the buffer of the shape.
type laterReshapeBufferize struct{ reshapeBufferize }

// AliasingValues returns the result for the source.
func (m laterReshapeBufferize) AliasingValues(u *ir.Use, s interfaces.AnalysisState) []interfaces.AliasingValue {
	if u.Index() == 1 {
		return nil
	}
	return m.reshapeBufferize.AliasingValues(u, s)
}

func (reshapeBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	_, space, err := sourceSpace(ReshapeOp{v.DefiningOp()}.Source(), t)
	if err != nil {
		return nil, err
	}
	return t.IdentityType(v.Type(), space), nil
}

func (reshapeBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := ReshapeOp{op}
	src, err := b.Buffer(o.Source())
	if err != nil {
		return err
	}
	shape, err := b.Buffer(o.Shape())
	if err != nil {
		return err
	}
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	if m, ok := src.Type().(*ir.MemRefType); ok && !m.HasIdentityLayout() {
		if src, err = identityCopy(b, o.Source(), m); err != nil {
			return err
		}
	}
	b.Replace(op, memref.NewReshape(b.Builder(), t, src, shape))
	return nil
}
