package cf

import "freehold/ir"

type branchModel struct{}

func (branchModel) SuccessorOperands(op *ir.Op, i int) (start, n, produced int) {
	return 0, op.NumOperands(), 0
}

func (branchModel) SetSuccessorOperands(op *ir.Op, i int, values []*ir.Value) { op.SetOperands(values) }

func (branchModel) TakenSuccessor(*ir.Op, []ir.Attribute) int { return 0 }

type condBranchModel struct{}

func (condBranchModel) SuccessorOperands(op *ir.Op, i int) (start, n, produced int) {
	start, n = op.OperandGroupRange(condTrue + i)
	return start, n, 0
}

func (condBranchModel) SetSuccessorOperands(op *ir.Op, i int, values []*ir.Value) {
	op.SetOperandGroup(condTrue+i, values)
}

func (condBranchModel) TakenSuccessor(op *ir.Op, operands []ir.Attribute) int {
	c, ok := operands[0].(*ir.IntegerAttr)
	switch {
	case !ok:
		return -1
	case c.Value != 0:
		return 0
	}
	return 1
}

// SwitchModel tells where control goes after [Switch], and after operations with the
// same operands, attributes and successors.
type SwitchModel struct{}

// SuccessorOperands implements interfaces.BranchModel.
func (SwitchModel) SuccessorOperands(op *ir.Op, i int) (start, n, produced int) {
	if i == 0 {
		start, n = op.OperandGroupRange(switchDefault)
		return start, n, 0
	}
	start, _ = op.OperandGroupRange(switchCase)
	segments, _ := op.Attr("case_operand_segments").(*ir.DenseArrayAttr)
	if i > segments.Len() { // the operation is invalid
		return start, 0, 0
	}
	return start + int(segments.PrefixSum(i-1)), int(segments.Int(i - 1)), 0
}

// SetSuccessorOperands implements interfaces.BranchModel.
func (m SwitchModel) SetSuccessorOperands(op *ir.Op, i int, values []*ir.Value) {
	if i == 0 {
		op.SetOperandGroup(switchDefault, values)
		return
	}
	c := op.Context()
	start, n, _ := m.SuccessorOperands(op, i)
	op.EraseOperands(start, n)
	op.InsertOperands(start, values...)
	segments := int32s(op.Attr("case_operand_segments").(*ir.DenseArrayAttr))
	segments[i-1] = int32(len(values))
	op.SetAttr("case_operand_segments", c.DenseI32Array(segments...))
	groups := int32s(op.Attr(ir.OperandSegmentsAttr).(*ir.DenseArrayAttr))
	groups[switchCase] += int32(len(values) - n)
	op.SetAttr(ir.OperandSegmentsAttr, c.DenseI32Array(groups...))
}

// TakenSuccessor implements interfaces.BranchModel.
func (SwitchModel) TakenSuccessor(op *ir.Op, operands []ir.Attribute) int {
	values, _ := op.Attr("case_values").(*ir.DenseElementsAttr)
	flag, ok := operands[0].(*ir.IntegerAttr)
	if !ok {
		return -1
	}
	if values == nil {
		return 0
	}
	c := op.Context()
	for i := range values.Len() {
		if values.Elem(c, i) == ir.Attribute(flag) {
			return int(i) + 1
		}
	}
	return 0
}

func int32s(a *ir.DenseArrayAttr) []int32 {
	out := make([]int32, a.Len())
	for i := range out {
		out[i] = int32(a.Int(i))
	}
	return out
}
