// Package transformd defines what freehold has of the transform dialect: scripts that find
// operations of a program and bufferize them. Handles are values that stand for
// operations. Package transform/generic/interpreter executes them. Other scripts are kept as text.
package transformd

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// Dialect is the transform dialect.
var Dialect = &ir.Dialect{
	Name: "transform",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{namedSequenceDef(), textDef(Sequence), textDef(WithPDLPatterns), yieldDef(), matchDef(), applyPassDef(), oneShotDef(), eliminateDef(), toAllocDef(), loopHoistingDef(), multiBufferDef(), toAllocationDef(), selectDef(), definingDef()}
	},
	Types: ir.PlainTypes(anyOp, namedOp, anyValue),
	Models: []ir.Model{
		asm.TypeParser.Model(parseType),
		asm.Partial.Model("of this dialect there is what finds operations and bufferizes them, in transform.named_sequence, as LLVM 19 spells it; " +
			"other scripts are printed as they are, and what they do is to be done before, by mlir-opt of the version that they are written for"),
		asm.Enums.Model([]*ir.EnumDef{Layouts}),
	},
	VerifyOpAttr:  verifyOpAttr,
	VerifyArgAttr: verifyArgAttr,
}

// Names of attributes.
const (
	// WithNamedSequence marks modules that hold named sequences.
	WithNamedSequence = "transform.with_named_sequence"
	// ReadOnly and Consumed say what a sequence does with an argument.
	ReadOnly, Consumed = "transform.readonly", "transform.consumed"
	// TargetTag names operations for the interpreter's options.
	TargetTag = "transform.target_tag"
)

const (
	anyOp    = "any_op"
	namedOp  = "op"
	anyValue = "any_value"
)

// parseType reads the types of handles: of any operations, of operations of a name, and of any values.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	c := p.Context()
	switch mnemonic {
	case anyOp, anyValue:
		return c.DialectTypeOf(c.Dialect("transform"), mnemonic), nil
	case namedOp:
		if err := p.Expect("<"); err != nil {
			return nil, err
		}
		name, err := p.String()
		if err != nil {
			return nil, err
		}
		return c.DialectTypeOf(c.Dialect("transform"), namedOp, c.StringAttr(name)), p.Expect(">")
	}
	return nil, nil
}

func isValues(t ir.Type) bool { return ir.IsDialectType(t, "transform", anyValue) }

func isAnyHandle(t ir.Type) bool {
	d, ok := t.(*ir.DialectType)
	return ok && d.Dialect.Name == "transform"
}

// Handles stand for operations, or for values.
var (
	handle       = ir.TypeConstraint{Summary: "TransformHandleTypeInterface instance", Match: func(t ir.Type) bool { return isAnyHandle(t) && !isValues(t) }}
	valueHandle  = ir.TypeConstraint{Summary: "TransformValueHandleTypeInterface instance", Match: isValues}
	eitherHandle = ir.TypeConstraint{Summary: "any transform handle or parameter", Match: isAnyHandle}
)

// HandleName returns the name of the operations that handles of the type stand for; empty
// if they may be any.
func HandleName(t ir.Type) string {
	if d, ok := t.(*ir.DialectType); ok && len(d.Params) == 1 {
		return d.Params[0].(*ir.StringAttr).Value
	}
	return ""
}

func verifyOpAttr(op *ir.Op, a ir.NamedAttr) error {
	switch a.Name {
	case WithNamedSequence:
		if !op.Has(ir.TraitSymbolTable) {
			return ir.Errorf(op.Loc(), "\"%s\" attribute can only be attached to operations with symbol tables", a.Name)
		}
		return nil
	case TargetTag:
		if _, ok := a.Value.(*ir.StringAttr); !ok {
			return op.PlainErrorf("\"%s\" attribute must be a string", a.Name)
		}
		return nil
	}
	return ir.Errorf(op.Loc(), "unknown attribute: \"%s\"", a.Name)
}

func verifyArgAttr(fn *ir.Op, _, arg int, a ir.NamedAttr) error {
	if a.Name != ReadOnly && a.Name != Consumed {
		return nil
	}
	other := ReadOnly
	if a.Name == ReadOnly {
		other = Consumed
	}
	if interfaces.ArgAttr(fn, arg, other) != nil {
		return ir.Errorf(fn.Loc(), "argument #%d cannot be both readonly and consumed", arg)
	}
	return nil
}
