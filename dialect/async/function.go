package async

import (
	"slices"

	"freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Functions whose work goes on while control is with their caller.
var (
	// Func is async.func, whose results are values, and a token before them.
	Func = ir.NewOpID("async.func")
	// Return is async.return, which tells what the values hold.
	Return = ir.NewOpID("async.return")
	// Call is async.call, a call of such a function.
	Call = ir.NewOpID("async.call")
)

func funcDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Func,
		Attrs:   interfaces.FunctionAttrs(),
		Regions: []ir.RegionDef{{Name: "body"}},
		Traits:  ir.TraitIsolatedFromAbove | ir.TraitSymbol,
		Verify:  verifyFunc,
		Models: []ir.Model{
			asm.Assembly.Model(asm.FunctionAssembly),
			asm.DefaultDialect.Model(func(*ir.Op) string { return dialectName }),
			interfaces.Function.Model(interfaces.TypedFunction{}),
		},
	}
}

func verifyFunc(op *ir.Op) error {
	if err := interfaces.VerifyFunction(op); err != nil {
		return err
	}
	results := interfaces.TypedFunction{}.Type(op).Results
	if len(results) == 0 {
		return op.Errorf("result is expected to be at least of size 1, but got 0")
	}
	for i, t := range results {
		if !awaitable.Match(t) {
			return op.Errorf("result type must be async value type or async token type, but got '%s'", t)
		}
		if tokenType.Match(t) && i > 0 {
			return op.Errorf(" results' (optional) async token type is expected to appear as the 1st return value, but got %d", i+1)
		}
	}
	return nil
}

func returnDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Return,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Parents:  []*ir.OpID{Func},
		Traits:   ir.TraitPure | ir.TraitReturnLike | ir.TraitTerminator,
		Format:   "attr-dict ($operands^ `:` type($operands))?",
		Verify:   verifyReturn,
	}
}

func verifyReturn(op *ir.Op) error {
	results := interfaces.TypedFunction{}.Type(op.Parent()).Results
	if len(results) > 0 && tokenType.Match(results[0]) {
		results = results[1:]
	}
	if !slices.EqualFunc(results, op.Operands().Types(), func(result, operand ir.Type) bool { return HeldBy(result) == operand }) {
		return op.Errorf("operand types do not match the types returned from the parent FuncOp")
	}
	return nil
}

// A call isn't one that other passes follow: what it returns isn't what the function's return has.
func callDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Call,
		Operands: []ir.OperandDef{{Name: "operands", Type: constraint.AnyType, Arity: ir.Variadic}},
		Results:  []ir.ResultDef{{Type: awaitable, Arity: ir.Variadic}},
		Attrs:    []ir.AttrDef{{Name: "callee", Type: constraint.FlatSymbolRef}},
		Format:   "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)",
		VerifySymbolUses: func(op *ir.Op, tables *ir.SymbolTables) error {
			ref, _ := op.Attr("callee").(*ir.SymbolRefAttr)
			fn := tables.Lookup(op, ref)
			if fn == nil || !fn.Is(Func) {
				return op.Errorf("'%s' does not reference a valid async function", ref.Root)
			}
			return funcd.VerifyCall(op, interfaces.TypedFunction{}.Type(fn))
		},
	}
}
