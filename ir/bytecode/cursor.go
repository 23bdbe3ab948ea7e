package bytecode

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// fault is what is wrong with a file, and where.
type fault struct {
	offset  int
	message string
}

func (f *fault) Error() string { return fmt.Sprintf("%s (at byte %d)", f.message, f.offset) }

// cursor reads a part of a file. After the first fault nothing is left to read, and all
// that it returns is zero.
type cursor struct {
	src      []byte // the whole file
	pos, end int
	err      *fault
}

// part returns a cursor for the bytes from start to end, which must be in the file.
func part(src []byte, start, end int) *cursor { return &cursor{src: src, pos: start, end: end} }

// fail keeps the first fault.
func (c *cursor) fail(format string, args ...any) { c.failAt(c.pos, format, args...) }

func (c *cursor) failAt(offset int, format string, args ...any) {
	if c.err == nil {
		c.err = &fault{offset, fmt.Sprintf(format, args...)}
	}
	c.pos = c.end
}

// adopt makes the fault of another cursor that of c.
func (c *cursor) adopt(err error) {
	if f, ok := err.(*fault); ok && c.err == nil {
		c.err = f
	}
	if err != nil {
		c.fail("%v", err)
	}
}

// ok tells whether there was no fault yet.
func (c *cursor) ok() bool { return c.err == nil }

// left returns how many bytes are left.
func (c *cursor) left() int { return c.end - c.pos }

func (c *cursor) byte() byte {
	if c.pos >= c.end {
		c.fail("the data end too early")
		return 0
	}
	b := c.src[c.pos]
	c.pos++
	return b
}

// bytes returns the next n bytes, as a part of the file.
func (c *cursor) bytes(n uint64) []byte {
	if n > uint64(c.left()) {
		c.fail("%d bytes are needed, but only %d are left", n, c.left())
		return nil
	}
	b := c.src[c.pos : c.pos+int(n) : c.pos+int(n)]
	c.pos += int(n)
	return b
}

// varint reads an unsigned number: the zeros at the low end of the first byte tell how
// many bytes follow.
func (c *cursor) varint() uint64 {
	if c.pos < c.end {
		if b := c.src[c.pos]; b&1 != 0 {
			c.pos++
			return uint64(b >> 1)
		}
	}
	return c.longVarint()
}

func (c *cursor) longVarint() uint64 {
	if c.end-c.pos > 8 {
		// All of it is in the next nine bytes.
		w := binary.LittleEndian.Uint64(c.src[c.pos:])
		if n := bits.TrailingZeros8(byte(w)) + 1; n <= 8 {
			c.pos += n
			return w << (64 - 8*n) >> (64 - 7*n)
		}
		w = binary.LittleEndian.Uint64(c.src[c.pos+1:])
		c.pos += 9
		return w
	}
	first := c.byte()
	n := bits.TrailingZeros8(first)
	var buf [8]byte
	if n == 8 {
		copy(buf[:], c.bytes(8))
		return binary.LittleEndian.Uint64(buf[:])
	}
	buf[0] = first
	copy(buf[1:], c.bytes(uint64(n)))
	return binary.LittleEndian.Uint64(buf[:]) >> (n + 1)
}

// flagged reads a number with a flag in its lowest bit.
func (c *cursor) flagged() (uint64, bool) {
	v := c.varint()
	return v >> 1, v&1 != 0
}

// signed reads a signed number, whose sign is in the lowest bit.
func (c *cursor) signed() int64 {
	v := c.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads the number of what follows, of which each takes at least size bytes.
func (c *cursor) count(what string, size int) int {
	at := c.pos
	return c.checkCount(at, c.varint(), what, size)
}

// checkCount is count for a number that was read at an offset.
func (c *cursor) checkCount(at int, n uint64, what string, size int) int {
	if n > uint64(c.left()/size) {
		c.failAt(at, "there can't be %d %s in %d bytes", n, what, c.left())
		return 0
	}
	return int(n)
}

// index reads a number less than limit.
func (c *cursor) index(what string, limit int) int {
	at := c.pos
	return c.checkIndex(at, c.varint(), what, limit)
}

// checkIndex is index for a number that was read at an offset. It returns -1 if the
// number is too large.
func (c *cursor) checkIndex(at int, i uint64, what string, limit int) int {
	if i >= uint64(limit) {
		c.failAt(at, "there is no %s %d, but only %d", what, i, limit)
		return -1
	}
	return int(i)
}

// align skips padding up to a multiple of alignment, a power of two.
func (c *cursor) align(alignment uint64) {
	if alignment == 0 || alignment&(alignment-1) != 0 {
		c.fail("the alignment %d is no power of two", alignment)
		return
	}
	if rest := uint64(c.pos) & (alignment - 1); rest != 0 {
		at := c.pos
		for _, b := range c.bytes(alignment - rest) {
			if b != padding {
				c.failAt(at, "padding for an alignment of %d has other bytes than 0x%X", alignment, padding)
				return
			}
		}
	}
}

// text reads bytes up to a zero, which isn't part of them.
func (c *cursor) text() []byte {
	for i := c.pos; i < c.end; i++ {
		if c.src[i] == 0 {
			t := c.src[c.pos:i]
			c.pos = i + 1
			return t
		}
	}
	c.fail("a text has no end")
	return nil
}

// section reads the header of a section and returns its kind and contents.
func (c *cursor) section() (sectionID, cursor) {
	at := c.pos
	id := c.byte()
	n := c.varint()
	if id&sectionAligned != 0 {
		c.align(c.varint())
	}
	start := c.pos
	c.bytes(n)
	if kind := sectionID(id &^ sectionAligned); c.ok() && kind < numSections {
		return kind, cursor{src: c.src, pos: start, end: c.pos}
	}
	c.failAt(at, "there is no section of kind %d", id&^sectionAligned)
	return 0, cursor{src: c.src, pos: c.end, end: c.end}
}
