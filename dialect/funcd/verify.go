package funcd

import "freehold/ir"

func verifyConstantSymbol(op *ir.Op, tables *ir.SymbolTables) error {
	ref := op.Prop(0).(*ir.SymbolRefAttr)
	fn := tables.Lookup(op, ref)
	if fn == nil || !fn.Is(Func) {
		return op.Errorf("reference to undefined function '%s'", ref.Root)
	}
	if Type(fn) != op.Result(0).Type() {
		return op.Errorf("reference to function with mismatched type")
	}
	return nil
}

func verifyCallSymbol(op *ir.Op, tables *ir.SymbolTables) error {
	ref := Callee(op)
	fn := tables.Lookup(op, ref)
	if fn == nil || !fn.Is(Func) {
		return op.Errorf("'%s' does not reference a valid function", ref.Root)
	}
	return VerifyCall(op, Type(fn))
}

// VerifyCall checks that a call, whose operands are all arguments, fits the type of what it calls.
func VerifyCall(op *ir.Op, t *ir.FunctionType) error {
	if len(t.Inputs) != op.NumOperands() {
		return op.Errorf("incorrect number of operands for callee")
	}
	for i, in := range t.Inputs {
		if got := op.Operand(i).Type(); got != in {
			return op.Errorf("operand type mismatch: expected operand type '%s', but provided '%s' for operand number %d", in, got, i)
		}
	}
	if len(t.Results) != op.NumResults() {
		return op.Errorf("incorrect number of results for callee")
	}
	for i, r := range t.Results {
		if got := op.Result(i).Type(); got != r {
			return op.Errorf("result type mismatch at index %d", i).
				WithNote(op.Loc(), "      op result types: %s", typeList(op.Results().Types())).
				WithNote(op.Loc(), "function result types: %s", typeList(t.Results))
		}
	}
	return nil
}

func typeList(ts []ir.Type) string {
	s := ""
	for i, t := range ts {
		if i > 0 {
			s += ", "
		}
		s += "'" + t.String() + "'"
	}
	return s
}
