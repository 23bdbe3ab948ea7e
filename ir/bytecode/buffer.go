package bytecode

import (
	"encoding/binary"
	"math/bits"
)

// buffer holds bytes that are being written.
type buffer struct{ b []byte }

func (w *buffer) byte(b byte) { w.b = append(w.b, b) }

// varint appends an unsigned number in the fewest bytes.
func (w *buffer) varint(v uint64) {
	switch n := (bits.Len64(v|1) + 6) / 7; {
	case n == 1:
		w.b = append(w.b, byte(v<<1|1))
	case n > 8:
		w.b = append(w.b, 0)
		w.b = binary.LittleEndian.AppendUint64(w.b, v)
	default:
		w.b = binary.LittleEndian.AppendUint64(w.b, (v<<1|1)<<(n-1))
		w.b = w.b[:len(w.b)-8+n]
	}
}

// flagged appends a number with a flag in its lowest bit.
func (w *buffer) flagged(v uint64, flag bool) { w.varint(v<<1 | bit(flag)) }

// signed appends a signed number with its sign in the lowest bit.
func (w *buffer) signed(v int64) { w.varint(uint64(v)<<1 ^ uint64(v>>63)) }

// text appends a text and the zero that ends it.
func (w *buffer) text(s []byte) {
	w.b = append(w.b, s...)
	w.b = append(w.b, 0)
}

// section appends a section without alignment.
func (w *buffer) section(id sectionID, contents []byte) {
	w.byte(byte(id))
	w.varint(uint64(len(contents)))
	w.b = append(w.b, contents...)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
