package arith

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Later versions of LLVM let some operations say more about their operands, which
// nothing here makes use of.
func init() {
	exact := []ir.Spelling{{Since: 22,
		Format: "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
		Attrs:  []ir.AttrDef{{Name: "isExact", Type: constraint.UnitAttr, Optional: true}},
	}}
	for _, d := range []*ir.OpDef{DivUI, DivSI, ShRUI, ShRSI} {
		d.Later = exact
	}
	TruncI.Later = []ir.Spelling{{Since: 20,
		Format: "$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)",
		Attrs:  []ir.AttrDef{overflowAttr},
	}}
}
