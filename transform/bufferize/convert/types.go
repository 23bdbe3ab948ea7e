package convert

import (
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
)

// NewTypeConverter returns a converter from tensors to buffers with the identity layout, in
// the default memory space. Other types stay. From a buffer to a tensor it materializes a
// bufferization.to_tensor, back a bufferization.to_memref, and between buffers a cast if
// that can't fail, else a copy.
func NewTypeConverter(c *ir.Context) *conversion.TypeConverter {
	types := conversion.NewTypeConverter()
	types.AddOneToOne(func(t ir.Type) ir.Type { return t })
	types.AddOneToOne(func(t ir.Type) ir.Type { return bufferOf(c, t) })
	types.AddMaterialization(conversion.ArgumentMaterialization, toTensor)
	types.AddMaterialization(conversion.SourceMaterialization, toTensor)
	types.AddMaterialization(conversion.TargetMaterialization, toBuffer)
	return types
}

// bufferOf returns the type of a tensor's buffer; nil if t is no tensor.
func bufferOf(c *ir.Context, t ir.Type) ir.Type {
	switch t := t.(type) {
	case *ir.RankedTensorType:
		return c.MemRef(t.Shape, t.Elem)
	case *ir.UnrankedTensorType:
		return c.UnrankedMemRef(t.Elem, nil)
	}
	if m, ok := interfaces.TensorLike.OfType(t); ok {
		return m.BufferType(c, t, nil)
	}
	return nil
}

func toTensor(b *ir.Builder, t ir.Type, inputs []*ir.Value, loc ir.Location) *ir.Value {
	if len(inputs) != 1 || !interfaces.IsTensorLike(t) || !interfaces.IsBufferLike(inputs[0].Type()) {
		return nil
	}
	b.Loc = loc
	return b.CreateOp(bufferization.ToTensor, []ir.Type{t}, inputs).Result(0)
}

func toBuffer(b *ir.Builder, t ir.Type, inputs []*ir.Value, loc ir.Location) *ir.Value {
	if len(inputs) != 1 || !interfaces.IsBufferLike(t) {
		return nil
	}
	b.Loc = loc
	if from, ok := inputs[0].Type().(*ir.MemRefType); ok {
		to, ok := t.(*ir.MemRefType)
		if !ok {
			return nil // that one of them has no rank must be said by an operation
		}
		return castOrCopy(b, inputs[0], from, to)
	}
	if !interfaces.IsTensorLike(inputs[0].Type()) {
		return nil
	}
	return bufferization.NewToMemref(b, t, inputs[0])
}

// castOrCopy returns a buffer of type to with the contents of v; nil if there is none.
func castOrCopy(b *ir.Builder, v *ir.Value, from, to *ir.MemRefType) *ir.Value {
	if memref.CastNeverFails(from, to) {
		return memref.NewCast(b, to, v)
	}
	if from.Elem != to.Elem || from.Space != to.Space || len(from.Shape) != len(to.Shape) || to.Layout != nil {
		return nil
	}
	var sizes []*ir.Value
	for i, n := range to.Shape {
		if n == ir.Dynamic {
			sizes = append(sizes, arith.ValueOf(b, memref.SizeOf(b, v, i)))
		}
	}
	buffer := memref.NewAlloc(b, to, sizes, 0)
	memref.NewCopy(b, v, buffer)
	return buffer
}

// Materializations makes the operations legal that convert between tensors and buffers.
func Materializations(t *conversion.Target) {
	t.Legal(bufferization.ToTensor, bufferization.ToMemref)
}
