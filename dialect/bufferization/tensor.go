package bufferization

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// Names of the unit attributes that promise something about a buffer.
const (
	RestrictAttr = "restrict"
	WritableFlag = "writable"
	ReadOnlyAttr = "read_only"
	MemorySpace  = "memory_space"
	allocSizes   = 0
)

// Tensors and buffers, also those of other dialects.
var (
	tensorLike  = like(constraint.AnyTensor, interfaces.IsTensorLike)
	bufferLike  = like(constraint.AnyRankedOrUnrankedMemRef, interfaces.IsBufferLike)
	holdsTensor = func(buffer, tensor ir.Type) bool {
		return interfaces.HoldsTensor(tensor, buffer) || holdsEncoded(buffer, tensor)
	}
)

// encodedSince is the first version of LLVM in which tensors with an encoding have buffers.
const encodedSince = 21

// holdsEncoded tells whether a tensor has an encoding, and otherwise the type of the buffer's elements.
func holdsEncoded(buffer, t ir.Type) bool {
	r, ok := t.(*ir.RankedTensorType)
	m, also := buffer.(*ir.MemRefType)
	return ok && also && r.Encoding != nil && r.Elem == m.Elem && slices.Equal(r.Shape, m.Shape)
}

// conversion are the rules of an operation between a tensor and its buffer, whose types don't fit each other if what the summary says doesn't hold.
func conversion(from, to, summary string) []ir.TypeRule {
	return []ir.TypeRule{
		{From: from, To: to, TransformIn: TensorType, Related: holdsTensor, Summary: summary, Reworded: typesMatch},
		{Check: func(op *ir.Op) bool {
			a, b := op.Operand(0).Type(), op.Result(0).Type()
			return op.Context().LLVM() >= encodedSince || !holdsEncoded(a, b) && !holdsEncoded(b, a)
		}, Summary: summary},
	}
}

// like returns the constraint with what else is like the types that it accepts.
func like(c ir.TypeConstraint, match func(ir.Type) bool) ir.TypeConstraint {
	c.Match = match
	return c
}

// typesMatch is how LLVM 21 words that a tensor and its buffer don't fit each other.
var typesMatch = []ir.RuleMessage{{Since: 21, Summary: "specified tensor and buffer types match", Before: func(op *ir.Op) string {
	a, b := op.Operand(0).Type(), op.Result(0).Type()
	if !(ir.IsTensor(a) && ir.IsMemRef(b) || ir.IsMemRef(a) && ir.IsTensor(b)) {
		return "" // types of dialects, which say it themselves
	}
	s, ranked1 := ir.ShapeOf(a)
	t, ranked2 := ir.ShapeOf(b)
	switch {
	case ranked1 != ranked2 || !slices.Equal(s, t):
		return "shapes do not match"
	case ir.ElementType(a) != ir.ElementType(b):
		return "element types do not match"
	}
	return ""
}}}

// ToTensor is a tensor whose elements are those of a buffer.
var ToTensor = ir.NewOpID("bufferization.to_tensor")

func toTensorDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        ToTensor,
		Operands:  []ir.OperandDef{ir.Operand("memref", bufferLike)},
		Results:   []ir.ResultDef{{Name: "result", Type: tensorLike}},
		Attrs:     []ir.AttrDef{unit(RestrictAttr), unit(WritableFlag)},
		TypeRules: conversion("memref", "result", "result type matches tensor equivalent of 'memref'"),
		Format:    "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($memref)",
		Later: []ir.Spelling{{Since: 20,
			Format: "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($memref) `to` type($result)"}},
		Earlier: []ir.Spelling{{Until: 13, Name: "memref.tensor_load"}, {Until: 12, Name: "std.tensor_load"}},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			interfaces.AnalysisPrecondition.Model(checkToTensor),
			interfaces.Bufferizable.Model(toTensorBufferize{}),
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0)),
			interfaces.GivesUp.Model(func(op *ir.Op) *ir.Value {
				if to := (ToTensorOp{op}); to.Writable() {
					return to.MemRef()
				}
				return nil
			}),
			interfaces.Restricts.Model(func(op *ir.Op) *ir.Value {
				if to := (ToTensorOp{op}); to.Restrict() {
					return to.MemRef()
				}
				return nil
			}),
			rewrite.Patterns(rewrite.Pattern{Name: "DimOfToTensorFolder", Root: tensor.Dim, Rewrite: dimOfToTensor}),
			exec.Executable.Model(executeToTensor),
		},
		Fold: foldToTensor,
	}
}

// ToTensorOp is a bufferization.to_tensor.
type ToTensorOp struct{ *ir.Op }

// MemRef returns the buffer.
func (o ToTensorOp) MemRef() *ir.Value { return o.Operand(0) }

// Restrict tells whether no other tensor accesses the buffer.
func (o ToTensorOp) Restrict() bool { return flag(o.Op, RestrictAttr) }

// Writable tells whether the buffer may be written through the tensor.
func (o ToTensorOp) Writable() bool { return flag(o.Op, WritableFlag) }

// NewToTensor creates the tensor of a buffer.
func NewToTensor(b *ir.Builder, memref *ir.Value, restrict, writable bool) *ir.Value {
	s := b.State(ToTensor)
	s.Operands = []*ir.Value{memref}
	s.Types = []ir.Type{TensorType(b.Context(), memref.Type())}
	if restrict {
		s.SetAttr(RestrictAttr, ir.Unit)
	}
	if writable {
		s.SetAttr(WritableFlag, ir.Unit)
	}
	return b.Create(s).Result(0)
}

// ToMemref is the buffer that a tensor will have.
var ToMemref = ir.NewOpID("bufferization.to_memref")

func toMemrefDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        ToMemref,
		Operands:  []ir.OperandDef{ir.Operand("tensor", tensorLike)},
		Results:   []ir.ResultDef{{Name: "memref", Type: bufferLike}},
		Attrs:     []ir.AttrDef{unit(ReadOnlyAttr)},
		Traits:    ir.TraitPure,
		TypeRules: conversion("memref", "tensor", "type of 'tensor' is the tensor equivalent of 'memref'"),
		Format:    "$tensor (`read_only` $read_only^)? attr-dict `:` type($memref)",
		Later: []ir.Spelling{
			{Since: 20, Format: "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)"},
			{Since: 21, Name: "bufferization.to_buffer", Format: "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)"},
		},
		Earlier: []ir.Spelling{{Until: 13, Name: "memref.buffer_cast"}, {Until: 12, Name: "std.tensor_to_memref"}},
		Models: []ir.Model{
			interfaces.Bufferizable.Model(toMemrefBufferize{}),
			rewrite.Patterns(
				rewrite.Pattern{Name: "ToMemrefOfCast", Rewrite: toMemrefOfCast},
				rewrite.Pattern{Name: "DimOfToMemref", Root: memref.Dim, Rewrite: dimOfToMemref},
				rewrite.Pattern{Name: "LoadOfToMemref", Root: memref.Load, Rewrite: loadOfToMemref},
				rewrite.Pattern{Name: "ToMemrefToTensorFolding", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
					return FoldToMemrefOfToTensor(r, op)
				}},
			),
			exec.Executable.Model(executeToMemref),
		},
		Fold: foldToMemref,
	}
}

// ToMemrefOp is a bufferization.to_memref.
type ToMemrefOp struct{ *ir.Op }

// Tensor returns the tensor.
func (o ToMemrefOp) Tensor() *ir.Value { return o.Operand(0) }

// ReadOnly tells whether the buffer is not written.
func (o ToMemrefOp) ReadOnly() bool { return flag(o.Op, ReadOnlyAttr) }

// NewToMemref creates the buffer, of type t, of a tensor.
func NewToMemref(b *ir.Builder, t ir.Type, tensor *ir.Value) *ir.Value {
	return b.CreateOp(ToMemref, []ir.Type{t}, []*ir.Value{tensor}).Result(0)
}

// MaterializeInDestination makes the elements of a tensor be in a given place: the
// buffer of another tensor, or a buffer.
var MaterializeInDestination = ir.NewOpID("bufferization.materialize_in_destination")

func materializeInDestinationDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       MaterializeInDestination,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyTensor), ir.Operand("dest", constraint.AnyShaped)},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.AnyTensor, Arity: ir.Optional}},
		Attrs:    []ir.AttrDef{unit(RestrictAttr), unit(WritableFlag)},
		TypeRules: []ir.TypeRule{{Summary: "all of {source, dest} have same element type", Check: func(op *ir.Op) bool {
			return ir.ElementType(MaterializeInDestinationOp{op}.Source().Type()) == ir.ElementType(MaterializeInDestinationOp{op}.Dest().Type())
		}}},
		Earlier: []ir.Spelling{{Until: 17, Name: "memref.tensor_store", Format: "$source `,` $dest attr-dict `:` type($dest)",
			TypeRules: []ir.TypeRule{{From: "dest", To: "source", TransformIn: TensorType,
				Summary: "type of 'value' matches tensor equivalent of 'memref'"}},
			Implied: func(c *ir.Context) []ir.NamedAttr { return []ir.NamedAttr{{Name: WritableFlag, Value: ir.Unit}} }}},
		Format: "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` functional-type(operands, results)",
		Verify: verifyMaterialize,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.Bufferizable.Model(materializeBufferize{}),
			interfaces.DestinationStyle.Model(func(*ir.Op) (start, n int) { return 1, 1 }),
			interfaces.MemoryEffects.Model(func(op *ir.Op) []interfaces.Effect {
				if ir.IsMemRef(MaterializeInDestinationOp{op}.Dest().Type()) {
					return []interfaces.Effect{interfaces.OnOperand(interfaces.Write, 1)}
				}
				return nil
			}),
			interfaces.ReifyShapes.Model(reifyMaterialize),
			exec.Executable.Model(executeMaterialize),
			interfaces.SubsetInsertion.Model(materialization{}),
		},
	}
}

// MaterializeInDestinationOp is a bufferization.materialize_in_destination.
type MaterializeInDestinationOp struct{ *ir.Op }

// Source returns the tensor whose elements are wanted.
func (o MaterializeInDestinationOp) Source() *ir.Value { return o.Operand(0) }

// Dest returns the tensor or buffer that gets them.
func (o MaterializeInDestinationOp) Dest() *ir.Value { return o.Operand(1) }

// Restrict tells whether no other tensor accesses a destination buffer.
func (o MaterializeInDestinationOp) Restrict() bool { return flag(o.Op, RestrictAttr) }

// Writable tells whether the destination is a buffer.
func (o MaterializeInDestinationOp) Writable() bool { return flag(o.Op, WritableFlag) }

// NewMaterializeInDestination creates the operation; for a destination that is a
// buffer, it is marked writable.
func NewMaterializeInDestination(b *ir.Builder, source, dest *ir.Value) *ir.Op {
	s := b.State(MaterializeInDestination)
	s.Operands = []*ir.Value{source, dest}
	if ir.IsTensor(dest.Type()) {
		s.Types = []ir.Type{dest.Type()}
	} else {
		s.SetAttr(WritableFlag, ir.Unit)
	}
	return b.Create(s)
}

func verifyMaterialize(op *ir.Op) error {
	o := MaterializeInDestinationOp{op}
	tensor := ir.IsTensor(o.Dest().Type())
	if !tensor && !ir.IsMemRef(o.Dest().Type()) {
		return op.Errorf("'dest' must be a tensor or a memref")
	}
	if tensor {
		if op.NumResults() == 0 {
			return op.Errorf("tensor 'dest' implies exactly one tensor result")
		}
		if o.Dest().Type() != op.Result(0).Type() {
			return op.Errorf("result and 'dest' types must match")
		}
	}
	if !tensor && op.NumResults() != 0 {
		return op.Errorf("memref 'dest' implies zero results")
	}
	if o.Restrict() && tensor {
		return op.Errorf("'restrict' is valid only for memref destinations")
	}
	if o.Writable() == tensor {
		return op.Errorf("'writable' must be specified if and only if the destination is of memref type")
	}
	from, ok1 := ir.ShapeOf(o.Source().Type())
	to, ok2 := ir.ShapeOf(o.Dest().Type())
	if ok1 != ok2 {
		return op.Errorf("source/destination shapes are incompatible")
	}
	if len(from) != len(to) {
		return op.Errorf("rank mismatch between source and destination shape")
	}
	for i := range from {
		if from[i] != to[i] && from[i] != ir.Dynamic && to[i] != ir.Dynamic {
			return op.Errorf("source/destination shapes are incompatible")
		}
	}
	return nil
}

// AllocTensor is a tensor that gets a buffer of its own, with undefined elements
// or those of another tensor.
var AllocTensor = ir.NewOpID("bufferization.alloc_tensor")

func allocTensorDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      AllocTensor,
		Earlier: escaping,
		Operands: []ir.OperandDef{{Name: "dynamic_sizes", Type: constraint.Index, Arity: ir.Variadic},
			{Name: "copy", Type: constraint.AnyTensor, Arity: ir.Optional},
			{Name: "size_hint", Type: constraint.Index, Arity: ir.Optional}},
		Results:     []ir.ResultDef{{Name: "result", Type: constraint.AnyTensor}},
		Attrs:       []ir.AttrDef{{Name: MemorySpace, Type: constraint.AnyAttr, Optional: true}, segments},
		Traits:      ir.TraitAttrSizedOperandSegments,
		Verify:      verifyAllocTensor,
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(allocTensorBufferize{}),
			allocTensorSyntax,
			interfaces.ReifyShapes.Model(func(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult { return reifyAllocTensor(b, op) }),
			rewrite.Patterns(
				rewrite.Pattern{Name: "FoldDimOfAllocTensorOp", Root: tensor.Dim, Rewrite: dimOfAllocTensor},
				rewrite.Pattern{Name: "ReplaceStaticShapeDims", Rewrite: staticAllocTensor},
			),
			exec.Executable.Model(executeAllocTensor),
		},
	}
}

// AllocTensorOp is a bufferization.alloc_tensor.
type AllocTensorOp struct{ *ir.Op }

// Type returns the type of the tensor; nil if it is unranked.
func (o AllocTensorOp) Type() *ir.RankedTensorType {
	t, _ := o.Result(0).Type().(*ir.RankedTensorType)
	return t
}

// DynamicSizes returns the sizes of the dynamic dimensions; none with a copy.
func (o AllocTensorOp) DynamicSizes() ir.Operands { return o.OperandGroup(allocSizes) }

// CopyOf returns the tensor whose elements are copied, or nil.
func (o AllocTensorOp) CopyOf() *ir.Value { return o.OptionalOperand(1) }

// SizeHint returns the expected number of elements of a sparse tensor, or nil.
func (o AllocTensorOp) SizeHint() *ir.Value { return o.OptionalOperand(2) }

// MemorySpace returns the memory space of the buffer, or nil.
func (o AllocTensorOp) MemorySpace() ir.Attribute { return o.Attr(MemorySpace) }

// NewAllocTensor creates an allocation; copy and space may be nil.
func NewAllocTensor(b *ir.Builder, t ir.Type, dynamicSizes []*ir.Value, copyOf *ir.Value, space ir.Attribute) *ir.Value {
	s := b.State(AllocTensor)
	s.Types = []ir.Type{t}
	s.Operands = append(s.Operands, dynamicSizes...)
	n := 0
	if copyOf != nil {
		s.Operands = append(s.Operands, copyOf)
		n = 1
	}
	if space != nil {
		s.SetAttr(MemorySpace, space)
	}
	s.SetAttr(ir.OperandSegmentsAttr, b.Context().Segments(len(dynamicSizes), n, 0))
	return b.Create(s).Result(0)
}

func verifyAllocTensor(op *ir.Op) error {
	o := AllocTensorOp{op}
	t := o.Type()
	if t == nil {
		return op.PlainErrorf("expected a ranked tensor, but got '%s'", op.Result(0).Type())
	}
	if o.CopyOf() != nil && len(o.DynamicSizes()) > 0 {
		return op.PlainErrorf("dynamic sizes not needed when copying a tensor")
	}
	if o.CopyOf() == nil && len(o.DynamicSizes()) != ir.NumDynamic(t.Shape) {
		if op.Context().LLVM() >= 22 {
			return op.Errorf("incorrect number of dynamic sizes, has %d, expected %d", len(o.DynamicSizes()), ir.NumDynamic(t.Shape))
		}
		return op.PlainErrorf("expected %d dynamic sizes", ir.NumDynamic(t.Shape))
	}
	if o.CopyOf() != nil && o.CopyOf().Type() != op.Result(0).Type() {
		return op.PlainErrorf("expected that `copy` and return type match")
	}
	return nil
}

// DeallocTensor frees the buffer of a tensor.
var DeallocTensor = ir.NewOpID("bufferization.dealloc_tensor")

func deallocTensorDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       DeallocTensor,
		Operands: []ir.OperandDef{ir.Operand("tensor", constraint.AnyTensor)},
		Format:   "$tensor attr-dict `:` type($tensor)",
		Models: []ir.Model{
			interfaces.Bufferizable.Model(deallocTensorBufferize{}),
			exec.Executable.Model(exec.Nothing),
		},
	}
}
