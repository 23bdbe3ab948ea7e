package bytecode

import (
	"math/big"

	"freehold/ir"
)

// Writer writes the encoding of one attribute or type. Attributes and types are encoded
// twice: first only to find out which others they refer to, and how often.
type Writer struct {
	n *numbering
	// out is nil while only references are looked for.
	out *buffer
}

// Version returns the version of the bytecode that is written.
func (w *Writer) Version() int { return w.n.version }

// Varint writes an unsigned number.
func (w *Writer) Varint(v uint64) {
	if w.out != nil {
		w.out.varint(v)
	}
}

// SignedVarint writes a signed number.
func (w *Writer) SignedVarint(v int64) {
	if w.out != nil {
		w.out.signed(v)
	}
}

// Byte writes a byte.
func (w *Writer) Byte(b byte) {
	if w.out != nil {
		w.out.byte(b)
	}
}

// Len writes the length of a list.
func (w *Writer) Len(n int) { w.Varint(uint64(n)) }

// Blob writes bytes.
func (w *Writer) Blob(data string) {
	if w.out != nil {
		w.out.varint(uint64(len(data)))
		w.out.b = append(w.out.b, data...)
	}
}

// String writes a string.
func (w *Writer) String(s string) {
	if w.out != nil {
		w.out.varint(w.n.str(s))
	}
}

// Attr writes a reference to an attribute.
func (w *Writer) Attr(a ir.Attribute) {
	if w.out == nil {
		w.n.addAttr(a)
	} else {
		w.out.varint(w.n.attr(a))
	}
}

// OptionalAttr writes a reference to an attribute that may be absent, which is nil.
func (w *Writer) OptionalAttr(a ir.Attribute) {
	switch {
	case a == nil:
		w.Varint(0)
	case w.out == nil:
		w.n.addAttr(a)
	default:
		w.out.flagged(w.n.attr(a), true)
	}
}

// Type writes a reference to a type.
func (w *Writer) Type(t ir.Type) {
	if w.out == nil {
		w.n.addType(t)
	} else {
		w.out.varint(w.n.typ(t))
	}
}

// Types writes a list of types.
func (w *Writer) Types(ts []ir.Type) {
	w.Len(len(ts))
	for _, t := range ts {
		w.Type(t)
	}
}

// Ints writes a list of signed numbers.
func (w *Writer) Ints(v []int64) {
	w.Len(len(v))
	for _, x := range v {
		w.SignedVarint(x)
	}
}

// Int writes a number of so many bits, as [Reader.Int] reads it.
func (w *Writer) Int(v *big.Int, width int) {
	if w.out == nil {
		return
	}
	bits := new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1)))
	switch {
	case width <= 8:
		w.out.byte(byte(bits.Uint64()))
	case width <= 64:
		w.out.signed(int64(bits.Uint64()))
	default:
		words := max((bits.BitLen()+63)/64, 1)
		be := bits.FillBytes(make([]byte, 8*words))
		w.out.varint(uint64(words))
		for i := words - 1; i >= 0; i-- {
			var x uint64
			for _, b := range be[8*i : 8*i+8] {
				x = x<<8 | uint64(b)
			}
			w.out.signed(int64(x))
		}
	}
}

// stringAttr writes a reference to a string as an attribute.
func (w *Writer) stringAttr(s string) { w.Attr(w.n.ctx.StringAttr(s)) }

// resource writes a reference to a resource of a dialect.
func (w *Writer) resource(dialect, key string) {
	if w.out == nil {
		w.n.addResource(dialect, key)
	} else {
		w.out.varint(w.n.resource(dialect, key))
	}
}

// flag writes whether something is there.
func (w *Writer) flag(there bool) {
	if w.out != nil {
		w.out.byte(byte(bit(there)))
	}
}
