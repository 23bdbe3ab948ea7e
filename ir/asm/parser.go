package asm

import "freehold/ir"

// Unresolved is an operand that was read, and whose type is not known yet.
type Unresolved struct {
	Name   string // without %
	Number int    // after #, 0 if there is none
	Pos    Pos
}

// Pos is a place in the source, for messages.
type Pos int

// Argument is the argument of a region that was read: %name, and, as asked for,
// its type, attributes and location.
type Argument struct {
	Unresolved
	Type  ir.Type
	Attrs *ir.DictAttr
	Loc   ir.Location
}

// Delimiter is what encloses a list.
type Delimiter uint8

// The delimiters. The Optional ones allow the list to be absent altogether.
const (
	NoDelimiter Delimiter = iota
	Paren
	Square
	Braces
	LessGreater
	OptionalParen
	OptionalSquare
	OptionalBraces
	OptionalLessGreater
)

// Parser reads one source. Methods that start with Optional return false without
// an error and without consuming anything if what they look for isn't there.
type Parser struct {
	ctx *ir.Context
}

// Context returns the context that types and attributes are made in.
func (p *Parser) Context() *ir.Context { return p.ctx }

// Pos returns the position of the next token.
func (p *Parser) Pos() Pos { panic("asm") }

// NamePos returns the position of the operation's name that is being parsed.
func (p *Parser) NamePos() Pos { panic("asm") }

// LocAt returns a position as a location.
func (p *Parser) LocAt(pos Pos) ir.Location { panic("asm") }

// Errorf returns an error at pos.
func (p *Parser) Errorf(pos Pos, format string, args ...any) error { panic("asm") }

// Expect consumes a punctuation token such as "(", "->" or "::".
func (p *Parser) Expect(tok string) error { panic("asm") }

// Optional consumes a punctuation token if it is next.
func (p *Parser) Optional(tok string) bool { panic("asm") }

// Keyword consumes the given bare word.
func (p *Parser) Keyword(word string) error { panic("asm") }

// OptionalKeyword consumes the given bare word if it is next.
func (p *Parser) OptionalKeyword(word string) bool { panic("asm") }

// AnyKeyword consumes and returns a bare word.
func (p *Parser) AnyKeyword() (string, error) { panic("asm") }

// OptionalAnyKeyword consumes a bare word if one is next; of several allowed
// words if any are given.
func (p *Parser) OptionalAnyKeyword(allowed ...string) (string, bool) { panic("asm") }

// KeywordOrString consumes a bare word or a string.
func (p *Parser) KeywordOrString() (string, error) { panic("asm") }

// String consumes a string literal and returns its contents.
func (p *Parser) String() (string, error) { panic("asm") }

// OptionalString consumes a string literal if one is next.
func (p *Parser) OptionalString() (string, bool) { panic("asm") }

// Integer consumes a decimal or hexadecimal integer with optional minus sign.
func (p *Parser) Integer() (int64, error) { panic("asm") }

// OptionalInteger consumes an integer if one is next.
func (p *Parser) OptionalInteger() (v int64, ok bool, err error) { panic("asm") }

// SymbolName consumes @name.
func (p *Parser) SymbolName() (string, error) { panic("asm") }

// OptionalSymbolName consumes @name if it is next.
func (p *Parser) OptionalSymbolName() (string, bool) { panic("asm") }

// List calls elem for each element of a comma-separated list in delimiters. With
// NoDelimiter at least one element is read.
func (p *Parser) List(d Delimiter, elem func() error) error { panic("asm") }

// Operand consumes %name or %name#n.
func (p *Parser) Operand() (Unresolved, error) { panic("asm") }

// OptionalOperand consumes an operand if one is next.
func (p *Parser) OptionalOperand() (Unresolved, bool, error) { panic("asm") }

// Operands consumes a comma-separated list of operands. With NoDelimiter the list
// may be empty.
func (p *Parser) Operands(d Delimiter) ([]Unresolved, error) { panic("asm") }

// Resolve returns the value that an operand names, whose type must be t.
func (p *Parser) Resolve(u Unresolved, t ir.Type) (*ir.Value, error) { panic("asm") }

// ResolveAll resolves operands to as many types; pos is for the message that the
// numbers differ.
func (p *Parser) ResolveAll(us []Unresolved, types []ir.Type, pos Pos) ([]*ir.Value, error) {
	panic("asm")
}

// ResolveInto resolves operands that all have the type t and appends them to the
// state's operands.
func (p *Parser) ResolveInto(s *ir.OpState, t ir.Type, us ...Unresolved) error { panic("asm") }

// Type consumes a type.
func (p *Parser) Type() (ir.Type, error) { panic("asm") }

// OptionalType consumes a type if one is next.
func (p *Parser) OptionalType() (t ir.Type, ok bool, err error) { panic("asm") }

// ColonType consumes ": type".
func (p *Parser) ColonType() (ir.Type, error) { panic("asm") }

// ColonTypes consumes ": type, type, ...".
func (p *Parser) ColonTypes() ([]ir.Type, error) { panic("asm") }

// OptionalColonTypes consumes ": type, ..." if there is a colon.
func (p *Parser) OptionalColonTypes() ([]ir.Type, error) { panic("asm") }

// Types consumes a comma-separated list of at least one type.
func (p *Parser) Types() ([]ir.Type, error) { panic("asm") }

// ArrowTypes consumes "-> type" or "-> (types)".
func (p *Parser) ArrowTypes() ([]ir.Type, error) { panic("asm") }

// OptionalArrowTypes is ArrowTypes, or nothing where there is no arrow.
func (p *Parser) OptionalArrowTypes() ([]ir.Type, error) { panic("asm") }

// FunctionType consumes "(types) -> type" or "(types) -> (types)".
func (p *Parser) FunctionType() (*ir.FunctionType, error) { panic("asm") }

// Attr consumes an attribute; t is the type it has if it doesn't spell one, or
// nil.
func (p *Parser) Attr(t ir.Type) (ir.Attribute, error) { panic("asm") }

// OptionalAttr consumes an attribute if one is next.
func (p *Parser) OptionalAttr(t ir.Type) (a ir.Attribute, ok bool, err error) { panic("asm") }

// AttrInto consumes an attribute and sets it in the state.
func (p *Parser) AttrInto(s *ir.OpState, name string, t ir.Type) (ir.Attribute, error) { panic("asm") }

// OptionalAttrDict consumes {name = attr, ...} if it is next, into the state.
func (p *Parser) OptionalAttrDict(s *ir.OpState) error { panic("asm") }

// OptionalAttrDictWithKeyword consumes "attributes {...}" if it is next.
func (p *Parser) OptionalAttrDictWithKeyword(s *ir.OpState) error { panic("asm") }

// OptionalDictAttr consumes {...} if it is next and returns it, or nil.
func (p *Parser) OptionalDictAttr() (*ir.DictAttr, error) { panic("asm") }

// AffineMap consumes "(dims)[symbols] -> (exprs)"; without affine_map<>.
func (p *Parser) AffineMap() (*ir.AffineMap, error) { panic("asm") }

// AffineMapOfSSAIds consumes a list of affine expressions in delimiters whose
// dimensions are operands and whose symbols are written symbol(%s), such as
// [%i + 1, %j], and returns the map with its dimension and symbol operands.
func (p *Parser) AffineMapOfSSAIds(d Delimiter) (m *ir.AffineMap, dims, syms []Unresolved, err error) {
	panic("asm")
}

// DimensionList consumes 4x?x2x (a dimension list with trailing x if trailingX).
func (p *Parser) DimensionList(allowDynamic, trailingX bool) ([]int64, error) { panic("asm") }

// Argument consumes %name with, as asked for, ": type" and attributes, and an
// optional location.
func (p *Parser) Argument(withType, withAttrs bool) (Argument, error) { panic("asm") }

// Arguments consumes a list of arguments.
func (p *Parser) Arguments(d Delimiter, withType, withAttrs bool) ([]Argument, error) { panic("asm") }

// Region consumes a region in braces into r. args, whose types must be set, become
// the arguments of its entry block. A missing terminator is not added (see
// EnsureTerminator).
func (p *Parser) Region(r *ir.Region, args []Argument) error { panic("asm") }

// OptionalRegion is Region if a brace is next.
func (p *Parser) OptionalRegion(r *ir.Region, args []Argument) (bool, error) { panic("asm") }

// EnsureTerminator adds the definition's implicit terminator to the region of the
// operation being parsed if its only block has none, and a block if there is none.
func (p *Parser) EnsureTerminator(s *ir.OpState, r *ir.Region) { panic("asm") }

// Successor consumes ^label.
func (p *Parser) Successor() (*ir.Block, error) { panic("asm") }

// OptionalSuccessor consumes ^label if it is next.
func (p *Parser) OptionalSuccessor() (*ir.Block, bool, error) { panic("asm") }

// SuccessorAndOperands consumes ^label(%a, %b : t, u).
func (p *Parser) SuccessorAndOperands() (*ir.Block, []*ir.Value, error) { panic("asm") }

// OptionalLocation consumes loc(...) if it is next; nil if it isn't.
func (p *Parser) OptionalLocation() (ir.Location, error) { panic("asm") }

// OpName consumes the name of an operation, as in linalg.map { arith.addf }.
func (p *Parser) OpName() (*ir.OpName, error) { panic("asm") }
