package interfaces

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// BufferRelation says how the buffers of two tensors are related.
type BufferRelation uint8

const (
	// UnknownRelation buffers may be different, or one a part of the other.
	UnknownRelation BufferRelation = iota
	// Equivalent buffers are the same: same address, same sizes and strides.
	Equivalent
)

// AliasingValue is a value whose buffer may be that of an operand once the operand
// bufferizes in place. Definite aliases are the only ones there can be.
type AliasingValue struct {
	Value    *ir.Value
	Relation BufferRelation
	Definite bool
}

// AliasingOperand is the reverse: an operand whose buffer a value may get.
type AliasingOperand struct {
	Use      *ir.Use
	Relation BufferRelation
	Definite bool
}

// AnalysisState answers questions about how tensors will become buffers. Its
// answers about operations that don't implement Bufferizable, or that the options
// exclude, are conservative. The package transform/bufferize/oneshot implements it.
type AnalysisState interface {
	// Model returns the operation's model if bufferization may touch the operation.
	Model(op *ir.Op) (BufferizableModel, bool)
	// Reads and Writes tell whether the buffer of a tensor operand will be read or
	// written.
	Reads(u *ir.Use) bool
	Writes(u *ir.Use) bool
	// WritesResult tells whether the buffer of a value holds data that its defining
	// operation wrote.
	WritesResult(v *ir.Value) bool
	// AliasingValues and AliasingOperands list the aliases of an operand or value.
	AliasingValues(u *ir.Use) []AliasingValue
	AliasingOperands(v *ir.Value) []AliasingOperand
	// IsInPlace tells whether the operand was decided to bufferize in place.
	IsInPlace(u *ir.Use) bool
	// AreEquivalent and AreAliasing tell whether two values will have the same, or
	// overlapping, buffers under the decisions taken so far.
	AreEquivalent(a, b *ir.Value) bool
	AreAliasing(a, b *ir.Value) bool
	// Aliases lists the values that AreAliasing says alias v, with v. It reports
	// whether that is known: without analysis it is not.
	Aliases(v *ir.Value) ([]*ir.Value, bool)
	// IsValueRead tells whether the contents of a value's buffer are read, directly
	// or through aliases.
	IsValueRead(v *ir.Value) bool
	// HasUndefinedContents tells whether the operand's contents are known to be
	// undefined, as those of a fresh allocation.
	HasUndefinedContents(u *ir.Use) bool
	// FindInReverse follows aliases backwards from a value to those that the condition
	// accepts, and to the leaves of the chain if the configuration says so.
	FindInReverse(v *ir.Value, accept func(*ir.Value) bool, c TraversalConfig) []*ir.Value
	// Function answers about functions, once module analysis knows; nil where function
	// boundaries are not bufferized.
	Function(fn *ir.Op) FunctionAnalysis
	// Callee returns the operation that the symbol names which a call calls, or nil. It
	// is looked up once for each call.
	Callee(call *ir.Op) *ir.Op
	// Flags of the options that models depend on.
	AllowReturnAllocsFromLoops() bool
	CarryThroughConditions() bool
	EmptyParallelLoops() bool
	// LLVM returns the version of LLVM whose decisions are asked for: 19, unless the options
	// say another one.
	LLVM() uint32
}

// FunctionAnalysis is what module analysis knows about a function.
type FunctionAnalysis interface {
	// Analyzed tells whether the function's body was analyzed (it is not, in
	// recursive call graphs and for external functions).
	Analyzed() bool
	// ReadsArg and WritesArg tell whether the buffer of an argument is read or
	// written.
	ReadsArg(i int) bool
	WritesArg(i int) bool
	// AliasingResults lists the results that may alias an argument.
	AliasingResults(arg int) []int
	// EquivalentArg returns the argument that a result is equivalent to, or -1.
	EquivalentArg(result int) int
	// AliasingOtherResults lists the results before the given one that may have the
	// same buffer.
	AliasingOtherResults(result int) []int
	// WritableResult tells whether the caller may write the buffer of a result: it may
	// not if that may be a constant. It is known before the body is analyzed.
	WritableResult(result int) bool
}

// TraversalConfig configures [AnalysisState.FindInReverse].
type TraversalConfig struct {
	// OmitLeaves leaves out the ends of chains that the condition doesn't accept.
	OmitLeaves bool
	// InPlaceOnly, EquivalentOnly and SameTypeOrCastsOnly restrict which aliases are
	// followed.
	InPlaceOnly, EquivalentOnly, SameTypeOrCastsOnly bool
	// FollowUnknownOps follows operations that don't implement Bufferizable.
	FollowUnknownOps bool
}

// BufferTyper determines the types of buffers.
type BufferTyper interface {
	Context() *ir.Context
	// BufferType returns the type of the buffer that the tensor value has or will
	// have.
	BufferType(v *ir.Value) (ir.Type, error)
	// InProgress tells whether the type of the value's buffer is being determined
	// already, so that asking for it again would not end.
	InProgress(v *ir.Value) bool
	// UnknownType returns the buffer type for a tensor about which nothing is known,
	// in the given memory space (the layout is as the options say).
	UnknownType(v *ir.Value) (ir.Type, error)
	// IdentityType and DynamicType return the memref type of a tensor type with the
	// identity layout, or with a fully dynamic one; of a type that is [TensorLike], what its
	// model says.
	IdentityType(t ir.Type, space ir.Attribute) ir.Type
	DynamicType(t ir.Type, space ir.Attribute) ir.Type
	// DefaultMemorySpace returns the memory space of buffers of tensors of the given
	// type whose space nothing else determines, and whether there is one.
	DefaultMemorySpace(tensor ir.Type) (ir.Attribute, bool)
	// FunctionArgType returns the buffer type of a function's tensor argument or result
	// by the function boundary conversion of the options.
	FunctionArgType(t ir.Type, space ir.Attribute, fn *ir.Op) ir.Type
	// AllowExternalResults tells whether functions without a body that return tensors are
	// bufferized.
	AllowExternalResults() bool
	// InferFunctionLayout tells whether layouts at function boundaries are inferred.
	InferFunctionLayout() bool
	// State returns an analysis state that knows the options but no decisions.
	State() AnalysisState
	// Callee is that of [AnalysisState].
	Callee(call *ir.Op) *ir.Op
}

// ResultTypes returns the types of the results of op, with those of buffers for tensors.
func ResultTypes(op *ir.Op, b BufferTyper) ([]ir.Type, error) {
	types := op.Results().Types()
	for i, t := range types {
		if IsTensorLike(t) {
			m, err := b.BufferType(op.Result(i))
			if err != nil {
				return nil, err
			}
			types[i] = m
		}
	}
	return types, nil
}

// Bufferizer rewrites one operation from tensors to buffers. Operations that it
// creates and that use tensors are bufferized in turn.
type Bufferizer interface {
	BufferTyper
	// Builder returns the builder, which inserts before the operation at first.
	Builder() *ir.Builder
	// Buffer returns the buffer of a tensor value.
	Buffer(v *ir.Value) (*ir.Value, error)
	// SizeOf returns the size of dimension i of a buffer: what its allocation has, or else a new memref.dim,
	// also where the allocation stands for an alloc_tensor whose turn would only come.
	SizeOf(buffer *ir.Value, i int) shapes.OpFoldResult
	// Replace replaces an operation: each tensor result by the given buffer, other
	// results by the given values.
	Replace(op *ir.Op, values ...*ir.Value)
	// Modify makes an operation use other operands and have no results: values stand for those, as in Replace.
	// It is what replacing the operation by the same one on buffers does, but for the work.
	Modify(op *ir.Op, operands []*ir.Value, values ...*ir.Value)
	// Erase erases an operation without uses.
	Erase(op *ir.Op)
	// ToTensor returns a tensor of the given type that stands for the buffer while
	// its users are not bufferized yet.
	ToTensor(buffer *ir.Value, t ir.Type) *ir.Value
	// Alloc creates an allocation as the options say, Dealloc its end, and Copy a copy
	// between buffers.
	Alloc(t *ir.MemRefType, dynamicSizes []*ir.Value) (*ir.Value, error)
	Dealloc(buffer *ir.Value) error
	Copy(from, to *ir.Value) error
	// Cast returns a buffer of another memref type: by a cast if that can't fail, else
	// by a copy to a new allocation.
	Cast(buffer *ir.Value, t *ir.MemRefType) (*ir.Value, error)
	// ToBuffer converts a tensor to a buffer of the given type at the insertion point.
	ToBuffer(v *ir.Value, t ir.Type) *ir.Value
	// CopyTensor creates a tensor like that of the value: a copy, or one with undefined
	// contents.
	CopyTensor(v *ir.Value, copy bool) (*ir.Value, error)
	// MapElements creates an operation that computes each element of a tensor from its
	// indices, into dest, and returns the new tensor. The builder that body gets
	// inserts where the element is computed.
	MapElements(dest *ir.Value, body func(b *ir.Builder, indices []*ir.Value) *ir.Value) *ir.Value
	// Global returns a buffer that holds a constant tensor, and is read only.
	Global(op *ir.Op, value ir.Attribute, space ir.Attribute) (*ir.Value, error)
	// CastType returns the buffer as one of another type, which must be cast compatible;
	// the cast may fail at run time.
	CastType(buffer *ir.Value, t ir.Type) *ir.Value
	// BufferizeBlockArgs changes the types of a block's tensor arguments to those of
	// their buffers.
	BufferizeBlockArgs(b *ir.Block) error
}

// CopyPlanner collects the copies that the decisions of an analysis demand. They are
// made when the program is rewritten.
type CopyPlanner interface {
	// CopyOperands is what most operations need: a copy of each operand that was decided
	// not to bufferize in place (or of the result, where that is enough).
	CopyOperands(op *ir.Op)
	// CopyPassedOn plans a copy of an operand that a terminator passes on, although that
	// is in place, since its buffer may be that of another value as well, which is not
	// known (nil) or given.
	CopyPassedOn(u *ir.Use, other *ir.Value)
}

// BufferizableModel says how an operation on tensors becomes one on buffers.
// Embed [BufferizeDefaults] for the usual answers.
type BufferizableModel interface {
	// Reads and Writes tell whether the operation reads or writes the buffer of a
	// tensor operand.
	Reads(u *ir.Use, s AnalysisState) bool
	Writes(u *ir.Use, s AnalysisState) bool
	// AliasingValues lists the results (or block arguments of the operation's regions)
	// that may share the operand's buffer.
	AliasingValues(u *ir.Use, s AnalysisState) []AliasingValue
	// AliasingOperands is the reverse of AliasingValues.
	AliasingOperands(v *ir.Value, s AnalysisState) []AliasingOperand
	// Allocates tells whether a result is a new buffer.
	Allocates(v *ir.Value) bool
	// WritesResult tells whether the operation determines the contents of a result.
	WritesResult(v *ir.Value, s AnalysisState) bool
	// ElementwiseAccess tells whether, for each element, all reads through the operands
	// come before the writes.
	ElementwiseAccess(op *ir.Op, s AnalysisState, uses []*ir.Use) bool
	// MustBeInPlace demands that the operand bufferizes in place.
	MustBeInPlace(u *ir.Use, s AnalysisState) bool
	// NotConflicting tells that a read and a write, one of which is the operation's,
	// are no conflict for a reason that only the operation knows.
	NotConflicting(op *ir.Op, read, write *ir.Use, s AnalysisState) bool
	// IsWritable tells whether the buffer of a result, or of a block argument of the
	// operation's regions, may be written.
	IsWritable(v *ir.Value, s AnalysisState) bool
	// Repetitive and Parallel tell whether a region is executed repeatedly, or by
	// several threads.
	Repetitive(op *ir.Op, region int) bool
	Parallel(op *ir.Op, region int) bool
	// Verify checks the decisions of the analysis.
	Verify(op *ir.Op, s AnalysisState) error
	// PlanCopies plans the copies that the decisions demand.
	PlanCopies(op *ir.Op, s AnalysisState, p CopyPlanner)
	// RoomForCopies returns an error if there is no place for copies before operations
	// in the operation's regions.
	RoomForCopies(op *ir.Op) error
	// BufferType returns the type of the buffer of a result or block argument.
	BufferType(v *ir.Value, t BufferTyper) (ir.Type, error)
	// Bufferize replaces the operation by one on buffers.
	Bufferize(op *ir.Op, b Bufferizer) error
	// HasTensors tells whether there is anything to bufferize.
	HasTensors(op *ir.Op) bool
	// UnstructuredControlFlow tells whether regions may have several blocks.
	UnstructuredControlFlow() bool
}

// Bufferizable is implemented by operations on tensors that can become operations
// on buffers.
var Bufferizable = ir.NewInterface[BufferizableModel]("BufferizableOpInterface")

// BufferizableSince is implemented by operations that are Bufferizable, and not so in LLVM
// 19: it is the version of LLVM since which they are. They are left alone unless the options
// ask for that version.
var BufferizableSince = ir.NewInterface[uint32]("BufferizableSince")

// BufferizeDefaults has the usual answers of a [BufferizableModel], for operations
// whose operands are neither read nor written and alias nothing. Answers that
// depend on other answers ask the state, which asks the model.
type BufferizeDefaults struct{}

// Reads returns false.
func (BufferizeDefaults) Reads(*ir.Use, AnalysisState) bool { return false }

// Writes returns false.
func (BufferizeDefaults) Writes(*ir.Use, AnalysisState) bool { return false }

// AliasingValues returns nothing.
func (BufferizeDefaults) AliasingValues(*ir.Use, AnalysisState) []AliasingValue { return nil }

// AliasingOperands inverts AliasingValues. Linear in the number of operands.
func (BufferizeDefaults) AliasingOperands(v *ir.Value, s AnalysisState) []AliasingOperand {
	var out []AliasingOperand
	op := OwnerOf(v)
	for i := range op.NumOperands() {
		u := op.OperandUse(i)
		if !IsTensorLike(u.Value().Type()) {
			continue
		}
		for _, a := range s.AliasingValues(u) {
			if a.Value == v {
				out = append(out, AliasingOperand{u, a.Relation, a.Definite})
			}
		}
	}
	return out
}

// Allocates returns false.
func (BufferizeDefaults) Allocates(*ir.Value) bool { return false }

// WritesResult tells whether the result has no aliasing operand, or one that is
// written, or gets its contents from a write inside the operation's regions.
func (BufferizeDefaults) WritesResult(v *ir.Value, s AnalysisState) bool {
	operands := s.AliasingOperands(v)
	if len(operands) == 0 {
		return true
	}
	for _, a := range operands {
		if s.Writes(a.Use) {
			return true
		}
	}
	op := v.DefiningOp()
	if op.NumRegions() == 0 {
		return false
	}
	writtenInside := func(w *ir.Value) bool {
		// A result of op itself is met again where blocks form a loop around op: what its
		// regions write to it is found on the way on.
		return w.DefiningOp() != op && op.IsAncestorOf(OwnerOf(w)) && s.WritesResult(w)
	}
	for _, a := range operands {
		if len(s.FindInReverse(a.Use.Value(), writtenInside, TraversalConfig{OmitLeaves: true})) > 0 {
			return true
		}
	}
	return false
}

// ElementwiseAccess returns false.
func (BufferizeDefaults) ElementwiseAccess(*ir.Op, AnalysisState, []*ir.Use) bool { return false }

// MustBeInPlace returns true for tensors that can't be copied: those of unknown rank, and of
// types that are [TensorLike] without being a [TensorCopier].
func (BufferizeDefaults) MustBeInPlace(u *ir.Use, _ AnalysisState) bool {
	t := u.Value().Type()
	if m, ok := TensorLike.OfType(t); ok {
		_, copies := m.(TensorCopier)
		return !copies
	}
	_, unranked := t.(*ir.UnrankedTensorType)
	return unranked
}

// NotConflicting returns false.
func (BufferizeDefaults) NotConflicting(*ir.Op, *ir.Use, *ir.Use, AnalysisState) bool { return false }

// IsWritable tells whether the value is a result: what an operation makes may be
// written, unless it says otherwise.
func (BufferizeDefaults) IsWritable(v *ir.Value, _ AnalysisState) bool { return !v.IsBlockArg() }

// Repetitive tells whether the region may be entered again from its own end, or
// from a region that it leads to (by [RegionBranch]).
func (BufferizeDefaults) Repetitive(op *ir.Op, region int) bool {
	m, ok := RegionBranch.Of(op)
	if !ok {
		return false
	}
	start := op.RegionAt(region)
	seen := map[*ir.Region]bool{}
	work := []*ir.Region{start}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range m.Successors(op, RegionPoint{Region: r}) {
			if s.Region == start {
				return true
			}
			if s.Region != nil && !seen[s.Region] {
				seen[s.Region] = true
				work = append(work, s.Region)
			}
		}
	}
	return false
}

// Parallel returns false.
func (BufferizeDefaults) Parallel(*ir.Op, int) bool { return false }

// Verify returns nil.
func (BufferizeDefaults) Verify(*ir.Op, AnalysisState) error { return nil }

// PlanCopies copies the operands that don't bufferize in place.
func (BufferizeDefaults) PlanCopies(op *ir.Op, _ AnalysisState, p CopyPlanner) { p.CopyOperands(op) }

// RoomForCopies returns nil.
func (BufferizeDefaults) RoomForCopies(*ir.Op) error { return nil }

// BufferType returns the type of the first aliasing operand's buffer if that is
// equivalent, else the type for tensors about which nothing is known.
func (BufferizeDefaults) BufferType(v *ir.Value, t BufferTyper) (ir.Type, error) {
	if !v.IsBlockArg() {
		if a := t.State().AliasingOperands(v); len(a) > 0 && a[0].Relation == Equivalent {
			return t.BufferType(a[0].Use.Value())
		}
	}
	return t.UnknownType(v)
}

// HasTensors tells whether an operand or result is a tensor.
func (BufferizeDefaults) HasTensors(op *ir.Op) bool { return HasTensorTypes(op) }

// UnstructuredControlFlow returns false.
func (BufferizeDefaults) UnstructuredControlFlow() bool { return false }

// HasTensorTypes tells whether an operand or result of the operation is a tensor.
func HasTensorTypes(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if IsTensorLike(op.Operand(i).Type()) {
			return true
		}
	}
	for i := range op.NumResults() {
		if IsTensorLike(op.Result(i).Type()) {
			return true
		}
	}
	return false
}

// HasMemRefTypes tells whether an operand or result of the operation is a buffer.
func HasMemRefTypes(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if ir.IsMemRef(op.Operand(i).Type()) {
			return true
		}
	}
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			return true
		}
	}
	return false
}

// OwnerOf returns the operation that defines the value: as a result, or as the
// argument of a block in one of its regions.
func OwnerOf(v *ir.Value) *ir.Op {
	if op := v.DefiningOp(); op != nil {
		return op
	}
	return v.ArgOwner().ParentOp()
}

// DestinationBufferize has the usual answers for destination style operations on
// tensors: inputs are read, destinations are read and written, and each result is
// equivalent to its destination.
type DestinationBufferize struct{ BufferizeDefaults }

// Reads tells whether the operand is an input or a destination.
func (DestinationBufferize) Reads(u *ir.Use, _ AnalysisState) bool { return true }

// Writes tells whether the operand is a destination.
func (DestinationBufferize) Writes(u *ir.Use, _ AnalysisState) bool { return IsInit(u) }

// AliasingValues returns the result tied to a destination.
func (DestinationBufferize) AliasingValues(u *ir.Use, _ AnalysisState) []AliasingValue {
	if r := TiedResult(u); r != nil {
		return []AliasingValue{{r, Equivalent, true}}
	}
	return nil
}

// AliasingOperands returns the destination tied to a result.
func (DestinationBufferize) AliasingOperands(v *ir.Value, _ AnalysisState) []AliasingOperand {
	if u := TiedInit(v); u != nil {
		return []AliasingOperand{{u, Equivalent, true}}
	}
	return nil
}

// IsInit tells whether an operand is a destination of a destination style
// operation.
func IsInit(u *ir.Use) bool {
	m, ok := DestinationStyle.Of(u.Owner())
	if !ok {
		return false
	}
	start, n := m(u.Owner())
	return u.Index() >= start && u.Index() < start+n
}

// AnalysisPrecondition is implemented by operations that One-Shot Bufferize may
// have to reject before its analysis; the model returns the reason, or nil.
var AnalysisPrecondition = ir.NewInterface[func(op *ir.Op) error]("AnalysisPrecondition")

// BuffersOf returns the operands with the buffers of tensors in their place.
func BuffersOf(operands ir.Operands, b Bufferizer) ([]*ir.Value, error) {
	values := operands.Values()
	for i, v := range values {
		if !IsTensorLike(v.Type()) {
			continue
		}
		buffer, err := b.Buffer(v)
		if err != nil {
			return nil, err
		}
		values[i] = buffer
	}
	return values, nil
}

// YieldDefaults is what models of terminators have in common whose operands are
// the results of the parent.
type YieldDefaults struct{ BufferizeDefaults }

// Reads implements [BufferizableModel].
func (YieldDefaults) Reads(*ir.Use, AnalysisState) bool { return true }

// MustBeInPlace implements [BufferizableModel].
func (YieldDefaults) MustBeInPlace(*ir.Use, AnalysisState) bool { return true }

// AliasingValues returns the result of the parent, which has none if it isn't one that
// takes what is yielded.
func (YieldDefaults) AliasingValues(u *ir.Use, _ AnalysisState) []AliasingValue {
	if u.Owner().Parent().NumResults() <= u.Index() {
		return nil
	}
	return []AliasingValue{{Value: u.Owner().Parent().Result(u.Index()), Relation: Equivalent, Definite: true}}
}
