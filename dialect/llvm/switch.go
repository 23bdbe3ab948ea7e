package llvm

import (
	"freehold/dialect/cf"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Switch is llvm.switch, a branch on the value of an integer.
var Switch = ir.NewOpID("llvm.switch")

func switchDef() *ir.OpDef {
	return &ir.OpDef{ID: Switch, Traits: ir.TraitPure | ir.TraitTerminator | ir.TraitAttrSizedOperandSegments,
		Operands: []ir.OperandDef{ir.Operand("value", signlessInt), ir.VariadicOperand("defaultOperands", anyLLVM),
			{Name: "caseOperands", Type: anyLLVM, Arity: ir.VariadicOfVariadic, Segments: "case_operand_segments"}},
		Attrs: []ir.AttrDef{optional("case_values", constraint.IntElements), branchWeights,
			{Name: "case_operand_segments", Type: constraint.DenseI32Array, Derived: true},
			{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}},
		Successors: []ir.SuccessorDef{{Name: "defaultDestination"}, {Name: "caseDestinations", Variadic: true}},
		Format: "$value `:` type($value) `,` $defaultDestination (`(` $defaultOperands^ `:` type($defaultOperands) `)`)? `[` `\\n`" +
			" custom<LLVMSwitchCases>(ref(type($value)),$case_values,$caseDestinations,$caseOperands,type($caseOperands)) `]` attr-dict",
		Verify: verifySwitch,
		Models: []ir.Model{interfaces.Branch.Model(cf.SwitchModel{})}}
}

var switchCases = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, _ []asm.DirectiveArg) error {
		first := true
		return cf.ParseCases(p, s, s.TypesOf("value")[0], func() bool {
			if first {
				first = false
				return !p.At("]")
			}
			return p.Optional(",")
		})
	},
	Print: func(p *asm.Printer, op *ir.Op, _ []asm.DirectiveArg) {
		_, cases := cf.SwitchCases(op)
		for i, k := range cases {
			if i > 0 {
				p.Text(",")
				p.Newline()
			}
			cf.PrintCase(p, k)
		}
		if len(cases) > 0 {
			p.Newline()
		}
	},
}

func verifySwitch(op *ir.Op) error {
	n := op.NumSuccessors() - 1
	values, _ := op.Attr("case_values").(*ir.DenseElementsAttr)
	switch {
	case values == nil && n > 0, values != nil && values.Len() != int64(n):
		return op.Errorf("expects number of case values to match number of case destinations")
	case op.Attr("case_operand_segments").(*ir.DenseArrayAttr).Len() != n:
		return op.Errorf("expects number of case operand segments to match number of case destinations")
	}
	if w, ok := op.Attr("branch_weights").(*ir.DenseArrayAttr); ok && w.Len() != n+1 {
		return op.PlainErrorf("expects number of branch weights to match number of successors: %d vs %d", w.Len(), n+1)
	}
	return nil
}
