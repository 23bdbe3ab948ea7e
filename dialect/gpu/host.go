package gpu

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

var (
	// Printf is gpu.printf, which prints from a kernel.
	Printf = ir.NewOpID("gpu.printf")
	// HostRegister lets a device access a buffer of the host, and HostUnregister ends that.
	HostRegister   = ir.NewOpID("gpu.host_register")
	HostUnregister = ir.NewOpID("gpu.host_unregister")
	// DynamicSharedMemory is the memory of a block whose size the launch says.
	DynamicSharedMemory = ir.NewOpID("gpu.dynamic_shared_memory")
)

func printfDef() *ir.OpDef {
	d := &ir.OpDef{
		ID:       Printf,
		Operands: []ir.OperandDef{ir.VariadicOperand("args", ir.TypeConstraint{Summary: "integer or index or floating-point", Match: isPrintable})},
		Attrs:    []ir.AttrDef{{Name: "format", Type: constraint.StrAttr}},
		Format:   "$format attr-dict ($args^ `:` type($args))?",
		Models:   []ir.Model{interfaces.FixedEffects(interfaces.Effect{Kind: interfaces.Write})},
	}
	later := d.With(ir.OpDef{Format: "$format attr-dict (`,` $args^ `:` type($args))?"})
	return d.With(ir.OpDef{Revisions: []ir.Revision{{Since: 20, Def: later}}})
}

func isPrintable(t ir.Type) bool { return ir.IsInteger(t) || t == ir.Type(ir.Index) || ir.IsFloat(t) }

func registerDef(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{
		ID: id,
		Operands: []ir.OperandDef{ir.Operand("value", ir.TypeConstraint{
			Summary: "unranked.memref of any type values", Class: ir.UnrankedMemRefClass,
			Match: func(t ir.Type) bool { _, ok := t.(*ir.UnrankedMemRefType); return ok },
		})},
		Format: "$value attr-dict `:` type($value)",
	}
}

func dynamicSharedMemoryDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      DynamicSharedMemory,
		Results: ir.SingleResult("resultMemref", constraint.RankOf("1D", "memref", 1, constraint.I8)),
		Traits:  ir.TraitPure,
		Format:  "attr-dict `:` type($resultMemref)",
		Verify: func(op *ir.Op) error {
			t := op.Result(0).Type().(*ir.MemRefType)
			if s, ok := t.Space.(*ir.EnumAttr); !ok || s.Def != AddressSpace || s.Keyword() != "workgroup" {
				return op.Errorf("address space must be address_space<workgroup>")
			}
			if t.Layout != nil || t.Shape[0] != ir.Dynamic {
				return op.Errorf("result memref type must be memref<?xi8, #gpu.address_space<workgroup>>")
			}
			return nil
		},
	}
}
