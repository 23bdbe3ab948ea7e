// Package model reads the files of TensorFlow Lite: flatbuffers whose schema is schema.fbs of TensorFlow Lite, version 3. It
// knows what a file says, and nothing of what the operators mean.
package model

import (
	"bytes"
	"fmt"
	"math"
)

// Model is the contents of a file.
type Model struct {
	// Description is what the tool that wrote the file says about it.
	Description string
	// Subgraphs are the functions; the first one is the network.
	Subgraphs []*Subgraph
}

// Subgraph is a list of operators on tensors.
type Subgraph struct {
	Name      string
	Tensors   []*Tensor
	Inputs    []int // positions in Tensors
	Outputs   []int
	Operators []*Operator
}

// Tensor is an array: a constant, an argument, or what an operator makes.
type Tensor struct {
	Name  string
	Shape []int64
	Type  Type
	// Data is the elements of a constant, in the order and the encoding of the file, and part of the file's bytes. It is
	// nil for what is computed.
	Data []byte
	// Buffer is the number of the file's buffer that Data is.
	Buffer int
	// Scale and ZeroPoint say what numbers the integers stand for: Scale*(q-ZeroPoint). They are empty, or have one
	// element, or one for each position along dimension Axis.
	Scale     []float32
	ZeroPoint []int64
	Axis      int
	// Expanded says that the file has the constant as a sparse tensor: Data is not part of its bytes.
	Expanded bool
	// Variable says that the tensor keeps its contents between executions.
	Variable bool
	// Unsupported is what about the tensor no reader of this package makes sense of, such as quantization in blocks, or "".
	Unsupported string
}

// Operator is an operation of a subgraph.
type Operator struct {
	Code    Code
	Custom  string // the name of an operator that isn't built in
	Inputs  []int  // positions in the subgraph's tensors; -1 for optional ones that are left out
	Outputs []int
	// Intermediates are tensors that say the scales of what is computed on the way, as recurrent layers have them; -1 for those that are left out.
	Intermediates []int
	// Options are the operator's own; which ones there are depends on Code.
	Options Options
	// CustomOptions are the bytes of the options of an operator that isn't built in, part of the file's bytes.
	CustomOptions []byte
}

// identifier stands at byte 4 of all files of this version.
const identifier = "TFL3"

// Is tells whether data begins as a file of TensorFlow Lite does.
func Is(data []byte) bool {
	return len(data) >= 8 && bytes.Equal(data[4:8], []byte(identifier))
}

// Fields of the tables, by their place in the schema.
const (
	modelVersion, modelCodes, modelSubgraphs, modelDescription, modelBuffers = 0, 1, 2, 3, 4

	codeDeprecated, codeCustom, codeBuiltin = 0, 1, 3

	graphTensors, graphInputs, graphOutputs, graphOperators, graphName = 0, 1, 2, 3, 4

	tensorShape, tensorType, tensorBuffer, tensorName, tensorQuantization = 0, 1, 2, 3, 4
	tensorVariable, tensorSparsity, tensorExternal                        = 5, 6, 10

	quantScale, quantZeroPoint, quantDetailsType, quantAxis = 2, 3, 4, 6

	operatorCode, operatorInputs, operatorOutputs, operatorOptions, operatorCustomOptions = 0, 1, 2, 4, 5
	operatorIntermediates, operatorMoreOptions                                            = 8, 12

	bufferData, bufferOffset, bufferSize = 0, 1, 2
)

// schemaVersion is the version of the schema that files say they follow.
const schemaVersion = 3

// sharing is how often, on average, a byte of a list may be part of what is read: writers may share equal lists.
const sharing = 8

// maxRank is how many dimensions a tensor may have. No operator has kernels for more than six.
const maxRank = 16

// Read reads a file. It takes time and memory linear in the size of the file. The contents of constants are not copied.
func Read(data []byte) (*Model, error) {
	f := &file{data: data, tables: len(data) / 4, room: sharing * len(data)}
	if !Is(data) {
		return nil, fmt.Errorf("it doesn't begin with the identifier %s", identifier)
	}
	root := f.table(f.follow(0))
	if v := root.uint32(modelVersion); f.err == nil && v != schemaVersion {
		return nil, fmt.Errorf("its schema has version %d, and only %d is known", v, schemaVersion)
	}
	m := &Model{Description: root.text(modelDescription)}
	var codes []Operator
	root.list(modelCodes, func(_ int, t table) {
		codes = append(codes, Operator{Code: max(Code(t.int8(codeDeprecated)), Code(t.int32(codeBuiltin, 0))), Custom: t.text(codeCustom)})
	})
	var buffers [][]byte
	root.list(modelBuffers, func(i int, t table) { buffers = append(buffers, f.buffer(i, t)) })
	root.list(modelSubgraphs, func(_ int, t table) { m.Subgraphs = append(m.Subgraphs, f.subgraph(t, codes, buffers)) })
	if f.err != nil {
		return nil, f.err
	}
	if len(m.Subgraphs) == 0 {
		return nil, fmt.Errorf("it has no subgraph")
	}
	return m, nil
}

// buffer returns the bytes of a buffer, nil for one without contents. Large ones may stand behind the flatbuffer.
func (f *file) buffer(i int, t table) []byte {
	offset, size := t.uint64(bufferOffset), t.uint64(bufferSize)
	if offset > 1 {
		if offset > uint64(len(f.data)) || size > uint64(len(f.data))-offset {
			f.fail("buffer %d is not in the file", i)
			return nil
		}
		return f.span(int(offset), int(size))
	}
	if b := t.contents(bufferData, 1); len(b) > 0 {
		return b
	}
	return nil
}

func (f *file) subgraph(t table, codes []Operator, buffers [][]byte) *Subgraph {
	g := &Subgraph{Name: t.text(graphName)}
	t.list(graphTensors, func(_ int, e table) { g.Tensors = append(g.Tensors, f.tensor(e, buffers)) })
	positions := func(t table, field int, optional bool, what string) []int {
		var out []int
		for _, n := range t.int32s(field) {
			if n < -1 || n == -1 && !optional || int(n) >= len(g.Tensors) {
				f.fail("%s of subgraph %q is tensor %d, of %d", what, g.Name, n, len(g.Tensors))
				return nil
			}
			out = append(out, int(n))
		}
		return out
	}
	g.Inputs = positions(t, graphInputs, false, "an input")
	g.Outputs = positions(t, graphOutputs, false, "an output")
	t.list(graphOperators, func(i int, e table) {
		n := e.uint32(operatorCode)
		if uint64(n) >= uint64(len(codes)) {
			f.fail("operator %d of subgraph %q has code %d, of %d", i, g.Name, n, len(codes))
			return
		}
		o := codes[n]
		o.Inputs = positions(e, operatorInputs, true, "an input of an operator")
		o.Outputs = positions(e, operatorOutputs, false, "an output of an operator")
		o.Intermediates = positions(e, operatorIntermediates, true, "an intermediate of an operator")
		// Later operators have their options elsewhere.
		options, ok := e.sub(operatorOptions)
		if !ok {
			options, _ = e.sub(operatorMoreOptions)
		}
		o.Options = Options{options}
		o.CustomOptions = e.contents(operatorCustomOptions, 1)
		g.Operators = append(g.Operators, &o)
	})
	return g
}

func (f *file) tensor(t table, buffers [][]byte) *Tensor {
	x := &Tensor{Name: t.text(tensorName), Type: Type(t.int8(tensorType)), Variable: t.flag(tensorVariable, false)}
	elements := int64(1)
	shape := t.int32s(tensorShape)
	if len(shape) > maxRank {
		f.fail("tensor %q has %d dimensions, more than %d", x.Name, len(shape), maxRank)
		return x
	}
	for _, n := range shape {
		if n < 0 {
			f.fail("tensor %q has a size of %d", x.Name, n)
			return x
		}
		if n > 0 && elements > math.MaxInt32/int64(n) {
			f.fail("tensor %q has more than %d elements", x.Name, math.MaxInt32)
			return x
		}
		elements *= int64(n)
		x.Shape = append(x.Shape, int64(n))
	}
	b := t.uint32(tensorBuffer)
	switch {
	case b == 0:
	case uint64(b) >= uint64(len(buffers)):
		f.fail("tensor %q is in buffer %d, of %d", x.Name, b, len(buffers))
	default:
		x.Data, x.Buffer = buffers[b], int(b)
	}
	sparsity, sparse := t.sub(tensorSparsity)
	if need := x.Type.bytes(elements); f.err == nil && !sparse && x.Data != nil && need >= 0 && int64(len(x.Data)) != need {
		f.fail("the contents of tensor %q have %d bytes, and its type needs %d", x.Name, len(x.Data), need)
	}
	if sparse && f.err == nil {
		f.expand(sparsity, x)
	}
	if t.uint32(tensorExternal) != 0 {
		x.Unsupported = "is in another file"
	}
	if q, ok := t.sub(tensorQuantization); ok {
		f.quantization(q, x)
	}
	return x
}

func (f *file) quantization(q table, x *Tensor) {
	x.Scale, x.ZeroPoint, x.Axis = q.floats(quantScale), q.int64s(quantZeroPoint), int(q.int32(quantAxis, 0))
	if q.int8(quantDetailsType) > 1 {
		x.Unsupported = "is quantized in blocks"
	}
	if len(x.Scale) == 0 {
		x.ZeroPoint = nil
		return
	}
	if len(x.ZeroPoint) != len(x.Scale) {
		if len(x.ZeroPoint) > 1 {
			f.fail("tensor %q has %d scales and %d zero points", x.Name, len(x.Scale), len(x.ZeroPoint))
			return
		}
		zero := int64(0)
		if len(x.ZeroPoint) == 1 {
			zero = x.ZeroPoint[0]
		}
		x.ZeroPoint = make([]int64, len(x.Scale))
		for i := range x.ZeroPoint {
			x.ZeroPoint[i] = zero
		}
	}
	if n := len(x.Scale); n > 1 && (x.Axis < 0 || x.Axis >= len(x.Shape) || x.Shape[x.Axis] != int64(n)) {
		f.fail("tensor %q has %d scales along dimension %d, which it has not", x.Name, n, x.Axis)
	}
}
