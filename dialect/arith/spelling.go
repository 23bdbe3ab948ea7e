package arith

import (
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

const exactAttr = "isExact"

// exact is the spelling of operations that can promise that no bit is lost. The promise is among the discardable attributes.
var exact = []ir.Spelling{{Since: 22,
	Format: "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
	Attrs:  []ir.AttrDef{{Name: exactAttr, Type: constraint.UnitAttr, Optional: true}}, Discardable: []string{exactAttr},
}}

// withoutDefault drops flags that promise nothing.
func withoutDefault(b *ir.Builder, s *ir.OpState) error {
	if a := s.Attr(overflowAttr.Name); a != nil && a == overflowAttr.Default(b.Context()) {
		s.Attrs = slices.DeleteFunc(slices.Clone(s.Attrs), func(a ir.NamedAttr) bool { return a.Name == overflowAttr.Name })
	}
	return nil
}
