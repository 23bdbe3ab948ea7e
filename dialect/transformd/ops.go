package transformd

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Scripts.
var (
	// NamedSequence is a script: a function on handles.
	NamedSequence = ir.NewOpID("transform.named_sequence")
	// Yield ends a script.
	Yield = ir.NewOpID("transform.yield")
	// Match finds operations in others.
	Match = ir.NewOpID("transform.structured.match")
	// Select finds those operations of a handle that have a name.
	Select = ir.NewOpID("transform.select")
	// DefiningOp finds the operations that define values.
	DefiningOp = ir.NewOpID("transform.get_defining_op")
	// ApplyRegisteredPass runs a pass.
	ApplyRegisteredPass = ir.NewOpID("transform.apply_registered_pass")
)

func namedSequenceDef() *ir.OpDef {
	return &ir.OpDef{ID: NamedSequence,
		Attrs:   append(interfaces.FunctionAttrs(), text),
		Regions: []ir.RegionDef{{Name: "body", MaxBlocks: 1}},
		Traits:  ir.TraitIsolatedFromAbove | ir.TraitSymbol,
		Verify:  verifySequence,
		Models: []ir.Model{
			asm.Assembly.Model(asm.OpAssembly{Parse: parseScript, Print: printScript}),
			interfaces.Function.Model(interfaces.TypedFunction{}),
		}}
}

func yieldDef() *ir.OpDef {
	return &ir.OpDef{ID: Yield, Traits: ir.TraitReturnLike | ir.TraitTerminator | ir.TraitNoMemoryEffect,
		Operands: []ir.OperandDef{{Name: "operands", Type: eitherHandle, Arity: ir.Variadic}},
		Format:   "$operands attr-dict (`:` type($operands)^)?"}
}

func matchDef() *ir.OpDef {
	return &ir.OpDef{ID: Match,
		Operands: []ir.OperandDef{{Name: "target", Type: handle}},
		Results:  []ir.ResultDef{{Name: "results", Type: handle}},
		Attrs: []ir.AttrDef{
			{Name: "ops", Type: constraint.ArrayOf("string array attribute", func(a ir.Attribute) bool { _, ok := a.(*ir.StringAttr); return ok }), Optional: true},
			{Name: InterfaceAttr, Type: constraint.Enum("An interface to match", MatchInterface), Optional: true},
			{Name: "op_attrs", Type: constraint.DictAttr, Optional: true},
			{Name: FilterResultTypeAttr, Type: constraint.TypeAttr, Optional: true},
			{Name: FilterOperandTypesAttr, Type: constraint.ArrayOf("type array attribute", func(a ir.Attribute) bool { _, ok := a.(*ir.TypeAttr); return ok }), Optional: true}},
		Format: "(`ops` `{` $ops^ `}`)? (`interface` `{` $interface^ `}`)? (`attributes` $op_attrs^)? " +
			"(`filter_result_type` `=` $filter_result_type^)? (`filter_operand_types` `=` $filter_operand_types^)? `in` $target attr-dict `:` functional-type($target, results)",
		Models: []ir.Model{finds}}
}

// finds is that what a script finds and doesn't use may go.
var finds = interfaces.MemoryEffects.Model(func(*ir.Op) []interfaces.Effect {
	return []interfaces.Effect{{Kind: interfaces.Read}, interfaces.OnResult(interfaces.Allocate, 0)}
})

func selectDef() *ir.OpDef {
	return &ir.OpDef{ID: Select,
		Operands: target,
		Results:  []ir.ResultDef{{Name: "result", Type: handle}},
		Attrs:    []ir.AttrDef{{Name: OpNameAttr, Type: constraint.StrAttr}},
		Format:   "$op_name `in` $target attr-dict `:` functional-type(operands, results)",
		Models:   []ir.Model{finds}}
}

func definingDef() *ir.OpDef {
	return &ir.OpDef{ID: DefiningOp,
		Operands: []ir.OperandDef{{Name: "target", Type: valueHandle}},
		Results:  []ir.ResultDef{{Name: "result", Type: handle}},
		Format:   "$target attr-dict `:` functional-type(operands, results)",
		Models:   []ir.Model{finds}}
}

// OpNameAttr is the name of operations that a [Select] looks for.
const OpNameAttr = "op_name"

func applyPassDef() *ir.OpDef {
	return &ir.OpDef{ID: ApplyRegisteredPass,
		Operands: []ir.OperandDef{{Name: "target", Type: handle}},
		Results:  []ir.ResultDef{{Name: "result", Type: handle}},
		Attrs: []ir.AttrDef{
			{Name: "pass_name", Type: constraint.StrAttr},
			{Name: "options", Type: optionsText, Default: func(c *ir.Context) ir.Attribute { return c.StringAttr("") }}},
		Format: "$pass_name `to` $target attr-dict `:` functional-type($target, results)",
		Later: []ir.Spelling{{Since: 22, Attrs: []ir.AttrDef{{Name: "options", Type: constraint.DictAttr, Optional: true}}, Replace: printOptions,
			Format: "$pass_name (`with` `options` `=` $options^)? `to` $target attr-dict `:` functional-type($target, results)"}}}
}

// MatchInterface enumerates the interfaces by which a [Match] finds operations.
var MatchInterface = &ir.EnumDef{Name: "MatchInterfaceEnum", Int: ir.I32,
	Cases: []ir.EnumCase{{Keyword: "LinalgOp"}, {Keyword: "TilingInterface", Value: 1}, {Keyword: "LoopLikeInterface", Value: 2}}}

// Further names of attributes of a [Match].
const (
	InterfaceAttr          = "interface"
	FilterResultTypeAttr   = "filter_result_type"
	FilterOperandTypesAttr = "filter_operand_types"
)

// verifySequence checks what a script promises to its callers.
func verifySequence(op *ir.Op) error {
	if op.Attr(TextAttr) != nil {
		return nil
	}
	if err := interfaces.VerifyFunction(op); err != nil {
		return err
	}
	if p := op.Parent(); p == nil || p.Attr(WithNamedSequence) == nil {
		d := ir.Errorf(op.Loc(), "expects the parent symbol table to have the '%s' attribute", WithNamedSequence)
		if p != nil {
			d.WithNote(p.Loc(), "symbol table operation")
		}
		return d
	}
	for i := range (interfaces.TypedFunction{}).Type(op).Inputs {
		if interfaces.ArgAttr(op, i, ReadOnly) != nil && interfaces.ArgAttr(op, i, Consumed) != nil {
			return ir.Errorf(op.Loc(), "argument #%d cannot be both readonly and consumed", i)
		}
	}
	if op.RegionAt(0).Empty() {
		for i := range (interfaces.TypedFunction{}).Type(op).Inputs {
			if interfaces.ArgAttr(op, i, ReadOnly) == nil && interfaces.ArgAttr(op, i, Consumed) == nil {
				return ir.Errorf(op.Loc(), "must provide consumed/readonly status for arguments of external or called ops")
			}
		}
		return nil
	}
	if err := verifyEnd(op); err != nil {
		return err
	}
	for i := range op.RegionAt(0).Entry().Args() {
		if interfaces.ArgAttr(op, i, ReadOnly) == nil {
			continue
		}
		for u := op.BodyBlock(0).Arg(i).FirstUse(); u != nil; u = u.Next() {
			if Consumes(u.Owner()) {
				return ir.Errorf(op.Loc(), "argument #%d is consumed in the body but is not marked as such", i)
			}
		}
	}
	return nil
}

// verifyEnd checks that the body of a script yields its results.
func verifyEnd(op *ir.Op) error {
	yield := op.BodyBlock(0).Last()
	if yield == nil {
		return ir.Errorf(op.Loc(), "expected a non-empty body block")
	}
	if !yield.Is(Yield) {
		d := ir.Errorf(op.Loc(), "expected '%s' as terminator", Yield)
		d.WithNote(yield.Loc(), "terminator")
		return d
	}
	results := (interfaces.TypedFunction{}).Type(op).Results
	if yield.NumOperands() != len(results) {
		return ir.Errorf(yield.Loc(), "expected terminator to have as many operands as the parent op has results")
	}
	for i, want := range results {
		if got := yield.Operand(i).Type(); got != want {
			return ir.Errorf(yield.Loc(), "the type of the terminator operand #%d must match the type of the corresponding parent op result ('%s' vs '%s')", i, got, want)
		}
	}
	return nil
}

// Consumes tells whether an operation of a script invalidates the handles to what its
// target stands for.
func Consumes(op *ir.Op) bool {
	switch op.ID() {
	case OneShotBufferize, EmptyTensorToAllocTensor, ApplyRegisteredPass, MultiBuffer:
		return true
	case BufferizeToAllocation:
		return op.Attr(DestinationOnlyAttr) == nil
	}
	return false
}
