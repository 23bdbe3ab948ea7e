package ir

// OpDef is the definition of an operation: all that its dialect knows about it.
// Definitions are made by functions of their dialects (see [Dialect.OpDefs]), and nothing changes them.
type OpDef struct {
	// ID is the identity of the operation, which has its name.
	ID *OpID
	// Since is the first version of LLVM that has the operation, if it is later than 19.
	Since int
	// Operands, Results, Attrs, Regions and Successors say what the operation
	// takes, and are checked by [Verify]. Operand and result groups may be variadic.
	Operands   []OperandDef
	Results    []ResultDef
	Attrs      []AttrDef
	Regions    []RegionDef
	Successors []SuccessorDef
	// Traits are yes-or-no properties.
	Traits Traits
	// Parents lists the operations one of which must hold this one; empty allows
	// any.
	Parents []*OpID
	// ImplicitTerminator is the terminator that is added to, and elided from, the
	// operation's single-block regions. May be nil.
	ImplicitTerminator *OpID
	// TypeRules relate the types of operands, results and attributes. They are
	// verified, and the assembly format infers with them the types it doesn't spell.
	TypeRules []TypeRule
	// Format is the declarative assembly format, in the language of MLIR's operation
	// definitions. It is empty if the operation has only the generic form or a
	// hand-written one (a model of package asm).
	Format string
	// InferTypes computes the result types from the rest of the state: types of operands,
	// attributes and regions, but not from what defines the operands. May be nil.
	InferTypes func(s *OpState) ([]Type, error)
	// CompatibleTypes tells whether result types are acceptable where others were
	// inferred. May be nil, which demands the inferred ones.
	CompatibleTypes func(inferred, actual []Type) bool
	// Verify checks what the declarations can't say. It is called on operations
	// whose declared constraints hold, before their regions are verified. May be nil.
	Verify func(op *Op) error
	// VerifyRegions is called after the operations in the regions were verified. May
	// be nil.
	VerifyRegions func(op *Op) error
	// VerifyAlone promises that Verify, VerifyRegions and what interfaces verify depend
	// on nothing but the operation's attributes, the types of its operands and results,
	// the number of its blocks, and the types of their arguments: not on what defines
	// operands, what is around the operation or what is nested in it. They aren't called
	// again until one of these changes.
	VerifyAlone bool
	// VerifySymbolUses checks references to symbols. It is called when the enclosing
	// symbol table is verified, after everything in it. May be nil.
	VerifySymbolUses func(op *Op, tables *SymbolTables) error
	// Fold computes results from constant operands (nil where an operand is not
	// constant), without creating operations. It returns one FoldResult a result; or
	// an empty non-nil list if it changed the operation in place; or nil if it could
	// do nothing.
	Fold func(op *Op, operands []Attribute) []FoldResult
	// Constant returns what the result of an operation that has no operands is each time, for rewriting: a number, or an
	// attribute that stands for what isn't one. May be nil; those with [TraitConstantLike] need none.
	Constant func(op *Op) Attribute
	// Later are spellings in later versions of LLVM, oldest first.
	Later []Spelling
	// Earlier are spellings in earlier versions of LLVM, latest first.
	Earlier []Spelling
	// Revisions are what later versions of LLVM changed besides the spelling, oldest first.
	Revisions []Revision
	// Models implement interfaces.
	Models []Model
}

// With returns a copy of the definition that has, in addition, what more says: its
// traits, type rules and models are added (a model takes the place of that of the
// same interface), other fields take the place of those of d. It lets
// functions define what several operations have in common.
func (d *OpDef) With(more OpDef) *OpDef {
	out := *d
	out.Traits |= more.Traits
	out.TypeRules = append(out.TypeRules[:len(out.TypeRules):len(out.TypeRules)], more.TypeRules...)
	out.Models = withModels(out.Models, more.Models)
	if more.ID != nil {
		out.ID = more.ID
	}
	if more.Since != 0 {
		out.Since = more.Since
	}
	if more.Operands != nil {
		out.Operands = more.Operands
	}
	if more.Results != nil {
		out.Results = more.Results
	}
	if more.Attrs != nil {
		out.Attrs = more.Attrs
	}
	if more.Regions != nil {
		out.Regions = more.Regions
	}
	if more.Successors != nil {
		out.Successors = more.Successors
	}
	if more.Parents != nil {
		out.Parents = more.Parents
	}
	if more.ImplicitTerminator != nil {
		out.ImplicitTerminator = more.ImplicitTerminator
	}
	if more.Format != "" {
		out.Format = more.Format
	}
	if more.InferTypes != nil {
		out.InferTypes = more.InferTypes
	}
	if more.CompatibleTypes != nil {
		out.CompatibleTypes = more.CompatibleTypes
	}
	if more.Verify != nil {
		out.Verify = more.Verify
	}
	if more.VerifyRegions != nil {
		out.VerifyRegions = more.VerifyRegions
	}
	out.VerifyAlone = out.VerifyAlone || more.VerifyAlone
	if more.VerifySymbolUses != nil {
		out.VerifySymbolUses = more.VerifySymbolUses
	}
	if more.Constant != nil {
		out.Constant = more.Constant
	}
	if more.Fold != nil {
		out.Fold = more.Fold
	}
	if more.Later != nil {
		out.Later = more.Later
	}
	if more.Earlier != nil {
		out.Earlier = more.Earlier
	}
	if more.Revisions != nil {
		out.Revisions = more.Revisions
	}
	return &out
}

// FoldResult is what a result folds to: an attribute, or a value.
type FoldResult struct {
	Attr  Attribute
	Value *Value
}

// FoldAttr is the fold of a single result to a constant.
func FoldAttr(a Attribute) []FoldResult { return []FoldResult{{Attr: a}} }

// FoldValue is the fold of a single result to an existing value.
func FoldValue(v *Value) []FoldResult { return []FoldResult{{Value: v}} }

// FoldedInPlace says that the operation was changed and stays.
func FoldedInPlace() []FoldResult { return []FoldResult{} }

// Arity says how many values a group of operands or results has.
type Arity uint8

// The arities of groups. A VariadicOfVariadic group is divided further by an
// attribute.
const (
	One Arity = iota
	Optional
	Variadic
	VariadicOfVariadic
)

// OperandDef declares a group of operands.
type OperandDef struct {
	Name  string
	Type  TypeConstraint
	Arity Arity
	// Segments names the attribute (array<i32>) with the sizes of the inner lists of
	// a VariadicOfVariadic group.
	Segments string
}

// Operand declares one operand.
func Operand(name string, t TypeConstraint) OperandDef { return OperandDef{Name: name, Type: t} }

// VariadicOperand declares any number of operands.
func VariadicOperand(name string, t TypeConstraint) OperandDef {
	return OperandDef{Name: name, Type: t, Arity: Variadic}
}

// OptionalOperand declares an operand that may be absent.
func OptionalOperand(name string, t TypeConstraint) OperandDef {
	return OperandDef{Name: name, Type: t, Arity: Optional}
}

// ResultDef declares a group of results.
type ResultDef struct {
	Name  string
	Type  TypeConstraint
	Arity Arity
}

// Result declares one result.
func Result(name string, t TypeConstraint) ResultDef { return ResultDef{Name: name, Type: t} }

// VariadicResult declares any number of results.
func VariadicResult(name string, t TypeConstraint) ResultDef {
	return ResultDef{Name: name, Type: t, Arity: Variadic}
}

// SingleResult declares the only result of an operation.
func SingleResult(name string, t TypeConstraint) []ResultDef { return []ResultDef{Result(name, t)} }

// AttrDef declares an inherent attribute.
type AttrDef struct {
	Name string
	Type AttrConstraint
	// Optional attributes may be absent. Attributes with a Default are elided by
	// assembly formats when they have it; unless they are also optional, the parser
	// and the builder fill them in.
	Optional bool
	Default  func(c *Context) Attribute
	// Derived attributes keep the sizes of operand or result groups; they are never
	// spelled in assembly formats.
	Derived bool
	// Number attributes are values of an enumeration, Type.Enum, that bytecode keeps as
	// numbers.
	Number bool
	// Flag attributes are there or not, which bytecode keeps as a byte: in LLVM, they are properties and no attributes.
	Flag bool
}

// Plain tells whether bytecode keeps a reference of the attribute.
func (d *AttrDef) Plain() bool { return !d.Number && !d.Flag }

// sizesOfGroups tells whether the attribute keeps the sizes of all operand or result
// groups, which are looked at together and not like other attributes.
func (d *AttrDef) sizesOfGroups() bool {
	return d.Derived && (d.Name == OperandSegmentsAttr || d.Name == ResultSegmentsAttr)
}

// GroupsOf returns how many sizes an inherent attribute has that keeps those of operand
// or result groups.
func (d *OpDef) GroupsOf(attr int) (n int, ok bool) {
	if !d.Attrs[attr].sizesOfGroups() {
		return 0, false
	}
	if d.Attrs[attr].Name == OperandSegmentsAttr {
		return len(d.Operands), true
	}
	return len(d.Results), true
}

// Accepts tells whether the attribute can have the value, by its constraint alone.
func (d *AttrDef) Accepts(a Attribute) bool {
	return d.sizesOfGroups() || d.Type.Match == nil || d.Type.Match(a)
}

// RegionDef declares a region, or, if Variadic, any number of regions.
type RegionDef struct {
	Name     string
	Variadic bool
	// Any allows any number of blocks, the default; Sized demands exactly that many.
	Sized int
	// MinBlocks demands at least so many blocks.
	MinBlocks int
	// MaxBlocks, if positive, demands at most so many blocks.
	MaxBlocks int
}

// SuccessorDef declares a successor, or, if Variadic, any number of them.
type SuccessorDef struct {
	Name     string
	Variadic bool
}

// TypeConstraint says which types are accepted. Summary is how messages describe
// them ("tensor of any type values").
type TypeConstraint struct {
	Summary string
	Match   func(Type) bool
	// Class is a class that all matching types have.
	Class TypeClass
	// Buildable is the only type that matches, if there is just one; assembly formats
	// need not spell it. May be nil.
	Buildable func(c *Context) Type
}

// AttrConstraint says which attributes are accepted. Summary is how messages
// describe them ("64-bit signless integer attribute").
type AttrConstraint struct {
	Summary string
	Match   func(Attribute) bool
	// Class tells which attributes can be stored at all: the others are rejected where
	// they are spelled, before the verifier looks at the value. Nil if any can.
	Class func(Attribute) bool
	// Enum is the enumeration whose keywords an assembly format uses for the
	// attribute. May be nil.
	Enum *EnumDef
	// ValueType is the type of the attribute's value where it is always the same, so
	// that assembly formats elide it. May be nil.
	ValueType func(c *Context) Type
	// SymbolName and UnitAttr and so on are recognised by assembly formats.
	Kind AttrKind
	// Respell makes an attribute that the constraint accepts of one that other versions
	// of LLVM have in its place; it returns nil if it is none. May be nil.
	Respell func(c *Context, a Attribute) Attribute
	// InDictionaries tells that Respell also holds in the dictionaries of an operation's own syntax, where other versions had what it reads, too.
	InDictionaries bool
	// Attribute is "dialect.mnemonic" of the attribute that a DialectAttrKind
	// constraint accepts.
	Attribute string
}

// AttrKind classifies attributes for assembly formats.
type AttrKind uint8

// The kinds of attributes.
const (
	_ AttrKind = iota // of any kind
	// UnitKind attributes are spelled by their presence.
	UnitKind
	// SymbolNameKind attributes are strings spelled @name.
	SymbolNameKind
	// TypeKind attributes are spelled as bare types.
	TypeKind
	// DenseArrayKind attributes are spelled [1, 2, 3]; ValueType is the element type.
	DenseArrayKind
	// SymbolRefKind attributes are spelled @name.
	SymbolRefKind
	// StringKind attributes are string literals.
	StringKind
	// DialectAttrKind attributes are a single attribute class of a dialect, whose
	// #dialect.mnemonic prefix formats elide unless qualified.
	DialectAttrKind
)

// TypeRule relates types. Of, From and To name operand, result or attribute
// groups; "$x" of a variadic group stands for all its types.
type TypeRule struct {
	// Same lists groups whose types must all be equal. Summary completes "failed to
	// verify that ...".
	Same []string
	// From and To with Transform say that the type of To is Transform of the type of
	// From (TypesMatchWith).
	From, To  string
	Transform func(Type) Type
	// TransformIn is Transform for a type that has to be made in the context.
	TransformIn func(*Context, Type) Type
	// Related says that a type of To may belong to the type of From although Transform
	// doesn't make it of that. An assembly format that doesn't spell To can't say such
	// operations, which are printed in the generic form. May be nil.
	Related func(from, to Type) bool
	// TransformList is Transform for a variadic group To: it gives all its types.
	TransformList func(Type) []Type
	// Repeat says that the variadic group To has that many values of one type. The
	// number may be larger than that of any operation's operands.
	Repeat func(Type) (Type, int64)
	// Check is any other rule over the types of the operation's operands and results and its
	// attributes; it returns whether it holds.
	Check func(op *Op) bool
	// Summary is what the message says after "failed to verify that ".
	Summary string
	// Reworded are the messages since versions of LLVM, in ascending order.
	Reworded []RuleMessage
}

// RuleMessage is what is said since a version of LLVM where a rule doesn't hold.
type RuleMessage struct {
	Since   int
	Summary string
	// Before is a message of its own that comes before; "" for none. May be nil.
	Before func(op *Op) string
}

// broken returns what is said of an operation for which the rule doesn't hold.
func (r *TypeRule) broken(op *Op) Diagnostics {
	said := RuleMessage{Summary: r.Summary}
	for _, m := range r.Reworded {
		if m.Since <= op.Context().LLVM() {
			said = m
		}
	}
	var out Diagnostics
	if said.Before != nil {
		if text := said.Before(op); text != "" {
			out = append(out, op.PlainErrorf("%s", text))
		}
	}
	return append(out, op.Errorf("failed to verify that %s", said.Summary))
}

// Apply returns Transform, or TransformIn, of a type; nil if the rule has neither.
func (r *TypeRule) Apply(c *Context, t Type) Type {
	switch {
	case r.Transform != nil:
		return r.Transform(t)
	case r.TransformIn != nil:
		return r.TransformIn(c, t)
	}
	return nil
}

// Transforms tells whether the rule has Transform or TransformIn.
func (r *TypeRule) Transforms() bool { return r.Transform != nil || r.TransformIn != nil }

// Traits is a set of yes-or-no properties of an operation.
type Traits uint64

// The traits.
const (
	TraitTerminator Traits = 1 << iota
	TraitIsolatedFromAbove
	TraitCommutative
	TraitIdempotent
	TraitInvolution
	// TraitPure operations have no memory effect and may be speculated, unless a model of ConditionallySpeculatable says when: for LLVM, this trait is on some
	// that are undefined for some operands, too.
	TraitPure
	// TraitNoMemoryEffect operations have no memory effect, but may have undefined
	// behaviour.
	TraitNoMemoryEffect
	// TraitRecursiveMemoryEffects operations have just the effects of their regions.
	TraitRecursiveMemoryEffects
	// TraitSpeculatable operations may be executed where they weren't.
	TraitSpeculatable
	TraitRecursivelySpeculatable
	// TraitConstantLike operations have no operands, and one result, of which the first
	// inherent attribute is the value.
	TraitConstantLike
	TraitSameOperandsAndResultType
	TraitSameTypeOperands
	TraitSameOperandsShape
	TraitSameOperandsAndResultShape
	TraitSameOperandsElementType
	TraitSameOperandsAndResultElementType
	TraitSameOperandsAndResultRank
	TraitElementwise
	TraitScalarizable
	TraitVectorizable
	TraitTensorizable
	TraitAttrSizedOperandSegments
	TraitAttrSizedResultSegments
	TraitSingleBlock
	TraitNoTerminator
	TraitNoRegionArguments
	TraitSymbol
	TraitSymbolTable
	TraitAffineScope
	TraitAutomaticAllocationScope
	// TraitReturnLike terminators return to the enclosing operation.
	TraitReturnLike
	// TraitGraphRegion regions need no dominance.
	TraitGraphRegion
	TraitParallelRegion
	// TraitResultsBroadcastable operands and results have broadcast-compatible shapes.
	TraitResultsBroadcastable
	TraitOptionalSymbol
	// TraitFirstAttrDerivedResultType results have the type of the first attribute.
	TraitFirstAttrDerivedResultType
)

// ElementwiseMappable is what elementwise operations that extend to vectors and
// tensors have.
const ElementwiseMappable = TraitElementwise | TraitScalarizable | TraitVectorizable | TraitTensorizable

// Has tells whether the set contains all the given traits.
func (t Traits) Has(x Traits) bool { return t&x == x }

// AttrIndex returns the position of a declared attribute, or -1. Linear in their
// number, which is small.
func (d *OpDef) AttrIndex(name string) int {
	for i := range d.Attrs {
		if d.Attrs[i].Name == name {
			return i
		}
	}
	return -1
}

// OperandIndex returns the position of a declared operand group, or -1.
func (d *OpDef) OperandIndex(name string) int {
	for i := range d.Operands {
		if d.Operands[i].Name == name {
			return i
		}
	}
	return -1
}

// ResultIndex returns the position of a declared result group, or -1.
func (d *OpDef) ResultIndex(name string) int {
	for i := range d.Results {
		if d.Results[i].Name == name {
			return i
		}
	}
	return -1
}

// Names of the attributes that keep group sizes.
const (
	OperandSegmentsAttr = "operandSegmentSizes"
	ResultSegmentsAttr  = "resultSegmentSizes"
)
