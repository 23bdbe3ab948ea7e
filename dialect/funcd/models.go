package funcd

import (
	"freehold/dialect/cf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

type callModel struct{}

func (callModel) Callee(op *ir.Op) (*ir.SymbolRefAttr, *ir.Value) { return Callee(op), nil }
func (callModel) Args(op *ir.Op) (start, n int)                   { return 0, op.NumOperands() }

type callIndirectModel struct{}

func (callIndirectModel) Callee(op *ir.Op) (*ir.SymbolRefAttr, *ir.Value) {
	return nil, CallIndirectOp{op}.Callee()
}
func (callIndirectModel) Args(op *ir.Op) (start, n int) { return 1, op.NumOperands() - 1 }

// materialize creates a func.constant for the symbol of a function.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	ref, ok := value.(*ir.SymbolRefAttr)
	if _, fn := t.(*ir.FunctionType); !ok || !fn || len(ref.Nested) > 0 {
		return nil
	}
	return b.CreateOp(Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: ref})
}

type inliner struct{ interfaces.InlineAnywhere }

func (inliner) Terminator(b *ir.Builder, op *ir.Op, dest *ir.Block, values []*ir.Value) {
	if !op.Is(Return) {
		return
	}
	if dest == nil {
		for i, v := range values {
			v.ReplaceAllUsesWith(op.Operand(i))
		}
		return
	}
	b.SetBefore(op)
	b.Loc = op.Loc()
	cf.NewBranch(b, dest, op.Operands().Values()...)
	op.Erase()
}

var _ interfaces.InlinerModel = inliner{}
