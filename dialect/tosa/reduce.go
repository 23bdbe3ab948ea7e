package tosa

import (
	"freehold/ir"
)

// Operations that combine the elements along a dimension.
var (
	ArgMax     = ir.NewOpID("tosa.argmax")
	ReduceAll  = ir.NewOpID("tosa.reduce_all")
	ReduceAny  = ir.NewOpID("tosa.reduce_any")
	ReduceMax  = ir.NewOpID("tosa.reduce_max")
	ReduceMin  = ir.NewOpID("tosa.reduce_min")
	ReduceProd = ir.NewOpID("tosa.reduce_prod")
	ReduceSum  = ir.NewOpID("tosa.reduce_sum")
)

func reduction(id *ir.OpID) *ir.OpDef {
	return op(id, "output", anyTensor, "input").With(ir.OpDef{
		Attrs:           []ir.AttrDef{axisAttr},
		InferTypes:      inferReduction,
		CompatibleTypes: compatibleTensors,
		Verify:          verifyReduction,
		Fold:            foldReduction,
		Models:          []ir.Model{ShapeInference.Model(inferredTypes)},
	})
}

func reduceAllDef() *ir.OpDef {
	return reduction(ReduceAll)
}

func reduceAnyDef() *ir.OpDef {
	return reduction(ReduceAny)
}

func reduceMaxDef() *ir.OpDef {
	return reduction(ReduceMax).With(ir.OpDef{Later: wordy(later(readNaN, nil, nanModeName))})
}

func reduceMinDef() *ir.OpDef {
	return reduction(ReduceMin).With(ir.OpDef{Later: wordy(later(readNaN, nil, nanModeName))})
}

func reduceProdDef() *ir.OpDef {
	return reduction(ReduceProd).With(ir.OpDef{Later: []ir.Spelling{{Since: 22, Name: "tosa.reduce_product"}}})
}

func reduceSumDef() *ir.OpDef {
	return reduction(ReduceSum)
}

func argMaxDef() *ir.OpDef {
	return op(ArgMax, "output", anyTensor, "input").With(ir.OpDef{
		Attrs: []ir.AttrDef{axisAttr}, Verify: verifyArgMax, Fold: foldArgMax, Later: wordy(later(readNaN, nil, nanModeName)),
		Revisions: revised(verifyArgMaxOf22),
		Models:    []ir.Model{ShapeInference.Model(inferArgMax)},
	})
}

// Axis returns the dimension that an operation works along.
func Axis(op *ir.Op) int64 { return op.Attr("axis").(*ir.IntegerAttr).Value }
