package shape

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// assumingBufferize is about the results of shape.assuming, which its body yields.
type assumingBufferize struct{ interfaces.BufferizeDefaults }

// AliasingOperands returns what the body yields.
func (assumingBufferize) AliasingOperands(v *ir.Value, _ interfaces.AnalysisState) []interfaces.AliasingOperand {
	yield := v.DefiningOp().BodyBlock(0).Last()
	return []interfaces.AliasingOperand{{Use: yield.OperandUse(v.Index()), Relation: interfaces.Equivalent, Definite: true}}
}

// BufferType returns the type of the buffer that is yielded. Of an argument of the body, nothing
// tells where it comes from.
func (assumingBufferize) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	if v.DefiningOp() == nil {
		return t.UnknownType(v)
	}
	yielded := v.DefiningOp().BodyBlock(0).Last().Operand(v.Index())
	if !ir.IsTensor(yielded.Type()) {
		return yielded.Type(), nil
	}
	return t.BufferType(yielded)
}

// Bufferize implements interfaces.BufferizableModel.
func (assumingBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	bd := b.Builder()
	s := bd.State(Assuming)
	s.Loc, s.Operands, s.Attrs = op.Loc(), op.Operands().Values(), op.DiscardableAttrs()
	s.Types = op.BodyBlock(0).Last().Operands().Types()
	s.AddRegion().TakeBody(op.RegionAt(0))
	b.Replace(op, bd.Create(s).Results().Values()...)
	return nil
}

// yieldBufferize is about what the body of shape.assuming yields.
type yieldBufferize struct{ interfaces.YieldDefaults }

// Bufferize implements interfaces.BufferizableModel.
func (yieldBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	values, err := interfaces.BuffersOf(op.Operands(), b)
	if err != nil {
		return err
	}
	b.Builder().CreateOp(AssumingYield, nil, values)
	b.Erase(op)
	return nil
}
