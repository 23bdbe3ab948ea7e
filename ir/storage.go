package ir

import (
	"math"
	"math/bits"
)

// WordBytes is the size of a pointer, and what elements count as whose size isn't known.
const WordBytes = 8

// StorageBytes returns how many bytes apart elements of a type are in memory, as LLVM lays them out for a machine of 64
// bits; 0 if that isn't known. Numbers take the next power of two, and so do the rows of vectors; a buffer of buffers
// holds descriptors.
func StorageBytes(t Type) int64 {
	switch t := t.(type) {
	case *VectorType:
		return vectorStorage(t)
	case *ComplexType:
		return 2 * StorageBytes(t.Elem)
	case *MemRefType:
		return WordBytes * int64(2*len(t.Shape)+3) // two pointers, the offset, sizes and strides
	case *UnrankedMemRefType:
		return 2 * WordBytes // the rank and a pointer
	}
	if n := int64(ElementBytes(t)); n > 0 {
		return powerOfTwo(n)
	}
	if _, ok := t.(*IntegerType); ok {
		return 1 // of no bits
	}
	return 0
}

// StorageAlignment returns the power of two that addresses of elements of a type are multiples of, at least 1: that of the largest number,
// pointer or row of a vector in one.
func StorageAlignment(t Type) int64 {
	switch t := t.(type) {
	case *VectorType:
		rows := int64(1)
		for _, d := range t.Shape[:max(len(t.Shape)-1, 0)] {
			rows *= d
		}
		return max(1, vectorStorage(t)/max(1, rows))
	case *ComplexType:
		return StorageAlignment(t.Elem)
	case *MemRefType, *UnrankedMemRefType:
		return WordBytes
	}
	return max(1, StorageBytes(t))
}

// vectorStorage returns what a vector takes: an array of rows, whose elements lie side by side bit by bit. Sizes that
// depend on the machine count as the least.
func vectorStorage(t *VectorType) int64 {
	var width int64
	switch elem := t.Elem.(type) {
	case *IntegerType:
		width = int64(elem.Width)
	case *FloatType:
		width = int64(elem.Width)
	case *IndexType:
		width = 64
	default:
		return 0
	}
	rows, row := int64(1), int64(1)
	for i, d := range t.Shape {
		if i == len(t.Shape)-1 {
			row = d
		} else if rows > math.MaxInt32 {
			return 0
		} else {
			rows *= d
		}
	}
	if row > math.MaxInt32 || rows > math.MaxInt32 {
		return 0
	}
	return rows * powerOfTwo((row*width+7)/8)
}

// powerOfTwo returns the least power of two that is at least n, which is not negative; 0 for 0.
func powerOfTwo(n int64) int64 {
	if n <= 1 {
		return n
	}
	return 1 << bits.Len64(uint64(n-1))
}
