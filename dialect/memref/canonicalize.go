package memref

import (
	"strings"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

func allocPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "SimplifyAllocConst", Rewrite: allocConstantSizes},
		{Name: "SimplifyDeadAlloc", Rewrite: eraseDeadAlloc},
	}
}

func copyPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "FoldCopyOfCast", Until: 21, Rewrite: copyOfCast(func(*ir.Op) bool { return true })},
		{Name: "FoldCopyOfCast", Since: 22, Rewrite: copyOfCast(CanFoldIntoConsumer)},
		{Name: "FoldEmptyCopy", Rewrite: emptyCopy},
		{Name: "FoldSelfCopy", Rewrite: selfCopy},
	}
}

func subViewPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "OpWithOffsetSizesAndStridesConstantArgumentFolder", Until: 21, Rewrite: subViewConstants(func(s shapes.Slice, _ []int64) bool { return s.FoldConstants() })},
		{Name: "OpWithOffsetSizesAndStridesConstantArgumentFolder", Since: 22, Rewrite: subViewConstants(shapes.Slice.FoldConstantsWithin)},
		{Name: "SubViewOpMemRefCastFolder", Until: 21, Rewrite: subViewOfCast(shapes.Slice.Anywhere)},
		{Name: "SubViewOpMemRefCastFolder", Since: 22, Rewrite: subViewOfCast(shapes.Slice.Within)},
		{Name: "TrivialSubViewOpFolder", Rewrite: trivialSubView},
	}
}

func viewPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ViewOpShapeFolder", Rewrite: viewConstants},
		{Name: "ViewOpMemrefCastFolder", Until: 21, Rewrite: viewOfCast(allocates)},
		{Name: "ViewOpMemrefCastFolder", Since: 22, Rewrite: viewOfCast(forgetsSizes)},
	}
}

// allocConstantSizes moves constant sizes of an allocation into its type.
func allocConstantSizes(r *rewrite.Rewriter, op *ir.Op) bool {
	o := AllocOp{op}
	t := o.Type()
	dynamic := o.DynamicSizes()
	if len(dynamic) == 0 {
		return false
	}
	shape, sizes := shapes.FoldConstantSizes(t.Shape, dynamic.Values())
	if len(sizes) == len(dynamic) {
		return false
	}
	r.At(op)
	nt := r.Context().MemRefOf(shape, t.Elem, t.Layout, t.Space)
	align, _ := o.Alignment()
	v := newAlloc(r.Builder, op.ID(), nt, sizes, o.SymbolOperands().Values(), 0)
	if align != 0 {
		v.DefiningOp().SetAttr(AlignmentAttr, op.Attr(AlignmentAttr))
	}
	for _, a := range op.DiscardableAttrs() {
		if strings.Contains(a.Name, ".") { // what a dialect says of the buffer, such as that the program itself frees it
			v.DefiningOp().SetAttr(a.Name, a.Value)
		}
	}
	r.Replace(op, NewCast(r.Builder, t, v))
	return true
}

// eraseDeadAlloc removes an allocation that is only written and freed.
func eraseDeadAlloc(r *rewrite.Rewriter, op *ir.Op) bool {
	v := op.Result(0)
	for u := v.FirstUse(); u != nil; u = u.Next() {
		user := u.Owner()
		if !user.Is(Dealloc) && !(user.Is(Store) && StoreOp{user}.Value() != v) {
			return false
		}
	}
	for _, u := range v.Uses() {
		r.Erase(u.Owner())
	}
	if op.Is(Realloc) && !usedLater(op, ReallocOp{op}.Source()) {
		NewDealloc(r.At(op), ReallocOp{op}.Source()) // which the operation does, too
	}
	r.Erase(op)
	return true
}

// usedLater tells whether an operation after op, in its block, accesses, frees or returns v. If op frees v, that is wrong
// whatever is done about it.
func usedLater(op *ir.Op, v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		user := u.Owner()
		if user.Block() != op.Block() || !op.IsBefore(user) {
			continue
		}
		if user.Has(ir.TraitReturnLike) || interfaces.HasEffect(user, interfaces.Read, v) || interfaces.HasEffect(user, interfaces.Write, v) || interfaces.HasEffect(user, interfaces.Free, v) {
			return true
		}
	}
	return false
}

// copyOfCast skips casts of what is copied that may be skipped. Until LLVM 21, those that know more of the shape may be, too.
func copyOfCast(may func(cast *ir.Op) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		to := uncastCopy(op, may)
		if to != nil {
			r.Modify(op, func() { op.SetOperands(to) })
		}
		return to != nil
	}
}

func selfCopy(r *rewrite.Rewriter, op *ir.Op) bool {
	o := CopyOp{op}
	if o.Source() != o.Target() {
		return false
	}
	r.Erase(op)
	return true
}

func emptyCopy(r *rewrite.Rewriter, op *ir.Op) bool {
	for i := range op.NumOperands() {
		shape, _ := ir.ShapeOf(op.Operand(i).Type())
		for _, d := range shape {
			if d == 0 {
				r.Erase(op)
				return true
			}
		}
	}
	return false
}

// dimOfReshape reads a size from the shape that a reshape was given.
func dimOfReshape(r *rewrite.Rewriter, op *ir.Op) bool {
	o := DimOp{op}
	def := o.Source().DefiningOp()
	if def == nil || !def.Is(Reshape) {
		return false
	}
	// The index must be there right after the reshape, where the shape can't have been
	// written since.
	if idx := o.Index().DefiningOp(); idx != nil {
		if def.Block() == idx.Block() {
			if def.IsBefore(idx) {
				return false
			}
		} else if !idx.Region().IsProperAncestorOf(def.Region()) {
			return false
		}
	} else if b := o.Index().ArgOwner(); b != def.Block() && !b.Region().IsProperAncestorOf(def.Region()) {
		return false
	}
	r.SetAfter(def)
	r.Loc = op.Loc()
	v := NewLoad(r.Builder, ReshapeOp{def}.Shape(), o.Index())
	if v.Type() != ir.Type(ir.Index) {
		v = arith.NewCast(r.Builder, arith.IndexCast, ir.Index, v)
	}
	r.Replace(op, v)
	return true
}

// subViewConstants moves constant offsets, sizes and strides into the attributes; fold makes those of a slice of a shape constants.
func subViewConstants(fold func(s shapes.Slice, shape []int64) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		if !hasConstantIndex(op) {
			return false
		}
		o := SubViewOp{op}
		s := o.Slice()
		if !fold(s, o.SourceType().Shape) {
			return false
		}
		t := canonicalSubViewType(o, o.SourceType(), s)
		if t == nil {
			return false
		}
		r.At(op)
		v := NewSubView(r.Builder, t, o.Source(), s)
		r.Replace(op, NewCast(r.Builder, o.Type(), v))
		return true
	}
}

// canonicalSubViewType returns the type of the slice of a source, with the same
// dimensions left out as before; nil if those are not known.
func canonicalSubViewType(o SubViewOp, source *ir.MemRefType, s shapes.Slice) *ir.MemRefType {
	c := o.Context()
	full := SubViewType(c, source, s)
	if len(full.Shape) == len(o.Type().Shape) {
		return full
	}
	dropped := o.DroppedDims()
	if dropped == nil {
		return nil
	}
	return dropDims(c, full, dropped)
}

// hasConstantIndex tells whether an offset, size or stride is the value of a constant.
func hasConstantIndex(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if op.Operand(i).Type() == ir.Type(ir.Index) && ir.ConstantOf(op.Operand(i)) != nil {
			return true
		}
	}
	return false
}

// subViewOfCast takes the slice of the source of a cast, if that may have it.
func subViewOfCast(may func(s shapes.Slice, shape []int64) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		if hasConstantIndex(op) {
			return false // constants go into the attributes first
		}
		o := SubViewOp{op}
		cast := castOf(o.Source())
		if cast == nil || !CanFoldIntoConsumer(cast) {
			return false
		}
		s := o.Slice()
		if !may(s, memrefOf(CastOp{cast}.Source().Type()).Shape) {
			return false
		}
		t := canonicalSubViewType(o, memrefOf(CastOp{cast}.Source().Type()), s)
		if t == nil {
			return false
		}
		r.At(op)
		v := NewSubView(r.Builder, t, CastOp{cast}.Source(), s)
		r.Replace(op, NewCast(r.Builder, o.Type(), v))
		return true
	}
}

// trivialSubView replaces a slice that is all of its source.
func trivialSubView(r *rewrite.Rewriter, op *ir.Op) bool {
	o := SubViewOp{op}
	from := o.SourceType()
	if op.NumOperands() > 1 || len(from.Shape) != len(o.Type().Shape) {
		return false
	}
	offsets, sizes, strides := interfaces.StaticSlice(op)
	for i := range from.Shape {
		if offsets.Int(i) != 0 || strides.Int(i) != 1 || sizes.Int(i) != from.Shape[i] {
			return false
		}
	}
	if from == o.Type() {
		r.Replace(op, o.Source())
		return true
	}
	r.At(op)
	r.Replace(op, NewCast(r.Builder, o.Type(), o.Source()))
	return true
}

// viewConstants moves constant sizes of a view into its type.
func viewConstants(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ViewOp{op}
	t := o.Type()
	if !t.HasIdentityLayout() {
		return false
	}
	shape := append([]int64(nil), t.Shape...)
	var sizes []*ir.Value
	n := 0
	for i, d := range shape {
		if d != ir.Dynamic {
			continue
		}
		v := o.Sizes().At(n)
		n++
		if k, ok := ir.ConstantInt(v); ok && k >= 0 {
			shape[i] = k
		} else {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) == n {
		return false
	}
	r.At(op)
	v := NewView(r.Builder, r.Context().MemRefOf(shape, t.Elem, nil, t.Space), o.Source(), o.ByteShift(), sizes...)
	r.Replace(op, NewCast(r.Builder, t, v))
	return true
}

// viewOfCast makes a view of what a cast is of, rather than of the cast, if it may.
func viewOfCast(may func(cast *ir.Op) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		o := ViewOp{op}
		c := castOf(o.Source())
		if c == nil || !may(c) {
			return false
		}
		r.At(op)
		r.Replace(op, NewView(r.Builder, o.Type(), CastOp{c}.Source(), o.ByteShift(), o.Sizes().Values()...))
		return true
	}
}

// allocates tells whether a cast is of a new buffer.
func allocates(cast *ir.Op) bool {
	a, ok := AsAlloc(CastOp{cast}.Source().DefiningOp())
	return ok && a.Is(Alloc)
}

// inlineAllocaScope removes a scope in which nothing is allocated on the stack.
func inlineAllocaScope(r *rewrite.Rewriter, op *ir.Op) bool {
	allocates := false
	op.Walk(func(x *ir.Op) bool {
		if x == op {
			return true
		}
		allocates = allocates || mayAllocateOnStack(x)
		return !allocates && !x.Has(ir.TraitAutomaticAllocationScope)
	})
	// Inlining must not make allocations live longer.
	if allocates && (!op.Parent().Has(ir.TraitAutomaticAllocationScope) || !isLastOfRegion(op)) {
		return false
	}
	body := op.BodyBlock(0)
	t := body.Last()
	values := t.Operands().Values()
	r.Erase(t)
	r.InlineBlockBefore(body, op.Block(), op, nil)
	r.Replace(op, values...)
	return true
}

// isLastOfRegion tells whether only a terminator follows in the only block of the
// region.
func isLastOfRegion(op *ir.Op) bool {
	t := op.Block().Terminator()
	return t != nil && op.Next() == t && op.Region().NumBlocks() == 1
}

// hoistAllocas moves the allocations of a scope that ends where an enclosing
// operation ends before that operation, into the scope around.
func hoistAllocas(r *rewrite.Rewriter, op *ir.Op) bool {
	last := op.Parent()
	if op.ParentWith(ir.TraitAutomaticAllocationScope) == nil || last.Has(ir.TraitAutomaticAllocationScope) || !isLastOfRegion(op) {
		return false
	}
	for !last.Parent().Has(ir.TraitAutomaticAllocationScope) {
		last = last.Parent()
	}
	var region *ir.Region
	for _, x := range last.Regions() {
		if x.IsAncestorOf(op.Region()) {
			region = x
		}
	}
	var hoisted []*ir.Op
	op.Walk(func(x *ir.Op) bool {
		if x == op {
			return true
		}
		if !x.Is(Alloca) {
			return !x.Has(ir.TraitAutomaticAllocationScope)
		}
		for i := range x.NumOperands() {
			if region.IsAncestorOf(x.Operand(i).ParentRegion()) {
				return false
			}
		}
		hoisted = append(hoisted, x)
		return false
	})
	r.SetBefore(last)
	for _, x := range hoisted {
		n := r.Clone(x, ir.NewMapping())
		r.Replace(x, n.Results().Values()...)
	}
	return len(hoisted) > 0
}

func mayAllocateOnStack(op *ir.Op) bool {
	if op.Has(ir.TraitRecursiveMemoryEffects) {
		return false
	}
	effects, known := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Allocate && e.On() == interfaces.AutomaticAllocationScopeResource {
			return true
		}
	}
	return !known
}

// reinterpretMetadata recognises a buffer that was taken apart and put together
// again.
func reinterpretMetadata(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ReinterpretCastOp{op}
	def := o.Source().DefiningOp()
	if def == nil || !def.Is(ExtractStridedMetadata) {
		return false
	}
	meta := ExtractStridedMetadataOp{def}
	if o.Source() != meta.BaseBuffer() {
		return false
	}
	source := meta.Source()
	m := memrefOf(source.Type())
	strides, offset, _ := m.StridesAndOffset()
	s := o.Slice()
	if len(s.Sizes) != len(m.Shape) || !isMetadata(s.Offsets[0], offset, meta.Offset()) {
		return false
	}
	for i := range s.Sizes {
		if !isMetadata(s.Sizes[i], m.Shape[i], meta.Sizes().At(i)) || !isMetadata(s.Strides[i], strides[i], meta.Strides().At(i)) {
			return false
		}
	}
	if source.Type() == op.Result(0).Type() {
		r.Replace(op, source)
		return true
	}
	if !CastCompatible(source.Type(), op.Result(0).Type()) {
		return false
	}
	r.At(op)
	r.Replace(op, NewCast(r.Builder, op.Result(0).Type(), source))
	return true
}

// isMetadata tells whether x is the number that the type or else the metadata
// says.
func isMetadata(x shapes.OpFoldResult, static int64, v *ir.Value) bool {
	return x.Value == v || static != ir.Dynamic && x.IsConst(static)
}
