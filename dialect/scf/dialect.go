// Package scf defines the dialect of structured control flow: conditionals and
// loops whose bodies are regions.
package scf

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Dialect is the scf dialect.
var Dialect = &ir.Dialect{
	Name: "scf",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{conditionDef(), executeRegionDef(), forDef(), forallDef(), inParallelDef(), ifDef(), parallelDef(), reduceDef(), reduceReturnDef(), whileDef(),
			indexSwitchDef(), yieldDef()}
	},
	Models: []ir.Model{
		interfaces.Inliner.Model(inliner{}),
		asm.Directives.Model(map[string]asm.Directive{"SwitchCases": {Parse: parseSwitchCases, Print: printSwitchCases}}),
	},
}

// inliner lets all operations of the dialect be inlined.
type inliner struct{ interfaces.InlineAnywhere }

// Terminator replaces a yield by the values that it yields.
func (inliner) Terminator(b *ir.Builder, op *ir.Op, dest *ir.Block, values []*ir.Value) {
	if !op.Is(Yield) {
		return
	}
	for i, v := range values {
		v.ReplaceAllUsesWith(op.Operand(i))
	}
}

var anyResults = []ir.ResultDef{{Name: "results", Type: constraint.AnyType, Arity: ir.Variadic}}

var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

// Yield ends a region with the values of its results or of the next iteration.
var Yield = ir.NewOpID("scf.yield")

func yieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Yield,
		Operands: []ir.OperandDef{ir.VariadicOperand("results", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Parents:  []*ir.OpID{ExecuteRegion, For, If, IndexSwitch, While},
		Format:   "attr-dict ($results^ `:` type($results))?",
		Models:   []ir.Model{interfaces.Bufferizable.Model(yieldBufferize{})},
	}
}

// NewYield creates a yield of the values.
func NewYield(b *ir.Builder, values ...*ir.Value) *ir.Op { return b.CreateOp(Yield, nil, values) }

// yieldOf returns the yield that ends a block, or nil.
func yieldOf(b *ir.Block) *ir.Op {
	if b == nil || b.Last() == nil || !b.Last().Is(Yield) {
		return nil
	}
	return b.Last()
}

// all is the range of all operands from start on.
func after(op *ir.Op, start int) (int, int) { return start, op.NumOperands() - start }

// withoutOperands is the [interfaces.RegionBranchModel] part of operations that pass no
// operands to their regions.
type withoutOperands struct{}

func (withoutOperands) EntryOperands(*ir.Op, interfaces.RegionPoint) (start, n int) { return 0, 0 }

// toParent is the successor that leaves the operation with its results.
func toParent(op *ir.Op) interfaces.RegionSuccessor {
	return interfaces.RegionSuccessor{Inputs: op.Results().Values()}
}
