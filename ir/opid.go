package ir

// OpID is the identity of an operation. Each operation has one, a package-level
// variable of its dialect next to the function that defines the operation:
//
//	// Rank is memref.rank, the number of dimensions of a buffer.
//	var Rank = ir.NewOpID("memref.rank")
//
//	func rankDef() *ir.OpDef { return &ir.OpDef{ID: Rank, Fold: foldRank, …} }
//
// Code that creates or recognizes operations mentions their identity. That refers to
// nothing, so a definition may name functions that mention any operation, its own
// included, and says in one place all that its dialect knows about it.
type OpID struct{ name string }

// Names of operations of the builtin dialect that packages mention on which it stands. All
// others mean these operations by their identities in dialect/builtin.
const (
	ModuleName = "builtin.module"
	CastName   = "builtin.unrealized_conversion_cast"
)

// NewOpID makes the identity of the operation with the given full name, such as
// "arith.addi". Two identities are never the same, even of the same name.
func NewOpID(name string) *OpID { return &OpID{name} }

// String returns the full name of the operation.
func (id *OpID) String() string { return id.name }
