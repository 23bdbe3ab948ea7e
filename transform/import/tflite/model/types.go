package model

import "fmt"

// Type is the type of a tensor's elements.
type Type int8

// The types of elements, in the order of the schema.
const (
	Float32 Type = iota
	Float16
	Int32
	Uint8
	Int64
	String
	Bool
	Int16
	Complex64
	Int8
	Float64
	Complex128
	Uint64
	Resource
	Variant
	Uint32
	Uint16
	Int4
	BFloat16
	Int2
	Uint4
)

var types = [...]struct {
	name string
	bits int64 // of an element in the file; 0 if elements have no fixed size
}{
	{"FLOAT32", 32}, {"FLOAT16", 16}, {"INT32", 32}, {"UINT8", 8}, {"INT64", 64}, {"STRING", 0}, {"BOOL", 8}, {"INT16", 16},
	{"COMPLEX64", 64}, {"INT8", 8}, {"FLOAT64", 64}, {"COMPLEX128", 128}, {"UINT64", 64}, {"RESOURCE", 0}, {"VARIANT", 0},
	{"UINT32", 32}, {"UINT16", 16}, {"INT4", 4}, {"BFLOAT16", 16}, {"INT2", 2}, {"UINT4", 4},
}

// String returns the name in the schema.
func (t Type) String() string {
	if t < 0 || int(t) >= len(types) {
		return fmt.Sprintf("type %d", int8(t))
	}
	return types[t].name
}

// bytes returns how many bytes so many elements take in a file, or -1 if that isn't known.
func (t Type) bytes(elements int64) int64 {
	if t < 0 || int(t) >= len(types) || types[t].bits == 0 {
		return -1
	}
	return (elements*types[t].bits + 7) / 8
}

// Size returns how many bytes an element takes in memory, 0 if it has no fixed size. Elements of less than a byte take one.
func (t Type) Size() int64 {
	if t < 0 || int(t) >= len(types) {
		return 0
	}
	return (types[t].bits + 7) / 8
}
