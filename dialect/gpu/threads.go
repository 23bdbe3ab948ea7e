package gpu

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Where a thread is among those of a kernel.
var (
	ThreadID         = ir.NewOpID("gpu.thread_id")
	BlockID          = ir.NewOpID("gpu.block_id")
	BlockDim         = ir.NewOpID("gpu.block_dim")
	GridDim          = ir.NewOpID("gpu.grid_dim")
	GlobalID         = ir.NewOpID("gpu.global_id")
	ClusterDim       = ir.NewOpID("gpu.cluster_dim")
	ClusterID        = ir.NewOpID("gpu.cluster_id")
	ClusterDimBlocks = ir.NewOpID("gpu.cluster_dim_blocks")
	ClusterBlockID   = ir.NewOpID("gpu.cluster_block_id")
	LaneID           = ir.NewOpID("gpu.lane_id")
	SubgroupID       = ir.NewOpID("gpu.subgroup_id")
	NumSubgroups     = ir.NewOpID("gpu.num_subgroups")
	SubgroupSize     = ir.NewOpID("gpu.subgroup_size")
)

const (
	dimensionAttr  = "dimension"
	upperBoundAttr = "upper_bound"
	broadcastAttr  = "broadcast_type"
)

var upperBound = ir.AttrDef{Name: upperBoundAttr, Type: constraint.IndexAttr, Optional: true}

// idDefs are the definitions of operations that return the place of a thread.
func idDefs() []*ir.OpDef {
	var out []*ir.OpDef
	for _, id := range []*ir.OpID{ThreadID, BlockID, BlockDim, GridDim, GlobalID, ClusterDim, ClusterID, ClusterDimBlocks, ClusterBlockID} {
		out = append(out, &ir.OpDef{
			ID:      id,
			Results: ir.SingleResult("", constraint.Index),
			Attrs:   []ir.AttrDef{{Name: dimensionAttr, Type: constraint.Enum("a dimension, either 'x', 'y', or 'z'", dimensions)}, upperBound},
			Traits:  ir.TraitPure,
			Format:  "$dimension (`upper_bound` $upper_bound^)? attr-dict",
			Models: []ir.Model{asm.ResultNames.Model(func(op *ir.Op, suggest func(*ir.Value, string)) {
				if d, ok := op.Attr(dimensionAttr).(*ir.EnumAttr); ok && op.NumResults() == 1 {
					suggest(op.Result(0), op.Name()[len(dialectName)+1:]+"_"+d.Keyword())
				}
			})},
		})
	}
	for _, id := range []*ir.OpID{LaneID, SubgroupID, NumSubgroups, SubgroupSize} {
		format := "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"
		if id == LaneID {
			format = "(`upper_bound` $upper_bound^)? attr-dict"
		}
		out = append(out, &ir.OpDef{
			ID:      id,
			Results: ir.SingleResult("result", constraint.Index),
			Attrs:   []ir.AttrDef{upperBound},
			Traits:  ir.TraitPure,
			Format:  format,
		})
	}
	return out
}

// Exchanges between the threads of a subgroup.
var (
	// Shuffle is the value that another thread has.
	Shuffle = ir.NewOpID("gpu.shuffle")
	// Rotate is the value of the thread that is a constant number further.
	Rotate = ir.NewOpID("gpu.rotate")
	// SubgroupBroadcast is the value that one thread has.
	SubgroupBroadcast = ir.NewOpID("gpu.subgroup_broadcast")
)

// exchanged is what LLVM 22 exchanges between threads.
var exchanged = ir.TypeConstraint{
	Summary: "Integer or Float or fixed-length vector of Integer or Float values of ranks 1",
	Match: func(t ir.Type) bool {
		if v, ok := t.(*ir.VectorType); ok {
			return len(v.Shape) == 1 && v.Scalable == nil && isNumber(v.Elem)
		}
		return isNumber(t)
	},
}

// isNumber tells whether the type is one of integers or of floats.
func isNumber(t ir.Type) bool {
	_, integer := t.(*ir.IntegerType)
	return integer || ir.IsFloat(t)
}

// shuffled is what LLVM 19 exchanges.
var shuffled = ir.TypeConstraint{
	Summary: "i32, i64, f32 or f64",
	Match: func(t ir.Type) bool {
		return t == ir.Type(ir.I32) || t == ir.Type(ir.I64) || t == ir.Type(ir.F32) || t == ir.Type(ir.F64)
	},
}

func shuffleDef() *ir.OpDef {
	return shuffle(shuffled, ir.Revision{Since: 22, Def: shuffle(exchanged)})
}

// shuffle is the definition with what is exchanged.
func shuffle(value ir.TypeConstraint, revisions ...ir.Revision) *ir.OpDef {
	return &ir.OpDef{
		ID: Shuffle,
		Operands: []ir.OperandDef{ir.Operand("value", value), ir.Operand("offset", constraint.I32),
			ir.Operand("width", constraint.I32)},
		Results: []ir.ResultDef{{Name: "shuffleResult", Type: value}, {Name: "valid", Type: constraint.I1}},
		Attrs: []ir.AttrDef{{Name: "mode", Type: constraint.Enum(
			"Indexing modes supported by gpu.shuffle.", shuffleModes)}},
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{{Same: []string{"value", "shuffleResult"}, Summary: "all of {value, shuffleResult} have same type"}},
		Format:    "$mode $value `,` $offset `,` $width attr-dict `:` type($value)",
		Revisions: revisions,
		Models:    []ir.Model{resultNames("shuffleResult", "valid")},
	}
}

func rotateDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Rotate,
		Since:    22,
		Operands: []ir.OperandDef{ir.Operand("value", exchanged)},
		Results:  []ir.ResultDef{{Name: "rotateResult", Type: exchanged}, {Name: "valid", Type: constraint.I1}},
		Attrs: []ir.AttrDef{
			{Name: "offset", Type: constraint.Integer("32-bit signless integer attribute whose minimum value is 0", ir.I32,
				func(n int64) bool { return n >= 0 })},
			{Name: "width", Type: constraint.Integer("32-bit signless integer attribute whose value is a power of two > 0", ir.I32,
				func(n int64) bool { return n > 0 && n&(n-1) == 0 })},
		},
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{{Same: []string{"value", "rotateResult"}, Summary: "all of {value, rotateResult} have same type"}},
		Format:    "$value `,` $offset `,` $width attr-dict `:` type($value)",
		Verify: func(op *ir.Op) error {
			offset, width := op.Attr("offset").(*ir.IntegerAttr).Value, op.Attr("width").(*ir.IntegerAttr).Value
			if offset >= width {
				return op.Errorf("offset must be in the range [0, %d)", width)
			}
			return nil
		},
		Models: []ir.Model{resultNames("rotateResult", "valid")},
	}
}

func subgroupBroadcastDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        SubgroupBroadcast,
		Since:     22,
		Operands:  []ir.OperandDef{ir.Operand("src", constraint.AnyType), ir.OptionalOperand("lane", constraint.I32)},
		Results:   ir.SingleResult("result", constraint.AnyType),
		Attrs:     []ir.AttrDef{{Name: broadcastAttr, Type: constraint.Enum("a lane to broadcast from", broadcasts)}},
		Traits:    ir.TraitNoMemoryEffect,
		TypeRules: []ir.TypeRule{{Same: []string{"result", "src"}, Summary: "all of {result, src} have same type"}},
		Format:    "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($src)",
		Verify: func(op *ir.Op) error {
			specific := op.Attr(broadcastAttr).(*ir.EnumAttr).Keyword() == specificLane
			switch lane := op.NumOperands() > 1; {
			case specific && !lane:
				return op.Errorf("lane must be specified for `specific_lane` broadcast")
			case !specific && lane:
				return op.Errorf("lane can only be specified for `specific_lane` broadcast")
			}
			return nil
		},
	}
}

// Barrier waits for all threads of a block.
var Barrier = ir.NewOpID("gpu.barrier")

func barrierDef() *ir.OpDef { return &ir.OpDef{ID: Barrier, Format: "attr-dict"} }

// SetDefaultDevice says which device what follows is about.
var SetDefaultDevice = ir.NewOpID("gpu.set_default_device")

func setDefaultDeviceDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       SetDefaultDevice,
		Operands: []ir.OperandDef{ir.Operand("devIndex", constraint.I32)},
		Format:   "attr-dict $devIndex",
	}
}

// resultNames names results in order.
func resultNames(names ...string) ir.Model {
	return asm.ResultNames.Model(func(op *ir.Op, suggest func(*ir.Value, string)) {
		for i, name := range names {
			suggest(op.Result(i), name)
		}
	})
}
