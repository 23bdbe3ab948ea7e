package native

import (
	"fmt"
	"math/big"

	"freehold/exec"
	"freehold/ir"
)

// sizeOf returns the size in bytes of a value of a type in C, or an error if none is passed from one process to the other.
func sizeOf(t ir.Type) (int64, error) {
	switch t := t.(type) {
	case *ir.IntegerType, *ir.FloatType:
		for bits := 8; bits <= 128; bits *= 2 {
			if exec.Width(t) <= bits {
				return int64(bits / 8), nil
			}
		}
	case *ir.IndexType:
		return 8, nil
	case *ir.ComplexType:
		n, err := sizeOf(t.Elem)
		return 2 * n, err
	case *ir.VectorType:
		n, err := sizeOf(t.Elem)
		count, _ := ir.NumElements(t.Shape)
		return n * count, err
	}
	switch {
	case ir.IsDialectType(t, "shape", "size"):
		return 8, nil
	case ir.IsDialectType(t, "shape", "witness"):
		return 1, nil
	case ir.IsDialectType(t, "shape", "shape"):
		return shapeBytes, nil
	}
	return 0, fmt.Errorf("values of type '%s' are not passed to native programs", t)
}

// encode appends a value as it is in memory: a word, or an object of package exec.
func encode(b []byte, t ir.Type, v any) []byte {
	switch t := t.(type) {
	case *ir.ComplexType:
		c := v.(exec.Complex)
		return encode(encode(b, t.Elem, c.Re), t.Elem, c.Im)
	case *ir.VectorType:
		x := v.(*exec.Tensor)
		for i := range x.Elements() {
			e, ok := x.Element(i)
			if !ok {
				e = zero(t.Elem)
			}
			b = encode(b, t.Elem, e)
		}
		return b
	}
	size, _ := sizeOf(t)
	n, ok := v.(*big.Int)
	if !ok {
		w, _ := v.(uint64)
		for i := range size {
			b = append(b, byte(w>>(8*i)))
		}
		return b
	}
	for i := range size {
		b = append(b, byte(new(big.Int).Rsh(n, uint(8*i)).Uint64()))
	}
	return b
}

// shapeBytes is the size of a shape: its rank, and room for 16 extents.
const shapeBytes = 17 * 8

// decodeShape returns the shape that some bytes are, as the tensor of its extents.
func decodeShape(b []byte) any {
	word := func(i int64) uint64 { return decode(ir.Index, b[8*i:8*i+8]).(uint64) }
	rank := min(int64(word(0)), 16)
	t := exec.NewTensor(exec.ElemOf(ir.Index), []int64{max(rank, 0)}, true)
	for i := range t.Elements() {
		t.SetWord(i, word(i+1))
	}
	return t
}

// zero returns the value of a type all of whose bits are 0.
func zero(t ir.Type) any {
	switch t := t.(type) {
	case *ir.ComplexType:
		return exec.Complex{Re: zero(t.Elem), Im: zero(t.Elem)}
	case *ir.VectorType:
		return exec.NewTensor(exec.ElemOf(t.Elem), t.Shape, true)
	case *ir.IntegerType:
		if !exec.IsWord(t) {
			return new(big.Int)
		}
	}
	return uint64(0)
}

// decode returns the value that some bytes are.
func decode(t ir.Type, b []byte) any {
	switch t := t.(type) {
	case *ir.ComplexType:
		h := len(b) / 2
		return exec.Complex{Re: decode(t.Elem, b[:h]), Im: decode(t.Elem, b[h:])}
	case *ir.VectorType:
		x := exec.NewTensor(exec.ElemOf(t.Elem), t.Shape, false)
		n := len(b) / max(int(x.Elements()), 1)
		for i := range x.Elements() {
			x.SetAt(i, decode(t.Elem, b[int(i)*n:(int(i)+1)*n]))
		}
		return x
	}
	if ir.IsDialectType(t, "shape", "shape") {
		return decodeShape(b)
	}
	if _, ofDialect := t.(*ir.DialectType); ofDialect || exec.IsWord(t) {
		w := uint64(0)
		for i := len(b) - 1; i >= 0; i-- {
			w = w<<8 | uint64(b[i])
		}
		return w
	}
	n := new(big.Int)
	for i := len(b) - 1; i >= 0; i-- {
		n.Lsh(n, 8).Or(n, big.NewInt(int64(b[i])))
	}
	return n
}
