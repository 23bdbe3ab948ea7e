// Package oneshot turns programs on tensors into programs on buffers: One-Shot
// Bufferize. An analysis decides for each tensor operand whether its operation
// may work in the operand's own buffer; copies make the other cases explicit; then
// each operation is replaced by one on memrefs.
//
// What an operation contributes is its model of interfaces.Bufferizable, beside its
// definition. The document is the bufferization guide of MLIR; details follow
// mlir-opt of LLVM 19.
package oneshot

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/pass"
)

// LayoutConversion says which layout a memref gets where nothing else determines
// it.
type LayoutConversion uint8

// The layout conversions.
const (
	InferLayout LayoutConversion = iota
	FullyDynamicLayout
	IdentityLayout
)

// Heuristic is the order in which the analysis visits operations. Earlier
// operations have better chances to bufferize in place.
type Heuristic uint8

// The heuristics.
const (
	BottomUp Heuristic = iota
	TopDown
	BottomUpFromTerminators
	Fuzzer
)

// Options of One-Shot Bufferize.
type Options struct {
	// AllowReturnAllocsFromLoops allows loops to yield new allocations.
	AllowReturnAllocsFromLoops bool
	allowReturnAllocs          bool // the same by its older name
	// AllowUnknownOps leaves operations that can't be bufferized as they are, between
	// conversions from and to tensors.
	AllowUnknownOps bool
	// BufferizeFunctionBoundaries bufferizes function arguments, results and calls.
	BufferizeFunctionBoundaries bool
	// BufferAlignment is the alignment of allocations in bytes; 0 for none.
	BufferAlignment uint32
	// CheckParallelRegions makes copies of buffers that are written in a parallel
	// region and defined outside of it.
	CheckParallelRegions bool
	// CopyBeforeWrite skips the analysis and copies each buffer before it is written.
	CopyBeforeWrite bool
	// Dialects restricts bufferization to operations of these dialects; nil allows
	// all, and an empty slice none.
	Dialects []string
	// NoAnalysisFunctions names functions that are not analyzed; they copy before each
	// write.
	NoAnalysisFunctions []string
	// FunctionBoundary and UnknownType choose layouts.
	FunctionBoundary LayoutConversion
	UnknownType      LayoutConversion
	// MustInferMemorySpace makes it an error if nothing determines the memory space of
	// a buffer.
	MustInferMemorySpace bool
	// Heuristic and Seed determine the order of analysis.
	Heuristic Heuristic
	Seed      uint32
	// Filter, if set, chooses the operations that bufferization may touch, of those that
	// Dialects allows.
	Filter func(op *ir.Op) bool
	// Analysis, if set, makes the plan that [Run] carries out, instead of [Analyze] or
	// [CopyBeforeWrite].
	Analysis func(root *ir.Op, o *Options) (*Plan, error)
	// Alloc, Dealloc and Copy, if set, create the operations that allocate a buffer of
	// the given type and dynamic sizes, free one, and copy one to another of the same
	// shape, at the builder's insertion point. By default they are memref.alloc, which
	// has the BufferAlignment, memref.dealloc and memref.copy.
	Alloc   func(b *ir.Builder, t *ir.MemRefType, sizes []*ir.Value) (*ir.Value, error)
	Dealloc func(b *ir.Builder, buffer *ir.Value) error
	Copy    func(b *ir.Builder, from, to *ir.Value) error
	// Made, if set, is told of each buffer that rewriting allocates, and each copy between
	// buffers that it makes, right afterwards, as far as Alloc and Copy aren't set. Buffers
	// that operations of models allocate themselves are among them.
	Made func(op *ir.Op, o Origin)
	// AllReasons lets the analysis collect all reasons for a copy, not just the first.
	AllReasons bool
	// UseEncodingForMemorySpace makes the encoding of a tensor's type the memory space of
	// its buffer where nothing else determines that.
	UseEncodingForMemorySpace bool
	// MemorySpace, if set, returns the memory space of buffers of tensors of a type where
	// nothing else determines it, and whether there is one: it is an error if there is
	// none. By default there is none if MustInferMemorySpace, else it is nil.
	MemorySpace func(tensor ir.Type) (ir.Attribute, bool)
	// ConvertUnknownType and ConvertFunctionType, if set, return the memref types of tensors
	// of which nothing determines the layout, and of arguments and results of functions,
	// instead of what UnknownType and FunctionBoundary say.
	ConvertUnknownType  func(v *ir.Value, space ir.Attribute) ir.Type
	ConvertFunctionType func(tensor ir.Type, space ir.Attribute, fn *ir.Op) ir.Type
	// InPlace and OutOfPlace count the operands that are used in place and those that get a
	// copy, Allocs and Copies what rewriting makes.
	InPlace, OutOfPlace, Allocs, Copies pass.Counter
	// RecursiveFunctions bufferizes functions that call each other in cycles, and
	// ExternalResults functions without a body that return tensors, as LLVM 20 and later do:
	// a call of one may read and write its arguments, and return any of them.
	RecursiveFunctions, ExternalResults bool
	// LLVM is the version of LLVM that bufferizes all that is bufferized; 0 stands for 19. A later one
	// bufferizes more (see [interfaces.BufferizableSince]), since 20 also functions that return at several
	// places. Of an earlier one, models say what is different.
	LLVM uint32
	// LeaveModules leaves modules in a module, and other operations with symbols in it, alone if functions are bufferized as a whole, as LLVM 20 and
	// later do.
	LeaveModules bool
	// Rules is the version of LLVM whose decisions are taken, if both it and LLVM are later than 19. What is made by 19's is
	// valid in all.
	Rules uint32
	// CreateDeallocs frees buffers at the end of the block that allocates them, if nothing
	// else uses them, as LLVM 16 does.
	CreateDeallocs bool
	// CopyAroundRegions copies what an operation may not write before the operation that holds
	// it, where that has no room for copies, such as vector.mask.
	CopyAroundRegions bool
	// CarryThroughConditions lets the condition of a loop pass on what the loop carries without a copy if what the next
	// iteration gets is new, and knows the layout of what tensor.empty becomes.
	CarryThroughConditions bool
	// EmptyParallelLoops takes parallel loops of unknown size for loops that may be empty: what they overwrite keeps its elements then. MLIR doesn't.
	EmptyParallelLoops bool
	// TestAnalysisOnly annotates operations with the decisions, and does not rewrite
	// the program. DumpAliasSets and PrintConflicts add more annotations.
	TestAnalysisOnly, DumpAliasSets, PrintConflicts bool
}

// DefaultOptions returns the options' defaults.
func DefaultOptions() *Options { return pass.Defaults((*Options).Declare) }

// allows tells whether the options let bufferization touch the operation.
func (o *Options) allows(op *ir.Op) bool {
	name := dialectName(op)
	if name == "func" && !o.BufferizeFunctionBoundaries || o.Filter != nil && !o.Filter(op) {
		return false
	}
	if o.Dialects == nil {
		return true
	}
	if !slices.Contains(o.Dialects, name) {
		return false
	}
	// What a terminator holds, such as tensor.parallel_insert_slice, is done for the
	// operation that it ends, and bufferized just if that is. MLIR bufferizes it in any
	// case, which loses what it inserts.
	p := op.Parent()
	return p == nil || !p.Has(ir.TraitTerminator) || p.Parent() == nil || o.allows(p.Parent())
}

// recursive tells whether functions are bufferized that call each other in cycles,
// external whether functions without a body are that return tensors, and severalReturns
// whether functions are that return at several places. keepsKnownSizes tells whether functions return what they cast a buffer to of which less is known.
func (o *Options) recursive() bool       { return o.RecursiveFunctions || o.LLVM >= 20 }
func (o *Options) external() bool        { return o.ExternalResults || o.LLVM >= 20 }
func (o *Options) severalReturns() bool  { return o.LLVM >= 20 }
func (o *Options) keepsKnownSizes() bool { return o.LLVM >= 23 }

// restricted tells whether there may be operations that bufferization must not touch,
// beside functions.
func (o *Options) restricted() bool { return o.Dialects != nil || o.Filter != nil }

func dialectName(op *ir.Op) string {
	if d := op.Dialect(); d != nil {
		return d.Name
	}
	return ""
}

// model returns the operation's model if the options let bufferization touch the
// operation.
func (o *Options) model(op *ir.Op) (interfaces.BufferizableModel, bool) {
	if op == nil {
		return nil, false
	}
	m, ok := interfaces.Bufferizable.Of(op)
	if !ok || !o.allows(op) {
		return nil, false
	}
	if since, later := interfaces.BufferizableSince.Of(op); later && o.LLVM < since {
		return nil, false
	}
	return m, true
}

// hasTensors tells whether there is anything to bufferize about the operation.
func hasTensors(op *ir.Op) bool {
	if m, ok := interfaces.Bufferizable.Of(op); ok {
		return m.HasTensors(op)
	}
	return interfaces.HasTensorTypes(op) || tensorArgs(op)
}

// tensorArgs tells whether a block of the operation has a tensor for an argument.
func tensorArgs(op *ir.Op) bool {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for _, a := range b.Args() {
				if interfaces.IsTensorLike(a.Type()) {
					return true
				}
			}
		}
	}
	return false
}
