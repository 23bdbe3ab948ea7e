package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

const (
	outerDimsPerm    = "outer_dims_perm"
	innerDimsPos     = "inner_dims_pos"
	staticInnerTiles = "static_inner_tiles"
)

var tileAttrs = []ir.AttrDef{
	{Name: outerDimsPerm, Type: constraint.DenseI64Array, Optional: true},
	i64s(innerDimsPos), i64s(staticInnerTiles),
}

// Pack splits dimensions of a tensor into tiles, which become the innermost
// dimensions of the result.
var Pack = ir.NewOpID("tensor.pack")

func packDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Pack,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), ir.Operand("dest", constraint.AnyRankedTensor),
			{Name: "padding_value", Type: constraint.AnyType, Arity: ir.Optional}, indices("inner_tiles")},
		Results:   ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:     append(append([]ir.AttrDef(nil), tileAttrs...), segments),
		Traits:    ir.TraitNoMemoryEffect | ir.TraitAttrSizedOperandSegments,
		TypeRules: []ir.TypeRule{sameAs("dest", "result", "result type matches type of dest")},
		Format: "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? (`outer_dims_perm` `=` $outer_dims_perm^)?" +
			" `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)" +
			" `into` $dest attr-dict `:` type($source) `->` type($dest)",
		Later: []ir.Spelling{{Since: 20, Name: "linalg.pack"}},
		Models: []ir.Model{
			named("pack"),
			interfaces.DestinationStyle.Model(secondOperand),
			interfaces.ReifyShapes.Model(reifyDest),
			interfaces.ConditionallySpeculatable.Model(tiledSpeculatability),
			rewrite.Patterns(packPatterns()...),
			exec.Executable.Model(executePack),
		},
		Verify: verifyPack,
		Fold:   foldPack,
	}
}

// Unpack is the inverse of [Pack].
var Unpack = ir.NewOpID("tensor.unpack")

func unpackDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Unpack,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedTensor), ir.Operand("dest", constraint.AnyRankedTensor),
			indices("inner_tiles")},
		Results:   ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:     tileAttrs,
		Traits:    ir.TraitNoMemoryEffect,
		TypeRules: []ir.TypeRule{sameAs("dest", "result", "result type matches type of dest")},
		Format: "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos" +
			" `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles)" +
			" `into` $dest attr-dict `:` type($source) `->` type($dest)",
		Later: []ir.Spelling{{Since: 20, Name: "linalg.unpack"}},
		Models: []ir.Model{
			named("unpack"),
			interfaces.DestinationStyle.Model(secondOperand),
			interfaces.ReifyShapes.Model(reifyDest),
			interfaces.ConditionallySpeculatable.Model(tiledSpeculatability),
			rewrite.Patterns(unpackPatterns()...),
			exec.Executable.Model(executeUnpack),
		},
		Verify: func(op *ir.Op) error { return verifyTiles(RelayoutOp{op}) },
		Fold:   foldUnpack,
	}
}

// RelayoutOp is a tensor.pack or tensor.unpack.
type RelayoutOp struct{ *ir.Op }

// Source returns the tensor whose layout is changed.
func (o RelayoutOp) Source() *ir.Value { return o.Operand(0) }

// Dest returns the destination.
func (o RelayoutOp) Dest() *ir.Value { return o.Operand(1) }

// Packed returns the type of the side with tiles.
func (o RelayoutOp) Packed() *ir.RankedTensorType {
	if o.Is(Pack) {
		return ranked(o.Dest().Type())
	}
	return ranked(o.Source().Type())
}

// Unpacked returns the type of the side without tiles.
func (o RelayoutOp) Unpacked() *ir.RankedTensorType {
	if o.Is(Pack) {
		return ranked(o.Source().Type())
	}
	return ranked(o.Dest().Type())
}

// OuterDimsPerm returns how the outer dimensions are permuted; empty for not at
// all.
func (o RelayoutOp) OuterDimsPerm() []int64 { return interfaces.StaticInts(o.Op, outerDimsPerm) }

// InnerDimsPos returns the dimensions that are tiled.
func (o RelayoutOp) InnerDimsPos() []int64 { return interfaces.StaticInts(o.Op, innerDimsPos) }

// InnerTiles returns the sizes of the tiles.
func (o RelayoutOp) InnerTiles() []shapes.OpFoldResult {
	return interfaces.MixedList(o.Op, o.Def().OperandIndex("inner_tiles"), staticInnerTiles)
}

// Padding returns the padding value of a tensor.pack, or nil.
func (o RelayoutOp) Padding() *ir.Value {
	if !o.Is(Pack) {
		return nil
	}
	return o.OptionalOperand(2)
}

// tiledSpeculatability says that a tile of size 0 is undefined behaviour.
func tiledSpeculatability(op *ir.Op) interfaces.Speculatability {
	o := RelayoutOp{op}
	tiles := o.InnerTiles()
	if o.Is(Pack) && o.Padding() != nil {
		return interfaces.AlwaysSpeculatable
	}
	for _, t := range tiles {
		if t.Value != nil {
			return interfaces.NotSpeculatable
		}
	}
	if !ir.IsStaticShape(ranked(o.Source().Type()).Shape) || !ir.IsStaticShape(ranked(o.Dest().Type()).Shape) {
		return interfaces.NotSpeculatable
	}
	return interfaces.AlwaysSpeculatable
}

func reifyDest(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	return [][]shapes.OpFoldResult{MixedSizes(b, RelayoutOp{op}.Dest())}
}

// PackedShape returns the shape of a packed tensor, dynamic where the unpacked
// size or the tile is.
func PackedShape(shape, tiles, pos, perm []int64) []int64 {
	outer := append([]int64(nil), shape...)
	for i, p := range pos {
		switch {
		case outer[p] == ir.Dynamic:
		case tiles[i] == ir.Dynamic:
			outer[p] = ir.Dynamic
		default:
			outer[p] = (outer[p] + tiles[i] - 1) / tiles[i]
		}
	}
	if len(perm) > 0 {
		permuted := make([]int64, len(outer))
		for i, p := range perm {
			permuted[i] = outer[p]
		}
		outer = permuted
	}
	return append(outer, tiles...)
}

// validPositions tells whether the list holds different dimensions of a tensor of
// the given rank.
func validPositions(list []int64, rank int) bool {
	seen := make([]bool, rank)
	if len(list) > rank {
		return false
	}
	for _, d := range list {
		if d < 0 || d >= int64(rank) || seen[d] {
			return false
		}
		seen[d] = true
	}
	return true
}

// exactTilesSince is the first version of LLVM in which a tile whose size is an operand is of a size that the type doesn't know, and in which there are no more tiles
// than needed.
const exactTilesSince = 22

func verifyTiles(o RelayoutOp) error {
	op, tiles := o.Op, o.InnerTiles()
	static := interfaces.StaticInts(op, staticInnerTiles)
	if n := len(op.OperandGroup(op.Def().OperandIndex("inner_tiles"))); n != ir.NumDynamic(static) {
		return op.PlainErrorf("expected %d dynamic inner_tiles values", ir.NumDynamic(static))
	}
	for _, t := range tiles {
		if t.IsConst(0) {
			return op.PlainErrorf("invalid zero tile factor")
		}
	}
	unpacked, packed := o.Unpacked(), o.Packed()
	rank := len(unpacked.Shape)
	pos, perm := o.InnerDimsPos(), o.OuterDimsPerm()
	switch {
	case !validPositions(pos, rank):
		return op.PlainErrorf("invalid inner_dims_pos vector")
	case !validPositions(perm, rank):
		return op.PlainErrorf("invalid outer_dims_perm vector")
	case len(perm) > 0 && len(perm) != rank:
		return op.PlainErrorf("outer_dims_perm must be a permutation or empty")
	case len(tiles) > rank:
		return op.PlainErrorf("tiling factors must be less than or equal to the input rank for pack or output rank for unpack")
	case len(tiles) != len(pos):
		return op.PlainErrorf("tiling factors must equal the number of dimensions to tile")
	case rank+len(tiles) != len(packed.Shape):
		if op.Context().LLVM() >= 22 {
			return op.PlainErrorf("packed rank != (unpacked rank + num tiling factors), got %d != %d", len(packed.Shape), rank+len(tiles))
		}
		return op.PlainErrorf("packed rank must equal unpacked rank + tiling factors")
	}
	expected := PackedShape(unpacked.Shape, static, pos, perm)
	if op.Context().LLVM() >= exactTilesSince {
		return verifyExactTiles(o, expected)
	}
	for i, d := range expected {
		if d != ir.Dynamic && packed.Shape[i] != ir.Dynamic && d > packed.Shape[i] {
			return op.PlainErrorf("the shape of output is not large enough to hold the packed data. Expected at least '%s', got '%s'",
				op.Context().RankedTensor(expected, unpacked.Elem), packed)
		}
	}
	for i, t := range tiles {
		// A size that is known, also from a constant, may still be unknown in the type.
		if d := packed.Shape[rank+i]; d != ir.Dynamic && !t.IsConst(d) {
			return op.PlainErrorf(wrongTiles)
		}
	}
	return nil
}

const wrongTiles = "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"

// verifyExactTiles checks the packed type as LLVM 22 does: sizes of tiles are known in it if and only if they are attributes, and there are no
// more tiles than needed.
func verifyExactTiles(o RelayoutOp, expected []int64) error {
	op, packed := o.Op, o.Packed()
	rank := len(o.Unpacked().Shape)
	for i, size := range interfaces.StaticInts(op, staticInnerTiles) {
		if packed.Shape[rank+i] != size {
			return op.PlainErrorf(wrongTiles)
		}
	}
	for i, d := range expected {
		if d != ir.Dynamic && packed.Shape[i] != ir.Dynamic && d != packed.Shape[i] {
			return op.PlainErrorf("expected '%s' for the packed domain value, got '%s'", op.Context().RankedTensor(expected, packed.Elem), packed)
		}
	}
	return nil
}

func verifyPack(op *ir.Op) error {
	o := RelayoutOp{op}
	if err := verifyTiles(o); err != nil {
		return err
	}
	elem := ranked(o.Source().Type()).Elem
	if p := o.Padding(); p != nil {
		if p.Type() != elem {
			return op.Errorf("expected padding_value has '%s' but got: '%s'", elem, p.Type())
		}
		return nil
	}
	if o.needsPadding() {
		return op.Errorf("invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set")
	}
	return nil
}

// needsPadding tells whether some tile is known to be partial. Of tiles of unknown size, those that are as many as don't divide the size are.
func (o RelayoutOp) needsPadding() bool {
	src, dst := o.Unpacked().Shape, o.Packed().Shape
	outer := append([]int64(nil), dst[:len(src)]...)
	if perm := o.OuterDimsPerm(); len(perm) > 0 {
		for i, p := range perm {
			outer[p] = dst[i]
		}
	}
	for i, p := range o.InnerDimsPos() {
		if src[p] == ir.Dynamic {
			continue
		}
		tile, ok := o.InnerTiles()[i].Int()
		if !ok {
			if outer[p] != ir.Dynamic && (outer[p] == 0 || src[p]%outer[p] != 0) {
				return true
			}
			continue
		}
		if src[p]%tile != 0 {
			return true
		}
	}
	return false
}
