// Package affine defines the dialect of loops, conditions and memory accesses
// whose bounds and indices are affine functions of loop counters and symbols.
package affine

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Dialect is the affine dialect.
var Dialect = &ir.Dialect{
	Name: "affine",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{applyDef(), dmaStartDef(), dmaWaitDef(), forDef(), ifDef(), loadDef(), minDef(), maxDef(), parallelDef(), prefetchDef(), storeDef(), yieldDef(), vectorLoadDef(), vectorStoreDef(),
			delinearizeIndexDef(), linearizeIndexDef()}
	},
	Models: []ir.Model{
		interfaces.ConstantMaterializer.Model(arith.Materialize),
		interfaces.Inliner.Model(inliner{}),
		interfaces.InlinerIntoRegion.Model(legalBody),
		asm.Directives.Model(map[string]asm.Directive{"Basis": basis, "LinearBasis": linearBasis}),
	},
}

// MapAttr is the attribute with the affine map of most operations.
const MapAttr = "map"

var mapAttr = ir.AttrDef{Name: MapAttr, Type: constraint.AffineMapAttr}

var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

func indices(name string) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: constraint.Index, Arity: ir.Variadic}
}

var anyResults = []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}}

func mapOf(op *ir.Op, attr string) *ir.AffineMap {
	m, _ := op.Attr(attr).(*ir.AffineMapAttr)
	if m == nil {
		return nil
	}
	return m.Map
}

// MapOf returns the affine map of a load, store, apply, min or max.
func MapOf(op *ir.Op) *ir.AffineMap { return mapOf(op, MapAttr) }

// Yield ends the body of a loop or a conditional.
var Yield = ir.NewOpID("affine.yield")

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Traits:   ir.TraitPure | ir.TraitTerminator | ir.TraitReturnLike,
		Format:   "attr-dict ($operands^ `:` type($operands))?",
		Verify:   verifyYield,
	}
}

func verifyYield(op *ir.Op) error {
	parent := op.Parent()
	if parent == nil || !(parent.Is(For) || parent.Is(If) || parent.Is(Parallel)) {
		return op.Errorf("only terminates affine.if/for/parallel regions")
	}
	if parent.NumResults() != op.NumOperands() {
		return op.Errorf("parent of yield must have same number of results as the yield operands")
	}
	for i := range op.NumOperands() {
		if op.Operand(i).Type() != parent.Result(i).Type() {
			return op.Errorf("types mismatch between yield op and its parent")
		}
	}
	return nil
}

// NewYield creates a yield of the values.
func NewYield(b *ir.Builder, values ...*ir.Value) *ir.Op { return b.CreateOp(Yield, nil, values) }
