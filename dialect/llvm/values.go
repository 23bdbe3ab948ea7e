package llvm

import (
	"fmt"
	"strings"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const constantFormat = "attr-dict `:` type($res)"

// Constants.
var (
	// Constant is a constant of any type that has one.
	Constant = ir.NewOpID("llvm.mlir.constant")
	// Undef is an undefined value.
	Undef = ir.NewOpID("llvm.mlir.undef")
	// Poison is deferred undefined behaviour.
	Poison = ir.NewOpID("llvm.mlir.poison")
	// Zero is the value whose bits are all zero.
	Zero = ir.NewOpID("llvm.mlir.zero")
	// AddressOf is the address of a global or function.
	AddressOf = ir.NewOpID("llvm.mlir.addressof")
	// Freeze is an arbitrary but fixed value if its operand is undefined.
	Freeze = ir.NewOpID("llvm.freeze")
)

func constantDef() *ir.OpDef {
	return &ir.OpDef{ID: Constant, Traits: ir.TraitPure | ir.TraitConstantLike, Results: result(anyLLVM),
		Attrs: []ir.AttrDef{attr("value", constraint.AnyAttr)}, Format: "`(` $value `)` attr-dict `:` type($res)", Verify: verifyConstant,
		Models: []ir.Model{
			exec.Executable.Model(executeConstant),
		},
	}
}

func undefDef() *ir.OpDef {
	return &ir.OpDef{ID: Undef, Traits: ir.TraitPure, Results: result(anyLLVM), Format: constantFormat, Constant: mark}
}

func poisonDef() *ir.OpDef {
	return &ir.OpDef{ID: Poison, Traits: ir.TraitPure, Results: result(anyLLVM), Format: constantFormat, Constant: mark}
}

func zeroDef() *ir.OpDef {
	return &ir.OpDef{ID: Zero, Traits: ir.TraitPure, Results: result(anyLLVM), Format: constantFormat, Constant: zero,
		Earlier: []ir.Spelling{{Until: 17, Name: "llvm.mlir.null"}},
		Models:  []ir.Model{exec.Executable.Model(executeZero)}}
}

func addressOfDef() *ir.OpDef {
	return &ir.OpDef{ID: AddressOf, Traits: ir.TraitPure, Results: result(anyPointer),
		Attrs:            []ir.AttrDef{attr("global_name", constraint.FlatSymbolRef)},
		Format:           "$global_name attr-dict `:` qualified(type($res))",
		Constant:         func(op *ir.Op) ir.Attribute { return op.Attr("global_name") },
		VerifySymbolUses: verifyAddressOf,
		Models:           []ir.Model{exec.Executable.Model(executeAddressOf)}}
}

func freezeDef() *ir.OpDef {
	return &ir.OpDef{ID: Freeze, Traits: ir.TraitPure | ir.TraitSameOperandsAndResultType,
		Operands: []ir.OperandDef{ir.Operand("val", anyLLVM)}, Results: result(anyLLVM), Format: "$val attr-dict `:` type($val)"}
}

// mnemonic is what the attribute is called that stands for what a constant without a number is.
func mnemonic(id *ir.OpID) string { return strings.TrimPrefix(id.String(), "llvm.mlir.") }

// mark returns the attribute that stands for what the constant is.
func mark(op *ir.Op) ir.Attribute { return op.Context().DialectAttrOf(op.Dialect(), mnemonic(op.ID())) }

// zero returns the number that llvm.mlir.zero is, or #llvm.zero.
func zero(op *ir.Op) ir.Attribute {
	c, t := op.Context(), op.Result(0).Type()
	v, isVector := t.(*ir.VectorType)
	elem := t
	if isVector {
		elem = v.Elem
	}
	var number ir.Attribute
	switch elem := elem.(type) {
	case *ir.IntegerType:
		number = c.IntegerAttr(elem, 0)
	case *ir.FloatType:
		number = c.FloatAttr(elem, 0)
	default:
		return mark(op)
	}
	if isVector {
		return c.DenseElements(v, ir.AppendElement(nil, number))
	}
	return number
}

// verifyConstant checks that a constant of the type can have the value.
func verifyConstant(op *ir.Op) error {
	t := op.Result(0).Type()
	switch v := op.Attr("value").(type) {
	case *ir.StringAttr:
		if t != Array(op.Context(), int64(len(v.Value)), ir.I8) {
			return op.Errorf("expected array type of %d i8 elements for the string constant", len(v.Value))
		}
	case *ir.IntegerAttr:
		if !ir.IsInteger(t) {
			return op.Errorf("expected integer type")
		}
	case *ir.FloatAttr:
		switch t := t.(type) {
		case *ir.FloatType:
			if t.Width != v.Type.Width {
				return op.Errorf("expected float type of width %d", v.Type.Width)
			}
		case *ir.IntegerType:
			if t.Width != v.Type.Width {
				return op.Errorf("expected integer type of width %d", v.Type.Width)
			}
		}
	case *ir.ArrayAttr, *ir.DenseElementsAttr, *ir.SparseElementsAttr, *ir.DenseResourceAttr, *ir.DenseStringElementsAttr:
	default:
		return op.Errorf("only supports integer, float, string or elements attributes")
	}
	return nil
}

func verifyAddressOf(op *ir.Op, tables *ir.SymbolTables) error {
	symbol := tables.Lookup(op, op.Attr("global_name").(*ir.SymbolRefAttr))
	if symbol == nil || !symbol.Is(Func) && !symbol.Is(Global) {
		return op.Errorf("must reference a global defined by 'llvm.mlir.global' or 'llvm.func'")
	}
	space, ok := symbol.Attr(addrSpace).(*ir.IntegerAttr)
	if symbol.Is(Global) && ok && addressSpace(op.Result(0).Type()) != space.Value {
		return op.Errorf("pointer address space must match address space of the referenced global")
	}
	return nil
}

func elementType(from, to, summary string) ir.TypeRule {
	return ir.TypeRule{From: from, To: to, Transform: elementOr, Summary: summary}
}

// Parts of values.
var (
	// ExtractElement reads an element of a vector.
	ExtractElement = ir.NewOpID("llvm.extractelement")
	// InsertElement replaces an element of a vector.
	InsertElement = ir.NewOpID("llvm.insertelement")
	// ExtractValue reads a part of an aggregate.
	ExtractValue = ir.NewOpID("llvm.extractvalue")
	// InsertValue replaces a part of an aggregate.
	InsertValue = ir.NewOpID("llvm.insertvalue")
)

func extractElementDef() *ir.OpDef {
	return &ir.OpDef{ID: ExtractElement, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("vector", vectors), ir.Operand("position", signlessInt)}, Results: result(anyLLVM),
		TypeRules: []ir.TypeRule{elementType("vector", "res", "result type matches vector element type")},
		Format:    "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"}
}

func insertElementDef() *ir.OpDef {
	return &ir.OpDef{ID: InsertElement, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("vector", vectors), ir.Operand("value", nonAggr), ir.Operand("position", signlessInt)}, Results: result(vectors),
		TypeRules: []ir.TypeRule{elementType("vector", "value", "argument type matches vector element type"),
			{Same: []string{"res", "vector"}, Summary: "all of {res, vector} have same type"}},
		Format: "$value `,` $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"}
}

func extractValueDef() *ir.OpDef {
	return &ir.OpDef{ID: ExtractValue, Traits: ir.TraitPure, Operands: []ir.OperandDef{ir.Operand("container", aggregates)},
		Results: result(anyLLVM), Attrs: []ir.AttrDef{attr(position, constraint.DenseI64Array)}, Verify: verifyExtractValue,
		Format: "$container `` $position attr-dict `:` type($container) custom<PartType>(type($res), ref(type($container)), ref($position))",
		Models: []ir.Model{
			exec.Executable.Model(executeExtractValue),
		},
		Fold: foldExtractValue,
	}
}

func insertValueDef() *ir.OpDef {
	return &ir.OpDef{ID: InsertValue, Traits: ir.TraitPure,
		Operands: []ir.OperandDef{ir.Operand("container", aggregates), ir.Operand("value", nonAggrOrPart)},
		Results:  result(aggregates), Attrs: []ir.AttrDef{attr(position, constraint.DenseI64Array)}, Verify: verifyInsertValue,
		TypeRules: []ir.TypeRule{{Same: []string{"container", "res"}, Summary: "all of {container, res} have same type"}},
		Format:    "$value `,` $container `` $position attr-dict `:` type($container) custom<PartType>(type($value), ref(type($container)), ref($position))"}
}

const position = "position"

var nonAggrOrPart = tc("primitive LLVM type", compatible)

// partAt returns the type at a position in an aggregate, or what is wrong.
func partAt(t ir.Type, pos []int64) (ir.Type, string) {
	for _, i := range pos {
		next := elementAt(t, i)
		if next == nil {
			if aggregate(t) {
				return nil, fmt.Sprintf("position out of bounds: %d", i)
			}
			return nil, fmt.Sprintf("expected LLVM IR structure/array type, got: '%s'", t)
		}
		t = next
	}
	return t, ""
}

func positions(op *ir.Op) []int64 { return interfaces.StaticInts(op, position) }

func verifyExtractValue(op *ir.Op) error {
	t, msg := partAt(ExtractValueOp{op}.Container().Type(), positions(op))
	if t == nil {
		return op.Errorf("%s", msg)
	}
	if res := op.Result(0).Type(); t != res {
		return op.Errorf("Type mismatch: extracting from '%s' should produce '%s' but this op returns '%s'", ExtractValueOp{op}.Container().Type(), t, res)
	}
	return nil
}

func verifyInsertValue(op *ir.Op) error {
	t, msg := partAt(InsertValueOp{op}.Container().Type(), positions(op))
	if t == nil {
		return op.Errorf("%s", msg)
	}
	if v := (InsertValueOp{op}).Value().Type(); t != v {
		return op.Errorf("Type mismatch: cannot insert '%s' into '%s'", v, InsertValueOp{op}.Container().Type())
	}
	return nil
}

// foldExtractValue finds what was inserted.
func foldExtractValue(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	pos := positions(op)
	var t ir.Trail
	for def := (ExtractValueOp{op}).Container().DefiningOp(); def != nil && def.Is(InsertValue) && !t.Returns(def.Result(0)); def = (InsertValueOp{def}).Container().DefiningOp() {
		at := positions(def)
		n := min(len(at), len(pos))
		same := true
		for i := range n {
			same = same && at[i] == pos[i]
		}
		if same && len(at) == len(pos) {
			return ir.FoldValue(InsertValueOp{def}.Value())
		}
		if same {
			return nil
		}
	}
	return nil
}

// partType is the type of the part of an aggregate, which isn't written.
var partType = asm.Directive{
	Parse: func(p *asm.Parser, s *asm.FormatState, args []asm.DirectiveArg) error {
		part, msg := partAt(s.TypesOf(args[1].Name)[0], s.Attr(args[2].Name).(*ir.DenseArrayAttr).Ints())
		if part == nil {
			return p.Errorf(p.Pos(), "%s", msg)
		}
		s.SetTypes(args[0].Name, []ir.Type{part})
		return nil
	},
	Print: func(*asm.Printer, *ir.Op, []asm.DirectiveArg) {},
}
