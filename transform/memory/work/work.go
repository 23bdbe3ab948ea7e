// Package work estimates how many operations on numbers a program takes: what is computed twice is measured by it.
package work

import (
	"math"

	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// unknownSize stands for sizes, and for numbers of iterations, that aren't known.
const unknownSize = 128

// Of returns how many operations on numbers an operation takes each time it is executed: the operations of a body for each element that it is
// executed for, those of a loop for each iteration, and the most that a branch takes. What only moves elements takes none. Calls take none
// themselves: functions are counted where they are. Linear in the size of the operation.
func Of(op *ir.Op) int64 {
	if op.NumRegions() == 0 {
		return 0
	}
	switch {
	case interfaces.Structured.Has(op):
		return times(iterations(op), inBody(op.RegionAt(0)))
	case op.Is(tensor.Generate):
		return times(volume(op.Result(0).Type()), inBody(op.RegionAt(0)))
	}
	var most int64
	for _, r := range op.Regions() {
		var sum int64
		for b := range r.Blocks() {
			for x := range b.Ops() {
				sum = plus(sum, Of(x))
			}
		}
		most = max(most, sum)
	}
	if !interfaces.LoopLike.Has(op) {
		return most
	}
	return times(Trips(op), most)
}

// Trips returns how often the body of a loop is executed, 128 times where that isn't known.
func Trips(loop *ir.Op) int64 {
	if m, ok := interfaces.TripCount.Of(loop); ok {
		if trips, known := m(loop); known {
			return trips
		}
	}
	return unknownSize
}

// inBody counts the operations on numbers in a body.
func inBody(r *ir.Region) (n int64) {
	for b := range r.Blocks() {
		for op := range b.Ops() {
			op.Walk(func(x *ir.Op) bool {
				if counts(x) {
					n++
				}
				return true
			})
		}
	}
	return n
}

// counts tells whether an operation in a body computes a number: it isn't an index, a constant, an element that is read, or what hands values on.
func counts(op *ir.Op) bool {
	if op.NumOperands() == 0 || op.NumResults() == 0 || op.NumRegions() > 0 || op.Has(ir.TraitTerminator) || op.Has(ir.TraitConstantLike) || op.Is(tensor.Extract) {
		return false
	}
	_, index := op.Result(0).Type().(*ir.IndexType)
	return !index
}

// iterations returns for how many elements the body of a structured operation is executed.
func iterations(op *ir.Op) int64 {
	sizes := Ranges(op)
	n := int64(1)
	for _, s := range sizes {
		n = times(n, s)
	}
	return n
}

// Ranges returns the sizes of the dimensions of a structured operation's iteration space, where they aren't known 128.
func Ranges(op *ir.Op) []int64 {
	sizes := KnownRanges(op)
	for i, s := range sizes {
		if s == ir.Dynamic {
			sizes[i] = unknownSize
		}
	}
	return sizes
}

// KnownRanges is [Ranges] with [ir.Dynamic] for those that aren't known.
func KnownRanges(op *ir.Op) []int64 {
	sizes := make([]int64, len(interfaces.Iterators(op)))
	for i := range sizes {
		sizes[i] = ir.Dynamic
	}
	for i, m := range interfaces.IndexingMaps(op) {
		shape, _ := ir.ShapeOf(op.Operand(i).Type())
		for k, r := range m.Results {
			if r.Kind == ir.AffineDim && k < len(shape) && sizes[r.Value] == ir.Dynamic {
				sizes[r.Value] = shape[k]
			}
		}
	}
	return sizes
}

// volume returns the number of elements of a tensor.
func volume(t ir.Type) int64 {
	shape, ranked := ir.ShapeOf(t)
	if !ranked {
		return unknownSize
	}
	n := int64(1)
	for _, d := range shape {
		if d == ir.Dynamic {
			d = unknownSize
		}
		n = times(n, d)
	}
	return n
}

// most bounds what is counted, so that sums don't overflow.
const most = math.MaxInt64 / 4

func times(x, y int64) int64 {
	if y > 0 && x > most/y {
		return most
	}
	return x * y
}

func plus(x, y int64) int64 { return min(x+y, most) }
