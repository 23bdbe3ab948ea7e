// Package shape is the dialect of computations on shapes: their ranks, sizes and
// broadcasts, and the conditions they must meet.
package shape

import (
	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

const dialectName = "shape"

// Dialect is the shape dialect. Its types refer to it, so its operations are
// attached when the package is initialised.
var Dialect = &ir.Dialect{Name: dialectName, AllowUnknownOps: true,
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{addDef(), anyDef(), assumingDef(), assumingAllDef(), assumingYieldDef(), broadcastDef(), concatDef(), constShapeDef(), constSizeDef(),
			constWitnessDef(), cstrBroadcastableDef(), cstrEqDef(), cstrRequireDef(), debugPrintDef(), dimDef(), divDef(), fromExtentTensorDef(), fromExtentsDef(), funcDef(),
			functionLibraryDef(), getExtentDef(),
			indexToSizeDef(), isBroadcastableDef(), maxDef(), meetDef(), minDef(), mulDef(), numElementsDef(), rankDef(), reduceDef(), returnDef(), shapeEqDef(), shapeOfDef(), sizeToIndexDef(), splitAtDef(),
			toExtentTensorDef(), valueAsShapeDef(), valueOfDef(), withShapeDef(), yieldDef()}
	},
	VerifyOpAttr: verifyLibraries,
	Types:        ir.PlainTypes("shape", "size", "value_shape", "witness"),
	Models: []ir.Model{
		exec.ExampleOf.Model(example),
		asm.TypeParser.Model(parseType),
		interfaces.ConstantMaterializer.Model(materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		rewrite.DialectCanonicalization.Model([]rewrite.Pattern{
			{Name: "ShapeOfCastExtentTensor", Root: tensor.Cast, Rewrite: castShapeOf},
			{Name: "ExtractFromShapeOfExtentTensor", Root: tensor.Extract, Rewrite: extractFromShapeOf},
		}),
	},
}

func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	switch mnemonic {
	case "shape", "size", "value_shape", "witness":
		return p.Context().DialectTypeOf(p.Context().Dialect(dialectName), mnemonic), nil
	}
	return nil, nil
}

// isType tells whether t is the dialect's type of that mnemonic.
func isType(t ir.Type, mnemonic string) bool {
	return ir.IsDialectType(t, dialectName, mnemonic)
}

// IsNumbers tells whether t is the type of shapes, sizes or witnesses: of values that are made of
// numbers, while !shape.value_shape has a tensor or memref in it.
func IsNumbers(t ir.Type) bool {
	return isType(t, "shape") || isType(t, "size") || isType(t, "witness")
}

// isExtentTensor tells whether t is a tensor of one dimension of index elements.
func isExtentTensor(t ir.Type) bool {
	r, ok := t.(*ir.RankedTensorType)
	return ok && len(r.Shape) == 1 && r.Elem == ir.Type(ir.Index)
}

func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	constant := func(id *ir.OpID, attr string) *ir.Op {
		return b.CreateOp(id, []ir.Type{t}, nil, ir.NamedAttr{Name: attr, Value: value})
	}
	_, dense := value.(*ir.DenseElementsAttr)
	_, number := value.(*ir.IntegerAttr)
	switch {
	case dense && isExtentTensor(t) && ir.TypeOfAttr(value) != t:
		return nil // the type of shape.const_shape says how many sizes there are
	case dense && (isType(t, "shape") || isExtentTensor(t)):
		return constant(ConstShape, "shape")
	case number && isType(t, "size"):
		return constant(ConstSize, "value")
	case number && isType(t, "witness"):
		return constant(ConstWitness, "passing")
	}
	return arith.Materialize(b, value, t)
}
