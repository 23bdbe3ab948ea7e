package interfaces

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// FunctionTypeAttr is the name of the attribute that holds the type of a function.
const FunctionTypeAttr = "function_type"

// FunctionAttrs returns the attributes of a definition that is like func.func: its symbol, its type
// (first two, see [TypedFunction]), its visibility, and what its arguments and results carry.
func FunctionAttrs() []ir.AttrDef {
	return []ir.AttrDef{
		{Name: ir.SymbolNameAttr, Type: constraint.SymbolNameAttr},
		{Name: FunctionTypeAttr, Type: constraint.FunctionType},
		{Name: ir.SymbolVisibilityAttr, Type: constraint.StrAttr, Optional: true},
		{Name: ArgAttrs, Type: constraint.DictArray, Optional: true},
		{Name: ResAttrs, Type: constraint.DictArray, Optional: true},
	}
}

// TypedFunction is the model of functions whose attributes are those of [FunctionAttrs].
type TypedFunction struct{}

// Type implements FunctionModel.
func (TypedFunction) Type(fn *ir.Op) *ir.FunctionType {
	return fn.Prop(1).(*ir.TypeAttr).Type.(*ir.FunctionType)
}

// SetType implements FunctionModel.
func (TypedFunction) SetType(fn *ir.Op, t *ir.FunctionType) {
	fn.SetProp(1, fn.Context().TypeAttr(t))
}

// VerifyReturn returns the verifier of what ends functions of the kind fn: it returns operands of
// the types of the function's results. does is what messages say that it does with its operands, such as "return".
func VerifyReturn(fn *ir.OpID, does string) func(op *ir.Op) error {
	return func(op *ir.Op) error {
		around := op.Parent()
		if around == nil || !around.Is(fn) {
			return nil
		}
		name, _ := ir.SymbolName(around)
		want := TypedFunction{}.Type(around).Results
		if op.NumOperands() != len(want) {
			return op.Errorf("has %d operands, but enclosing function (@%s) %ss %d", op.NumOperands(), name, does, len(want))
		}
		for i, t := range want {
			if got := op.Operand(i).Type(); got != t {
				return op.PlainErrorf("type of %s operand %d ('%s') doesn't match function result type ('%s') in function @%s", does, i, got, t, name)
			}
		}
		return nil
	}
}
