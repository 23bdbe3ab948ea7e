package ir

import (
	"encoding/binary"
	"math/big"
	"strconv"
)

func (w *Writer) unsigned(v uint64) { w.Buf = strconv.AppendUint(w.Buf, v, 10) }

// dense writes dense<...>, or a stand-in if there are too many elements.
func (w *Writer) dense(a *DenseElementsAttr, hex bool) {
	if w.elided(a.Type, a.Splat) {
		return
	}
	w.Text("dense<")
	w.denseBody(a, hex)
	w.Byte('>')
}

// elided writes a stand-in for elements if there are too many.
func (w *Writer) elided(t Type, splat bool) bool {
	if w.ElideLargerThan <= 0 || splat {
		return false
	}
	shape, _ := ShapeOf(t)
	if n, _ := NumElements(shape); n <= int64(w.ElideLargerThan) {
		return false
	}
	w.Text("dense_resource<__elided__>")
	return true
}

func (w *Writer) denseBody(a *DenseElementsAttr, hex bool) {
	elem := ElementType(a.Type)
	size := ElementBytes(elem)
	if a.Splat {
		w.denseElem(elem, a.Data)
		return
	}
	shape, _ := ShapeOf(a.Type)
	n, _ := NumElements(shape)
	if hex && w.HexLargerThan >= 0 && n > int64(w.HexLargerThan) {
		w.hexData(elem, a.Data)
		return
	}
	w.nested(shape, n, func(i int) { w.denseElem(elem, a.Data[i*size:(i+1)*size]) })
}

// nested writes n elements in brackets nested as deep as the shape. Nothing is
// written if there are no elements.
func (w *Writer) nested(shape []int64, n int64, elem func(i int)) {
	if n == 0 {
		return
	}
	i := 0
	var rec func(shape []int64)
	rec = func(shape []int64) {
		if len(shape) == 0 {
			elem(i)
			i++
			return
		}
		w.Byte('[')
		for k := range shape[0] {
			if k > 0 {
				w.Text(", ")
			}
			rec(shape[1:])
		}
		w.Byte(']')
	}
	rec(shape)
}

// hexData writes the elements' bytes as a hexadecimal string. Booleans are packed
// eight to a byte.
func (w *Writer) hexData(elem Type, data string) {
	w.Text(`"0x`)
	if elem == Type(I1) {
		for i := 0; i < len(data); i += 8 {
			var b byte
			for k := i; k < min(i+8, len(data)); k++ {
				b |= data[k] & 1 << (k - i)
			}
			w.Buf = append(w.Buf, hexDigits[b>>4], hexDigits[b&15])
		}
	} else {
		for i := 0; i < len(data); i++ {
			w.Buf = append(w.Buf, hexDigits[data[i]>>4], hexDigits[data[i]&15])
		}
	}
	w.Byte('"')
}

func word(data string) (v uint64) {
	for i := len(data) - 1; i >= 0; i-- {
		v = v<<8 | uint64(data[i])
	}
	return v
}

// denseElem writes one element from its bytes.
func (w *Writer) denseElem(t Type, data string) {
	switch t := t.(type) {
	case *FloatType:
		if len(data) > 8 {
			w.floatBits(t, word(data[:8]), word(data[8:]))
		} else {
			w.floatBits(t, word(data), 0)
		}
	case *ComplexType:
		h := len(data) / 2
		w.Byte('(')
		w.denseElem(t.Elem, data[:h])
		w.Byte(',')
		w.denseElem(t.Elem, data[h:])
		w.Byte(')')
	case *IntegerType:
		switch {
		case t == I1:
			if data[0] != 0 {
				w.Text("true")
			} else {
				w.Text("false")
			}
		case t.Width > 64:
			w.wideInt(t, data)
		case t.Signedness == Unsigned || t.Width == 0:
			w.unsigned(word(data))
		default:
			s := 64 - t.Width
			w.Int(int64(word(data)) << s >> s)
		}
	default:
		w.Int(int64(word(data)))
	}
}

func (w *Writer) wideInt(t *IntegerType, data string) {
	be := make([]byte, len(data))
	for i := range be {
		be[i] = data[len(data)-1-i]
	}
	v := new(big.Int).SetBytes(be)
	if t.Signedness != Unsigned && v.Bit(t.Width-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	w.Buf = v.Append(w.Buf, 10)
}

func (w *Writer) denseStrings(a *DenseStringElementsAttr) {
	if w.elided(a.Type, a.Splat) {
		return
	}
	w.Text("dense<")
	w.denseStringsBody(a)
	w.Byte('>')
}

// denseStringsBody writes the elements between the angle brackets.
func (w *Writer) denseStringsBody(a *DenseStringElementsAttr) {
	if a.Splat {
		w.Quoted(a.Elems[0])
		return
	}
	shape, _ := ShapeOf(a.Type)
	n, _ := NumElements(shape)
	w.nested(shape, n, func(i int) { w.Quoted(a.Elems[i]) })
}

// DenseArrayBody appends [1, 2, 3], the form that assembly formats use.
func (w *Writer) DenseArrayBody(a *DenseArrayAttr) {
	w.Byte('[')
	w.denseArrayElems(a)
	w.Byte(']')
}

func (w *Writer) denseArrayElems(a *DenseArrayAttr) {
	size := max(ElementBytes(a.Elem), 1)
	for i := range a.Len() {
		if i > 0 {
			w.Text(", ")
		}
		w.denseElem(a.Elem, a.Data[i*size:(i+1)*size])
	}
}

// rawBits returns the 128-bit pattern as bytes, most significant first.
func rawBits(lo, hi uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, hi)
	return binary.BigEndian.AppendUint64(b, lo)
}
