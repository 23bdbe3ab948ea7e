package testd

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// The mnemonics of types that bufferize, as in the test dialect of LLVM 22, and of one that
// memrefs hold.
const (
	testTensor    = "test_tensor"
	testMemref    = "test_memref"
	memrefElement = "memref_element"
)

var types = []*ir.TypeDef{
	{Mnemonic: memrefElement, Models: []ir.Model{ir.MemRefElement.Model(struct{}{})}},
	{Mnemonic: testTensor, Models: []ir.Model{interfaces.TensorLike.Model(tensorLike{})}},
	{Mnemonic: testMemref, Models: []ir.Model{interfaces.BufferLike.Model(bufferLike{})}},
}

// tensorLike is about test_tensor<[4, 8], f32>, whose buffers are test_memref<[4, 8], f32>
// or memref<4x8xf32>.
type tensorLike struct{}

func (tensorLike) BufferType(c *ir.Context, t ir.Type, _ ir.Attribute) ir.Type {
	d := t.(*ir.DialectType)
	return c.DialectTypeOf(d.Dialect, testMemref, d.Params...)
}

func (tensorLike) Holds(t, buffer ir.Type) bool {
	shape, elem := t.(*ir.DialectType).Params[0], t.(*ir.DialectType).Params[1]
	switch b := buffer.(type) {
	case *ir.DialectType:
		return b.Mnemonic == testMemref && b.Params[0] == shape && b.Params[1] == elem
	case *ir.MemRefType:
		return slices.Equal(b.Shape, shape.(*ir.DenseArrayAttr).Ints()) && b.Elem == elem.(*ir.TypeAttr).Type
	}
	return false
}

// bufferLike is about test_memref, of which there are no casts.
type bufferLike struct{}

func (bufferLike) MemorySpace(ir.Type) ir.Attribute { return nil }

func (bufferLike) Cast(*ir.Builder, *ir.Value, ir.Type) *ir.Value { return nil }

// parseShaped reads <[4, 8], f32>.
func parseShaped(p *asm.Parser) ([]ir.Attribute, error) {
	if err := p.Expect("<"); err != nil {
		return nil, err
	}
	shape, err := parseIntegers(p)
	if err != nil {
		return nil, err
	}
	if err := p.Expect(","); err != nil {
		return nil, err
	}
	elem, err := p.Type()
	if err != nil {
		return nil, err
	}
	return []ir.Attribute{p.Context().DenseI64Array(shape...), p.Context().TypeAttr(elem)}, p.Expect(">")
}

// printShaped writes what parseShaped reads, but for the brackets around.
func printShaped(w *ir.Writer, params []ir.Attribute) {
	w.DenseArrayBody(params[0].(*ir.DenseArrayAttr))
	w.Text(", ")
	w.Attr(params[1])
}

// DummyTensor reads a tensor and returns another one, and DummyMemref is the same on
// buffers. CreateTensor is a new tensor, and CreateMemref its buffer.
var (
	DummyTensor  = ir.NewOpID("test.dummy_tensor_op")
	DummyMemref  = ir.NewOpID("test.dummy_memref_op")
	CreateTensor = ir.NewOpID("test.create_tensor_op")
	CreateMemref = ir.NewOpID("test.create_memref_op")
)

var (
	anyTensorLike = ir.TypeConstraint{Summary: "TensorLikeType instance", Match: interfaces.IsTensorLike}
	anyBufferLike = ir.TypeConstraint{Summary: "BufferLikeType instance", Match: interfaces.IsBufferLike}
)

func dummyTensorDef() *ir.OpDef {
	return &ir.OpDef{ID: DummyTensor, Operands: []ir.OperandDef{{Name: "input", Type: anyTensorLike}},
		Results: []ir.ResultDef{{Name: "output", Type: anyTensorLike}},
		Models:  []ir.Model{interfaces.Bufferizable.Model(newTensor{as: DummyMemref})}}
}

func dummyMemrefDef() *ir.OpDef {
	return &ir.OpDef{ID: DummyMemref, Operands: []ir.OperandDef{{Name: "input", Type: anyBufferLike}},
		Results: []ir.ResultDef{{Name: "output", Type: anyBufferLike}}}
}

func createTensorDef() *ir.OpDef {
	return &ir.OpDef{ID: CreateTensor, Results: []ir.ResultDef{{Name: "output", Type: anyTensorLike}},
		Models: []ir.Model{interfaces.Bufferizable.Model(newTensor{as: CreateMemref})}}
}

func createMemrefDef() *ir.OpDef {
	return &ir.OpDef{ID: CreateMemref, Results: []ir.ResultDef{{Name: "output", Type: anyBufferLike}}}
}

// newTensor is about operations that read their operands and return a new tensor; as is
// the same operation on buffers.
type newTensor struct {
	interfaces.BufferizeDefaults
	as *ir.OpID
}

func (newTensor) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }

func (newTensor) BufferType(v *ir.Value, t interfaces.BufferTyper) (ir.Type, error) {
	return t.UnknownType(v)
}

func (m newTensor) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	t, err := b.BufferType(op.Result(0))
	if err != nil {
		return err
	}
	operands, err := interfaces.BuffersOf(op.Operands(), b)
	if err != nil {
		return err
	}
	b.Replace(op, b.Builder().CreateOp(m.as, []ir.Type{t}, operands).Result(0))
	return nil
}
