package memref

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Cast changes what is statically known about a buffer's shape and layout.
var Cast = ir.NewOpID("memref.cast")

func castDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          Cast,
		Operands:    []ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef)},
		Results:     ir.SingleResult("dest", constraint.AnyRankedOrUnrankedMemRef),
		Traits:      ir.TraitPure,
		Format:      "$source attr-dict `:` type($source) `to` type($dest)",
		Verify:      func(op *ir.Op) error { return verifyCast(op, CastCompatible) },
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsViewed),
			named("cast"),
			viewOfFirst,
			interfaces.Cast.Model(struct{}{}),
			exec.Executable.Model(executeCast),
		},
		Fold: foldCast,
	}
}

// CastOp is a memref.cast.
type CastOp struct{ *ir.Op }

// Source returns the buffer that is cast.
func (o CastOp) Source() *ir.Value { return o.Operand(0) }

// NewCast casts v to the type t.
func NewCast(b *ir.Builder, t ir.Type, v *ir.Value) *ir.Value {
	return b.CreateOp(Cast, []ir.Type{t}, []*ir.Value{v}).Result(0)
}

func verifyCast(op *ir.Op, compatible func(from, to ir.Type) bool) error {
	from, to := CastOp{op}.Source().Type(), op.Result(0).Type()
	if !compatible(from, to) {
		return op.Errorf("operand type '%s' and result type '%s' are cast incompatible", from, to)
	}
	return nil
}

// CanBeNew tells whether a buffer that is allocated can be of a type: it is unranked, or has a layout that the identity can be cast to.
func CanBeNew(c *ir.Context, t ir.Type) bool {
	m := memrefOf(t)
	return m == nil || CastCompatible(c.MemRefOf(m.Shape, m.Elem, nil, m.Space), m)
}

// CastCompatible tells whether memref.cast can turn one type into the other:
// element types and memory spaces are the same, and no size, stride or offset is
// known to differ.
func CastCompatible(from, to ir.Type) bool {
	if !ir.IsMemRef(from) || !ir.IsMemRef(to) || ir.ElementType(from) != ir.ElementType(to) ||
		ir.MemorySpaceOf(from) != ir.MemorySpaceOf(to) {
		return false
	}
	f, t := memrefOf(from), memrefOf(to)
	if f == nil && t == nil {
		return false
	}
	if f == nil || t == nil {
		return true
	}
	if len(f.Shape) != len(t.Shape) {
		return false
	}
	for i := range f.Shape {
		if !ir.SameSize(f.Shape[i], t.Shape[i]) {
			return false
		}
	}
	if f.Layout == t.Layout {
		return true
	}
	sf, of, ok1 := f.StridesAndOffset()
	st, ot, ok2 := t.StridesAndOffset()
	if !ok1 || !ok2 || len(sf) != len(st) || !ir.SameSize(of, ot) {
		return false
	}
	for i := range sf {
		// The stride of a dimension of size 1 doesn't matter.
		if f.Shape[i] != 1 && t.Shape[i] != 1 && !ir.SameSize(sf[i], st[i]) {
			return false
		}
	}
	return true
}

// MemorySpaceCast changes the memory space of a buffer's type.
var MemorySpaceCast = ir.NewOpID("memref.memory_space_cast")

func memorySpaceCastDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          MemorySpaceCast,
		Operands:    []ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef)},
		Results:     ir.SingleResult("dest", constraint.AnyRankedOrUnrankedMemRef),
		Traits:      ir.TraitPure,
		Format:      "$source attr-dict `:` type($source) `to` type($dest)",
		Verify:      func(op *ir.Op) error { return verifyCast(op, spaceCastCompatible) },
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsViewed),
			named("memspacecast"),
			viewOfFirst,
			interfaces.Cast.Model(struct{}{}),
			exec.Executable.Model(executeCast),
		},
		Fold: foldMemorySpaceCast,
	}
}

func spaceCastCompatible(from, to ir.Type) bool {
	if f, t := memrefOf(from), memrefOf(to); f != nil && t != nil {
		if len(f.Shape) != len(t.Shape) || f.Elem != t.Elem || f.Layout != t.Layout {
			return false
		}
		for i := range f.Shape {
			if f.Shape[i] != t.Shape[i] {
				return false
			}
		}
		return true
	}
	f, ok1 := from.(*ir.UnrankedMemRefType)
	t, ok2 := to.(*ir.UnrankedMemRefType)
	return ok1 && ok2 && f.Elem == t.Elem
}

// ExtractAlignedPointerAsIndex returns the address of a buffer.
var ExtractAlignedPointerAsIndex = ir.NewOpID("memref.extract_aligned_pointer_as_index")

func extractAlignedPointerAsIndexDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ExtractAlignedPointerAsIndex,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef)},
		Results:  ir.SingleResult("aligned_pointer", constraint.Index),
		Traits:   ir.TraitPure,
		Format:   "$source `:` type($source) `->` type(results) attr-dict",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			named("intptr"),
			exec.Executable.Model(executeExtractAlignedPointerAsIndex),
		},
	}
}

// NewExtractAlignedPointerAsIndex creates the operation for the address of v.
func NewExtractAlignedPointerAsIndex(b *ir.Builder, v *ir.Value) *ir.Value {
	return b.CreateOp(ExtractAlignedPointerAsIndex, []ir.Type{ir.Index}, []*ir.Value{v}).Result(0)
}

// ExtractStridedMetadata takes a buffer apart: base, offset, sizes and strides.
var ExtractStridedMetadata = ir.NewOpID("memref.extract_strided_metadata")

func extractStridedMetadataDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ExtractStridedMetadata,
		Operands: []ir.OperandDef{ir.Operand("source", stridedMemRef)},
		// Sizes and strides are as many; together they are the variadic rest.
		Results: []ir.ResultDef{{Name: "base_buffer", Type: scalarStridedMemRef}, {Name: "offset", Type: constraint.Index},
			{Name: "sizes_and_strides", Type: constraint.Index, Arity: ir.Variadic}},
		Traits: ir.TraitPure,
		Format: "$source `:` type($source) `->` type(results) attr-dict",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			m := memrefOf(s.Operands[0].Type())
			types := append(s.TypeRoom(2+2*len(m.Shape)), s.Name.Context().MemRefOf(nil, m.Elem, nil, m.Space), ir.Index)
			for range 2 * len(m.Shape) {
				types = append(types, ir.Index)
			}
			return types, nil
		},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			viewOfFirst,
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				o := ExtractStridedMetadataOp{op}
				name(o.BaseBuffer(), "base_buffer")
				name(o.Offset(), "offset")
				if sizes := o.Sizes(); len(sizes) > 0 {
					name(sizes.At(0), "sizes")
					name(o.Strides().At(0), "strides")
				}
			}),
			exec.Executable.Model(executeMetadata),
			rewrite.Patterns(rewrite.Pattern{Name: "ExtractStridedMetadataCastFolder", Since: 22, Rewrite: metadataOfCast}),
		},
		Fold: foldMetadata,
	}
}

// metadataOfCast takes apart what a cast casts.
func metadataOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	def := ExtractStridedMetadataOp{op}.Source().DefinedBy(Cast)
	if def == nil {
		return false
	}
	source, ok := def.Operand(0).Type().(*ir.MemRefType)
	if !ok || !stridedMemRef.Match(source) {
		return false
	}
	r.Modify(op, func() { op.SetOperand(0, def.Operand(0)) })
	return true
}

// ExtractStridedMetadataOp is a memref.extract_strided_metadata.
type ExtractStridedMetadataOp struct{ *ir.Op }

// Source returns the buffer that is taken apart.
func (o ExtractStridedMetadataOp) Source() *ir.Value { return o.Operand(0) }

// BaseBuffer returns the allocation as a buffer of rank 0.
func (o ExtractStridedMetadataOp) BaseBuffer() *ir.Value { return o.Result(0) }

// Offset returns the number of elements before the first one.
func (o ExtractStridedMetadataOp) Offset() *ir.Value { return o.Result(1) }

func (o ExtractStridedMetadataOp) rank() int { return (o.NumResults() - 2) / 2 }

// Sizes returns the sizes of the dimensions.
func (o ExtractStridedMetadataOp) Sizes() ir.Results { return o.Results()[2 : 2+o.rank()] }

// Strides returns the strides of the dimensions.
func (o ExtractStridedMetadataOp) Strides() ir.Results { return o.Results()[2+o.rank():] }

// NewExtractStridedMetadata creates the operation that takes v apart.
func NewExtractStridedMetadata(b *ir.Builder, v *ir.Value) ExtractStridedMetadataOp {
	return ExtractStridedMetadataOp{b.CreateOp(ExtractStridedMetadata, nil, []*ir.Value{v})}
}

// View sees a part of a buffer of bytes as a contiguous buffer of another type.
var View = ir.NewOpID("memref.view")

func viewDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          View,
		Operands:    []ir.OperandDef{ir.Operand("source", byteMemRef), ir.Operand("byte_shift", constraint.Index), indices("sizes")},
		Results:     ir.SingleResult("", constraint.AnyMemRef),
		Traits:      ir.TraitPure,
		Format:      "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)",
		Verify:      verifyView,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			named("view"),
			viewOfFirst,
			interfaces.OneOfEquals.Model(func(op *ir.Op) bool { return IsArena(ViewOp{op}.Source()) }), // a buffer of its own: one more may begin where it ends
			interfaces.ShiftedBase.Model(func(op *ir.Op) shapes.OpFoldResult { return shapes.SizeOf(ViewOp{op}.ByteShift()) }),
			exec.Executable.Model(executeView),
			rewrite.Patterns(viewPatterns()...),
		},
		Revisions: []ir.Revision{{Since: 22, Fold: foldView}},
	}
}

// ViewOp is a memref.view.
type ViewOp struct{ *ir.Op }

// Source returns the buffer of bytes.
func (o ViewOp) Source() *ir.Value { return o.Operand(0) }

// ByteShift returns the position of the view's first byte.
func (o ViewOp) ByteShift() *ir.Value { return o.Operand(1) }

// Sizes returns the sizes of the dynamic dimensions.
func (o ViewOp) Sizes() ir.Operands { return o.OperandGroup(2) }

// Type returns the type of the view.
func (o ViewOp) Type() *ir.MemRefType { return memrefOf(o.Result(0).Type()) }

// NewView creates a view of type t at a position in a buffer of bytes.
func NewView(b *ir.Builder, t *ir.MemRefType, source, shift *ir.Value, sizes ...*ir.Value) *ir.Value {
	return b.CreateOp(View, []ir.Type{t}, append([]*ir.Value{source, shift}, sizes...)).Result(0)
}

func verifyView(op *ir.Op) error {
	o := ViewOp{op}
	from, to := memrefOf(o.Source().Type()), o.Type()
	if !from.HasIdentityLayout() {
		return op.PlainErrorf("unsupported map for base memref type '%s'", from)
	}
	if !to.HasIdentityLayout() {
		return op.PlainErrorf("unsupported map for result memref type '%s'", to)
	}
	if from.Space != to.Space {
		return op.PlainErrorf("different memory spaces specified for base memref type '%s' and view memref type '%s'", from, to)
	}
	if len(o.Sizes()) != ir.NumDynamic(to.Shape) {
		if op.Context().LLVM() >= 22 {
			return op.Errorf(wrongSizes, len(o.Sizes()), ir.NumDynamic(to.Shape))
		}
		return op.PlainErrorf("incorrect number of size operands for type '%s'", to)
	}
	return nil
}

// Transpose permutes the dimensions of a buffer by permuting its strides.
var Transpose = ir.NewOpID("memref.transpose")

func transposeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          Transpose,
		Operands:    []ir.OperandDef{ir.Operand("in", stridedMemRef)},
		Results:     ir.SingleResult("", stridedMemRef),
		Attrs:       []ir.AttrDef{{Name: "permutation", Type: constraint.AffineMapAttr}},
		Traits:      ir.TraitPure,
		Verify:      verifyTranspose,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsViewed),
			named("transpose"),
			interfaces.OtherView.Model(func(op *ir.Op) *ir.Value { return TransposeOp{op}.Source() }),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseTranspose, Print: printTranspose}),
			exec.Executable.Model(executeTranspose),
		},
		Fold: foldTranspose,
	}
}

// TransposeOp is a memref.transpose.
type TransposeOp struct{ *ir.Op }

// Source returns the buffer whose dimensions are permuted.
func (o TransposeOp) Source() *ir.Value { return o.Operand(0) }

// Permutation returns the map from the dimensions of the result to those of the
// source.
func (o TransposeOp) Permutation() *ir.AffineMap {
	return o.Attr("permutation").(*ir.AffineMapAttr).Map
}

// NewTranspose creates a view of v with permuted dimensions.
func NewTranspose(b *ir.Builder, v *ir.Value, perm *ir.AffineMap) *ir.Value {
	c := b.Context()
	return b.CreateOp(Transpose, []ir.Type{transposedType(c, memrefOf(v.Type()), perm)}, []*ir.Value{v},
		ir.NamedAttr{Name: "permutation", Value: c.AffineMapAttr(perm)}).Result(0)
}

func transposedType(c *ir.Context, m *ir.MemRefType, perm *ir.AffineMap) *ir.MemRefType {
	strides, offset, _ := m.StridesAndOffset()
	shape, st := make([]int64, len(m.Shape)), make([]int64, len(m.Shape))
	for i, r := range perm.Results {
		shape[i], st[i] = m.Shape[r.Value], strides[r.Value]
	}
	return c.MemRefOf(shape, m.Elem, c.StridedLayout(offset, st), m.Space)
}

func verifyTranspose(op *ir.Op) error {
	o := TransposeOp{op}
	from, perm := memrefOf(o.Source().Type()), o.Permutation()
	if !perm.IsPermutation() {
		return op.Errorf("expected a permutation map")
	}
	if perm.Dims != len(from.Shape) {
		return op.Errorf("expected a permutation map of same rank as the input")
	}
	want, got := transposedType(op.Context(), from, perm), memrefOf(op.Result(0).Type())
	if !sameLayout(op.Context(), want, got) {
		return op.Errorf("result type '%s' is not equivalent to the canonical transposed input type '%s'", got, mappedLayout(op.Context(), want))
	}
	return nil
}

// sameLayout tells whether two types are equal up to the spelling of a strided
// layout.
func sameLayout(c *ir.Context, a, b *ir.MemRefType) bool {
	return a == b || canonicalLayout(c, a) == canonicalLayout(c, b)
}

// mappedLayout returns the type with its strided layout as a map.
func mappedLayout(c *ir.Context, m *ir.MemRefType) *ir.MemRefType {
	if l, ok := m.Layout.(*ir.StridedLayoutAttr); ok {
		return c.MemRefOf(m.Shape, m.Elem, c.AffineMapAttr(LayoutMap(c, l)), m.Space)
	}
	return m
}

// LayoutMap returns the map from indices to places that a strided layout is. What isn't a
// constant in it is a symbol: the offset first, then the strides.
func LayoutMap(c *ir.Context, l *ir.StridedLayoutAttr) *ir.AffineMap {
	syms := 0
	number := func(n int64) *ir.AffineExpr {
		if n != ir.Dynamic {
			return c.AffineConstant(n)
		}
		syms++
		return c.AffineSymbol(syms - 1)
	}
	e := number(l.Offset)
	for d, stride := range l.Strides {
		e = c.AffineAdd(e, c.AffineMul(c.AffineDim(d), number(stride)))
	}
	return c.AffineMap(len(l.Strides), syms, e)
}

func canonicalLayout(c *ir.Context, m *ir.MemRefType) ir.Type {
	strides, offset, ok := m.StridesAndOffset()
	if !ok {
		return m
	}
	return c.MemRefOf(m.Shape, m.Elem, c.StridedLayout(offset, strides), m.Space)
}

func parseTranspose(p *asm.Parser, s *ir.OpState) error {
	in, err := p.Operand()
	if err != nil {
		return err
	}
	m, err := p.AffineMap()
	if err != nil {
		return err
	}
	s.SetAttr("permutation", p.Context().AffineMapAttr(m))
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	from, err := p.ColonTypeOf(ir.MemRefClass)
	if err != nil {
		return err
	}
	if err := p.ResolveInto(s, from, in); err != nil {
		return err
	}
	if err := p.Keyword("to"); err != nil {
		return err
	}
	to, err := p.Type()
	s.Types = []ir.Type{to}
	return err
}

// printMap writes a map without affine_map<>.
func printMap(p *asm.Printer, m *ir.AffineMap) {
	p.Writer().AffineMap(m)
}

func printTranspose(p *asm.Printer, op *ir.Op) {
	o := TransposeOp{op}
	p.Text(" ")
	p.Operand(o.Source())
	p.Text(" ")
	printMap(p, o.Permutation())
	p.OptionalAttrDict(op.DiscardableAttrs())
	p.Text(" : ")
	p.Type(o.Source().Type())
	p.Text(" to ")
	p.Type(op.Result(0).Type())
}

// Narrows tells whether the result of an operation may be a part of the buffer that it views, which nobody can free
// by that name. It is not if it has as many elements, of the same type. A reshape has, unless its types say otherwise.
func Narrows(op *ir.Op) bool {
	if !op.Is(SubView) && !op.Is(View) && !op.Is(ReinterpretCast) && !op.Is(Reshape) {
		return false
	}
	from, to := viewOp{op}.Source().Type(), op.Result(0).Type()
	n, known := ir.NumElementsOf(from)
	m, knownToo := ir.NumElementsOf(to)
	if op.Is(Reshape) {
		return known && knownToo && n != m
	}
	return !known || !knownToo || n != m || ir.ElementType(from) != ir.ElementType(to)
}
