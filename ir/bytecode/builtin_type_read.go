package bytecode

import (
	"errors"
	"fmt"
	"slices"

	"freehold/ir"
)

// floatCodes are the codes of floating-point types; the others are text.
var floatCodes = map[uint64]*ir.FloatType{
	bf16Code: ir.BF16, f16Code: ir.F16, f32Code: ir.F32, f64Code: ir.F64, f80Code: ir.F80, f128Code: ir.F128,
}

// readBuiltinType reads a type that package ir defines.
func readBuiltinType(r *Reader) (ir.Type, error) {
	c := r.Context()
	switch code := r.Varint(); code {
	case integerTypeCode:
		v := r.Varint()
		width, sign := v>>2, ir.Signedness(v&3)
		if width > ir.MaxIntegerWidth || sign > ir.Unsigned {
			return nil, fmt.Errorf("there is no integer type of %d bits and signedness %d", width, sign)
		}
		return c.IntegerOf(int(width), sign), nil
	case indexTypeCode:
		return ir.Index, nil
	case noneTypeCode:
		return ir.None, nil
	case bf16Code, f16Code, f32Code, f64Code, f80Code, f128Code:
		return floatCodes[code], nil
	case functionTypeCode:
		in, out := r.Types(), r.Types()
		if !r.OK() {
			return nil, nil
		}
		return c.Function(in, out), nil
	case tupleTypeCode:
		ts := r.Types()
		if !r.OK() {
			return nil, nil
		}
		return c.Tuple(ts...), nil
	case complexTypeCode:
		t := r.Type()
		if r.OK() && !ir.IsFloat(t) && !ir.IsInteger(t) {
			return nil, errors.New("invalid element type for complex")
		}
		return unlessFailed(r, func() ir.Type { return c.Complex(t) }), nil
	case memrefCode, memrefSpaceCode, unrankedMemrefCode, unrankedMemrefSpaceCode:
		return readMemRef(r, code)
	case tensorCode, tensorEncodingCode, unrankedTensorCode:
		return readTensor(r, code)
	case vectorCode, scalableVectorCode:
		return readVector(r, code)
	default:
		return nil, fmt.Errorf("there is no builtin type with the code %d", code)
	}
}

// unlessFailed returns what build makes, if all that it is made of could be read.
func unlessFailed[T any](r *Reader, build func() T) (out T) {
	if r.OK() {
		out = build()
	}
	return out
}

func readMemRef(r *Reader, code uint64) (ir.Type, error) {
	c := r.Context()
	var space, layout ir.Attribute
	var shape []int64
	unranked := code == unrankedMemrefCode || code == unrankedMemrefSpaceCode
	if code == memrefSpaceCode || code == unrankedMemrefSpaceCode {
		space = r.Attr()
	}
	if !unranked {
		shape = r.Ints()
	}
	elem := r.Type()
	if !unranked {
		layout = r.Attr()
	}
	switch {
	case !r.OK():
		return nil, nil
	case !ir.ValidMemRefElement(elem):
		return nil, errors.New("invalid memref element type")
	case !ir.ValidMemorySpace(space):
		return nil, errors.New("unsupported memory space Attribute")
	case unranked:
		return c.UnrankedMemRef(elem, space), nil
	case slices.ContainsFunc(shape, isNoSize):
		return nil, errors.New("invalid memref size")
	}
	switch layout.(type) {
	case *ir.AffineMapAttr, *ir.StridedLayoutAttr, *ir.DialectAttr:
	default:
		return nil, errors.New("invalid memref layout")
	}
	return wellFormed(c.MemRefOf(shape, elem, layout, space))
}

// isNoSize tells whether a dimension can't have a size.
func isNoSize(d int64) bool { return d < 0 && d != ir.Dynamic }

// wellFormed returns an error if there can't be such a type.
func wellFormed(t ir.Type) (ir.Type, error) {
	if ir.IsMalformed(t) {
		return nil, errors.New("there is no such type")
	}
	return t, nil
}

func readTensor(r *Reader, code uint64) (ir.Type, error) {
	c := r.Context()
	var encoding ir.Attribute
	var shape []int64
	if code == tensorEncodingCode {
		encoding = r.Attr()
	}
	if code != unrankedTensorCode {
		shape = r.Ints()
	}
	elem := r.Type()
	switch {
	case !r.OK():
		return nil, nil
	case !ir.ValidTensorElement(elem):
		return nil, errors.New("invalid tensor element type")
	case code == unrankedTensorCode:
		return c.UnrankedTensor(elem), nil
	case slices.ContainsFunc(shape, isNoSize):
		return nil, errors.New("invalid tensor size")
	}
	if a, ok := encoding.(*ir.DialectAttr); ok && a.Dialect.VerifyEncoding != nil {
		if err := a.Dialect.VerifyEncoding(a, shape, elem); err != nil {
			return nil, err
		}
	}
	return c.RankedTensorOf(shape, elem, encoding), nil
}

func readVector(r *Reader, code uint64) (ir.Type, error) {
	var scalable []bool
	if code == scalableVectorCode {
		scalable = make([]bool, r.Len())
		for i := range scalable {
			scalable[i] = r.Byte() != 0
		}
	}
	shape := r.Ints()
	elem := r.Type()
	switch {
	case !r.OK():
		return nil, nil
	case !ir.IsFloat(elem) && !ir.IsIntOrIndex(elem):
		return nil, errors.New("vector elements must be int/index/float type")
	case slices.ContainsFunc(shape, func(d int64) bool { return d < 1 }):
		return nil, errors.New("vector types must have positive constant sizes")
	case scalable != nil && len(scalable) != len(shape):
		return nil, errors.New("a vector type has another number of scalable dimensions than of dimensions")
	}
	return r.Context().Vector(shape, scalable, elem), nil
}
