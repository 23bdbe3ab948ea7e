package llvm

import (
	"strings"

	"freehold/ir"
	"freehold/ir/constraint"
)

// moduleFlagsDef is llvm.module_flags: what linkers are to know of a module. It is kept as it is.
func moduleFlagsDef() *ir.OpDef {
	return &ir.OpDef{ID: ir.NewOpID("llvm.module_flags"), Since: 21, Attrs: []ir.AttrDef{attr(moduleFlags, constraint.ArrayAttr)},
		Format: "attr-dict $flags", Verify: verifyModuleFlags}
}

const moduleFlags = "flags"

func verifyModuleFlags(op *ir.Op) error {
	if p := op.Parent(); p != nil && (!p.Has(ir.TraitSymbolTable) || !p.Has(ir.TraitIsolatedFromAbove)) {
		return op.Errorf("must appear at the module level")
	}
	for _, f := range op.Attr(moduleFlags).(*ir.ArrayAttr).Elems {
		if a, ok := f.(*ir.OpaqueAttr); !ok || a.Dialect != dialectName || !strings.HasPrefix(a.Data, "mlir.module_flag<") {
			return op.Errorf("expected a module flag attribute")
		}
	}
	return nil
}
