package vector

import (
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Operations that rearrange elements.
var (
	// Broadcast repeats a scalar or vector along leading and unit dimensions.
	Broadcast = ir.NewOpID("vector.broadcast")
	// Splat is a vector whose elements are all the same.
	Splat = ir.NewOpID("vector.splat")
	// FromElements is a vector of the given elements.
	FromElements = ir.NewOpID("vector.from_elements")
	// ToElements are the elements of a vector. LLVM 21 added it.
	ToElements = ir.NewOpID("vector.to_elements")
	// Shuffle picks elements of two vectors by constant numbers.
	Shuffle = ir.NewOpID("vector.shuffle")
	// Interleave alternates the elements of two vectors.
	Interleave = ir.NewOpID("vector.interleave")
	// Deinterleave splits the elements at even and odd positions.
	Deinterleave = ir.NewOpID("vector.deinterleave")
	// Transpose permutes dimensions.
	Transpose = ir.NewOpID("vector.transpose")
	// ShapeCast changes the shape of a vector.
	ShapeCast = ir.NewOpID("vector.shape_cast")
	// BitCast reads the bits of a vector as elements of another type.
	BitCast = ir.NewOpID("vector.bitcast")
	// Reshape regroups elements between fixed-size vectors.
	Reshape = ir.NewOpID("vector.reshape")
	// TypeCast views a memref of scalars as one of a vector.
	TypeCast = ir.NewOpID("vector.type_cast")
)

func broadcastDef() *ir.OpDef {
	return &ir.OpDef{ID: Broadcast, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("source", constraint.AnyType)},
		Results:   ir.SingleResult("vector", anyRank),
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type")},
		Format:    "$source attr-dict `:` type($source) `to` type($vector)",
		Fold:      foldBroadcast,
		Verify:    verifyBroadcast,
		Revisions: []ir.Revision{{Since: 22, Fold: poisonOperand(0, foldLaterBroadcast)}},
		Models: []ir.Model{
			exec.Executable.Model(executeBroadcast),
			rewrite.Patterns(broadcastPatterns()...),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
	}
}

func splatDef() *ir.OpDef {
	return &ir.OpDef{ID: Splat, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("input", splatElement)},
		Results:   ir.SingleResult("aggregate", anyRank),
		TypeRules: []ir.TypeRule{elementOf("aggregate", "input", "operand type matches element type of result")},
		Format:    "$input attr-dict `:` type($aggregate)",
		Later:     []ir.Spelling{{Since: 22, Name: "vector.broadcast", Format: "$input attr-dict `:` type($input) `to` type($aggregate)"}},
		Fold:      foldBroadcast,
		Revisions: []ir.Revision{{Since: 22, Fold: poisonOperand(0, foldBroadcast)}},
		Models: []ir.Model{
			exec.Executable.Model(executeBroadcast),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
	}
}

func fromElementsDef() *ir.OpDef {
	return fromElements("result", anyRank, "operand types match result element type", ir.Revision{Since: 22, Fold: foldFromElements,
		Def: fromElements("dest", fixed, "shaped type 'dest' matches 'elements' element count and types")})
}

// fromElements is the definition with the result's name and constraint, and what is said of operands that don't fit it.
func fromElements(result string, of ir.TypeConstraint, summary string, revisions ...ir.Revision) *ir.OpDef {
	return &ir.OpDef{ID: FromElements, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{{Name: "elements", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:   ir.SingleResult(result, of),
		TypeRules: []ir.TypeRule{{From: result, To: "elements", Repeat: elementTypes, Summary: summary}},
		Format:    "$elements attr-dict `:` type($" + result + ")",
		Revisions: revisions,
		Models: []ir.Model{
			exec.Executable.Model(executeFromElements),
			rewrite.Patterns(fromElementsPatterns()...),
			exec.StoredOperands.Model(exec.EachOperand),
		},
	}
}

func toElementsDef() *ir.OpDef {
	return &ir.OpDef{ID: ToElements, Since: 21, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", anyRank)},
		Results:  []ir.ResultDef{{Name: "elements", Type: constraint.AnyType, Arity: ir.Variadic}},
		TypeRules: []ir.TypeRule{{From: "source", To: "elements", Repeat: elementTypes, Summary: "operand element type matches result types",
			Reworded: []ir.RuleMessage{{Since: 22, Summary: "shaped type 'source' matches 'elements' element count and types"}}}},
		Format:    "$source attr-dict `:` type($source)",
		Fold:      foldToElements,
		Revisions: []ir.Revision{{Since: 22, Fold: foldLaterToElements}},
		Models: []ir.Model{
			exec.Executable.Model(executeToElements),
			exec.MakesPoison.Model(struct{}{}),
			rewrite.Patterns(rewrite.Pattern{Name: "elements-of-broadcast", Since: 22, Rewrite: elementsOfBroadcast}),
		},
	}
}

func shuffleDef() *ir.OpDef {
	return &ir.OpDef{ID: Shuffle, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("v1", fixed), ir.Operand("v2", fixed)},
		Results:  ir.SingleResult("vector", anyVector),
		Attrs:    []ir.AttrDef{attr("mask", constraint.I64ArrayAttr)},
		Later:    denseInLater("mask"),
		TypeRules: []ir.TypeRule{sameElement(0, "first operand v1 and result have same element type"),
			sameElement(1, "second operand v2 and result have same element type")},
		InferTypes: inferShuffle,
		Format:     "operands $mask attr-dict `:` type(operands)",
		Fold:       foldShuffle,
		Verify:     verifyShuffle,
		Revisions:  []ir.Revision{{Since: 20, Evident: true, Verify: verifyShufflePoison}, {Since: 22, Fold: foldLaterShuffle}},
		Models: []ir.Model{
			exec.Executable.Model(executeShuffle),
			rewrite.Patterns(shufflePatterns()...),
		},
	}
}

func interleaveDef() *ir.OpDef {
	return &ir.OpDef{ID: Interleave, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("lhs", anyRank), ir.Operand("rhs", anyRank)},
		Results:  ir.SingleResult("result", anyVector),
		TypeRules: []ir.TypeRule{allSame("lhs", "rhs"), {Summary: "type of 'result' is double the width of the inputs",
			Check: func(op *ir.Op) bool { return doubled(InterleaveOp{op}.LHS().Type(), op.Result(0).Type()) }}},
		Format: "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)",
		Models: []ir.Model{
			exec.Executable.Model(executeInterleave),
		},
	}
}

func deinterleaveDef() *ir.OpDef {
	return &ir.OpDef{ID: Deinterleave, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", anyVector)},
		Results:  []ir.ResultDef{{Name: "res1", Type: anyVector}, {Name: "res2", Type: anyVector}},
		TypeRules: []ir.TypeRule{
			{Summary: "the trailing dimension of the source vector has an even number of elements", Check: func(op *ir.Op) bool {
				shape := vec(DeinterleaveOp{op}.Source().Type()).Shape
				return shape[len(shape)-1]%2 == 0
			}},
			{Summary: "the trailing dimension of the results is half the width of source trailing dimension",
				Check: func(op *ir.Op) bool { return doubled(op.Result(0).Type(), DeinterleaveOp{op}.Source().Type()) }},
			allSame("res1", "res2")},
		Format: "$source attr-dict `:` type($source) `->` type($res1)",
		Models: []ir.Model{
			exec.Executable.Model(executeDeinterleave),
		},
	}
}

func transposeDef() *ir.OpDef {
	return &ir.OpDef{ID: Transpose, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("vector", anyRank)},
		Results:   ir.SingleResult("result", anyRank),
		Attrs:     []ir.AttrDef{attr("permutation", constraint.DenseI64Array)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand and result have same element type")},
		Format:    "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
		Earlier:   []ir.Spelling{{Until: 18, Renamed: map[string]string{"transp": "permutation"}}},
		Verify:    verifyTranspose,
		Fold:      foldTranspose,
		Revisions: []ir.Revision{{Since: 22, Fold: poisonOperand(0, foldLaterTranspose)}},
		Models: []ir.Model{
			exec.Executable.Model(executeTranspose),
			rewrite.Patterns(transposePatterns()...),
		},
	}
}

func shapeCastDef() *ir.OpDef {
	return &ir.OpDef{ID: ShapeCast, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("source", anyRank)},
		Results:   ir.SingleResult("result", anyRank),
		Format:    "$source attr-dict `:` type($source) `to` type($result)",
		Fold:      foldShapeCast,
		Verify:    verifyShapeCast,
		Revisions: []ir.Revision{{Since: 21, Verify: verifyAnyShapeCast}, {Since: 22, Fold: poisonOperand(0, foldLaterShapeCast)}},
		Models: []ir.Model{
			exec.Executable.Model(executeShapeCast),
			rewrite.Patterns(shapeCastPatterns()...),
		},
	}
}

func bitCastDef() *ir.OpDef {
	return &ir.OpDef{ID: BitCast, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", anyRank)},
		Results:  ir.SingleResult("result", anyRank),
		TypeRules: []ir.TypeRule{{Summary: "all of {source, result} have same rank", Check: func(op *ir.Op) bool {
			return len(vec(BitCastOp{op}.Source().Type()).Shape) == len(vec(op.Result(0).Type()).Shape)
		}}},
		Format: "$source attr-dict `:` type($source) `to` type($result)",
		Fold:   foldBitCast,
		Verify: verifyBitCast,
		Models: []ir.Model{
			exec.Executable.Model(executeBitcast),
		},
	}
}

func reshapeDef() *ir.OpDef {
	return &ir.OpDef{ID: Reshape, Traits: ir.TraitPure | ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{ir.Operand("vector", anyVector), indices("input_shape"), indices("output_shape")},
		Results:  ir.SingleResult("result", anyVector),
		Attrs:    []ir.AttrDef{attr("fixed_vector_sizes", constraint.I64ArrayAttr), segments},
		Format:   "$vector `,` `[` $input_shape `]` `,` `[` $output_shape `]` `,` $fixed_vector_sizes attr-dict `:` type($vector) `to` type($result)",
		Verify:   verifyReshape,
	}
}

func typeCastDef() *ir.OpDef {
	return &ir.OpDef{ID: TypeCast, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("memref", staticMemRef)},
		Results:  ir.SingleResult("result", constraint.AnyMemRef),
		Format:   "$memref attr-dict `:` type($memref) `to` type($result)",
		Models:   []ir.Model{interfaces.Addresses(interfaces.AsLaidOut), interfaces.ViewLike.Model(func(op *ir.Op) *ir.Value { return TypeCastOp{op}.MemRef() })},
		Verify:   verifyTypeCast,
	}
}

// Operations on parts of a vector.
var (
	// ExtractElement reads an element of a vector of at most one dimension.
	ExtractElement = ir.NewOpID("vector.extractelement")
	// InsertElement replaces an element of a vector of at most one dimension.
	InsertElement = ir.NewOpID("vector.insertelement")
	// Extract reads an element or a part of lower rank.
	Extract = ir.NewOpID("vector.extract")
	// Insert replaces an element or a part of lower rank.
	Insert = ir.NewOpID("vector.insert")
	// ScalableInsert puts a vector into a scalable one.
	ScalableInsert = ir.NewOpID("vector.scalable.insert")
	// ScalableExtract takes a vector out of a scalable one.
	ScalableExtract = ir.NewOpID("vector.scalable.extract")
	// InsertStridedSlice replaces a strided part.
	InsertStridedSlice = ir.NewOpID("vector.insert_strided_slice")
	// ExtractStridedSlice takes a strided part.
	ExtractStridedSlice = ir.NewOpID("vector.extract_strided_slice")
)

// denseInLater is the spelling of operations whose list of integers became a dense array
// in LLVM 20.
func denseInLater(name string) []ir.Spelling {
	return []ir.Spelling{{Since: 20, Attrs: []ir.AttrDef{attr(name, constraint.DenseI64Array)}}}
}

// positions are names, before LLVM 18, of the attribute that says which element.
var positions = map[string]string{"position": staticPosition}

func extractElementDef() *ir.OpDef {
	return &ir.OpDef{ID: ExtractElement, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("vector", anyRank), ir.OptionalOperand("position", signlessOrIndex)},
		Results:   ir.SingleResult("result", constraint.AnyType),
		TypeRules: []ir.TypeRule{elementOf("vector", "result", "result type matches element type of vector operand")},
		Format:    "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)",
		Later:     []ir.Spelling{{Since: 22, Replace: replaceExtractElement}},
		Fold:      foldExtractElement,
		Verify:    func(op *ir.Op) error { return verifyElement(op, 0) },
		Models: []ir.Model{
			exec.Executable.Model(executeExtract),
			exec.MakesPoison.Model(struct{}{}),
		},
	}
}

func insertElementDef() *ir.OpDef {
	return &ir.OpDef{ID: InsertElement, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyType), ir.Operand("dest", anyRank), ir.OptionalOperand("position", signlessOrIndex)},
		Results:  ir.SingleResult("result", anyRank),
		TypeRules: []ir.TypeRule{elementOf("result", "source", "source operand type matches element type of result"),
			allSame("dest", "result")},
		Format: "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($result)",
		Later:  []ir.Spelling{{Since: 22, Replace: replaceInsertElement}},
		Fold:   foldInsertElement,
		Verify: func(op *ir.Op) error { return verifyElement(op, 1) },
		Models: []ir.Model{
			exec.Executable.Model(executeInsert),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
	}
}

func extractDef() *ir.OpDef {
	return &ir.OpDef{ID: Extract, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("vector", anyRank), indices("dynamic_position")},
		Results:   ir.SingleResult("result", constraint.AnyType),
		Attrs:     []ir.AttrDef{attr(staticPosition, constraint.DenseI64Array)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand and result have same element type")},
		Format:    "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($result) `from` type($vector)",
		Earlier: []ir.Spelling{{Until: 17, Renamed: positions,
			Format: "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($vector)"}},
		Fold:            foldExtract,
		Verify:          verifyExtract,
		InferTypes:      inferExtract,
		CompatibleTypes: extractCompatible,
		Revisions:       []ir.Revision{{Since: 20, Evident: true, Verify: verifyExtractPoison}, {Since: 22, Verify: verifyExtractScalar, Fold: foldLaterExtract}},
		Models: []ir.Model{
			exec.Executable.Model(executeExtract),
			rewrite.Patterns(extractPatterns()...),
			exec.MakesPoison.Model(struct{}{}),
		},
	}
}

func insertDef() *ir.OpDef {
	return &ir.OpDef{ID: Insert, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyType), ir.Operand("dest", anyRank), indices("dynamic_position")},
		Results:  ir.SingleResult("result", anyRank),
		Attrs:    []ir.AttrDef{attr(staticPosition, constraint.DenseI64Array)},
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type"),
			allSame("dest", "result")},
		Format:    "$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict `:` type($source) `into` type($dest)",
		Earlier:   []ir.Spelling{{Until: 17, Renamed: positions}},
		Fold:      foldInsert,
		Verify:    verifyInsert,
		Revisions: []ir.Revision{{Since: 20, Evident: true, Verify: verifyInsertPoison}, {Since: 22, Fold: foldLaterInsert}},
		Models: []ir.Model{
			exec.Executable.Model(executeInsert),
			rewrite.Patterns(insertPatterns()...),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
	}
}

func scalableInsertDef() *ir.OpDef {
	return &ir.OpDef{ID: ScalableInsert, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("source", rank1), ir.Operand("dest", scalable)},
		Results:   ir.SingleResult("res", scalable),
		Attrs:     []ir.AttrDef{attr("pos", constraint.I64Attr)},
		TypeRules: []ir.TypeRule{sameElements("source", "dest"), allSame("dest", "res"), positionMultiple("source", "position is a multiple of the source length.")},
		Format:    "$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest)",
		Models: []ir.Model{
			exec.Executable.Model(executeScalableInsert),
		},
	}
}

func scalableExtractDef() *ir.OpDef {
	return &ir.OpDef{ID: ScalableExtract, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("source", scalable)},
		Results:   ir.SingleResult("res", rank1),
		Attrs:     []ir.AttrDef{attr("pos", constraint.I64Attr)},
		TypeRules: []ir.TypeRule{sameElements("source", "res"), positionMultiple("res", "position is a multiple of the result length.")},
		Format:    "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)",
		Models: []ir.Model{
			exec.Executable.Model(executeScalableExtract),
		},
	}
}

func insertStridedSliceDef() *ir.OpDef {
	return &ir.OpDef{ID: InsertStridedSlice, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", anyVector), ir.Operand("dest", anyVector)},
		Results:  ir.SingleResult("res", anyVector),
		Attrs:    []ir.AttrDef{attr("offsets", constraint.I64ArrayAttr), attr("strides", constraint.I64ArrayAttr)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand #0 and result have same element type"),
			allSame("dest", "res")},
		Format: insertSliceFormat,
		Later:  []ir.Spelling{strict(insertSliceFormat, "`offsets` `=` $offsets `,` `strides` `=` $strides")},
		Fold:   foldSame(0),
		Verify: verifyInsertStridedSlice,
		Models: []ir.Model{
			exec.Executable.Model(executeInsertSlice),
			rewrite.Patterns(insertStridedSlicePatterns()...),
		},
	}
}

func extractStridedSliceDef() *ir.OpDef {
	return &ir.OpDef{ID: ExtractStridedSlice, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("vector", anyVector)},
		Results:  ir.SingleResult("", anyVector),
		Attrs: []ir.AttrDef{attr("offsets", constraint.I64ArrayAttr), attr("sizes", constraint.I64ArrayAttr),
			attr("strides", constraint.I64ArrayAttr)},
		TypeRules: []ir.TypeRule{sameElement(0, "operand and result have same element type")},
		Format:    extractSliceFormat,
		Later:     []ir.Spelling{strict(extractSliceFormat, "`offsets` `=` $offsets `,` `sizes` `=` $sizes `,` `strides` `=` $strides")},
		Fold:      foldExtractStridedSlice,
		Revisions: []ir.Revision{{Since: 22, Fold: foldLaterSlice}},
		Verify:    verifyExtractStridedSlice,
		Models: []ir.Model{
			exec.Executable.Model(executeExtractStridedSlice),
			rewrite.Patterns(extractStridedSlicePatterns()...),
		},
	}
}

const staticPosition = "static_position"

// Arithmetic.
var (
	// FMA multiplies and adds with a single rounding.
	FMA = ir.NewOpID("vector.fma")
	// Reduction combines the elements of a vector into one.
	Reduction = ir.NewOpID("vector.reduction")
	// MultiReduction combines elements along dimensions.
	MultiReduction = ir.NewOpID("vector.multi_reduction")
	// Scan combines the elements up to each position.
	Scan = ir.NewOpID("vector.scan")
	// MatrixMultiply multiplies matrices that are flattened to vectors.
	MatrixMultiply = ir.NewOpID("vector.matrix_multiply")
	// FlatTranspose transposes a matrix that is flattened to a vector.
	FlatTranspose = ir.NewOpID("vector.flat_transpose")
	// VScale is how many times larger scalable vectors are than their types say.
	VScale = ir.NewOpID("vector.vscale")
	// Step is the vector 0, 1, 2, ...
	Step = ir.NewOpID("vector.step")
)

func fmaDef() *ir.OpDef {
	return &ir.OpDef{ID: FMA, Traits: ir.TraitPure | ir.ElementwiseMappable,
		Operands:  []ir.OperandDef{ir.Operand("lhs", floats), ir.Operand("rhs", floats), ir.Operand("acc", floats)},
		Results:   ir.SingleResult("result", floats),
		TypeRules: []ir.TypeRule{allSame("lhs", "rhs", "acc", "result")},
		Format:    "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
		Models: []ir.Model{
			exec.Elementwise.Model(computeFMA),
		},
	}
}

func reductionDef() *ir.OpDef {
	return &ir.OpDef{ID: Reduction, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("vector", anyRank), ir.OptionalOperand("acc", constraint.AnyType)},
		Results:  ir.SingleResult("dest", constraint.AnyType),
		Attrs: []ir.AttrDef{kindAttr, {Name: "fastmath", Type: constraint.Enum("Floating point fast math flags", arith.FastMathFlags),
			Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(arith.FastMathFlags, 0) }}},
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type"),
			{From: "dest", To: "acc", Transform: func(t ir.Type) ir.Type { return t }, Summary: "dest and acc have the same type"}},
		Format: "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)",
		Verify: verifyReduction,
		Models: []ir.Model{
			exec.Executable.Model(executeReduction),
			rewrite.Patterns(reductionPatterns()...),
			exec.MakesPoison.Model(struct{}{}),
		},
	}
}

func multiReductionDef() *ir.OpDef {
	return &ir.OpDef{ID: MultiReduction, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("source", anyVector), ir.Operand("acc", constraint.AnyType)},
		Results:  ir.SingleResult("dest", constraint.AnyType),
		Attrs:    []ir.AttrDef{kindAttr, attr("reduction_dims", constraint.I64ArrayAttr)},
		Later:    denseInLater("reduction_dims"),
		TypeRules: []ir.TypeRule{allSame("dest", "acc"),
			sameElement(0, "source operand and result have same element type")},
		Format: "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)",
		Fold:   foldMultiReduction,
		Verify: verifyMultiReduction,
		Models: []ir.Model{
			exec.Executable.Model(executeMultiReduction),
			rewrite.Patterns(multiReductionPatterns()...),
			exec.MakesPoison.Model(struct{}{}),
		},
	}
}

func scanDef() *ir.OpDef {
	return &ir.OpDef{ID: Scan, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("source", anyVector), ir.Operand("initial_value", anyRank)},
		Results:   []ir.ResultDef{{Name: "dest", Type: anyVector}, {Name: "accumulated_value", Type: anyRank}},
		Attrs:     []ir.AttrDef{kindAttr, attr("reduction_dim", constraint.I64Attr), attr("inclusive", constraint.BoolAttr)},
		TypeRules: []ir.TypeRule{allSame("source", "dest"), allSame("initial_value", "accumulated_value")},
		Format:    "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)",
		Verify:    verifyScan,
		Models: []ir.Model{
			exec.Executable.Model(executeScan),
		},
	}
}

func matrixMultiplyDef() *ir.OpDef {
	return &ir.OpDef{ID: MatrixMultiply, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("lhs", numbers1D), ir.Operand("rhs", numbers1D)},
		Results:  ir.SingleResult("res", numbers1D),
		Attrs: []ir.AttrDef{attr("lhs_rows", constraint.I32Attr), attr("lhs_columns", constraint.I32Attr),
			attr("rhs_columns", constraint.I32Attr)},
		TypeRules: []ir.TypeRule{sameElement(0, "lhs operand and result have same element type"),
			sameElement(1, "rhs operand and result have same element type")},
		Format: "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)",
		Later:  []ir.Spelling{{Since: 22, Name: "llvm.intr.matrix.multiply"}},
		Models: []ir.Model{
			exec.Executable.Model(executeMatrixMultiply),
		},
	}
}

func flatTransposeDef() *ir.OpDef {
	return &ir.OpDef{ID: FlatTranspose, Traits: ir.TraitPure,
		Operands:  []ir.OperandDef{ir.Operand("matrix", numbers1D)},
		Results:   ir.SingleResult("res", numbers1D),
		Attrs:     []ir.AttrDef{attr("rows", constraint.I32Attr), attr("columns", constraint.I32Attr)},
		TypeRules: []ir.TypeRule{sameElement(0, "source operand and result have same element type")},
		Format:    "$matrix attr-dict `:` type($matrix) `->` type($res)",
		Later:     []ir.Spelling{{Since: 22, Name: "llvm.intr.matrix.transpose", Format: "$matrix attr-dict `:` type($matrix) `into` type($res)"}},
		Models: []ir.Model{
			exec.Executable.Model(executeFlatTranspose),
		},
	}
}

func vScaleDef() *ir.OpDef {
	return &ir.OpDef{ID: VScale, Traits: ir.TraitPure,
		Results: ir.SingleResult("res", constraint.Index), Format: "attr-dict",
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) { name(op.Result(0), "vscale") }),
			interfaces.VectorScale.Model(struct{}{}),
			exec.Executable.Model(executeVScale),
		}}
}

func stepDef() *ir.OpDef {
	return &ir.OpDef{ID: Step, Traits: ir.TraitPure,
		Results: ir.SingleResult("result", indices1D), Format: "attr-dict `:` type($result)",
		Fold:      foldStep,
		Revisions: []ir.Revision{{Since: 22, Fold: keep}},
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "StepCompareFolder", Since: 22, Rewrite: comparedStep}),
			exec.Executable.Model(executeStep),
		},
	}
}

// Masks, and operations in regions.
var (
	// ConstantMask is set for positions below constant bounds.
	ConstantMask = ir.NewOpID("vector.constant_mask")
	// CreateMask is set for positions below the bounds.
	CreateMask = ir.NewOpID("vector.create_mask")
	// Yield ends the regions of the dialect.
	Yield = ir.NewOpID("vector.yield")
	// Print writes a value, a string or punctuation.
	Print = ir.NewOpID("vector.print")
)

func constantMaskDef() *ir.OpDef {
	return &ir.OpDef{ID: ConstantMask, Traits: ir.TraitPure,
		Results:   ir.SingleResult("", bitsAnyRank),
		Attrs:     []ir.AttrDef{attr("mask_dim_sizes", constraint.I64ArrayAttr)},
		Later:     denseInLater("mask_dim_sizes"),
		Format:    "$mask_dim_sizes attr-dict `:` type(results)",
		Verify:    verifyConstantMask,
		Revisions: []ir.Revision{{Since: 22, Fold: foldConstantMask}},
		Models: []ir.Model{
			exec.Executable.Model(executeConstantMask),
		},
	}
}

func createMaskDef() *ir.OpDef {
	return &ir.OpDef{ID: CreateMask, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{indices("operands")},
		Results:  ir.SingleResult("", bitsAnyRank),
		Format:   "$operands attr-dict `:` type(results)",
		Verify:   verifyCreateMask,
		Models: []ir.Model{
			exec.Executable.Model(executeCreateMask),
			rewrite.Patterns(createMaskPatterns()...),
		},
	}
}

func yieldDef() *ir.OpDef {
	return &ir.OpDef{ID: Yield, Traits: ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Format:   "attr-dict ($operands^ `:` type($operands))?",
		Models: []ir.Model{
			interfaces.Bufferizable.Model(yieldBufferize{}),
		},
	}
}

func printDef() *ir.OpDef {
	return &ir.OpDef{ID: Print,
		Operands: []ir.OperandDef{ir.OptionalOperand("source", printable)},
		Attrs: []ir.AttrDef{{Name: "punctuation", Type: constraint.Enum("Punctuation for separating vectors or vector elements", PrintPunctuation),
			Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(PrintPunctuation, 1) }},
			{Name: "stringLiteral", Type: stringLiteral, Optional: true}},
		TypeRules: []ir.TypeRule{{Summary: "`source` or `punctuation` are not set when printing strings", Check: func(op *ir.Op) bool {
			p, ok := op.Attr("punctuation").(*ir.EnumAttr)
			return op.Attr("stringLiteral") == nil || op.NumOperands() == 0 && (!ok || p.Keyword() == "newline")
		}}},
		Format: "($source^ `:` type($source))? oilist(`str` $stringLiteral | `punctuation` $punctuation) attr-dict",
		Models: []ir.Model{
			interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Write}),
			exec.Executable.Model(executePrint),
		}}
}

// Memory.
var (
	// Load reads a vector from contiguous memory.
	Load = ir.NewOpID("vector.load")
	// Store writes a vector to contiguous memory.
	Store = ir.NewOpID("vector.store")
	// MaskedLoad reads the elements that the mask selects.
	MaskedLoad = ir.NewOpID("vector.maskedload")
	// MaskedStore writes the elements that the mask selects.
	MaskedStore = ir.NewOpID("vector.maskedstore")
	// ExpandLoad reads consecutive elements into the positions that the mask selects.
	ExpandLoad = ir.NewOpID("vector.expandload")
	// CompressStore writes the elements that the mask selects consecutively.
	CompressStore = ir.NewOpID("vector.compressstore")
	// Gather reads elements at given positions.
	Gather = ir.NewOpID("vector.gather")
	// Scatter writes elements to given positions.
	Scatter = ir.NewOpID("vector.scatter")
)

func loadDef() *ir.OpDef {
	return &ir.OpDef{ID: Load, Later: strictAligned(loadFormat),
		Operands: []ir.OperandDef{ir.Operand("base", constraint.AnyMemRef), indices("indices")},
		Results:  ir.SingleResult("result", anyRank),
		Attrs:    []ir.AttrDef{nontemporalAttr},
		Format:   loadFormat,
		Models: []ir.Model{
			reads(0),
			interfaces.BufferAddressing.Model(contiguousAddressing),
			exec.Executable.Model(executeContiguous),
		},
		Fold: foldCasts,
		Verify: func(op *ir.Op) error {
			return verifyContiguous(op, 0, op.Result(0), "result", "base and result element types should match",
				"destination memref has lower rank than the result vector")
		},
	}
}

func storeDef() *ir.OpDef {
	return &ir.OpDef{ID: Store, Later: strictAligned(storeFormat),
		Operands: []ir.OperandDef{ir.Operand("valueToStore", anyRank), ir.Operand("base", constraint.AnyMemRef), indices("indices")},
		Attrs:    []ir.AttrDef{nontemporalAttr},
		Format:   storeFormat,
		Models: []ir.Model{
			writes(1),
			interfaces.BufferAddressing.Model(contiguousAddressing),
			exec.Executable.Model(executeContiguous),
		},
		Fold: foldCasts,
		Verify: func(op *ir.Op) error {
			return verifyContiguous(op, 1, StoreOp{op}.ValueToStore(), "valueToStore", "base and valueToStore element type should match",
				"source memref has lower rank than the vector to store")
		},
	}
}

func maskedLoadDef() *ir.OpDef {
	return maskedLoad(ir.OpDef{ID: MaskedLoad,
		Fold:   foldCasts,
		Verify: verifyMaskedLoad,
		Models: []ir.Model{
			exec.Executable.Model(executeMaskedLoad),
			rewrite.Patterns(maskedPatterns("masked-load", 2, replaceByLoad, replaceByPassThru)...),
		},
	})
}

func maskedStoreDef() *ir.OpDef {
	return maskedStore(ir.OpDef{ID: MaskedStore,
		Fold:   foldCasts,
		Verify: verifyMaskedStore,
		Models: []ir.Model{
			exec.Executable.Model(executeMaskedStore),
			rewrite.Patterns(maskedPatterns("masked-store", 2, replaceByStore, eraseStore)...),
		},
	})
}

func expandLoadDef() *ir.OpDef {
	return maskedLoad(ir.OpDef{ID: ExpandLoad,
		Verify: verifyMaskedLoad,
		Models: []ir.Model{
			exec.Executable.Model(executeMaskedLoad),
			rewrite.Patterns(maskedPatterns("expand-load", 2, replaceByLoad, replaceByPassThru)...),
		},
	})
}

func compressStoreDef() *ir.OpDef {
	return maskedStore(ir.OpDef{ID: CompressStore,
		Verify: verifyMaskedStore,
		Models: []ir.Model{
			exec.Executable.Model(executeMaskedStore),
			rewrite.Patterns(maskedPatterns("compress-store", 2, replaceByStore, eraseStore)...),
		},
	})
}

func gatherDef() *ir.OpDef {
	return &ir.OpDef{ID: Gather, Later: aligned,
		Operands: []ir.OperandDef{ir.Operand("base", constraint.AnyShaped), indices("indices"), ir.Operand("index_vec", ints),
			ir.Operand("mask", bits), ir.Operand("pass_thru", anyVector)},
		Results: ir.SingleResult("result", anyVector),
		Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,`" +
			" type($index_vec) `,` type($mask) `,` type($pass_thru) `into` type($result)",
		Models: []ir.Model{
			reads(0),
			interfaces.Addresses(interfaces.Linearly),
			interfaces.Bufferizable.Model(gatherBufferize{}),
			exec.Executable.Model(executeGather),
			rewrite.Patterns(append(maskedPatterns("gather", 3, nil, replaceByPassThru),
				rewrite.Pattern{Name: "gather-in-a-row", Since: 22, Rewrite: gatherInARow})...),
		},
		Verify:    verifyGather,
		Revisions: []ir.Revision{{Since: 22, Verify: verifyLaterGather}},
	}
}

// Of tensors, which LLVM 22 added, it returns the new one.
func scatterDef() *ir.OpDef {
	return scatter(ints1D, bits1D, rank1, ir.Revision{Since: 22, Def: scatter(ints, bits, anyVector)})
}

var scattersTo = []interfaces.Effect{interfaces.OnOperand(interfaces.Write, 0)}

// scatter is the definition of a scatter of vectors of one dimension, or, in LLVM 22, of any number of them.
func scatter(positions, mask, values ir.TypeConstraint, revisions ...ir.Revision) *ir.OpDef {
	return &ir.OpDef{ID: Scatter, Later: aligned, Revisions: revisions,
		Operands: []ir.OperandDef{ir.Operand("base", scattered), indices("indices"), ir.Operand("index_vec", positions),
			ir.Operand("mask", mask), ir.Operand("valueToStore", values)},
		Results: []ir.ResultDef{{Name: "result", Type: constraint.AnyTensor, Arity: ir.Optional}},
		Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,`" +
			" type($index_vec) `,` type($mask) `,` type($valueToStore) (`->` type($result)^)?",
		Models: []ir.Model{
			interfaces.MemoryEffects.Model(func(*ir.Op) []interfaces.Effect { return scattersTo }), // also to tensors, in LLVM
			interfaces.Addresses(interfaces.Linearly),
			interfaces.Bufferizable.Model(scatterBufferize{}),
			interfaces.BufferizableSince.Model(22),
			exec.Executable.Model(executeScatter),
			rewrite.Patterns(append(maskedPatterns("scatter", 3, nil, eraseStore),
				rewrite.Pattern{Name: "scatter-in-a-row", Since: 22, Rewrite: scatterInARow})...),
		},
		Verify: verifyScatter,
	}
}

// maskedLoad is the definition of a load of a vector of one dimension, or, in LLVM 22, of any number of them.
func maskedLoad(def ir.OpDef) *ir.OpDef {
	masked := func(mask, values ir.TypeConstraint) *ir.OpDef {
		return maskedLoadOf(def.ID, mask, values).With(def)
	}
	d := masked(bits1D, rank1)
	d.Revisions = []ir.Revision{{Since: 22, Def: masked(bits, anyVector)}}
	return d
}

func maskedLoadOf(id *ir.OpID, mask, values ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{ID: id, Later: aligned,
		Operands: []ir.OperandDef{ir.Operand("base", constraint.AnyMemRef), indices("indices"), ir.Operand("mask", mask), ir.Operand("pass_thru", values)},
		Results:  ir.SingleResult("result", values),
		Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,`" +
			" type($pass_thru) `into` type($result)",
		Models: []ir.Model{reads(0), interfaces.BufferAddressing.Model(maskedAddressing)}}
}

// maskedStore is the definition of a store of a vector of one dimension, or, in LLVM 22, of any number of them.
func maskedStore(def ir.OpDef) *ir.OpDef {
	masked := func(mask, values ir.TypeConstraint) *ir.OpDef {
		return maskedStoreOf(def.ID, mask, values).With(def)
	}
	d := masked(bits1D, rank1)
	d.Revisions = []ir.Revision{{Since: 22, Def: masked(bits, anyVector)}}
	return d
}

func maskedStoreOf(id *ir.OpID, mask, values ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{ID: id, Later: aligned,
		Operands: []ir.OperandDef{ir.Operand("base", constraint.AnyMemRef), indices("indices"), ir.Operand("mask", mask), ir.Operand("valueToStore", values)},
		Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,`" +
			" type($valueToStore)",
		Models: []ir.Model{writes(0), interfaces.BufferAddressing.Model(maskedAddressing)}}
}

// doubled tells whether the second type is the first with the trailing dimension
// twice as large; a vector without dimensions counts as one of size 1.
func doubled(half, full ir.Type) bool {
	h, f := vec(half), vec(full)
	shape := h.Shape
	if len(shape) == 0 {
		shape = []int64{1}
	}
	if len(shape) != len(f.Shape) || h.Elem != f.Elem || !slices.Equal(h.Scalable, f.Scalable) {
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
	if len(mask.Elems) == 0 { // there are no vectors of no elements
		return nil, ir.Errorf(s.Loc, "'%s' op invalid mask length", Shuffle)
	}
	t := vec(s.Operands[0].Type())
	shape := []int64{int64(len(mask.Elems))}
	if len(t.Shape) > 1 {
		shape = append(shape, t.Shape[1:]...)
	}
	return []ir.Type{s.Name.Context().Vector(shape, nil, t.Elem)}, nil
}

func verifyTranspose(op *ir.Op) error {
	src, dst := vec(TransposeOp{op}.Vector().Type()), vec(op.Result(0).Type())
	if len(src.Shape) != len(dst.Shape) {
		return op.Errorf("vector result rank mismatch: %d", len(dst.Shape))
	}
	perm := interfaces.StaticInts(op, "permutation")
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
	return v.Elem, ir.ElementCount(v.Shape)
}

// aligned is the spelling of LLVM 22, in which accesses may tell how their address is aligned.
var aligned = []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{memref.Alignment}, Discardable: []string{memref.AlignmentAttr}}}

// strictSince is the first version of LLVM that doesn't read inherent attributes in the dictionary of an operation's own syntax.
const strictSince = 24

// strict is the spelling of such a version, where words stand before the dictionary.
func strict(format, words string) ir.Spelling {
	return ir.Spelling{Since: strictSince, Format: strings.Replace(format, "attr-dict", words+" attr-dict", 1)}
}

// strictAligned are the spellings of contiguous accesses, of which that of LLVM 24 has words for attributes.
func strictAligned(format string) []ir.Spelling {
	sp := strict(format, "oilist(`alignment` `=` $alignment | `nontemporal` `=` $nontemporal)")
	sp.Attrs, sp.Discardable = aligned[0].Attrs, aligned[0].Discardable
	return []ir.Spelling{aligned[0], sp}
}

// The formats of the definitions.
const (
	loadFormat         = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"
	storeFormat        = "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)"
	insertSliceFormat  = "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"
	extractSliceFormat = "$vector attr-dict `:` type($vector) `to` type(results)"
)
