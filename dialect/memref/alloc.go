package memref

import (
	"slices"
	"strings"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// AlignmentAttr is the attribute with the alignment in bytes of an allocation.
const AlignmentAttr = "alignment"

// ArenaAttr marks a buffer of bytes as an arena: an allocation, a global, or, with the
// alignment that it needs, an argument of a function. The views of an arena (memref.view) are
// buffers of their own: where two overlap, only the one that was written last may be read.
const ArenaAttr = "freehold.arena"

// ArenaSizeAttr names, at an argument that is an arena, the function that returns how many bytes it needs for the other arguments, where that isn't a number.
const ArenaSizeAttr = "freehold.arena_size"

// IsArena tells whether a buffer is marked as an arena.
func IsArena(v *ir.Value) bool {
	op := v.DefiningOp()
	switch {
	case op == nil:
		fn := v.ParentBlock().ParentOp()
		_, ok := interfaces.Function.Of(fn)
		return ok && v.ParentBlock().IsEntry() && interfaces.ArgAttr(fn, v.Index(), ArenaAttr) != nil
	case op.Is(Alloc):
		return op.Attr(ArenaAttr) != nil
	}
	if m, ok := interfaces.GlobalBuffer.Of(op); ok && isBytes(v.Type()) {
		global := ir.LookupSymbol(op, m(op))
		return global != nil && global.Attr(ArenaAttr) != nil
	}
	return false
}

// isBytes tells whether a type is that of a row of bytes, of which there can be views of other types.
func isBytes(t ir.Type) bool {
	m, ok := t.(*ir.MemRefType)
	return ok && len(m.Shape) == 1 && m.Elem == ir.Type(ir.I8)
}

var allocOperands = []ir.OperandDef{indices("dynamicSizes"), indices("symbolOperands")}

var alignment = ir.AttrDef{Name: AlignmentAttr, Type: alignmentAttr, Optional: true}

const allocFormat = "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"

// withAlignment returns the definition of an operation with an alignment, which LLVM 22 takes only if it is a power of two.
func withAlignment(d ir.OpDef) *ir.OpDef {
	later := d
	later.Attrs = slices.Clone(d.Attrs)
	later.Attrs[0] = Alignment
	d.Revisions = []ir.Revision{{Since: 22, Def: &later}}
	return &d
}

// allocation is what allocations on the heap and on the stack have in common.
func allocation(more ir.OpDef) *ir.OpDef {
	d := &ir.OpDef{
		Operands: allocOperands,
		Results:  ir.SingleResult("memref", constraint.AnyMemRef),
		Attrs:    []ir.AttrDef{alignment, segments},
		Traits:   ir.TraitAttrSizedOperandSegments,
		Format:   allocFormat,
		Later:    strictAlloc,
		Models:   []ir.Model{rewrite.Patterns(allocPatterns()...)},
		Verify:   verifyAlloc,
	}
	return withAlignment(*d.With(more))
}

// strictAlloc is the spelling of allocations in LLVM 24.
var strictAlloc = []ir.Spelling{{Since: strictSince, Format: strings.Replace(allocFormat, "attr-dict", "(`alignment` `=` $alignment^)? attr-dict", 1)}}

// Alloc allocates a buffer on the heap.
var Alloc = ir.NewOpID("memref.alloc")

func allocDef() *ir.OpDef {
	return allocation(ir.OpDef{
		ID: Alloc,
		Models: []ir.Model{
			named("alloc"),
			interfaces.FixedEffects(interfaces.OnResult(interfaces.Allocate, 0)),
			interfaces.Allocation.Model(heapAllocation{}),
			exec.Executable.Model(func(c *exec.Compiler, op *ir.Op) (exec.Step, error) { return executeAlloc(c, op, exec.Heap) }),
		},
		VerifyAlone: true,
	})
}

// Alloca allocates a buffer on the stack, until the end of the closest
// automatic allocation scope.
var Alloca = ir.NewOpID("memref.alloca")

func allocaDef() *ir.OpDef {
	return allocation(ir.OpDef{
		ID: Alloca,
		Models: []ir.Model{
			named("alloca"),
			interfaces.FixedEffects(interfaces.OnResult(interfaces.Allocate, 0).In(interfaces.AutomaticAllocationScopeResource)),
			interfaces.Allocation.Model(stackAllocation{}),
			exec.Executable.Model(executeAlloca),
		},
	})
}

// AllocOp is a memref.alloc or memref.alloca.
type AllocOp struct{ *ir.Op }

// AsAlloc returns the operation as an allocation, and whether it is one.
func AsAlloc(op *ir.Op) (AllocOp, bool) {
	return AllocOp{op}, op != nil && (op.Is(Alloc) || op.Is(Alloca))
}

// Type returns the type of the buffer.
func (o AllocOp) Type() *ir.MemRefType { return memrefOf(o.Result(0).Type()) }

// DynamicSizes returns the sizes of the dynamic dimensions.
func (o AllocOp) DynamicSizes() ir.Operands { return o.OperandGroup(0) }

// SymbolOperands returns the values of the layout map's symbols.
func (o AllocOp) SymbolOperands() ir.Operands { return o.OperandGroup(1) }

// Alignment returns the alignment in bytes, and whether there is one.
func (o AllocOp) Alignment() (int64, bool) {
	a, ok := o.Attr(AlignmentAttr).(*ir.IntegerAttr)
	if !ok {
		return 0, false
	}
	return a.Value, true
}

// Sizes returns the sizes of the buffer's dimensions.
func (o AllocOp) Sizes() []shapes.OpFoldResult {
	return shapes.Mixed(o.Type().Shape, o.DynamicSizes().Values())
}

// NewAlloc creates a heap allocation; alignment 0 leaves the alignment open.
func NewAlloc(b *ir.Builder, t *ir.MemRefType, dynamicSizes []*ir.Value, alignment int64) *ir.Value {
	return newAlloc(b, Alloc, t, dynamicSizes, nil, alignment)
}

// NewAlloca creates a stack allocation; alignment 0 leaves the alignment open.
func NewAlloca(b *ir.Builder, t *ir.MemRefType, dynamicSizes []*ir.Value, alignment int64) *ir.Value {
	return newAlloc(b, Alloca, t, dynamicSizes, nil, alignment)
}

func newAlloc(b *ir.Builder, id *ir.OpID, t *ir.MemRefType, sizes, symbols []*ir.Value, alignment int64) *ir.Value {
	s := b.State(id)
	s.Types = []ir.Type{t}
	s.Operands = append(append([]*ir.Value(nil), sizes...), symbols...)
	if alignment != 0 {
		s.SetAttr(AlignmentAttr, b.Context().I64Attr(alignment))
	}
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().Segments(len(sizes), len(symbols)))
	return b.Create(s).Result(0)
}

// wrongSizes says, since LLVM 22, that an operation has another number of sizes than its type lacks.
const wrongSizes = "incorrect number of dynamic sizes, has %d, expected %d"

func verifyAlloc(op *ir.Op) error {
	o := AllocOp{op}
	t := o.Type()
	if len(o.DynamicSizes()) != ir.NumDynamic(t.Shape) {
		if op.Context().LLVM() >= 22 {
			return op.Errorf(wrongSizes, len(o.DynamicSizes()), ir.NumDynamic(t.Shape))
		}
		return op.Errorf("dimension operand count does not equal memref dynamic dimension count")
	}
	if symbols := LayoutSymbols(t); len(o.SymbolOperands()) != symbols {
		return op.Errorf("symbol operand count does not equal memref symbol count: expected %d, got %d", symbols, len(o.SymbolOperands()))
	}
	if op.Is(Alloca) && op.ParentWith(ir.TraitAutomaticAllocationScope) == nil {
		return op.Errorf("requires an ancestor op with AutomaticAllocationScope trait")
	}
	return nil
}

// LayoutSymbols returns how many symbols the layout of a buffer has: an operation that allocates
// such a buffer needs a value for each.
func LayoutSymbols(t *ir.MemRefType) int {
	switch l := t.Layout.(type) {
	case *ir.AffineMapAttr:
		return l.Map.Syms
	case *ir.StridedLayoutAttr:
		return stridedSymbols(l)
	}
	return 0
}

// stridedSymbols returns the number of symbols of the layout as an affine map.
func stridedSymbols(s *ir.StridedLayoutAttr) int {
	n := ir.NumDynamic(s.Strides)
	if s.Offset == ir.Dynamic {
		n++
	}
	return n
}

// heapAllocation tells how memref.alloc is freed, copied and moved.
type heapAllocation struct{}

func (heapAllocation) BuildDealloc(b *ir.Builder, v *ir.Value) *ir.Op { return NewDealloc(b, v) }

// BuildClone returns nil: a copy needs bufferization.clone, which that dialect
// makes for every buffer.
func (heapAllocation) BuildClone(b *ir.Builder, v *ir.Value) *ir.Value { return nil }

func (heapAllocation) Hoisting() interfaces.Hoisting {
	return interfaces.HoistLoop | interfaces.HoistBlock
}

func (heapAllocation) BuildPromoted(b *ir.Builder, op *ir.Op) *ir.Op {
	o := AllocOp{op}
	align, _ := o.Alignment()
	return newAlloc(b, Alloca, o.Type(), o.DynamicSizes().Values(), o.SymbolOperands().Values(), align).DefiningOp()
}

// stackAllocation tells that memref.alloca may be moved out of loops.
type stackAllocation struct{}

func (stackAllocation) BuildDealloc(b *ir.Builder, v *ir.Value) *ir.Op  { return nil }
func (stackAllocation) BuildClone(b *ir.Builder, v *ir.Value) *ir.Value { return nil }
func (stackAllocation) Hoisting() interfaces.Hoisting                   { return interfaces.HoistLoop }
func (stackAllocation) BuildPromoted(b *ir.Builder, op *ir.Op) *ir.Op   { return nil }

// Realloc changes the size of a buffer, which it may move.
var Realloc = ir.NewOpID("memref.realloc")

func reallocDef() *ir.OpDef {
	return withAlignment(ir.OpDef{
		ID: Realloc,
		Operands: []ir.OperandDef{ir.Operand("source", memref1D),
			{Name: "dynamicResultSize", Type: constraint.Index, Arity: ir.Optional}},
		Results: ir.SingleResult("", memref1D),
		Attrs:   []ir.AttrDef{alignment},
		Format:  "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)",
		Verify:  verifyRealloc,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Free, 0), interfaces.OnResult(interfaces.Allocate, 0)),
			interfaces.Allocation.Model(reallocation{}),
			exec.Executable.Model(executeRealloc),
			rewrite.Patterns(rewrite.Pattern{Name: "SimplifyDeadAlloc", Rewrite: eraseDeadAlloc}),
		},
	})
}

// ReallocOp is a memref.realloc.
type ReallocOp struct{ *ir.Op }

// Source returns the buffer that is replaced.
func (o ReallocOp) Source() *ir.Value { return o.Operand(0) }

// DynamicSize returns the new size if it is not static, or nil.
func (o ReallocOp) DynamicSize() *ir.Value { return o.OptionalOperand(1) }

// Type returns the type of the new buffer.
func (o ReallocOp) Type() *ir.MemRefType { return memrefOf(o.Result(0).Type()) }

type reallocation struct{}

func (reallocation) BuildDealloc(b *ir.Builder, v *ir.Value) *ir.Op  { return NewDealloc(b, v) }
func (reallocation) BuildClone(b *ir.Builder, v *ir.Value) *ir.Value { return nil }
func (reallocation) Hoisting() interfaces.Hoisting                   { return interfaces.HoistNone }
func (reallocation) BuildPromoted(b *ir.Builder, op *ir.Op) *ir.Op   { return nil }

func verifyRealloc(op *ir.Op) error {
	o := ReallocOp{op}
	from, to := memrefOf(o.Source().Type()), o.Type()
	if !from.HasIdentityLayout() {
		return op.PlainErrorf("unsupported layout for source memref type '%s'", from)
	}
	if !to.HasIdentityLayout() {
		return op.PlainErrorf("unsupported layout for result memref type '%s'", to)
	}
	if from.Space != to.Space {
		return op.PlainErrorf("different memory spaces specified for source memref type '%s' and result memref type '%s'", from, to)
	}
	if from.Elem != to.Elem {
		return op.PlainErrorf("different element types specified for source memref type '%s' and result memref type '%s'", from, to)
	}
	dynamic := ir.NumDynamic(to.Shape) > 0
	if dynamic && o.DynamicSize() == nil {
		return op.PlainErrorf("missing dimension operand for result type '%s'", to)
	}
	if !dynamic && o.DynamicSize() != nil {
		return op.PlainErrorf("unnecessary dimension operand for result type '%s'", to)
	}
	return nil
}

// Dealloc frees a buffer.
var Dealloc = ir.NewOpID("memref.dealloc")

func deallocDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Dealloc,
		Operands: []ir.OperandDef{ir.Operand("memref", constraint.AnyRankedOrUnrankedMemRef)},
		Format:   "$memref attr-dict `:` type($memref)",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			onOperand(0, interfaces.Free),
			interfaces.MemRefsNormalizable.Model(struct{}{}),
			exec.Executable.Model(executeDealloc),
		},
		Fold: foldCastOperands,
	}
}

// DeallocOp is a memref.dealloc.
type DeallocOp struct{ *ir.Op }

// MemRef returns the buffer that is freed.
func (o DeallocOp) MemRef() *ir.Value { return o.Operand(0) }

// NewDealloc creates the operation that frees v.
func NewDealloc(b *ir.Builder, v *ir.Value) *ir.Op {
	return b.CreateOp(Dealloc, nil, []*ir.Value{v})
}

// AssumeAlignment promises the alignment of a buffer.
var AssumeAlignment = ir.NewOpID("memref.assume_alignment")

func assumeAlignmentDef() *ir.OpDef {
	return assumedAlignment().With(ir.OpDef{
		Later: []ir.Spelling{{Since: 21, Returns: []int{0}}},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
		},
		// Since LLVM 21, the result is what may be taken to be aligned: a view like others.
		Revisions: []ir.Revision{{Since: 21, Def: assumedAlignment().With(ir.OpDef{
			Results:   ir.SingleResult("result", constraint.AnyMemRef),
			Traits:    ir.TraitPure,
			TypeRules: []ir.TypeRule{{Same: []string{"memref", "result"}, Summary: "all of {memref, result} have same type"}},
			Fold:      foldAlignment,
			Models:    []ir.Model{interfaces.Addresses(interfaces.AsViewed), viewOfFirst, named("assume_align")},
		})}},
	})
}

// assumedAlignment is what all versions of memref.assume_alignment have in common.
func assumedAlignment() *ir.OpDef {
	return &ir.OpDef{
		ID:       AssumeAlignment,
		Operands: []ir.OperandDef{ir.Operand("memref", constraint.AnyMemRef)},
		Attrs:    []ir.AttrDef{{Name: AlignmentAttr, Type: positiveI32}},
		Format:   "$memref `,` $alignment attr-dict `:` type($memref)",
		Verify: func(op *ir.Op) error {
			if n := op.Attr(AlignmentAttr).(*ir.IntegerAttr).Value; n&(n-1) != 0 {
				return op.Errorf("alignment must be power of 2")
			}
			return nil
		},
		Models: []ir.Model{exec.Executable.Model(executeAlignment)},
	}
}

// foldAlignment takes a buffer of which the same was said just before.
func foldAlignment(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	def := AssumeAlignmentOp{op}.MemRef().DefinedBy(AssumeAlignment)
	if def == nil || def.Attr(AlignmentAttr) != op.Attr(AlignmentAttr) {
		return nil
	}
	return ir.FoldValue(AssumeAlignmentOp{op}.MemRef())
}

// DistinctObjects promises that buffers are parts of different allocations. In LLVM 22,
// which added it, what accesses them by its results may rely on it.
var DistinctObjects = ir.NewOpID("memref.distinct_objects")

func distinctObjectsDef() *ir.OpDef {
	return distinctObjects().With(ir.OpDef{
		Later: []ir.Spelling{{Since: 22, ReturnsAll: true}},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			interfaces.LocalMemory.Model(interfaces.WhileExecuted),
		},
		// In LLVM 22, each result is another name of an operand.
		Revisions: []ir.Revision{{Since: 22, Def: distinctObjects().With(ir.OpDef{
			Results:    []ir.ResultDef{ir.VariadicResult("results", constraint.AnyMemRef)},
			Traits:     ir.TraitPure,
			InferTypes: func(s *ir.OpState) ([]ir.Type, error) { return ir.TypesOf(s.Operands), nil },
			Models:     []ir.Model{interfaces.Addresses(interfaces.AsViewed), interfaces.BufferViewFlow.Model(namesOfAll{})},
		})}},
	})
}

// distinctObjects is what all versions of memref.distinct_objects have in common.
func distinctObjects() *ir.OpDef {
	return &ir.OpDef{
		ID:       DistinctObjects,
		Operands: []ir.OperandDef{ir.VariadicOperand("operands", constraint.AnyMemRef)},
		Format:   "$operands attr-dict `:` type($operands)",
		Verify: func(op *ir.Op) error {
			if op.NumOperands() == 0 {
				return op.Errorf("expected at least one operand")
			}
			return nil
		},
		Models: []ir.Model{exec.Executable.Model(executeDistinctObjects)},
	}
}

// namesOfAll says that each result is another name of the operand in its place.
type namesOfAll struct{}

func (namesOfAll) Dependencies(op *ir.Op, depends func(from, to *ir.Value)) {
	for i := range min(op.NumOperands(), op.NumResults()) {
		depends(op.Operand(i), op.Result(i))
	}
}

func (namesOfAll) MayBeTerminalBuffer(*ir.Op, *ir.Value) bool { return false }
