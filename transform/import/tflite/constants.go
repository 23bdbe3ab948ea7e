package tflite

import (
	"encoding/binary"
	"slices"
	"strconv"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/import/tflite/model"
)

// elementTypes are the types of elements as the program has them. Numbers without a sign are read as such by the operations
// on them.
var elementTypes = map[model.Type]ir.Type{
	model.Float32: ir.F32, model.Float16: ir.F16, model.Float64: ir.F64, model.BFloat16: ir.BF16,
	model.Int8: ir.I8, model.Uint8: ir.I8, model.Int4: ir.I8, model.Bool: ir.I1,
	model.Int16: ir.I16, model.Uint16: ir.I16, model.Int32: ir.I32, model.Uint32: ir.I32, model.Int64: ir.I64, model.Uint64: ir.I64,
}

// elementType returns the type of elements in the program, or nil.
func (im *importer) elementType(t model.Type) ir.Type {
	if t == model.Complex64 {
		return im.ctx.Complex(ir.F32)
	}
	return elementTypes[t]
}

// typeOf returns the type of a tensor.
func (f *function) typeOf(tensor int) (*ir.RankedTensorType, error) {
	t := f.graph.Tensors[tensor]
	elem := f.elementType(t.Type)
	switch {
	case t.Unsupported != "":
		return nil, f.errorf("tensor %s %s, which isn't supported", f.describe(tensor), t.Unsupported)
	case elem == nil:
		return nil, f.errorf("tensor %s has elements of the type %s, which isn't supported", f.describe(tensor), t.Type)
	}
	return f.ctx.RankedTensor(t.Shape, elem), nil
}

// constant returns the value of a constant at the start of the function.
func (f *function) constant(a ir.Attribute) *ir.Value {
	if v := f.constants[a]; v != nil {
		return v
	}
	ip := f.b.InsertionPoint()
	if f.last == nil {
		f.b.SetStart(f.entry)
	} else {
		f.b.SetAfter(f.last)
	}
	f.last = arith.NewConstant(f.b, a)
	f.b.SetInsertionPoint(ip)
	f.constants[a] = f.last.Result(0)
	return f.constants[a]
}

// inText is how many elements a constant may have that is written out in the text of the program.
const inText = 16

// contents returns the elements of a constant tensor.
func (f *function) contents(tensor int) (ir.Attribute, error) {
	t := f.graph.Tensors[tensor]
	typ, err := f.typeOf(tensor)
	if err != nil {
		return nil, err
	}
	data, key := t.Data, "buffer"+strconv.Itoa(t.Buffer)
	if t.Expanded {
		key = "dense" + strconv.Itoa(len(f.blobs))
	}
	if t.Type == model.Int4 {
		data, key = unpackInt4(data, ir.ElementCount(t.Shape)), key+"_int4"
	}
	if t.Type == model.Complex64 {
		return nil, f.errorf("tensor %s is a constant with elements of the type %s, which isn't supported", f.describe(tensor), t.Type)
	}
	if len(data) == 0 || ir.ElementCount(t.Shape) <= inText || t.Type == model.Bool {
		return f.ctx.DenseElements(typ, data), nil
	}
	if !f.resources[key] {
		f.resources[key] = true
		f.blobs = append(f.blobs, asm.Resource{Key: key, Kind: asm.BlobResource, Blob: data, Alignment: uint32(ir.ElementBytes(typ.Elem))})
	}
	return f.ctx.DenseResource(typ, key), nil
}

// unpackInt4 returns a byte for each of n elements of four bits with a sign, of which the lower half of a byte is the first.
func unpackInt4(data []byte, n int64) []byte {
	out := make([]byte, n)
	for i := range out {
		nibble := data[i/2] >> (4 * (i % 2))
		out[i] = byte(int8(nibble<<4) >> 4)
	}
	return out
}

// isEmpty tells whether a tensor has no elements. The file has no contents of such a constant.
func isEmpty(t *model.Tensor) bool { return slices.Contains(t.Shape, 0) }

// ints returns the elements of a constant tensor of integers.
func ints(t *model.Tensor) ([]int64, bool) {
	if t == nil || t.Data == nil && !isEmpty(t) {
		return nil, false
	}
	out := make([]int64, ir.ElementCount(t.Shape))
	for i := range out {
		switch t.Type {
		case model.Int8:
			out[i] = int64(int8(t.Data[i]))
		case model.Uint8, model.Bool:
			out[i] = int64(t.Data[i])
		case model.Int16:
			out[i] = int64(int16(binary.LittleEndian.Uint16(t.Data[2*i:])))
		case model.Int32:
			out[i] = int64(int32(binary.LittleEndian.Uint32(t.Data[4*i:])))
		case model.Int64:
			out[i] = int64(binary.LittleEndian.Uint64(t.Data[8*i:]))
		default:
			return nil, false
		}
	}
	return out, true
}

// maxTables is how many elements the tables may have that operators are given beside their constants.
const maxTables = 1 << 24

// list returns a constant list of integers.
func (f *function) list(elem *ir.IntegerType, numbers []int64) *ir.Value {
	f.tables += len(numbers)
	var data []byte
	for _, n := range numbers {
		data = ir.AppendElement(data, f.ctx.IntegerAttr(elem, n))
	}
	return f.constant(f.ctx.DenseElements(f.ctx.RankedTensor([]int64{int64(len(numbers))}, elem), data))
}
