package tosa

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/rewrite"
)

// Operations that move elements.
var (
	Concat    = ir.NewOpID("tosa.concat")
	Gather    = ir.NewOpID("tosa.gather")
	Pad       = ir.NewOpID("tosa.pad")
	Reshape   = ir.NewOpID("tosa.reshape")
	Resize    = ir.NewOpID("tosa.resize")
	Reverse   = ir.NewOpID("tosa.reverse")
	Scatter   = ir.NewOpID("tosa.scatter")
	Slice     = ir.NewOpID("tosa.slice")
	Table     = ir.NewOpID("tosa.table")
	Tile      = ir.NewOpID("tosa.tile")
	Transpose = ir.NewOpID("tosa.transpose")
)

// How tosa.resize computes elements between those that are given.
const (
	Bilinear        = "BILINEAR"
	NearestNeighbor = "NEAREST_NEIGHBOR"
)

func concatDef() *ir.OpDef {
	return &ir.OpDef{
		ID:              Concat,
		Operands:        []ir.OperandDef{ir.VariadicOperand("input1", anyTensor)},
		Results:         ir.SingleResult("output", anyTensor),
		Attrs:           []ir.AttrDef{axisAttr},
		Traits:          ir.TraitPure,
		Format:          functional,
		InferTypes:      inferConcat,
		CompatibleTypes: compatibleTensors,
		Fold:            foldConcat,
		Models: []ir.Model{
			ShapeInference.Model(inferredTypes),
			rewrite.Patterns(rewrite.Pattern{Name: "ConcatOptimization", Rewrite: removeConcat}),
		},
	}
}

func gatherDef() *ir.OpDef {
	return op(Gather, "output", tensor3D, "values").With(ir.OpDef{
		Operands: []ir.OperandDef{ir.Operand("values", tensor3D), ir.Operand("indices", indices2D)},
		Models:   []ir.Model{ShapeInference.Model(inferGather)},
	})
}

func padDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Pad,
		Operands: []ir.OperandDef{ir.Operand("input1", rankedTensor), ir.Operand("padding", indexTensor),
			ir.OptionalOperand("pad_const", scalarTensor)},
		Results: ir.SingleResult("output", rankedTensor),
		Attrs:   []ir.AttrDef{padQuantAttr},
		Traits:  ir.TraitPure,
		Format:  functional,
		Fold:    foldPad,
		Later:   without(later(readPad, printPad), quantName),
		Models: []ir.Model{
			ShapeInference.Model(inferPad),
			rewrite.Patterns(rewrite.Pattern{Name: "MaterializePadValue", Rewrite: materializePadValue}),
		},
	}
}

func reshapeDef() *ir.OpDef {
	return op(Reshape, "output", anyTensor, "input1").With(ir.OpDef{
		Results:         ir.SingleResult("output", rankedTensor),
		Attrs:           []ir.AttrDef{attr("new_shape", constraint.DenseI64Array)},
		InferTypes:      inferReshape,
		CompatibleTypes: compatibleTensors,
		Verify:          verifyReshape,
		Fold:            foldReshape,
		Later:           without(later(readShapes("new_shape"), printShapes("new_shape")), "new_shape"),
		Models:          []ir.Model{ShapeInference.Model(inferredTypes)},
	})
}

func resizeDef() *ir.OpDef {
	return op(Resize, "output", tensor4D, "input").With(ir.OpDef{
		Attrs:  []ir.AttrDef{attr("scale", i64s(4)), attr("offset", i64s(2)), attr("border", i64s(2)), attr("mode", resizeMode)},
		Fold:   foldResize,
		Later:  laterResize,
		Models: []ir.Model{ShapeInference.Model(inferResize)},
	})
}

func reverseDef() *ir.OpDef {
	return op(Reverse, "output", anyTensor, "input").With(ir.OpDef{
		Attrs: []ir.AttrDef{axisAttr}, Verify: verifyReverse, Fold: foldReverse,
		Models: []ir.Model{ShapeInference.Model(inferSame)},
	})
}

func scatterDef() *ir.OpDef {
	return op(Scatter, "values_out", tensor3D, "values_in").With(ir.OpDef{
		Operands:  []ir.OperandDef{ir.Operand("values_in", tensor3D), ir.Operand("indices", indices2D), ir.Operand("input", tensor3D)},
		Revisions: revised(verifyScatterOf22),
		Models:    []ir.Model{ShapeInference.Model(inferScatter)},
	})
}

func sliceDef() *ir.OpDef {
	return op(Slice, "output", anyTensor, "input").With(ir.OpDef{
		Attrs:  []ir.AttrDef{attr("start", constraint.DenseI64Array), attr("size", constraint.DenseI64Array)},
		Verify: verifySlice,
		Fold:   foldSlice,
		Later:  without(later(readShapes("start", "size"), printShapes("start", "size")), "start", "size"),
		Models: []ir.Model{
			ShapeInference.Model(inferSlice),
			rewrite.Patterns(rewrite.Pattern{Name: "ConcatSliceOptimization", Rewrite: sliceOfConcat}),
		},
	})
}

func tableDef() *ir.OpDef {
	return op(Table, "output", anyTensor, "input").With(ir.OpDef{
		Operands: []ir.OperandDef{ir.Operand("input", anyTensor), ir.Operand("table", tensor1D)},
		Format:   "$input `,` $table attr-dict `:` `(` type($input) `,` type($table) `)` `->` type($output)",
		Models:   []ir.Model{ShapeInference.Model(inferSame)},
	})
}

func tileDef() *ir.OpDef {
	return op(Tile, "output", anyTensor, "input1").With(ir.OpDef{
		Attrs: []ir.AttrDef{attr("multiples", constraint.DenseI64Array)}, Verify: verifyTile, Fold: foldTile,
		Later:  without(later(readShapes("multiples"), printShapes("multiples")), "multiples"),
		Models: []ir.Model{ShapeInference.Model(inferTile)},
	})
}

func transposeDef() *ir.OpDef {
	return op(Transpose, "output", anyTensor, "input1").With(ir.OpDef{
		Operands:  []ir.OperandDef{ir.Operand("input1", anyTensor), ir.Operand("perms", indexTensor)},
		Verify:    verifyTranspose,
		Revisions: revised(verifyTransposeOf22, elementsStay),
		Fold:      foldTranspose,
		Later:     later(readTranspose, printTranspose, permsName),
		Models: []ir.Model{
			ShapeInference.Model(inferTranspose),
			rewrite.Patterns(
				rewrite.Pattern{Name: "ConsolidateTransposeOptimization", Rewrite: joinTransposes},
				rewrite.Pattern{Name: "TransposeIsReshape", Rewrite: transposeToReshape},
			),
		},
	})
}
