package arith

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// exact is the spelling of operations that can promise that no bit is lost.
var exact = []ir.Spelling{{Since: 22,
	Format: "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
	Attrs:  []ir.AttrDef{{Name: "isExact", Type: constraint.UnitAttr, Optional: true}},
}}
