// Package memref defines the dialect of buffers: how they are allocated and freed,
// read and written, and seen through views.
package memref

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// standardNames are the names in the standard dialect, from which LLVM took these operations.
func standardNames() map[*ir.OpID][]string {
	return map[*ir.OpID][]string{
		Alloc: {"std.alloc"}, Alloca: {"std.alloca"}, AssumeAlignment: {"std.assume_alignment"}, AtomicRMW: {"std.atomic_rmw"},
		AtomicYield: {"std.atomic_yield"}, Cast: {"std.memref_cast"}, Dealloc: {"std.dealloc"}, DmaStart: {"std.dma_start"},
		DmaWait: {"std.dma_wait"}, GenericAtomicRMW: {"std.generic_atomic_rmw"}, GetGlobal: {"std.get_global_memref"},
		Global: {"std.global_memref"}, Load: {"std.load"}, Prefetch: {"std.prefetch"}, Rank: {"std.rank"},
		ReinterpretCast: {"std.memref_reinterpret_cast"}, Reshape: {"std.memref_reshape"}, Store: {"std.store"}, SubView: {"std.subview"},
		Transpose: {"std.transpose"}, View: {"std.view"},
	}
}

// Dialect is the memref dialect.
var Dialect = &ir.Dialect{
	Name: "memref",
	Ops: func() []*ir.OpDef {
		return ir.WithNames([]*ir.OpDef{
			assumeAlignmentDef(), allocDef(), reallocDef(), allocaDef(), allocaScopeDef(), allocaScopeReturnDef(), castDef(), copyDef(), deallocDef(), dimDef(), distinctObjectsDef(), dmaStartDef(),
			dmaWaitDef(), extractAlignedPointerAsIndexDef(), extractStridedMetadataDef(), genericAtomicRMWDef(), atomicYieldDef(), getGlobalDef(),
			globalDef(), loadDef(), memorySpaceCastDef(), prefetchDef(), reinterpretCastDef(), rankDef(), reshapeDef(), expandShapeDef(), collapseShapeDef(), storeDef(),
			subViewDef(), transposeDef(), viewDef(), atomicRMWDef(),
		}, 14, standardNames())
	},
	Models: []ir.Model{
		interfaces.ConstantMaterializer.Model(arith.Materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		asm.Directives.Model(map[string]asm.Directive{
			"GlobalMemrefOpTypeAndInitialValue": {Parse: parseGlobalType, Print: printGlobalType},
		}),
	},
}

func memrefOf(t ir.Type) *ir.MemRefType { m, _ := t.(*ir.MemRefType); return m }

// IsStrided tells whether a type is that of buffers whose layout, if any, is one of strides and an offset.
func IsStrided(t ir.Type) bool {
	m := memrefOf(t)
	if m == nil {
		return false
	}
	_, _, ok := m.StridesAndOffset()
	return ok
}

var (
	stridedMemRef = ir.TypeConstraint{Summary: "strided memref of any type values", Class: ir.MemRefClass, Match: IsStrided}

	scalarStridedMemRef = ir.TypeConstraint{Summary: "strided memref of any type values of rank 0", Class: ir.MemRefClass, Match: func(t ir.Type) bool {
		return IsStrided(t) && len(memrefOf(t).Shape) == 0
	}}

	nonScalarMemRef = ir.TypeConstraint{
		Summary: "unranked.memref of any type values or non-0-ranked.memref of any type values",
		Match: func(t ir.Type) bool {
			m := memrefOf(t)
			return ir.IsMemRef(t) && (m == nil || len(m.Shape) > 0)
		}}

	staticMemRef = ir.TypeConstraint{Summary: "statically shaped memref of any type values", Class: ir.MemRefClass, Match: func(t ir.Type) bool {
		m := memrefOf(t)
		return m != nil && ir.IsStaticShape(m.Shape)
	}}

	atomicScalar = ir.TypeConstraint{Summary: "signless integer or floating-point", Match: func(t ir.Type) bool {
		return ir.IsSignlessInteger(t) || ir.IsFloat(t)
	}}

	memref1D      = constraint.RankOf("1D", "memref", 1, constraint.AnyType)
	byteMemRef    = constraint.RankOf("1D", "memref", 1, constraint.I8)
	shapeMemRef   = constraint.RankOf("1D", "memref", 1, ir.TypeConstraint{Summary: "signless integer or index", Match: constraint.SignlessIntOrIndex.Match})
	atomicMemRef  = constraint.MemRefOf(atomicScalar)
	memrefTypeArg = constraint.TypeAttrOf("memref type attribute", func(t ir.Type) bool { return memrefOf(t) != nil })
	alignmentAttr = constraint.Integer("64-bit signless integer attribute whose minimum value is 0",
		ir.I64, func(v int64) bool { return v >= 0 })
	positiveI32 = constraint.Integer("32-bit signless integer attribute whose value is positive",
		ir.I32, func(v int64) bool { return v > 0 })
	localityAttr = constraint.Integer("32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
		ir.I32, func(v int64) bool { return v >= 0 && v <= 3 })
	// IndexLists accepts lists of lists of dimensions, as reshapes have.
	indexLists = constraint.ArrayOf("Array of 64-bit integer array attributes", constraint.I64ArrayAttr.Match)
)

// segments keeps the sizes of operand groups.
var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

func indices(name string) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: constraint.Index, Arity: ir.Variadic}
}

func i64s(name string) ir.AttrDef { return ir.AttrDef{Name: name, Type: constraint.DenseI64Array} }

func i64Sizes(name string) ir.AttrDef { return ir.AttrDef{Name: name, Type: constraint.DenseI64Sizes} }

// elementOf says that the type of group to is the element type of the memref from.
func elementOf(from, to, summary string) ir.TypeRule {
	return ir.TypeRule{From: from, To: to, Transform: ir.ElementType, Summary: summary}
}

// named suggests a name for the operation's only result.
func named(name string) ir.Model {
	return asm.ResultNames.Model(func(op *ir.Op, suggest func(*ir.Value, string)) { suggest(op.Result(0), name) })
}

// effects is the model of fixed effects on operands, given as kinds by position.
func onOperand(i int, kinds ...interfaces.EffectKind) ir.Model {
	effects := make([]interfaces.Effect, len(kinds))
	for k, kind := range kinds {
		effects[k] = interfaces.OnOperand(kind, i)
	}
	return interfaces.FixedEffects(effects...)
}

// viewOfFirst says that the result is a view of the first operand.
var viewOfFirst = interfaces.ViewLike.Model(func(op *ir.Op) *ir.Value { return viewOp{op}.Source() })

// viewOp is any of the operations that have viewOfFirst.
type viewOp struct{ *ir.Op }

// Source returns what is viewed.
func (o viewOp) Source() *ir.Value { return o.Operand(0) }
