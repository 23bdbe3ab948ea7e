package linalg

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// The three steps of Winograd's algorithm for small convolutions: transforming
// filter and input, and, after a batched product of them, the output.
var (
	WinogradFilterTransform = winograd("linalg.winograd_filter_transform", "filter", 4, 4)
	WinogradInputTransform  = winograd("linalg.winograd_input_transform", "input", 4, 6)
	WinogradOutputTransform = winograd("linalg.winograd_output_transform", "value", 6, 4)
)

func winograd(name, input string, inRank, outRank int) *ir.OpDef {
	tensorOfRank := func(n int) ir.TypeConstraint {
		return constraint.RankOf(string(rune('0'+n))+"D", "tensor", n, constraint.AnyType)
	}
	return &ir.OpDef{
		Name:     name,
		Operands: []ir.OperandDef{{Name: input, Type: tensorOfRank(inRank)}, {Name: "output", Type: tensorOfRank(outRank)}},
		Results:  []ir.ResultDef{{Name: "result", Type: tensorOfRank(outRank)}},
		Attrs:    []ir.AttrDef{{Name: "m", Type: constraint.I64Attr}, {Name: "r", Type: constraint.I64Attr}},
		TypeRules: []ir.TypeRule{{Summary: "all of {" + input + ", output} have same element type", Check: func(op *ir.Op) bool {
			return ir.ElementType(op.Operand(0).Type()) == ir.ElementType(op.Operand(1).Type())
		}}},
		Format: "attr-dict `m` `(` $m `)` `r` `(` $r `)` `ins` `(` $" + input + " `:` type($" + input + ") `)`" +
			" `outs` `(` $output `:` type($output) `)` `->` type($result)",
	}
}
