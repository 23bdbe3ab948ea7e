package bytecode

import (
	"math/big"

	"freehold/ir"
)

// Reader reads the encoding of one attribute or type. After an error, which is kept, all
// that it returns is zero or nil.
type Reader struct {
	cursor
	d      *decoder
	height int // how deep attributes and types are nested in what was read so far
}

// Context returns the context of what is read.
func (r *Reader) Context() *ir.Context { return r.d.ctx }

// Version returns the version of the bytecode.
func (r *Reader) Version() int { return r.d.version }

// OK tells whether all could be read so far.
func (r *Reader) OK() bool { return r.ok() }

// Varint reads an unsigned number.
func (r *Reader) Varint() uint64 { return r.varint() }

// SignedVarint reads a signed number.
func (r *Reader) SignedVarint() int64 { return r.signed() }

// Byte reads a byte.
func (r *Reader) Byte() byte { return r.byte() }

// Len reads the length of a list whose elements take at least a byte each.
func (r *Reader) Len() int { return r.count("elements", 1) }

// Blob reads bytes. They are a part of the file, and must not be changed.
func (r *Reader) Blob() []byte { return r.bytes(r.varint()) }

// String reads a string.
func (r *Reader) String() string {
	if i := r.index("string", len(r.d.strings)); i >= 0 {
		return r.d.strings[i]
	}
	return ""
}

// Attr reads a reference to an attribute.
func (r *Reader) Attr() ir.Attribute {
	if i := r.index("attribute", r.d.attrs.len()); i >= 0 {
		return r.d.uniqueAttr(&r.cursor, i)
	}
	return nil
}

// OptionalAttr reads a reference to an attribute that may be absent, which is nil.
func (r *Reader) OptionalAttr() ir.Attribute {
	at := r.pos
	n, present := r.flagged()
	if !present {
		return nil
	}
	if i := r.checkIndex(at, n, "attribute", r.d.attrs.len()); i >= 0 {
		return r.d.uniqueAttr(&r.cursor, i)
	}
	return nil
}

// Type reads a reference to a type.
func (r *Reader) Type() ir.Type {
	if i := r.index("type", r.d.types.len()); i >= 0 {
		return r.d.typ(&r.cursor, i)
	}
	return nil
}

// Types reads a list of types.
func (r *Reader) Types() []ir.Type {
	out := make([]ir.Type, r.Len())
	for i := range out {
		out[i] = r.Type()
	}
	return out
}

// Ints reads a list of signed numbers.
func (r *Reader) Ints() []int64 {
	out := make([]int64, r.Len())
	for i := range out {
		out[i] = r.signed()
	}
	return out
}

// Int reads a number of so many bits: a byte, a signed number, or, if it is wider than 64
// bits, a list of signed words, the lowest first.
func (r *Reader) Int(width int) *big.Int {
	switch {
	case width <= 8:
		return big.NewInt(int64(r.byte()))
	case width <= 64:
		return big.NewInt(r.signed())
	}
	words := r.Len()
	if words > (width+63)/64 {
		r.fail("a number of %d bits has %d words", width, words)
		return new(big.Int)
	}
	be := make([]byte, 8*words)
	for i := words - 1; i >= 0; i-- {
		w := uint64(r.signed())
		for k := range 8 {
			be[8*i+k] = byte(w >> (56 - 8*k))
		}
	}
	// The lowest word was read first, and stands last in what SetBytes takes.
	return new(big.Int).SetBytes(be)
}

// location reads a reference to a location. Unlike one that Attr returns it need not be
// unique.
func (r *Reader) location() ir.Location {
	at := r.pos
	if i := r.index("attribute", r.d.attrs.len()); i >= 0 {
		return r.d.location(&r.cursor, at, i)
	}
	return nil
}

// stringAttr reads a reference to an attribute that must be a string.
func (r *Reader) stringAttr() string {
	at := r.pos
	a := r.Attr()
	s, ok := a.(*ir.StringAttr)
	if !ok {
		r.failAt(at, "attribute is no string")
		return ""
	}
	return s.Value
}
