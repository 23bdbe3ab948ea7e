package bytecode

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"freehold/ir"
)

// readBuiltinAttr reads an attribute that package ir defines.
func readBuiltinAttr(r *Reader) (ir.Attribute, error) {
	c := r.Context()
	switch code := r.Varint(); code {
	case arrayCode:
		elems := make([]ir.Attribute, r.Len())
		for i := range elems {
			elems[i] = r.Attr()
		}
		if !r.OK() {
			return nil, nil
		}
		return c.ArrayAttr(elems...), nil
	case dictCode:
		return readDict(r)
	case stringCode, typedStringCode:
		s := r.String()
		if code == stringCode {
			return c.StringAttr(s), nil
		}
		t := r.Type()
		return c.TypedStringAttr(s, t), nil
	case flatSymbolCode:
		root := r.stringAttr()
		return c.SymbolRef(root), nil
	case symbolCode:
		return readSymbol(r)
	case typeCode:
		t := r.Type()
		if !r.OK() {
			return nil, nil
		}
		return c.TypeAttr(t), nil
	case unitCode:
		return ir.Unit, nil
	case integerCode, floatCode:
		return readNumber(r, code)
	case callSiteCode, fileLineColCode, fusedCode, fusedMetadataCode, nameCode, unknownCode:
		return readLocation(r, code)
	case denseResourceCode:
		t := r.Type()
		key := r.resource()
		if r.OK() && !ir.IsShaped(t) {
			return nil, errors.New("`dense_resource` expected a shaped type")
		}
		return c.DenseResource(t, key), nil
	case denseArrayCode:
		return readDenseArray(r)
	case denseCode:
		return readDense(r)
	case denseStringCode:
		return readDenseStrings(r)
	case sparseCode:
		return readSparse(r)
	case distinctCode:
		a := r.Attr()
		if !r.OK() {
			return nil, nil
		}
		return c.Distinct(a), nil
	default:
		return nil, fmt.Errorf("there is no builtin attribute with the code %d", code)
	}
}

func readDict(r *Reader) (ir.Attribute, error) {
	entries := make([]ir.NamedAttr, r.Len())
	for i := range entries {
		entries[i].Name = r.stringAttr()
		entries[i].Value = r.Attr()
		switch {
		case !r.OK():
			return nil, nil
		case entries[i].Name == "":
			return nil, errors.New("an attribute of a dictionary has no name")
		}
	}
	d := r.Context().DictAttr(entries...)
	for i := range d.Entries[min(1, len(d.Entries)):] {
		if d.Entries[i].Name == d.Entries[i+1].Name {
			return nil, fmt.Errorf("a dictionary has two attributes '%s'", d.Entries[i].Name)
		}
	}
	return d, nil
}

func readSymbol(r *Reader) (ir.Attribute, error) {
	root := r.stringAttr()
	nested := make([]string, r.Len())
	for i := range nested {
		s, ok := r.Attr().(*ir.SymbolRefAttr)
		switch {
		case !r.OK():
			return nil, nil
		case !ok || len(s.Nested) > 0:
			return nil, errors.New("a part of a nested symbol reference is no flat symbol reference")
		}
		nested[i] = s.Root
	}
	return r.Context().SymbolRef(root, nested...), nil
}

// readNumber reads an integer or a floating-point number.
func readNumber(r *Reader, code uint64) (ir.Attribute, error) {
	c := r.Context()
	t := r.Type()
	if !r.OK() {
		return nil, nil
	}
	if ft, ok := t.(*ir.FloatType); ok && code == floatCode {
		bits := r.Int(ft.Width)
		mask := new(big.Int).SetUint64(math.MaxUint64)
		lo := new(big.Int).And(bits, mask)
		if bits.Sign() < 0 { // the highest bit was set
			lo.And(new(big.Int).SetInt64(bits.Int64()), mask)
		}
		u := lo.Uint64()
		if ft.Width < 64 {
			u &= 1<<ft.Width - 1
		}
		hi := new(big.Int)
		if ft.Width > 64 {
			hi.And(hi.Rsh(bits, 64), big.NewInt(0).SetUint64(math.MaxUint64>>(128-ft.Width)))
		}
		return c.FloatBits(ft, u, hi.Uint64()), nil
	}
	width := 64
	switch it := t.(type) {
	case *ir.IntegerType:
		width = it.Width
	case *ir.IndexType:
	default:
		return nil, errors.New("a number has the type " + t.String())
	}
	if code == floatCode {
		return nil, errors.New("a floating-point number has the type " + t.String())
	}
	v := r.Int(width)
	if !r.OK() {
		return nil, nil
	}
	return c.BigIntegerAttr(t, v), nil
}

// readDenseArray reads array<...>.
func readDenseArray(r *Reader) (ir.Attribute, error) {
	t, n := r.Type(), r.Varint()
	data := r.Blob()
	if !r.OK() {
		return nil, nil
	}
	if it, ok := t.(*ir.IntegerType); ok && it.Width != 1 && it.Width%8 != 0 {
		return nil, errors.New("element type bitwidth must be a multiple of 8")
	} else if !ok && !ir.IsFloat(t) && t != ir.Type(ir.Index) {
		return nil, errors.New("expected integer or float type, got: '" + t.String() + "'")
	}
	size := uint64(ir.ElementBytes(t))
	if size == 0 && len(data) == 0 && n <= uint64(len(r.src)) {
		return r.Context().DenseArray(t, make([]byte, n)), nil
	}
	if size == 0 || uint64(len(data))%size != 0 || uint64(len(data))/size != n {
		return nil, fmt.Errorf("an array of %d elements %s has %d bytes", n, t, len(data))
	}
	return r.Context().DenseArray(t, data), nil
}

// readElementsType reads the type of constant elements, and returns their number.
func readElementsType(r *Reader) (t ir.Type, n int64, err error) {
	t = r.Type()
	if !r.OK() {
		return nil, 0, nil
	}
	switch t.(type) {
	case *ir.RankedTensorType, *ir.VectorType:
		shape, _ := ir.ShapeOf(t)
		if n, ok := ir.NumElements(shape); ok {
			return t, n, nil
		}
	}
	return nil, 0, errors.New("elements of the type " + t.String())
}

// readDense reads dense<...> of numbers.
func readDense(r *Reader) (ir.Attribute, error) {
	t, n, err := readElementsType(r)
	data := r.Blob()
	if err != nil || !r.OK() {
		return nil, err
	}
	elem := ir.ElementType(t)
	size := int64(ir.ElementBytes(elem))
	have := int64(len(data))
	switch {
	case size == 0:
		return nil, errors.New("elements of the type " + t.String() + " are no bytes")
	case elem == ir.Type(ir.I1):
		if have != (n+7)/8 && !isSplatOfBits(data) {
			return nil, fmt.Errorf("elements of the type %s have %d bytes", t, have)
		}
		return r.Context().DenseElements(t, unpackBits(data, n)), nil
	case have == n*size && (n == 0 || have/n == size), have == size:
		return r.Context().DenseElements(t, data), nil
	}
	return nil, fmt.Errorf("elements of the type %s have %d bytes", t, have)
}

// isSplatOfBits tells whether the bytes stand for any number of equal bits.
func isSplatOfBits(data []byte) bool {
	return len(data) == 1 && (data[0] == 0 || data[0] == splatBits)
}

// splatBits stands for any number of bits that are set.
const splatBits = 0xff

// unpackBits gives each of n bits a byte.
func unpackBits(data []byte, n int64) []byte {
	if isSplatOfBits(data) {
		return []byte{data[0] & 1}
	}
	out := make([]byte, min(n, 8*int64(len(data))))
	for i := range out {
		out[i] = data[i/8] >> (i % 8) & 1
	}
	return out
}

// readDenseStrings reads dense<...> of strings.
func readDenseStrings(r *Reader) (ir.Attribute, error) {
	t, n, err := readElementsType(r)
	splat := r.Varint() != 0
	if err != nil || !r.OK() {
		return nil, err
	}
	if splat {
		n = 1
	}
	if n > int64(r.left()) {
		return nil, errors.New("strings are missing")
	}
	elems := make([]string, n)
	for i := range elems {
		elems[i] = r.String()
	}
	if ir.ElementBytes(ir.ElementType(t)) != 0 {
		return nil, errors.New("strings as elements of the type " + t.String())
	}
	return r.Context().DenseStringElements(t, elems), nil
}

// readSparse reads sparse<...>.
func readSparse(r *Reader) (ir.Attribute, error) {
	t, _, err := readElementsType(r)
	indices, _ := r.Attr().(*ir.DenseElementsAttr)
	values := r.Attr()
	if err != nil || !r.OK() {
		return nil, err
	}
	if indices == nil {
		return nil, errors.New("sparse indices must be numbers")
	}
	var count int64
	switch v := values.(type) {
	case *ir.DenseElementsAttr:
		count = v.Len()
	case *ir.DenseStringElementsAttr:
		shape, _ := ir.ShapeOf(v.Type)
		count, _ = ir.NumElements(shape)
	default:
		return nil, errors.New("sparse values must be elements")
	}
	shape, _ := ir.ShapeOf(t)
	at, _ := ir.ShapeOf(indices.Type)
	vs, _ := ir.ShapeOf(ir.TypeOfAttr(values))
	if ir.ElementType(indices.Type) != ir.Type(ir.I64) || ir.ElementType(ir.TypeOfAttr(values)) != ir.ElementType(t) ||
		len(vs) != 1 || len(at) == 0 || at[0] != count || indices.Len() != count*int64(len(shape)) {
		return nil, errors.New("the types of sparse indices and values don't fit " + t.String())
	}
	if err := ir.CheckSparseIndices(t, indices); err != nil {
		return nil, err
	}
	return r.Context().SparseElements(t, indices, values), nil
}

// resource reads a reference to a resource of a dialect, and returns its key.
func (r *Reader) resource() string {
	if i := r.index("resource", len(r.d.handles)); i >= 0 {
		return strings.Clone(r.d.handles[i])
	}
	return ""
}
