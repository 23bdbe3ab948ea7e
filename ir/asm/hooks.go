package asm

import "freehold/ir"

// OpAssembly is the hand-written syntax of an operation whose syntax a
// declarative format can't express. Parse reads what follows the operation's name
// and fills the state; Print writes what follows the name. Says, if it isn't nil, tells
// whether that says all of an operation: one of which it doesn't is printed in the generic form.
type OpAssembly struct {
	Parse func(p *Parser, s *ir.OpState) error
	Print func(p *Printer, op *ir.Op)
	Says  func(op *ir.Op) bool
}

// Assembly is implemented by operations with hand-written syntax.
var Assembly = ir.NewInterface[OpAssembly]("OpAssembly")

// ResultNames is implemented by operations that suggest names for their results:
// the model calls name for results with a suggestion such as "cst" or "c0_i32".
// On a result followed by others without a name of their own it names the whole
// group.
var ResultNames = ir.NewInterface[func(op *ir.Op, name func(v *ir.Value, suggestion string))]("ResultNames")

// BlockArgNames is implemented by operations that suggest names for the arguments
// of the entry blocks of their regions.
var BlockArgNames = ir.NewInterface[func(op *ir.Op, r *ir.Region, name func(v *ir.Value, suggestion string))]("BlockArgNames")

// BlockNames is implemented by operations that suggest labels for their blocks.
var BlockNames = ir.NewInterface[func(op *ir.Op, name func(b *ir.Block, suggestion string))]("BlockNames")

// DefaultDialect is implemented by operations in whose regions operations of the
// returned dialect are written without the dialect's prefix, such as func.func.
var DefaultDialect = ir.NewInterface[func(op *ir.Op) string]("DefaultDialect")

// TypeParser is implemented by dialects with types. It reads what follows the
// mnemonic; the mnemonic itself was read. It returns nil and no error for a
// mnemonic that the dialect doesn't have.
var TypeParser = ir.NewInterface[func(p *Parser, mnemonic string) (ir.Type, error)]("TypeParser")

// AttrParser is implemented by dialects with attributes, like [TypeParser]. t is
// the type that the context expects of the attribute, or nil. Enumerations
// (ir.EnumDef with a mnemonic) need no parser; list them in [Enums].
var AttrParser = ir.NewInterface[func(p *Parser, mnemonic string, t ir.Type) (ir.Attribute, error)]("AttrParser")

// Enums is implemented by dialects with enumeration attributes.
var Enums = ir.NewInterface[[]*ir.EnumDef]("Enums")

// AliasNames is implemented by dialects whose attributes or types want aliases,
// and which say so with ir.Dialect.Aliases: the model returns the suggested alias
// name, or "".
var AliasNames = ir.NewInterface[func(x any) string]("AliasNames")

// Partial is implemented by dialects of which only a part is there: the model says, in a note on the error for an operation that isn't, which.
var Partial = ir.NewInterface[string]("Partial")

// Directive is the syntax of a custom<Name>(args...) element of a declarative
// format. Where the directive starts an optional group, Parse returns [ErrAbsent],
// and has consumed nothing, if it is not there.
type Directive struct {
	Parse func(p *Parser, s *FormatState, args []DirectiveArg) error
	Print func(p *Printer, op *ir.Op, args []DirectiveArg)
}

// DirectiveArg is one argument of a custom directive: $name, type($name),
// ref($name), a string or a number in the format.
type DirectiveArg struct {
	// Kind tells what Name refers to.
	Kind ArgKind
	// Name is the operand, attribute, result, region or successor.
	Name string
	// Index is the number of that in the definition.
	Index int
	// Type is set for type($name); Ref for ref(...), whose value was parsed before.
	Type, Ref bool
}

// ArgKind is what an argument of a custom directive refers to.
type ArgKind uint8

// The kinds of directive arguments.
const (
	OperandArg ArgKind = iota
	ResultArg
	AttrArg
	RegionArg
	SuccessorArg
	AttrDictArg
	LiteralArg
)

// Directives is implemented by dialects: the custom directives that formats of
// their operations use, by name.
var Directives = ir.NewInterface[map[string]Directive]("Directives")
