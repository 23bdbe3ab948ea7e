package funcd

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// later is the spelling of LLVM 22, in which what were discardable attributes are inherent.
func later(attrs ...ir.AttrDef) []ir.Spelling {
	names := make([]string, len(attrs))
	for i := range attrs {
		names[i] = attrs[i].Name
	}
	return []ir.Spelling{{Since: 22, Attrs: attrs, Discardable: names}}
}

var (
	noInline = ir.AttrDef{Name: "no_inline", Type: constraint.UnitAttr, Optional: true}
	argAttrs = ir.AttrDef{Name: interfaces.ArgAttrs, Type: constraint.DictArray, Optional: true}
	resAttrs = ir.AttrDef{Name: interfaces.ResAttrs, Type: constraint.DictArray, Optional: true}
)
