package vector

import (
	"freehold/dialect/arith"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Operations that rearrange elements.
var (
	// Broadcast repeats a scalar or vector along leading and unit dimensions.
	Broadcast = &ir.OpDef{Name: "vector.broadcast", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("source", constraint.AnyType)},
		Results:   result("vector", anyRank),
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type")},
		Format:    "$source attr-dict `:` type($source) `to` type($vector)"}
	// Splat is a vector whose elements are all the same.
	Splat = &ir.OpDef{Name: "vector.splat", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("input", splatElement)},
		Results:   result("aggregate", anyRank),
		TypeRules: []ir.TypeRule{elementOf("aggregate", "input", "operand type matches element type of result")},
		Format:    "$input attr-dict `:` type($aggregate)"}
	// FromElements is a vector of the given elements.
	FromElements = &ir.OpDef{Name: "vector.from_elements", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{{Name: "elements", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:   result("result", anyRank),
		TypeRules: []ir.TypeRule{{From: "result", To: "elements", Repeat: elementTypes, Summary: "operand types match result element type"}},
		Format:    "$elements attr-dict `:` type($result)"}
	// Shuffle picks elements of two vectors by constant numbers.
	Shuffle = &ir.OpDef{Name: "vector.shuffle", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("v1", fixed), operand("v2", fixed)},
		Results:  result("vector", anyVector),
		Attrs:    []ir.AttrDef{attr("mask", constraint.I64ArrayAttr)},
		TypeRules: []ir.TypeRule{sameElement(0, "first operand v1 and result have same element type"),
			sameElement(1, "second operand v2 and result have same element type")},
		InferTypes: inferShuffle,
		Format:     "operands $mask attr-dict `:` type(operands)"}
	// Interleave alternates the elements of two vectors.
	Interleave = &ir.OpDef{Name: "vector.interleave", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("lhs", anyRank), operand("rhs", anyRank)},
		Results:  result("result", anyVector),
		TypeRules: []ir.TypeRule{allSame("lhs", "rhs"), {Summary: "type of 'result' is double the width of the inputs",
			Check: func(op *ir.Op) bool { return doubled(op.Operand(0).Type(), op.Result(0).Type()) }}},
		Format: "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"}
	// Deinterleave splits the elements at even and odd positions.
	Deinterleave = &ir.OpDef{Name: "vector.deinterleave", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", anyVector)},
		Results:  []ir.ResultDef{{Name: "res1", Type: anyVector}, {Name: "res2", Type: anyVector}},
		TypeRules: []ir.TypeRule{
			{Summary: "the trailing dimension of the source vector has an even number of elements", Check: func(op *ir.Op) bool {
				shape := vec(op.Operand(0).Type()).Shape
				return shape[len(shape)-1]%2 == 0
			}},
			{Summary: "the trailing dimension of the results is half the width of source trailing dimension",
				Check: func(op *ir.Op) bool { return doubled(op.Result(0).Type(), op.Operand(0).Type()) }},
			allSame("res1", "res2")},
		Format: "$source attr-dict `:` type($source) `->` type($res1)"}
	// Transpose permutes dimensions.
	Transpose = &ir.OpDef{Name: "vector.transpose", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("vector", anyRank)},
		Results:   result("result", anyRank),
		Attrs:     []ir.AttrDef{attr("permutation", constraint.DenseI64Array)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand and result have same element type")},
		Format:    "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
		Verify:    verifyTranspose}
	// ShapeCast changes the shape of a vector.
	ShapeCast = &ir.OpDef{Name: "vector.shape_cast", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", anyRank)},
		Results:  result("result", anyRank),
		Format:   "$source attr-dict `:` type($source) `to` type($result)"}
	// BitCast reads the bits of a vector as elements of another type.
	BitCast = &ir.OpDef{Name: "vector.bitcast", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", anyRank)},
		Results:  result("result", anyRank),
		TypeRules: []ir.TypeRule{{Summary: "all of {source, result} have same rank", Check: func(op *ir.Op) bool {
			return len(vec(op.Operand(0).Type()).Shape) == len(vec(op.Result(0).Type()).Shape)
		}}},
		Format: "$source attr-dict `:` type($source) `to` type($result)"}
	// Reshape regroups elements between fixed-size vectors.
	Reshape = &ir.OpDef{Name: "vector.reshape", Traits: ir.TraitPure | ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{operand("vector", anyVector), indices("input_shape"), indices("output_shape")},
		Results:  result("result", anyVector),
		Attrs:    []ir.AttrDef{attr("fixed_vector_sizes", constraint.I64ArrayAttr), segments},
		Format:   "$vector `,` `[` $input_shape `]` `,` `[` $output_shape `]` `,` $fixed_vector_sizes attr-dict `:` type($vector) `to` type($result)"}
	// TypeCast views a memref of scalars as one of a vector.
	TypeCast = &ir.OpDef{Name: "vector.type_cast", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("memref", staticMemRef)},
		Results:  result("result", constraint.AnyMemRef),
		Format:   "$memref attr-dict `:` type($memref) `to` type($result)",
		Models:   []ir.Model{iface.ViewLike.Model(func(op *ir.Op) *ir.Value { return op.Operand(0) })}}
)

// Operations on parts of a vector.
var (
	// ExtractElement reads an element of a vector of at most one dimension.
	ExtractElement = &ir.OpDef{Name: "vector.extractelement", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("vector", anyRank), optional("position", signlessOrIndex)},
		Results:   result("result", constraint.AnyType),
		TypeRules: []ir.TypeRule{elementOf("vector", "result", "result type matches element type of vector operand")},
		Format:    "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)"}
	// InsertElement replaces an element of a vector of at most one dimension.
	InsertElement = &ir.OpDef{Name: "vector.insertelement", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", constraint.AnyType), operand("dest", anyRank), optional("position", signlessOrIndex)},
		Results:  result("result", anyRank),
		TypeRules: []ir.TypeRule{elementOf("result", "source", "source operand type matches element type of result"),
			allSame("dest", "result")},
		Format: "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($result)"}
	// Extract reads an element or a part of lower rank.
	Extract = &ir.OpDef{Name: "vector.extract", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("vector", anyRank), indices("dynamic_position")},
		Results:   result("result", constraint.AnyType),
		Attrs:     []ir.AttrDef{attr(staticPosition, constraint.DenseI64Array)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand and result have same element type")},
		Format:    "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($result) `from` type($vector)"}
	// Insert replaces an element or a part of lower rank.
	Insert = &ir.OpDef{Name: "vector.insert", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", constraint.AnyType), operand("dest", anyRank), indices("dynamic_position")},
		Results:  result("result", anyRank),
		Attrs:    []ir.AttrDef{attr(staticPosition, constraint.DenseI64Array)},
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type"),
			allSame("dest", "result")},
		Format: "$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($source) `into` type($dest)"}
	// ScalableInsert puts a vector into a scalable one.
	ScalableInsert = &ir.OpDef{Name: "vector.scalable.insert", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("source", rank1), operand("dest", scalable)},
		Results:   result("res", scalable),
		Attrs:     []ir.AttrDef{attr("pos", constraint.I64Attr)},
		TypeRules: []ir.TypeRule{sameElements("source", "dest"), allSame("dest", "res"), positionMultiple("source", "position is a multiple of the source length.")},
		Format:    "$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest)"}
	// ScalableExtract takes a vector out of a scalable one.
	ScalableExtract = &ir.OpDef{Name: "vector.scalable.extract", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("source", scalable)},
		Results:   result("res", rank1),
		Attrs:     []ir.AttrDef{attr("pos", constraint.I64Attr)},
		TypeRules: []ir.TypeRule{sameElements("source", "res"), positionMultiple("res", "position is a multiple of the result length.")},
		Format:    "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)"}
	// InsertStridedSlice replaces a strided part.
	InsertStridedSlice = &ir.OpDef{Name: "vector.insert_strided_slice", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", anyVector), operand("dest", anyVector)},
		Results:  result("res", anyVector),
		Attrs:    []ir.AttrDef{attr("offsets", constraint.I64ArrayAttr), attr("strides", constraint.I64ArrayAttr)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand #0 and result have same element type"),
			allSame("dest", "res")},
		Format: "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"}
	// ExtractStridedSlice takes a strided part.
	ExtractStridedSlice = &ir.OpDef{Name: "vector.extract_strided_slice", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("vector", anyVector)},
		Results:  result("", anyVector),
		Attrs: []ir.AttrDef{attr("offsets", constraint.I64ArrayAttr), attr("sizes", constraint.I64ArrayAttr),
			attr("strides", constraint.I64ArrayAttr)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand and result have same element type")},
		Format:    "$vector attr-dict `:` type($vector) `to` type(results)"}
)

const staticPosition = "static_position"

// Arithmetic.
var (
	// FMA multiplies and adds with a single rounding.
	FMA = &ir.OpDef{Name: "vector.fma", Traits: ir.TraitPure | ir.ElementwiseMappable,
		Operands:  []ir.OperandDef{operand("lhs", floats), operand("rhs", floats), operand("acc", floats)},
		Results:   result("result", floats),
		TypeRules: []ir.TypeRule{allSame("lhs", "rhs", "acc", "result")},
		Format:    "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"}
	// Reduction combines the elements of a vector into one.
	Reduction = &ir.OpDef{Name: "vector.reduction", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("vector", anyRank), optional("acc", constraint.AnyType)},
		Results:  result("dest", constraint.AnyType),
		Attrs: []ir.AttrDef{kindAttr, {Name: "fastmath", Type: constraint.Enum("Floating point fast math flags", arith.FastMathFlags),
			Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(arith.FastMathFlags, 0) }}},
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type"),
			{From: "dest", To: "acc", Transform: func(t ir.Type) ir.Type { return t }, Summary: "dest and acc have the same type"}},
		Format: "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)"}
	// MultiReduction combines elements along dimensions.
	MultiReduction = &ir.OpDef{Name: "vector.multi_reduction", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("source", anyVector), operand("acc", constraint.AnyType)},
		Results:  result("dest", constraint.AnyType),
		Attrs:    []ir.AttrDef{kindAttr, attr("reduction_dims", constraint.I64ArrayAttr)},
		TypeRules: []ir.TypeRule{allSame("dest", "acc"),
			sameElement(0, "source operand and result have same element type")},
		Format: "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"}
	// Scan combines the elements up to each position.
	Scan = &ir.OpDef{Name: "vector.scan", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("source", anyVector), operand("initial_value", anyRank)},
		Results:   []ir.ResultDef{{Name: "dest", Type: anyVector}, {Name: "accumulated_value", Type: anyRank}},
		Attrs:     []ir.AttrDef{kindAttr, attr("reduction_dim", constraint.I64Attr), attr("inclusive", constraint.BoolAttr)},
		TypeRules: []ir.TypeRule{allSame("source", "dest"), allSame("initial_value", "accumulated_value")},
		Format:    "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"}
	// MatrixMultiply multiplies matrices that are flattened to vectors.
	MatrixMultiply = &ir.OpDef{Name: "vector.matrix_multiply", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{operand("lhs", numbers1D), operand("rhs", numbers1D)},
		Results:  result("res", numbers1D),
		Attrs: []ir.AttrDef{attr("lhs_rows", constraint.I32Attr), attr("lhs_columns", constraint.I32Attr),
			attr("rhs_columns", constraint.I32Attr)},
		TypeRules: []ir.TypeRule{sameElement(0, "lhs operand and result have same element type"),
			sameElement(1, "rhs operand and result have same element type")},
		Format: "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)"}
	// FlatTranspose transposes a matrix that is flattened to a vector.
	FlatTranspose = &ir.OpDef{Name: "vector.flat_transpose", Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{operand("matrix", numbers1D)},
		Results:   result("res", numbers1D),
		Attrs:     []ir.AttrDef{attr("rows", constraint.I32Attr), attr("columns", constraint.I32Attr)},
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type")},
		Format:    "$matrix attr-dict `:` type($matrix) `->` type($res)"}
	// VScale is how many times larger scalable vectors are than their types say.
	VScale = &ir.OpDef{Name: "vector.vscale", Traits: ir.TraitPure,
		Results: result("res", constraint.Index), Format: "attr-dict",
		Models: []ir.Model{asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) { name(op.Result(0), "vscale") })}}
	// Step is the vector 0, 1, 2, ...
	Step = &ir.OpDef{Name: "vector.step", Traits: ir.TraitPure,
		Results: result("result", indices1D), Format: "attr-dict `:` type($result)"}
)

// Masks, and operations in regions.
var (
	// ConstantMask is set for positions below constant bounds.
	ConstantMask = &ir.OpDef{Name: "vector.constant_mask", Traits: ir.TraitPure,
		Results: result("", bitsAnyRank),
		Attrs:   []ir.AttrDef{attr("mask_dim_sizes", constraint.I64ArrayAttr)},
		Format:  "$mask_dim_sizes attr-dict `:` type(results)"}
	// CreateMask is set for positions below the bounds.
	CreateMask = &ir.OpDef{Name: "vector.create_mask", Traits: ir.TraitPure,
		Operands: []ir.OperandDef{indices("operands")},
		Results:  result("", bitsAnyRank),
		Format:   "$operands attr-dict `:` type(results)"}
	// Yield ends the regions of the dialect.
	Yield = &ir.OpDef{Name: "vector.yield", Traits: ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Format:   "attr-dict ($operands^ `:` type($operands))?"}
	// Print writes a value, a string or punctuation.
	Print = &ir.OpDef{Name: "vector.print",
		Operands: []ir.OperandDef{optional("source", printable)},
		Attrs: []ir.AttrDef{{Name: "punctuation", Type: constraint.Enum("Punctuation for separating vectors or vector elements", PrintPunctuation),
			Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(PrintPunctuation, 1) }},
			{Name: "stringLiteral", Type: stringLiteral, Optional: true}},
		TypeRules: []ir.TypeRule{{Summary: "`source` or `punctuation` are not set when printing strings", Check: func(op *ir.Op) bool {
			p, ok := op.Attr("punctuation").(*ir.EnumAttr)
			return op.Attr("stringLiteral") == nil || op.NumOperands() == 0 && (!ok || p.Keyword() == "newline")
		}}},
		Format: "($source^ `:` type($source))? oilist(`str` $stringLiteral | `punctuation` $punctuation) attr-dict",
		Models: []ir.Model{iface.FixedEffects(iface.Effect{Kind: iface.Write})}}
)

// Memory.
var (
	// Load reads a vector from contiguous memory.
	Load = &ir.OpDef{Name: "vector.load",
		Operands: []ir.OperandDef{operand("base", constraint.AnyMemRef), indices("indices")},
		Results:  result("result", anyRank),
		Attrs:    []ir.AttrDef{nontemporalAttr},
		Format:   "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)",
		Models:   []ir.Model{reads(0)}}
	// Store writes a vector to contiguous memory.
	Store = &ir.OpDef{Name: "vector.store",
		Operands: []ir.OperandDef{operand("valueToStore", anyRank), operand("base", constraint.AnyMemRef), indices("indices")},
		Attrs:    []ir.AttrDef{nontemporalAttr},
		Format:   "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)",
		Models:   []ir.Model{writes(1)}}
	// MaskedLoad reads the elements that the mask selects.
	MaskedLoad = maskedLoad("vector.maskedload")
	// MaskedStore writes the elements that the mask selects.
	MaskedStore = maskedStore("vector.maskedstore")
	// ExpandLoad reads consecutive elements into the positions that the mask selects.
	ExpandLoad = maskedLoad("vector.expandload")
	// CompressStore writes the elements that the mask selects consecutively.
	CompressStore = maskedStore("vector.compressstore")
	// Gather reads elements at given positions.
	Gather = &ir.OpDef{Name: "vector.gather",
		Operands: []ir.OperandDef{operand("base", constraint.AnyShaped), indices("indices"), operand("index_vec", ints),
			operand("mask", bits), operand("pass_thru", anyVector)},
		Results: result("result", anyVector),
		Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,`" +
			" type($index_vec) `,` type($mask) `,` type($pass_thru) `into` type($result)",
		Models: []ir.Model{reads(0)}}
	// Scatter writes elements to given positions.
	Scatter = &ir.OpDef{Name: "vector.scatter",
		Operands: []ir.OperandDef{operand("base", constraint.AnyMemRef), indices("indices"), operand("index_vec", ints1D),
			operand("mask", bits1D), operand("valueToStore", rank1)},
		Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,`" +
			" type($index_vec) `,` type($mask) `,` type($valueToStore)",
		Models: []ir.Model{writes(0)}}
)

func maskedLoad(name string) *ir.OpDef {
	return &ir.OpDef{Name: name,
		Operands: []ir.OperandDef{operand("base", constraint.AnyMemRef), indices("indices"), operand("mask", bits1D), operand("pass_thru", rank1)},
		Results:  result("result", rank1),
		Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,`" +
			" type($pass_thru) `into` type($result)",
		Models: []ir.Model{reads(0)}}
}

func maskedStore(name string) *ir.OpDef {
	return &ir.OpDef{Name: name,
		Operands: []ir.OperandDef{operand("base", constraint.AnyMemRef), indices("indices"), operand("mask", bits1D), operand("valueToStore", rank1)},
		Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,`" +
			" type($valueToStore)",
		Models: []ir.Model{writes(0)}}
}

// doubled tells whether the second type is the first with the trailing dimension
// twice as large; a vector without dimensions counts as one of size 1.
func doubled(half, full ir.Type) bool {
	h, f := vec(half), vec(full)
	shape := h.Shape
	if len(shape) == 0 {
		shape = []int64{1}
	}
	if len(shape) != len(f.Shape) || h.Elem != f.Elem {
		return false
	}
	for i, d := range shape {
		if i == len(shape)-1 {
			d *= 2
		}
		if f.Shape[i] != d {
			return false
		}
	}
	return true
}

func inferShuffle(s *ir.OpState) ([]ir.Type, error) {
	mask, ok := s.Attr("mask").(*ir.ArrayAttr)
	if !ok || len(s.Operands) == 0 || vec(s.Operands[0].Type()) == nil {
		return nil, ir.Errorf(s.Loc, "failed to infer returned types")
	}
	t := vec(s.Operands[0].Type())
	shape := []int64{int64(len(mask.Elems))}
	if len(t.Shape) > 1 {
		shape = append(shape, t.Shape[1:]...)
	}
	return []ir.Type{s.Name.Context().Vector(shape, nil, t.Elem)}, nil
}

func verifyTranspose(op *ir.Op) error {
	src, dst := vec(op.Operand(0).Type()), vec(op.Result(0).Type())
	if len(src.Shape) != len(dst.Shape) {
		return op.Errorf("vector result rank mismatch: %d", len(dst.Shape))
	}
	perm := iface.StaticInts(op, "permutation")
	if len(perm) != len(src.Shape) {
		return op.Errorf("transposition length mismatch: %d", len(perm))
	}
	seen := make([]bool, len(perm))
	for i, p := range perm {
		if p < 0 || p >= int64(len(perm)) {
			return op.Errorf("transposition index out of range: %d", p)
		}
		if seen[p] {
			return op.Errorf("duplicate position index: %d", p)
		}
		seen[p] = true
		if dst.Shape[i] != src.Shape[p] {
			return op.Errorf("dimension size mismatch at: %d", p)
		}
	}
	return nil
}

// elementTypes returns the type of a vector's elements, and how many they are.
func elementTypes(t ir.Type) (ir.Type, int64) {
	v := vec(t)
	if v == nil {
		return nil, 0
	}
	return v.Elem, countOf(v.Shape)
}
