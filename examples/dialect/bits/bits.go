// Package bits is a dialect outside of freehold with a type of its own that bufferizes: sets
// of small numbers, which are values like tensors, and become buffers of words.
package bits

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Dialect is the bits dialect.
var Dialect = &ir.Dialect{
	Name: "bits",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{emptyDef(), insertDef(), copyDef(), containsDef()}
	},
	Types:  []*ir.TypeDef{setDef},
	Models: []ir.Model{asm.TypeParser.Model(parseType)},
}

// set is the mnemonic of !bits.set<n>, a set of numbers less than n.
const set = "set"

var setDef = &ir.TypeDef{
	Mnemonic: set,
	Models:   []ir.Model{interfaces.TensorLike.Model(setTensor{})},
}

// setTensor says that sets are like tensors, and what their buffers are.
type setTensor struct{}

// wordBits is the size of the words in which buffers keep sets.
const wordBits = 32

func (setTensor) BufferType(c *ir.Context, t ir.Type, space ir.Attribute) ir.Type {
	return c.MemRefOf(words(t), ir.I32, nil, space)
}

func (setTensor) Holds(t, buffer ir.Type) bool {
	m, ok := buffer.(*ir.MemRefType)
	return ok && m.Elem == ir.Type(ir.I32) && len(m.Shape) == 1 && m.Shape[0] == words(t)[0]
}

// CopyTensor is what lets a program go on using a set after a number was inserted.
func (setTensor) CopyTensor(b *ir.Builder, v *ir.Value, contents bool) *ir.Value {
	if !contents {
		return b.CreateOp(Empty, []ir.Type{v.Type()}, nil).Result(0)
	}
	return b.CreateOp(Copy, []ir.Type{v.Type()}, []*ir.Value{v}).Result(0)
}

// words returns the shape of a set's buffer.
func words(t ir.Type) []int64 {
	n := t.(*ir.DialectType).Params[0].(*ir.IntegerAttr).Value
	return []int64{(n + wordBits - 1) / wordBits}
}

// parseType reads set<n>.
func parseType(p *asm.Parser, mnemonic string) (ir.Type, error) {
	pos := p.Pos()
	if mnemonic != set {
		return nil, p.Errorf(pos, "unknown type in dialect 'bits'")
	}
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	pos = p.Pos()
	n, err := p.Integer()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > 1<<20 {
		return nil, p.Errorf(pos, "sets are of numbers less than 0 to %d", 1<<20)
	}
	return p.Context().DialectTypeOf(p.Context().Dialect("bits"), set, p.Context().I64Attr(n)), p.Expect(">")
}

var isSet = ir.TypeConstraint{Summary: "set of numbers", Match: func(t ir.Type) bool {
	m, _ := interfaces.TensorLike.OfType(t)
	_, ok := m.(setTensor)
	return ok
}}

// Empty is bits.empty, a set without numbers. Insert is bits.insert, a set with one more
// number. Copy is bits.copy, a set in a buffer of its own. Contains is bits.contains, which
// tells whether a number is in a set.
var (
	Empty    = ir.NewOpID("bits.empty")
	Insert   = ir.NewOpID("bits.insert")
	Copy     = ir.NewOpID("bits.copy")
	Contains = ir.NewOpID("bits.contains")
)

func emptyDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Empty,
		Results: []ir.ResultDef{{Name: "set", Type: isSet}},
		Traits:  ir.TraitPure,
		Format:  "attr-dict `:` type($set)",
		Models:  []ir.Model{interfaces.Bufferizable.Model(emptyBufferize{})},
	}
}

func insertDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        Insert,
		Operands:  []ir.OperandDef{{Name: "number", Type: constraint.Index}, {Name: "set", Type: isSet}},
		Results:   []ir.ResultDef{{Name: "result", Type: isSet}},
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{{Same: []string{"set", "result"}, Summary: "set and result have the same type"}},
		Format:    "$number `into` $set attr-dict `:` type($set)",
		Models:    []ir.Model{interfaces.Bufferizable.Model(insertBufferize{})},
	}
}

func copyDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        Copy,
		Operands:  []ir.OperandDef{{Name: "set", Type: isSet}},
		Results:   []ir.ResultDef{{Name: "result", Type: isSet}},
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{{Same: []string{"set", "result"}, Summary: "set and result have the same type"}},
		Format:    "$set attr-dict `:` type($set)",
		Models:    []ir.Model{interfaces.Bufferizable.Model(copyBufferize{})},
	}
}

func containsDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Contains,
		Operands: []ir.OperandDef{{Name: "set", Type: isSet}, {Name: "number", Type: constraint.Index}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.I1}},
		Traits:   ir.TraitPure,
		Format:   "$set `,` $number attr-dict `:` type($set)",
		Models:   []ir.Model{interfaces.Bufferizable.Model(containsBufferize{})},
	}
}

// newBuffer is what operations have in common that return a set in a buffer of its own.
type newBuffer struct{ interfaces.BufferizeDefaults }

func (newBuffer) Allocates(*ir.Value) bool { return true }

// alloc allocates the buffer of the operation's result.
func (newBuffer) alloc(op *ir.Op, b interfaces.Bufferizer) (*ir.Value, error) {
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return nil, err
	}
	return b.Alloc(t.(*ir.MemRefType), nil)
}

// emptyBufferize makes an empty set an allocation of zeros.
type emptyBufferize struct{ newBuffer }

func (m emptyBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := m.alloc(op, b)
	if err != nil {
		return err
	}
	linalg.NewFill(b.Builder(), arith.ConstantInt(b.Builder(), ir.I32, 0), buffer)
	b.Replace(op, buffer)
	return nil
}

// copyBufferize makes a copy an allocation and a copy of memory.
type copyBufferize struct{ newBuffer }

func (copyBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (m copyBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	from, err := b.Buffer(CopyOp{op}.Set())
	if err != nil {
		return err
	}
	buffer, err := m.alloc(op, b)
	if err != nil {
		return err
	}
	if err := b.Copy(from, buffer); err != nil {
		return err
	}
	b.Replace(op, buffer)
	return nil
}

// insertBufferize lets bits.insert work in the buffer of its operand.
type insertBufferize struct{ interfaces.BufferizeDefaults }

func (insertBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool  { return true }
func (insertBufferize) Writes(*ir.Use, interfaces.AnalysisState) bool { return true }

func (insertBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

func (insertBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(InsertOp{op}.Set())
	if err != nil {
		return err
	}
	word, bit := place(b.Builder(), InsertOp{op}.Number())
	mask := binary(b.Builder(), arith.ShLI, arith.ConstantInt(b.Builder(), ir.I32, 1), bit)
	old := memref.NewLoad(b.Builder(), buffer, word)
	memref.NewStore(b.Builder(), binary(b.Builder(), arith.OrI, old, mask), buffer, word)
	b.Replace(op, buffer)
	return nil
}

// containsBufferize makes bits.contains read a word.
type containsBufferize struct{ interfaces.BufferizeDefaults }

func (containsBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (containsBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(ContainsOp{op}.Set())
	if err != nil {
		return err
	}
	word, bit := place(b.Builder(), ContainsOp{op}.Number())
	shifted := binary(b.Builder(), arith.ShRUI, memref.NewLoad(b.Builder(), buffer, word), bit)
	b.Replace(op, arith.NewCast(b.Builder(), arith.TruncI, ir.I1, shifted))
	return nil
}

// place returns the index of the word that has the bit of a number, and the number of the
// bit in it.
func place(b *ir.Builder, number *ir.Value) (word, bit *ir.Value) {
	size := arith.ConstantIndex(b, wordBits)
	word = binary(b, arith.DivUI, number, size)
	return word, arith.NewCast(b, arith.IndexCast, ir.I32, binary(b, arith.RemUI, number, size))
}

// binary creates an operation of arith on two values of one type.
func binary(b *ir.Builder, id *ir.OpID, x, y *ir.Value) *ir.Value {
	return b.CreateOp(id, []ir.Type{x.Type()}, []*ir.Value{x, y}).Result(0)
}
