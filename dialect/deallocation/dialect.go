// Package deallocation is MLIR-HLO's dialect of owners of buffers: pointers to
// allocations, or null, that are passed along with the buffers and are freed once.
package deallocation

import (
	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

const (
	dialectName = "deallocation"
	ownership   = "ownership"
)

// Dialect is the deallocation dialect.
var Dialect = &ir.Dialect{Name: dialectName,
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{nullDef(), ownDef(), getBufferDef(), freeDef(), retainDef()}
	},
	Types: ir.PlainTypes(ownership),
	Models: []ir.Model{
		exec.ExampleOf.Model(example),
		exec.Owner.Model(owned),
		asm.TypeParser.Model(parseType),
		interfaces.ConstantMaterializer.Model(arith.Materialize),
		exec.Library.Model(library),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
	VerifyArgAttr: verifyArgAttr,
}

// Names of attributes.
const (
	// RestrictAttr on a function argument promises that its buffer is no other
	// argument's, so that results may be computed in it.
	RestrictAttr = "deallocation.restrict"
	// ResultBackingAttr lists, for each result, the memory that may back it.
	ResultBackingAttr = "deallocation.result_backing_memory"
	// RegionArgsBackingAttr lists the same for the arguments of each region.
	RegionArgsBackingAttr = "deallocation.region_args_backing_memory"
)

func verifyArgAttr(op *ir.Op, _, _ int, attr ir.NamedAttr) error {
	if attr.Name != RestrictAttr {
		return nil
	}
	if a, ok := attr.Value.(*ir.IntegerAttr); !ok || a.Type != ir.Type(ir.I1) {
		return op.Errorf("'%s' is expected to be a boolean", RestrictAttr)
	}
	return nil
}

// Ownership returns the type of owners. The dialect must be registered in the context.
func Ownership(c *ir.Context) ir.Type { return c.DialectTypeOf(c.Dialect(dialectName), ownership) }

// IsOwnership tells whether t is the type of owners.
func IsOwnership(t ir.Type) bool { return ir.IsDialectType(t, dialectName, ownership) }

func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	if mnemonic != ownership {
		return nil, nil
	}
	return Ownership(p.Context()), nil
}
