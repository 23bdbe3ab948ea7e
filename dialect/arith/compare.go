package arith

import (
	"strconv"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// CmpI is arith.cmpi, the comparison of integers.
var CmpI = ir.NewOpID("arith.cmpi")

func cmpIDef() *ir.OpDef {
	return compare(CmpI, CmpIPredicate, constraint.SignlessIntegerLike, constraint.BoolLike,
		"$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)").With(ir.OpDef{
		Fold:      foldCmpI,
		Revisions: []ir.Revision{{Since: 22, Fold: foldLaterCmpI}},
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "CmpIExtSI", Rewrite: cmpOfExt(ExtSI)},
				rewrite.Pattern{Name: "CmpIExtUI", Rewrite: cmpOfExt(ExtUI)},
			),
			exec.Elementwise.Model(computeCmpI),
		},
	})
}

// CmpF is arith.cmpf, the comparison of floating-point numbers.
var CmpF = ir.NewOpID("arith.cmpf")

func cmpFDef() *ir.OpDef {
	return compare(CmpF, CmpFPredicate, constraint.FloatLike, constraint.BoolLike,
		"$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)", FastMathAttr).With(ir.OpDef{
		Fold: foldCmpF,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "CmpFIntToFPConst", Rewrite: cmpIntAsFloat}),
			exec.Elementwise.Model(computeCmpF),
		},
	})
}

func compare(id *ir.OpID, predicate *ir.EnumDef, operand, result ir.TypeConstraint, format string, attrs ...ir.AttrDef) *ir.OpDef {
	summary := "allowed 64-bit signless integer cases: 0"
	for _, c := range predicate.Cases[1:] {
		summary += ", " + strconv.FormatUint(c.Value, 10)
	}
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "lhs", Type: operand}, {Name: "rhs", Type: operand}},
		Results:  []ir.ResultDef{{Name: "result", Type: result}},
		Attrs:    append([]ir.AttrDef{{Name: "predicate", Type: constraint.Enum(summary, predicate)}}, attrs...),
		Traits:   ir.TraitPure | ir.TraitSameTypeOperands | ir.ElementwiseMappable,
		TypeRules: []ir.TypeRule{{
			From: "lhs", To: "result", TransformIn: BoolsLike,
			Summary: "result type has i1 element type and same shape as operands",
		}},
		Format: format,
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			return []ir.Type{BoolsLike(s.Name.Context(), s.Operands[0].Type())}, nil
		},
	}
}

// BoolsLike is the type of a comparison of values of type t. An encoding is not
// taken over.
func BoolsLike(c *ir.Context, t ir.Type) ir.Type {
	switch t := t.(type) {
	case *ir.RankedTensorType:
		return c.RankedTensor(t.Shape, ir.I1)
	case *ir.VectorType, *ir.UnrankedTensorType:
		return c.WithElementType(t, ir.I1)
	}
	return ir.I1
}

// Select is arith.select, a choice between two values.
var Select = ir.NewOpID("arith.select")

func selectDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Select,
		Operands: []ir.OperandDef{
			{Name: "condition", Type: constraint.BoolLike},
			{Name: "true_value", Type: constraint.AnyType}, {Name: "false_value", Type: constraint.AnyType},
		},
		Results: []ir.ResultDef{{Name: "result", Type: constraint.AnyType}},
		Traits:  ir.TraitPure | ir.ElementwiseMappable,
		TypeRules: []ir.TypeRule{
			{Same: []string{"true_value", "false_value", "result"}, Summary: "all of {true_value, false_value, result} have same type"},
			{Check: conditionFits, Summary: "condition is signless i1 or has matching shape"},
		},
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) { return []ir.Type{s.Operands[1].Type()}, nil },
		Verify: func(op *ir.Op) error {
			cond, result := SelectOp{op}.Condition().Type(), op.Result(0).Type()
			if cond == ir.Type(ir.I1) {
				return nil
			}
			if !ir.IsVector(result) && !ir.IsTensor(result) {
				return op.Errorf("expected condition to be a signless i1, but got '%s'", cond)
			}
			if want := BoolsLike(op.Context(), result); cond != want {
				return op.Errorf("expected condition type to have the same shape as the result type, expected '%s', but got '%s'", want, cond)
			}
			return nil
		},
		Models: []ir.Model{
			interfaces.BufferDeallocation.Model(selectDealloc{}),
			interfaces.BufferViewFlow.Model(selectFlow{}),
			interfaces.Bufferizable.Model(selectBufferize{}),
			asm.Assembly.Model(asm.OpAssembly{Parse: parseSelect, Print: printSelect}),
			rewrite.Patterns(
				rewrite.Pattern{Name: "RedundantSelectFalse", Rewrite: redundantSelectFalse},
				rewrite.Pattern{Name: "RedundantSelectTrue", Rewrite: redundantSelectTrue},
				rewrite.Pattern{Name: "SelectNotCond", Rewrite: selectNot},
				rewrite.Pattern{Name: "SelectI1ToNot", Rewrite: selectToNot},
				rewrite.Pattern{Name: "SelectToExtUI", Rewrite: selectToExt},
			),
			exec.Elementwise.Model(computeSelect),
			exec.Executable.Model(executeSelect),
		},
		Fold: foldSelect,
	}
}

func conditionFits(op *ir.Op) bool {
	cond := SelectOp{op}.Condition().Type()
	if cond == ir.Type(ir.I1) {
		return true
	}
	a, ok := ir.ShapeOf(cond)
	b, ok2 := ir.ShapeOf(op.Result(0).Type())
	if !ok || !ok2 || len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// parseSelect reads "%c, %a, %b {attrs} : type", with the condition's type before
// it unless that is i1.
func parseSelect(p *asm.Parser, s *ir.OpState) error {
	operands, err := p.OperandsOf(3, asm.NoDelimiter)
	if err != nil {
		return err
	}
	if err := p.OptionalAttrDict(s); err != nil {
		return err
	}
	result, err := p.ColonType()
	if err != nil {
		return err
	}
	cond := ir.Type(ir.I1)
	if p.Optional(",") {
		cond = result
		if result, err = p.Type(); err != nil {
			return err
		}
	}
	values, err := p.ResolveAll(operands, []ir.Type{cond, result, result}, p.NamePos())
	if err != nil {
		return err
	}
	s.Operands, s.Types = values, []ir.Type{result}
	return nil
}

func printSelect(p *asm.Printer, op *ir.Op) {
	p.Text(" ")
	p.Operands(op.Operands().Values())
	p.OptionalAttrDict(p.AllAttrs(op))
	p.Text(" : ")
	if t := (SelectOp{op}).Condition().Type(); t != ir.Type(ir.I1) {
		p.Type(t)
		p.Text(", ")
	}
	p.Type(op.Result(0).Type())
}
