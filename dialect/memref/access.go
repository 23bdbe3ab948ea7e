package memref

import (
	"strings"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// NontemporalAttr tells that an access should bypass the cache.
const NontemporalAttr = "nontemporal"

var nontemporal = ir.AttrDef{Name: NontemporalAttr, Type: constraint.BoolAttr, Optional: true,
	Default: func(c *ir.Context) ir.Attribute { return c.Bool(false) }}

// temporal is the attribute that new accesses have: they go through the cache.
func temporal(b *ir.Builder) ir.NamedAttr {
	return ir.NamedAttr{Name: NontemporalAttr, Value: b.Context().Bool(false)}
}

// aligned are the spellings of LLVM 22, in which accesses may tell how their address is aligned, and of 24, which spells attributes
// by words. That a load is of what doesn't change is of the latter. format is what the definition's has before the attributes.
func aligned(format string, attrs ...ir.AttrDef) []ir.Spelling {
	words := "oilist(`alignment` `=` $alignment | `nontemporal` `=` $nontemporal"
	for _, a := range attrs {
		words += " | `" + a.Name + "` `=` $" + a.Name
	}
	attrs = append([]ir.AttrDef{Alignment}, attrs...)
	names := make([]string, len(attrs))
	for i, a := range attrs {
		names[i] = a.Name
	}
	return []ir.Spelling{
		{Since: 22, Attrs: attrs[:1], Discardable: names[:1]},
		{Since: strictSince, Attrs: attrs, Discardable: names, Format: strings.Replace(format, "attr-dict", words+") attr-dict", 1)},
	}
}

// Alignment is the attribute by which accesses of LLVM 22 tell how their address is aligned.
var Alignment = ir.AttrDef{Name: AlignmentAttr, Optional: true,
	Type: constraint.Integer("64-bit signless integer attribute whose value is positive and whose value is a power of two > 0", ir.I64,
		func(v int64) bool { return v > 0 && v&(v-1) == 0 })}

// VerifyAlignment checks the alignment of an access as LLVM 22 does, which is the first version to have it.
func VerifyAlignment(op *ir.Op) error {
	a := op.Attr(AlignmentAttr)
	if a == nil || op.Context().LLVM() < 22 || Alignment.Accepts(a) {
		return nil
	}
	return op.Errorf("attribute '%s' failed to satisfy constraint: %s", AlignmentAttr, Alignment.Type.Summary)
}

// strictSince is the first version of LLVM that doesn't read inherent attributes in the dictionary of an operation's own syntax.
const strictSince = 24

// invariant says that what is read never changes while the program runs.
var invariant = ir.AttrDef{Name: "invariant", Type: constraint.BoolAttr, Optional: true, Default: func(c *ir.Context) ir.Attribute { return c.Bool(false) }}

const (
	loadFormat  = "$memref `[` $indices `]` attr-dict `:` type($memref)"
	storeFormat = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"
)

// Load reads an element of a buffer.
var Load = ir.NewOpID("memref.load")

func loadDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        Load,
		Operands:  []ir.OperandDef{ir.Operand("memref", constraint.AnyMemRef), indices("indices")},
		Results:   ir.SingleResult("result", constraint.AnyType),
		Attrs:     []ir.AttrDef{nontemporal},
		Later:     aligned(loadFormat, invariant),
		TypeRules: []ir.TypeRule{elementOf("memref", "result", "result type matches element type of 'memref'")},
		Format:    loadFormat,
		Verify: func(op *ir.Op) error {
			if err := VerifyAlignment(op); err != nil {
				return err
			}
			o := LoadOp{op}
			if len(o.Indices()) != len(o.MemRefType().Shape) {
				return op.Errorf("incorrect number of indices for load, expected %d but got %d", len(o.MemRefType().Shape), len(o.Indices()))
			}
			return nil
		},
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			onOperand(0, interfaces.Read),
			exec.Executable.Model(executeLoad),
		},
		Fold: foldCastOperands,
	}
}

// LoadOp is a memref.load.
type LoadOp struct{ *ir.Op }

// MemRef returns the buffer that is read.
func (o LoadOp) MemRef() *ir.Value { return o.Operand(0) }

// MemRefType returns the type of the buffer.
func (o LoadOp) MemRefType() *ir.MemRefType { return memrefOf(o.MemRef().Type()) }

// Indices returns the position of the element.
func (o LoadOp) Indices() ir.Operands { return o.OperandGroup(1) }

// LoadAll reads the first n elements of a buffer of one dimension.
func LoadAll(b *ir.Builder, buffer *ir.Value, n int) []*ir.Value {
	elements := make([]*ir.Value, n)
	for i := range elements {
		elements[i] = NewLoad(b, buffer, arith.ConstantIndex(b, int64(i)))
	}
	return elements
}

// NewLoad creates a read of the element at the indices.
func NewLoad(b *ir.Builder, memref *ir.Value, indices ...*ir.Value) *ir.Value {
	return b.CreateOp(Load, []ir.Type{ir.ElementType(memref.Type())}, append([]*ir.Value{memref}, indices...), temporal(b)).Result(0)
}

// Store writes an element of a buffer.
var Store = ir.NewOpID("memref.store")

func storeDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Store,
		Operands: []ir.OperandDef{ir.Operand("value", constraint.AnyType), ir.Operand("memref", constraint.AnyMemRef),
			indices("indices")},
		Attrs:     []ir.AttrDef{nontemporal},
		Later:     aligned(storeFormat),
		TypeRules: []ir.TypeRule{elementOf("memref", "value", "type of 'value' matches element type of 'memref'")},
		Format:    storeFormat,
		Verify: func(op *ir.Op) error {
			if err := VerifyAlignment(op); err != nil {
				return err
			}
			o := StoreOp{op}
			if len(o.Indices()) != len(memrefOf(o.MemRef().Type()).Shape) {
				return op.Errorf("store index operand count not equal to memref rank")
			}
			return nil
		},
		VerifyAlone: true,
		Models: []ir.Model{
			AddressesButFirst,
			onOperand(1, interfaces.Write),
			exec.Executable.Model(executeStore),
			exec.StoredOperands.Model(exec.FirstOperand),
		},
		Fold: foldStore,
	}
}

// AddressesButFirst is the model of operations that put operand 0, which may be a buffer itself, into another one.
var AddressesButFirst = interfaces.BufferAddressing.Model(func(_ *ir.Op, i int) interfaces.Addressing {
	if i == 0 {
		return interfaces.AsLaidOut
	}
	return interfaces.ByPosition
})

// StoreOp is a memref.store.
type StoreOp struct{ *ir.Op }

// Value returns the element that is written.
func (o StoreOp) Value() *ir.Value { return o.Operand(0) }

// MemRef returns the buffer that is written.
func (o StoreOp) MemRef() *ir.Value { return o.Operand(1) }

// Indices returns the position of the element.
func (o StoreOp) Indices() ir.Operands { return o.OperandGroup(2) }

// NewStore creates a write of v at the indices.
func NewStore(b *ir.Builder, v, memref *ir.Value, indices ...*ir.Value) *ir.Op {
	return b.CreateOp(Store, nil, append([]*ir.Value{v, memref}, indices...), temporal(b))
}

// Copy copies all elements of a buffer to another one that doesn't overlap it.
var Copy = ir.NewOpID("memref.copy")

func copyDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Copy,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyRankedOrUnrankedMemRef),
			ir.Operand("target", constraint.AnyRankedOrUnrankedMemRef)},
		Traits: ir.TraitSameOperandsElementType | ir.TraitSameOperandsShape,
		Format: "$source `,` $target attr-dict `:` type($source) `to` type($target)",
		Models: []ir.Model{
			interfaces.Addresses(interfaces.ByPosition),
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0), interfaces.OnOperand(interfaces.Write, 1)),
			interfaces.Copy.Model(func(op *ir.Op) (source, target *ir.Value) { return CopyOp{op}.Source(), CopyOp{op}.Target() }),
			exec.Executable.Model(executeCopy),
			rewrite.Patterns(copyPatterns()...),
		},
		Fold: foldCopy,
	}
}

// CopyOp is a memref.copy.
type CopyOp struct{ *ir.Op }

// Source returns the buffer that is read.
func (o CopyOp) Source() *ir.Value { return o.Operand(0) }

// Target returns the buffer that is written.
func (o CopyOp) Target() *ir.Value { return o.Operand(1) }

// NewCopy creates a copy of one buffer's elements to another buffer.
func NewCopy(b *ir.Builder, source, target *ir.Value) *ir.Op {
	return b.CreateOp(Copy, nil, []*ir.Value{source, target})
}
