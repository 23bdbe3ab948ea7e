package model

import (
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
)

// file is a flatbuffer that is being read. What is wrong with it is kept until the end: after the first error everything
// reads as absent, so that no reader has to look at errors between its fields.
type file struct {
	data []byte
	// tables is how many tables may still be visited. In a file as writers make it no two references lead to the same
	// table, and a table has at least the offset of its vtable; a file in which references share tables could stand for
	// far more than it holds.
	tables int
	// room is how many bytes of lists may still be copied, for the same reason.
	room int
	// expanded is how many bytes the sparse tensors have so far.
	expanded int64
	err      error
}

// fail keeps the first error.
func (f *file) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// span returns n bytes from a position on, or nil if they are not all there.
func (f *file) span(pos, n int) []byte {
	if f.err != nil {
		return nil
	}
	if pos < 0 || n < 0 || pos > len(f.data) || n > len(f.data)-pos {
		f.fail("the file ends before what byte %d refers to", pos)
		return nil
	}
	return f.data[pos : pos+n : pos+n]
}

// follow returns where the offset at a position leads. Offsets are relative and lead forwards, so there are no cycles.
func (f *file) follow(pos int) int {
	b := f.span(pos, flatbuffers.SizeUOffsetT)
	if b == nil {
		return 0
	}
	n := flatbuffers.GetUOffsetT(b)
	if n == 0 || uint64(n) > math.MaxInt32 {
		f.fail("the offset at byte %d leads nowhere", pos)
		return 0
	}
	return pos + int(n)
}

// table returns the table at a position.
func (f *file) table(pos int) table {
	if f.tables--; f.tables < 0 {
		f.fail("tables are referred to more often than there is room for them in the file")
	}
	b := f.span(pos, flatbuffers.SizeSOffsetT)
	if b == nil {
		return table{f: f}
	}
	const head = 2 * flatbuffers.SizeVOffsetT
	v := pos - int(flatbuffers.GetSOffsetT(b))
	if v < 0 || v > len(f.data)-head {
		f.fail("the table at byte %d has no description", pos)
		return table{f: f}
	}
	n := int(flatbuffers.GetVOffsetT(f.data[v:]))
	if n < head || n > len(f.data)-v {
		f.fail("the description of the table at byte %d ends behind the file", pos)
		return table{f: f}
	}
	return table{f, pos, f.data[v+head : v+n]}
}

// table is a table of a flatbuffer. All fields of the zero value and of one that couldn't be read are absent.
type table struct {
	f      *file
	pos    int
	fields []byte // the vtable, without its head
}

// at returns where a field is, or 0 if it is absent.
func (t table) at(field int) int {
	n := field * flatbuffers.SizeVOffsetT
	if t.f == nil || t.f.err != nil || n+flatbuffers.SizeVOffsetT > len(t.fields) {
		return 0
	}
	if off := flatbuffers.GetVOffsetT(t.fields[n:]); off != 0 {
		return t.pos + int(off)
	}
	return 0
}

// scalar returns the n bytes of a field, or nil if it is absent.
func (t table) scalar(field, n int) []byte {
	if at := t.at(field); at != 0 {
		return t.f.span(at, n)
	}
	return nil
}

func (t table) flag(field int, otherwise bool) bool {
	if b := t.scalar(field, 1); b != nil {
		return b[0] != 0
	}
	return otherwise
}

func (t table) int8(field int) int8 {
	if b := t.scalar(field, 1); b != nil {
		return int8(b[0])
	}
	return 0
}

func (t table) int32(field int, otherwise int32) int32 {
	if b := t.scalar(field, 4); b != nil {
		return flatbuffers.GetInt32(b)
	}
	return otherwise
}

func (t table) uint32(field int) uint32 { return uint32(t.int32(field, 0)) }

func (t table) uint64(field int) uint64 {
	if b := t.scalar(field, 8); b != nil {
		return flatbuffers.GetUint64(b)
	}
	return 0
}

func (t table) float(field int) float32 {
	if b := t.scalar(field, 4); b != nil {
		return flatbuffers.GetFloat32(b)
	}
	return 0
}

// vector returns the bytes of a vector whose elements have a size. They are to be copied, or referred to once.
func (t table) vector(field, size int) []byte {
	b := t.contents(field, size)
	if t.f != nil {
		if t.f.room -= len(b); t.f.room < 0 {
			t.f.fail("lists are referred to more often than there is room for them in the file")
			return nil
		}
	}
	return b
}

// contents is vector for what stays in the file.
func (t table) contents(field, size int) []byte {
	at := t.at(field)
	if at == 0 {
		return nil
	}
	start := t.f.follow(at)
	b := t.f.span(start, flatbuffers.SizeUOffsetT)
	if b == nil {
		return nil
	}
	n := uint64(flatbuffers.GetUOffsetT(b)) * uint64(size)
	if n > uint64(len(t.f.data)) {
		t.f.fail("the vector at byte %d is longer than the file", start)
		return nil
	}
	return t.f.span(start+flatbuffers.SizeUOffsetT, int(n))
}

func (t table) text(field int) string { return string(t.vector(field, 1)) }

func (t table) int32s(field int) []int32 {
	b := t.vector(field, 4)
	out := make([]int32, len(b)/4)
	for i := range out {
		out[i] = flatbuffers.GetInt32(b[4*i:])
	}
	return out
}

func (t table) int64s(field int) []int64 {
	b := t.vector(field, 8)
	out := make([]int64, len(b)/8)
	for i := range out {
		out[i] = flatbuffers.GetInt64(b[8*i:])
	}
	return out
}

func (t table) floats(field int) []float32 {
	b := t.vector(field, 4)
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = flatbuffers.GetFloat32(b[4*i:])
	}
	return out
}

// sub returns the table that a field refers to, and whether there is one.
func (t table) sub(field int) (table, bool) {
	at := t.at(field)
	if at == 0 {
		return table{f: t.f}, false
	}
	return t.f.table(t.f.follow(at)), true
}

// list calls read for the tables of a vector, until one can't be read.
func (t table) list(field int, read func(i int, e table)) {
	at := t.at(field)
	if at == 0 {
		return
	}
	b := t.vector(field, flatbuffers.SizeUOffsetT)
	if b == nil {
		return
	}
	start := t.f.follow(at) + flatbuffers.SizeUOffsetT
	for i := range len(b) / flatbuffers.SizeUOffsetT {
		e := t.f.table(t.f.follow(start + i*flatbuffers.SizeUOffsetT))
		if t.f.err != nil {
			return
		}
		read(i, e)
	}
}
