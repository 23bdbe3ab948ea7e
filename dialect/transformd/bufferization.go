package transformd

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// The operations of scripts that bufferize.
var (
	// OneShotBufferize bufferizes what a handle stands for.
	OneShotBufferize = ir.NewOpID("transform.bufferization.one_shot_bufferize")
	// EliminateEmptyTensors lets operations work in the place of an insertion.
	EliminateEmptyTensors = ir.NewOpID("transform.bufferization.eliminate_empty_tensors")
	// EmptyTensorToAllocTensor makes allocations of empty tensors.
	EmptyTensorToAllocTensor = ir.NewOpID("transform.bufferization.empty_tensor_to_alloc_tensor")
	// BufferLoopHoisting moves allocations out of loops.
	BufferLoopHoisting = ir.NewOpID("transform.bufferization.buffer_loop_hoisting")
	// MultiBuffer gives iterations of a loop buffers of their own, in turns.
	MultiBuffer = ir.NewOpID("transform.memref.multibuffer")
	// BufferizeToAllocation bufferizes single operations, to new buffers.
	BufferizeToAllocation = ir.NewOpID("transform.structured.bufferize_to_allocation")
)

// Layouts are the layouts of buffers at the boundaries of functions.
var Layouts = &ir.EnumDef{Name: "LayoutMapOption", Int: ir.I32, Cases: []ir.EnumCase{
	{Keyword: "InferLayoutMap", Value: 0}, {Keyword: "IdentityLayoutMap", Value: 1}, {Keyword: "FullyDynamicLayoutMap", Value: 2}}}

// Names of the options of [OneShotBufferize].
const (
	LayoutAttr           = "function_boundary_type_conversion"
	ReturnAllocsAttr     = "allow_return_allocs_from_loops"
	UnknownOpsAttr       = "allow_unknown_ops"
	BoundariesAttr       = "bufferize_function_boundaries"
	DumpAliasSetsAttr    = "dump_alias_sets"
	TestAnalysisOnlyAttr = "test_analysis_only"
	PrintConflictsAttr   = "print_conflicts"
	ParallelRegionsAttr  = "check_parallel_regions"
	CopyOpAttr           = "memcpy_op"
)

func flag(name string, def bool) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.BoolAttr, Default: func(c *ir.Context) ir.Attribute { return c.Bool(def) }}
}

var target = []ir.OperandDef{{Name: "target", Type: handle}}

func oneShotDef() *ir.OpDef {
	return &ir.OpDef{ID: OneShotBufferize,
		Operands: target,
		Results:  []ir.ResultDef{{Name: "transformed", Type: handle}},
		Attrs: []ir.AttrDef{
			{Name: LayoutAttr, Type: constraint.Enum("option for map layout", Layouts), Optional: true},
			flag(ReturnAllocsAttr, false), flag(UnknownOpsAttr, false), flag(BoundariesAttr, false), flag(DumpAliasSetsAttr, false),
			flag(TestAnalysisOnlyAttr, false), flag(PrintConflictsAttr, false), flag(ParallelRegionsAttr, true),
			{Name: CopyOpAttr, Type: constraint.StrAttr, Default: func(c *ir.Context) ir.Attribute { return c.StringAttr("memref.copy") }}},
		Format: "(`layout` `{` $function_boundary_type_conversion^ `}`)? $target attr-dict `:` functional-type($target, results)",
		Verify: func(op *ir.Op) error {
			if s := op.Attr(CopyOpAttr).(*ir.StringAttr).Value; s != "memref.copy" && s != "linalg.copy" {
				return op.Errorf("unsupported memcpy op")
			}
			return nil
		}}
}

func eliminateDef() *ir.OpDef {
	return &ir.OpDef{ID: EliminateEmptyTensors, Operands: target, Format: "$target attr-dict `:` type($target)"}
}

func toAllocDef() *ir.OpDef {
	return &ir.OpDef{ID: EmptyTensorToAllocTensor,
		Operands: target,
		Results:  []ir.ResultDef{{Name: "transformed", Type: handle}},
		Format:   "$target attr-dict `:` functional-type($target, results)"}
}

// Names of the options of [MultiBuffer].
const (
	FactorAttr       = "factor"
	SkipAnalysisAttr = "skip_analysis"
)

func multiBufferDef() *ir.OpDef {
	allocs := ir.TypeConstraint{Summary: "Transform IR handle to memref.alloc operations", Match: func(t ir.Type) bool { return HandleName(t) == "memref.alloc" }}
	positive := constraint.I64Attr
	positive.Summary = "64-bit signless integer attribute whose value is positive"
	positive.Match = func(a ir.Attribute) bool {
		n, ok := a.(*ir.IntegerAttr)
		return ok && n.Type == ir.Type(ir.I64) && n.Value > 0
	}
	return &ir.OpDef{ID: MultiBuffer,
		Operands: []ir.OperandDef{{Name: "target", Type: allocs}},
		Results:  []ir.ResultDef{{Name: "transformed", Type: handle}},
		Attrs:    []ir.AttrDef{{Name: FactorAttr, Type: positive}, {Name: SkipAnalysisAttr, Type: constraint.UnitAttr, Optional: true}},
		Format:   "$target attr-dict `:` functional-type($target, results)"}
}

// Names of the options of [BufferizeToAllocation], beside [CopyOpAttr].
const (
	MemorySpaceAttr     = "memory_space"
	AllocOpAttr         = "alloc_op"
	DestinationOnlyAttr = "bufferize_destination_only"
	EmitDeallocAttr     = "emit_dealloc"
)

func toAllocationDef() *ir.OpDef {
	name := func(attr, def string) ir.AttrDef {
		return ir.AttrDef{Name: attr, Type: constraint.StrAttr, Default: func(c *ir.Context) ir.Attribute { return c.StringAttr(def) }}
	}
	return &ir.OpDef{ID: BufferizeToAllocation,
		Operands: target,
		Results:  []ir.ResultDef{{Name: "allocated_buffer", Type: constraint.DialectType("", "transform", anyValue)}, {Name: "new_ops", Type: constraint.DialectType("", "transform", anyOp)}},
		Attrs: []ir.AttrDef{
			{Name: MemorySpaceAttr, Type: constraint.AnyAttr, Optional: true},
			name(CopyOpAttr, "bufferization.materialize_in_destination"), name(AllocOpAttr, "memref.alloc"),
			{Name: DestinationOnlyAttr, Type: constraint.UnitAttr, Optional: true}, {Name: EmitDeallocAttr, Type: constraint.UnitAttr, Optional: true}},
		Format: "$target attr-dict `:` type($target)",
		Verify: func(op *ir.Op) error {
			switch op.Attr(CopyOpAttr).(*ir.StringAttr).Value {
			case "bufferization.materialize_in_destination", "memref.copy", "linalg.copy":
			default:
				return op.Errorf("unsupported memcpy op")
			}
			if s := op.Attr(AllocOpAttr).(*ir.StringAttr).Value; s != "memref.alloc" && s != "memref.alloca" {
				return op.Errorf("unsupported alloc op")
			}
			return nil
		}}
}

func loopHoistingDef() *ir.OpDef {
	return &ir.OpDef{ID: BufferLoopHoisting, Operands: target, Format: "$target attr-dict `:` type($target)"}
}
