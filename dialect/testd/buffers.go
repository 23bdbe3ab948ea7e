package testd

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

var inOut = []ir.OperandDef{ir.Operand("input", constraint.AnyRankedOrUnrankedMemRef), ir.Operand("output", constraint.AnyRankedOrUnrankedMemRef)}

const inOutFormat = "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` "

// readsFirst are the effects of operations that read their first operand and write
// their second one.
var readsFirst = interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0), interfaces.OnOperand(interfaces.Write, 1))

// BufferBased computes from one buffer into another, in an unknown way.
var BufferBased = ir.NewOpID("test.buffer_based")

func bufferBasedDef() *ir.OpDef {
	return &ir.OpDef{ID: BufferBased, Operands: inOut, Format: inOutFormat + "attr-dict", Models: []ir.Model{
		interfaces.Addresses(interfaces.AsLaidOut),
		readsFirst,
		exec.Executable.Model(executeCopy),
	}}
}

// RegionBufferBased computes from one buffer into another by its region.
var RegionBufferBased = ir.NewOpID("test.region_buffer_based")

func regionBufferBasedDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       RegionBufferBased,
		Operands: inOut,
		Regions:  []ir.RegionDef{{Name: "region"}},
		Format:   inOutFormat + "$region attr-dict",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			readsFirst,
			exec.Executable.Model(executeCopy),
		},
	}
}

// RegionYield ends the region of a RegionBufferBased.
var RegionYield = ir.NewOpID("test.region_yield")

func regionYieldDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       RegionYield,
		Operands: []ir.OperandDef{ir.Operand("result", constraint.AnyType)},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "$result `:` type($result) attr-dict",
	}
}

// TensorBased computes a tensor from another one, in an unknown way.
var TensorBased = ir.NewOpID("test.tensor_based")

func tensorBasedDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       TensorBased,
		Operands: []ir.OperandDef{ir.Operand("input", constraint.AnyRankedTensor)},
		Results:  []ir.ResultDef{ir.Result("result", constraint.AnyRankedTensor)},
		Format:   "`in` `(` $input `:` type($input) `)` `->` type($result) attr-dict",
	}
}

// Copy copies a buffer into another one.
var Copy = ir.NewOpID("test.copy")

func copyDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Copy,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef), ir.Operand("target", constraint.AnyRankedOrUnrankedMemRef)},
		Format:   "`(` $source `,` $target `)` `:` `(` type($source) `,` type($target) `)` attr-dict",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			readsFirst,
			interfaces.Copy.Model(func(op *ir.Op) (source, target *ir.Value) { return CopyOp{op}.Source(), CopyOp{op}.Target() }),
			exec.Executable.Model(executeCopy),
		},
	}
}

// Operations for passes that change the layouts of buffers: OpNorm and OpNormRet take buffers without layouts for others, OpNonNorm doesn't.
var (
	OpNorm    = ir.NewOpID("test.op_norm")
	OpNormRet = ir.NewOpID("test.op_norm_ret")
	OpNonNorm = ir.NewOpID("test.op_nonnorm")
)

var (
	twoBuffers = []ir.OperandDef{ir.Operand("X", constraint.AnyMemRef), ir.Operand("Y", constraint.AnyMemRef)}

	anyLayout = interfaces.MemRefsNormalizable.Model(struct{}{})
)

func opNormDef() *ir.OpDef {
	return &ir.OpDef{ID: OpNorm, Operands: twoBuffers, Models: []ir.Model{anyLayout}}
}

func opNormRetDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       OpNormRet,
		Operands: twoBuffers[:1],
		Results:  []ir.ResultDef{ir.Result("Y", constraint.AnyMemRef), ir.Result("Z", constraint.AnyMemRef)},
		Models: []ir.Model{anyLayout, asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
			name(op.Result(0), "Y")
			name(op.Result(1), "Z")
		})},
	}
}

func opNonNormDef() *ir.OpDef {
	return &ir.OpDef{ID: OpNonNorm, Operands: twoBuffers}
}
