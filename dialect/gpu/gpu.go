// Package gpu defines what programs of other dialects have of the gpu dialect: kernels and their launches, the
// memory of devices and its operations, what the dimensions of a loop map to, memory spaces, what threads of a kernel ask for, exchange and
// reduce, sparse matrices on devices, and binaries. Its other operations, types and attributes are accepted as unknown ones.
package gpu

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
)

// Dialect is the gpu dialect.
var Dialect = &ir.Dialect{
	Name: dialectName, AllowUnknownOps: true, AllowUnknownTypes: true,
	Ops: func() []*ir.OpDef {
		return slices.Concat(idDefs(), matrixDefs(), sparseDefs(), []*ir.OpDef{allReduceDef(), allocDef(), barrierDef(), binaryDef(), deallocDef(), dynamicSharedMemoryDef(), funcDef(),
			registerDef(HostRegister), registerDef(HostUnregister), launchDef(), launchFuncDef(), memcpyDef(), memsetDef(), moduleDef(), moduleEndDef(), printfDef(),
			returnDef(), rotateDef(), setDefaultDeviceDef(), shuffleDef(), subgroupBroadcastDef(), subgroupReduceDef(), terminatorDef(), waitDef(), yieldDef()})
	},
	Types:     ir.PlainTypes(types...),
	PrintAttr: printAttr,
	Models: []ir.Model{
		asm.TypeParser.Model(parseType), asm.AttrParser.Model(parseAttr),
		asm.Partial.Model("of this dialect there are kernels and what launches them, allocations, copies and what waits for them, what threads ask for, exchange and reduce, sparse matrices, and other operations in the generic form only, as mlir-opt --mlir-print-op-generic prints them; " +
			"a loop that becomes a kernel is read as scf.parallel, before it is mapped"),
		asm.Directives.Model(map[string]asm.Directive{"AsyncDependencies": asyncDependencies, "OffloadingHandler": offloadingHandler, "AllReduceOperation": reductionWord,
			"LaunchDimType": launchDimType, "LaunchFuncOperands": launchOperands}),
		asm.Enums.Model(slices.Concat([]*ir.EnumDef{AddressSpace}, mappings, operands))},
}

// AddressSpace is #gpu.address_space<...>, a memory space
// (mlir/Dialect/GPU/IR/GPUBase.td).
var AddressSpace = &ir.EnumDef{
	Dialect: "gpu", Mnemonic: "address_space", Name: "AddressSpace", Attr: "GPU_AddressSpaceAttr",
	Cases: []ir.EnumCase{{Keyword: "global", Value: 1}, {Keyword: "workgroup", Value: 2}, {Keyword: "private", Value: 3}},
}

// laneMapping is for lanes of a warp. LLVM 22 added it.
var laneMapping = func() *ir.EnumDef {
	d := mapping("lane", "GPULaneMappingAttr")
	for i := range d.Cases {
		d.Cases[i].Since = 22
	}
	return d
}()

var mappings = []*ir.EnumDef{
	mapping("block", "GPUBlockMappingAttr"),
	mapping("thread", "GPUThreadMappingAttr"),
	mapping("warp", "GPUWarpMappingAttr"),
	mapping("warpgroup", "GPUWarpgroupMappingAttr"),
	laneMapping,
}

// Attributes of operations that are defined here.
var (
	reductions = operand("all_reduce_op", "AllReduceOperation", "GPU_AllReduceOperationAttr",
		"add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor", "minimumf", "maximumf")
	elementwise = operand("mma_element_wise", "MMAElementwiseOp", "MMAElementWiseAttr",
		"addf", "mulf", "subf", "maxf", "minf", "divf", "addi", "muli", "subi", "divs", "divu", "negatef", "negates", "extf")
	dimensions   = operand("dim", "Dimension", "GPU_DimensionAttr", "x", "y", "z")
	shuffleModes = operand("shuffle_mode", "ShuffleMode", "GPU_ShuffleModeAttr", "xor", "up", "down", "idx")
	pruneFlags   = operand("prune_2to4_spmat_flag", "Prune2To4SpMatFlag", "GPU_Prune2To4SpMatFlagAttr", "NONE", "PRUNE_ONLY", "PRUNE_AND_CHECK")
	estimations  = operand("spgemm_work_estimation_or_compute_kind", "SpGEMMWorkEstimationOrComputeKind", "GPU_SpGEMMWorkEstimationOrComputeKindAttr",
		"WORK_ESTIMATION", "COMPUTE")
	transposeModes = operand("mat_transpose_mode", "TransposeMode", "GPU_TransposeModeAttr", "NON_TRANSPOSE", "TRANSPOSE", "CONJUGATE_TRANSPOSE")
	// broadcasts are LLVM 22's.
	broadcasts = func() *ir.EnumDef {
		d := operand("broadcast", "BroadcastType", "GPU_BroadcastTypeAttr", "first_active_lane", specificLane)
		for i := range d.Cases {
			d.Cases[i].Since = 22
		}
		return d
	}()
)

// specificLane says that the lane is an operand.
const specificLane = "specific_lane"

// operands are attributes of operations, #gpu<dim x> and the like
// (mlir/Dialect/GPU/IR/GPUOps.td).
var operands = []*ir.EnumDef{
	reductions,
	dimensions,
	elementwise,
	pruneFlags,
	transposeModes,
	shuffleModes,
	broadcasts,
	estimations,
}

func operand(mnemonic, name, attr string, cases ...string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: "gpu", Mnemonic: mnemonic, Name: name, Attr: attr, Bare: true}
	for i, k := range cases {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: uint64(i)})
	}
	return d
}

// mapping declares an attribute that says which identifier of a device a dimension
// maps to (mlir/Dialect/GPU/IR/GPUDeviceMappingAttr.td).
func mapping(mnemonic, attr string) *ir.EnumDef {
	d := &ir.EnumDef{Dialect: "gpu", Mnemonic: mnemonic, Name: "MappingId", Attr: attr, Param: mnemonic}
	for i, k := range []string{"x", "y", "z", "linear_dim_0", "linear_dim_1", "linear_dim_2", "linear_dim_3", "linear_dim_4",
		"linear_dim_5", "linear_dim_6", "linear_dim_7", "linear_dim_8", "linear_dim_9"} {
		d.Cases = append(d.Cases, ir.EnumCase{Keyword: k, Value: uint64(i)})
	}
	return d
}

// IsDeviceMapping tells whether the attribute maps a dimension to a device
// (DeviceMappingAttrInterface).
func IsDeviceMapping(a ir.Attribute) bool {
	e, ok := a.(*ir.EnumAttr)
	return ok && slices.Contains(mappings, e.Def)
}
