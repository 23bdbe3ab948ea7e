package chlo

import (
	"errors"
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

// inMHLO are the spellings of functions that mhlo has as well. That of the first elements may also ask for the smallest ones, which chlo doesn't have.
var inMHLO = func() map[*ir.OpID][]ir.Spelling {
	out := map[*ir.OpID][]ir.Spelling{TopK: {{
		Name:    "mhlo.topk",
		Format:  "`(` $operand `,` `k` `=` $k (`,` `largest` `=` $largest^)? `)` attr-dict `:` type($operand) `->` `(` type($values) `,` type($indices) `)`",
		Attrs:   []ir.AttrDef{{Name: largest, Type: constraint.BoolAttr, Optional: true}},
		Upgrade: onlyLargest, Discardable: []string{largest},
	}}}
	for name, id := range map[string]*ir.OpID{"acos": Acos, "acosh": Acosh, "asin": Asin, "asinh": Asinh, "atanh": Atanh, "cosh": Cosh, "erf": Erf, "sinh": Sinh} {
		out[id] = []ir.Spelling{{Name: "mhlo." + name, Format: "$operand attr-dict `:` type($operand)",
			TypeRules: []ir.TypeRule{{From: "operand", To: "result", Transform: func(t ir.Type) ir.Type { return t }, Summary: "operand and result have the same type"}}}}
	}
	return out
}()

// onlyLargest drops what says that the largest elements are asked for, and refuses what asks for the smallest ones.
func onlyLargest(_ *ir.Builder, s *ir.OpState) error {
	i := slices.IndexFunc(s.Attrs, func(a ir.NamedAttr) bool { return a.Name == largest })
	if i < 0 {
		return nil
	}
	if a, ok := s.Attrs[i].Value.(*ir.IntegerAttr); ok && a.Value == 0 {
		return errors.New("has the largest elements, and not the smallest ones")
	}
	s.Attrs = slices.Delete(s.Attrs, i, i+1)
	return nil
}

// largest is the attribute of mhlo.topk that says which elements are asked for.
const largest = "largest"
