package vector

import (
	"slices"

	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// poisonPosition is the position, since LLVM 20, of no element: what is extracted from there is poison, and so is the whole vector
// if something is inserted there.
const poisonPosition = -1

// positionIn returns the position of an extract or insert into the vector that is an operand; what is dynamic is in the operands
// behind it.
func positionIn(op *ir.Op, vector int) []shapes.OpFoldResult {
	return interfaces.MixedList(op, vector+1, staticPosition)
}

// setPosition makes the operands those up to the vector, and those of the position.
func setPosition(op *ir.Op, operands []*ir.Value, position []shapes.OpFoldResult) []ir.FoldResult {
	static, dynamic := shapes.SplitMixed(position)
	op.SetAttr(staticPosition, op.Context().DenseI64Array(static...))
	op.SetOperands(slices.Concat(operands, dynamic))
	return ir.FoldedInPlace()
}

// foldConstantPosition makes dynamic positions of an operation on a vector, an operand, static, if they are constant and in the
// vector, or that of poison.
func foldConstantPosition(op *ir.Op, vector int) []ir.FoldResult {
	position, changed := positionIn(op, vector), false
	for i, p := range position {
		n, ok := p.Int()
		if p.Value == nil || !ok || n < poisonPosition || n >= vec(op.Operand(vector).Type()).Shape[i] {
			continue
		}
		position[i], changed = shapes.ConstSize(n), true
	}
	if !changed {
		return nil
	}
	return setPosition(op, op.Operands()[:vector+1].Values(), position)
}

// atPoison tells whether an extract or insert is at the position of no element.
func atPoison(op *ir.Op) bool {
	return op.Def().AttrIndex(staticPosition) >= 0 && slices.Contains(interfaces.StaticInts(op, staticPosition), poisonPosition)
}

// foldPoisonPosition returns poison for what is at no position.
func foldPoisonPosition(op *ir.Op) []ir.FoldResult {
	if !atPoison(op) {
		return nil
	}
	return foldPoison(op)
}

// foldPoison returns poison.
func foldPoison(op *ir.Op) []ir.FoldResult { return ir.FoldAttr(ub.PoisonAttr(op.Context())) }

// poisonOperand returns a fold that is poison if an operand is, and otherwise that of the operation.
func poisonOperand(operand int, otherwise func(*ir.Op, []ir.Attribute) []ir.FoldResult) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if operand < len(operands) && ub.IsPoison(operands[operand]) {
			return foldPoison(op)
		}
		return otherwise(op, operands)
	}
}

// verifyPositions checks the static positions in a vector; least is the first one that is allowed, and limit says what bounds them.
func verifyPositions(op *ir.Op, pos, shape []int64, least int64, limit string) error {
	for i, p := range pos {
		if p != ir.Dynamic && (p < least || p >= shape[i]) {
			return op.Errorf("expected position attribute #%d to be a non-negative integer smaller than the corresponding %s", i+1, limit)
		}
	}
	return nil
}
