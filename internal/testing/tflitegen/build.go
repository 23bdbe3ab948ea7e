// Package tflitegen makes small models of TensorFlow Lite for tests.
package tflitegen

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"freehold/transform/import/tflite/model"
)

// Option is an option of an operator: its place in the table of the schema, and a bool, int8, int32, int64, float32, []int32, []int64, []float32 or string.
type Option struct {
	Field int
	Value any
}

// Operator is an operator, whose code is a name of the schema, or CUSTOM: then it has a name of its own, and bytes for options, such as those of [Flexbuffer].
type Operator struct {
	Code            string
	Custom          string
	Inputs, Outputs []int32
	Intermediates   []int32
	Options         []Option
	CustomOptions   []byte
}

// Subgraph is a subgraph. Of its tensors what [model.Tensor] says is written.
type Subgraph struct {
	Name            string
	Tensors         []model.Tensor
	Inputs, Outputs []int32
	Operators       []Operator
	// Sparse says how the contents of some tensors are stored, by their positions.
	Sparse map[int]Sparsity
}

// Sparsity is how the elements of a sparse tensor are stored: its dimensions and those of blocks in an order, and which of them blocks divide.
type Sparsity struct {
	Order, Blocks []int32
	Dimensions    []Dimension
}

// Dimension is a dimension of a sparse tensor. It has a size, or lists of the elements that there are.
type Dimension struct {
	Size              int32
	Segments, Indices []int32
}

// codeOf returns the number of an operator.
func codeOf(name string) int32 {
	for c := range model.Code(256) {
		if c.String() == name {
			return int32(c)
		}
	}
	panic("tflitegen: there is no operator " + name)
}

// Model returns the file of a model.
func Model(graphs ...Subgraph) []byte {
	w := &writer{Builder: flatbuffers.NewBuilder(1024), codes: map[string]int32{}}
	w.buffers = append(w.buffers, w.table(nil))
	var subgraphs []flatbuffers.UOffsetT
	for _, g := range graphs {
		subgraphs = append(subgraphs, w.subgraph(g))
	}
	root := w.table([]slot{
		{0, int32(3)}, {1, w.offsets(w.operators)}, {2, w.offsets(subgraphs)}, {3, w.CreateString("made for a test")}, {4, w.offsets(w.buffers)}})
	w.FinishWithFileIdentifier(root, []byte("TFL3"))
	return w.FinishedBytes()
}

type writer struct {
	*flatbuffers.Builder
	codes     map[string]int32
	operators []flatbuffers.UOffsetT
	buffers   []flatbuffers.UOffsetT
}

// slot is a field of a table, which an [flatbuffers.UOffsetT] refers to.
type slot struct {
	field int
	value any
}

func (w *writer) table(slots []slot) flatbuffers.UOffsetT {
	n := 0
	for _, s := range slots {
		n = max(n, s.field+1)
	}
	w.StartObject(n)
	for _, s := range slots {
		switch v := s.value.(type) {
		case bool:
			w.PrependBool(v)
		case int8:
			w.PrependInt8(v)
		case int32:
			w.PrependInt32(v)
		case int64:
			w.PrependInt64(v)
		case float32:
			w.PrependFloat32(v)
		case flatbuffers.UOffsetT:
			w.PrependUOffsetT(v)
		default:
			panic(fmt.Sprintf("tflitegen: an option is a %T", v))
		}
		w.Slot(s.field)
	}
	return w.EndObject()
}

func (w *writer) offsets(list []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	w.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		w.PrependUOffsetT(list[i])
	}
	return w.EndVector(len(list))
}

func vector[T any](w *writer, size int, list []T, prepend func(T)) flatbuffers.UOffsetT {
	w.StartVector(size, len(list), size)
	for i := len(list) - 1; i >= 0; i-- {
		prepend(list[i])
	}
	return w.EndVector(len(list))
}

func (w *writer) ints(list []int32) flatbuffers.UOffsetT {
	return vector(w, 4, list, w.PrependInt32)
}

func (w *writer) subgraph(g Subgraph) flatbuffers.UOffsetT {
	var tensors, operators []flatbuffers.UOffsetT
	for i := range g.Tensors {
		var sparsity []slot
		if s, ok := g.Sparse[i]; ok {
			sparsity = []slot{{6, w.sparsity(s)}}
		}
		tensors = append(tensors, w.tensor(&g.Tensors[i], sparsity))
	}
	for _, o := range g.Operators {
		operators = append(operators, w.operator(o))
	}
	return w.table([]slot{{0, w.offsets(tensors)}, {1, w.ints(g.Inputs)}, {2, w.ints(g.Outputs)}, {3, w.offsets(operators)}, {4, w.CreateString(g.Name)}})
}

// sparsity writes how a sparse tensor is stored, with its lists as numbers of 32 bits.
func (w *writer) sparsity(s Sparsity) flatbuffers.UOffsetT {
	var dimensions []flatbuffers.UOffsetT
	for _, d := range s.Dimensions {
		slots := []slot{{1, d.Size}}
		if d.Segments != nil {
			const int32s = int8(1)
			slots = []slot{{0, int8(1)}, {2, int32s}, {3, w.table([]slot{{0, w.ints(d.Segments)}})}, {4, int32s}, {5, w.table([]slot{{0, w.ints(d.Indices)}})}}
		}
		dimensions = append(dimensions, w.table(slots))
	}
	return w.table([]slot{{0, w.ints(s.Order)}, {1, w.ints(s.Blocks)}, {2, w.offsets(dimensions)}})
}

func (w *writer) tensor(t *model.Tensor, more []slot) flatbuffers.UOffsetT {
	var shape []int32
	for _, n := range t.Shape {
		shape = append(shape, int32(n))
	}
	buffer := int32(0)
	if t.Data != nil {
		buffer = int32(len(w.buffers))
		w.buffers = append(w.buffers, w.table([]slot{{0, w.CreateByteVector(t.Data)}}))
	}
	slots := []slot{{0, w.ints(shape)}, {1, int8(t.Type)}, {2, buffer}, {3, w.CreateString(t.Name)}, {5, t.Variable}}
	slots = append(slots, more...)
	if t.Scale != nil {
		slots = append(slots, slot{4, w.table([]slot{
			{2, vector(w, 4, t.Scale, w.PrependFloat32)}, {3, vector(w, 8, t.ZeroPoint, w.PrependInt64)}, {6, int32(t.Axis)}})})
	}
	return w.table(slots)
}

func (w *writer) operator(o Operator) flatbuffers.UOffsetT {
	n, ok := w.codes[o.Code+o.Custom]
	if !ok {
		n = int32(len(w.codes))
		w.codes[o.Code+o.Custom] = n
		code := codeOf(o.Code)
		w.operators = append(w.operators, w.table([]slot{{0, int8(min(code, 127))}, {1, w.CreateString(o.Custom)}, {2, version(o.Code)}, {3, code}}))
	}
	var options []slot
	for _, p := range o.Options {
		s := slot{p.Field, p.Value}
		switch v := p.Value.(type) {
		case []int32:
			s.value = w.ints(v)
		case []int64:
			s.value = vector(w, 8, v, w.PrependInt64)
		case []float32:
			s.value = vector(w, 4, v, w.PrependFloat32)
		case string:
			s.value = w.CreateString(v)
		}
		options = append(options, s)
	}
	slots := []slot{{0, n}, {1, w.ints(o.Inputs)}, {2, w.ints(o.Outputs)}}
	if kind := laterOptionTables[o.Code]; kind != 0 {
		slots = append(slots, slot{11, kind}, slot{12, w.table(options)})
	} else if kind := optionTables[o.Code]; kind != 0 || options != nil {
		slots = append(slots, slot{3, kind}, slot{4, w.table(options)})
	}
	if o.Intermediates != nil {
		slots = append(slots, slot{8, w.ints(o.Intermediates)})
	}
	if o.CustomOptions != nil {
		slots = append(slots, slot{5, w.CreateByteVector(o.CustomOptions)})
	}
	return w.table(slots)
}

// version is the version of an operator, whose first one no file has for some.
func version(code string) int32 {
	if code == "BROADCAST_TO" {
		return 2
	}
	return 1
}

// laterOptionTables are those of the operators whose options are in the second union.
var laterOptionTables = map[string]int8{"STABLEHLO_SCATTER": 7, "STABLEHLO_PAD": 10, "STABLEHLO_GATHER": 16, "STABLEHLO_REDUCE_WINDOW": 13, "DILATE": 18, "REDUCE_WINDOW": 20,
	"STABLEHLO_COMPOSITE": 21, "STABLEHLO_SHIFT_LEFT": 22, "STABLEHLO_CASE": 23}

// optionTables are the numbers of the tables of options, in the schema's union of them, of the operators that have options.
var optionTables = map[string]int8{
	"CONV_2D": 1, "DEPTHWISE_CONV_2D": 2, "AVERAGE_POOL_2D": 5, "MAX_POOL_2D": 5, "L2_POOL_2D": 5, "SVDF": 6, "FULLY_CONNECTED": 8,
	"SOFTMAX": 9, "CONCATENATION": 10, "ADD": 11, "L2_NORMALIZATION": 12, "LOCAL_RESPONSE_NORMALIZATION": 13, "RESIZE_BILINEAR": 15,
	"RESHAPE": 17, "SPACE_TO_DEPTH": 19, "MUL": 21, "GATHER": 23, "MEAN": 27, "SUM": 27, "REDUCE_PROD": 27, "REDUCE_MAX": 27,
	"REDUCE_MIN": 27, "REDUCE_ANY": 27, "REDUCE_ALL": 27, "SUB": 28, "DIV": 29, "SQUEEZE": 30, "STRIDED_SLICE": 32, "SPLIT": 35,
	"CAST": 37, "ARG_MAX": 40, "TRANSPOSE_CONV": 49, "SHAPE": 55, "ARG_MIN": 57, "FAKE_QUANT": 58, "PACK": 59, "ONE_HOT": 61,
	"UNPACK": 64, "UNIDIRECTIONAL_SEQUENCE_LSTM": 71, "RESIZE_NEAREST_NEIGHBOR": 74, "LEAKY_RELU": 75, "MIRROR_PAD": 77, "SPLIT_V": 79,
	"REVERSE_SEQUENCE": 87, "IF": 92, "WHILE": 93, "DEPTH_TO_SPACE": 94, "BATCH_MATMUL": 101, "CUMSUM": 102, "CALL_ONCE": 103,
	"RNN": 7, "LSTM": 14, "UNIDIRECTIONAL_SEQUENCE_RNN": 31, "BIDIRECTIONAL_SEQUENCE_LSTM": 69, "BIDIRECTIONAL_SEQUENCE_RNN": 70, "UNIQUE": 80,
	"DENSIFY": 99, "RFFT2D": 105, "CONV_3D": 106, "CONV_3D_TRANSPOSE": 106, "VAR_HANDLE": 111, "BUCKETIZE": 115, "GELU": 116,
}
