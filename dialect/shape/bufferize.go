package shape

import (
	"freehold/iface"
	"freehold/ir"
)

// assumingBufferize is about the results of shape.assuming, which its body yields.
type assumingBufferize struct{ iface.BufferizeDefaults }

// AliasingOperands returns what the body yields.
func (assumingBufferize) AliasingOperands(v *ir.Value, _ iface.AnalysisState) []iface.AliasingOperand {
	yield := v.DefiningOp().BodyBlock(0).Last()
	return []iface.AliasingOperand{{Use: yield.OperandUse(v.Index()), Relation: iface.Equivalent, Definite: true}}
}

// BufferType returns the type of the buffer that is yielded. Of an argument of the body, nothing
// tells where it comes from.
func (assumingBufferize) BufferType(v *ir.Value, t iface.BufferTyper) (ir.Type, error) {
	if v.DefiningOp() == nil {
		return t.UnknownType(v)
	}
	yielded := v.DefiningOp().BodyBlock(0).Last().Operand(v.Index())
	if !ir.IsTensor(yielded.Type()) {
		return yielded.Type(), nil
	}
	return t.BufferType(yielded)
}

// Bufferize implements iface.BufferizableModel.
func (assumingBufferize) Bufferize(op *ir.Op, b iface.Bufferizer) error {
	bd := b.Builder()
	s := bd.State(Assuming)
	s.Loc, s.Operands, s.Attrs = op.Loc(), op.Operands().Values(), op.DiscardableAttrs()
	s.Types = op.BodyBlock(0).Last().Operands().Types()
	s.AddRegion().TakeBody(op.RegionAt(0))
	b.Replace(op, bd.Create(s).Results().Values()...)
	return nil
}

// yieldBufferize is about what the body of shape.assuming yields.
type yieldBufferize struct{ iface.YieldDefaults }

// Bufferize implements iface.BufferizableModel.
func (yieldBufferize) Bufferize(op *ir.Op, b iface.Bufferizer) error {
	values, err := iface.BuffersOf(op.Operands(), b)
	if err != nil {
		return err
	}
	b.Builder().CreateOp(AssumingYield, nil, values)
	b.Erase(op)
	return nil
}
