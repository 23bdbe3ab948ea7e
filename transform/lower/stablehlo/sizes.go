package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// size is a number of type index that is known now or when the program runs.
type size = shapes.OpFoldResult

func known(n int64) size { return shapes.ConstSize(n) }

// isEmpty tells whether a tensor is known to have no elements.
func isEmpty(v *ir.Value) bool { return slices.Contains(ranked(v).Shape, 0) }

// sizesOf returns the sizes of a tensor.
func sizesOf(b *ir.Builder, v *ir.Value) []size { return tensor.MixedSizes(b, v) }

// combine computes with two numbers, now if both are known.
func combine(b *ir.Builder, id *ir.OpID, now func(x, y int64) int64, x, y size) size {
	m, ok1 := x.Int()
	n, ok2 := y.Int()
	if ok1 && ok2 {
		return known(now(m, n))
	}
	return shapes.SizeOf(arith.New(b, id, arith.ValueOf(b, x), arith.ValueOf(b, y)))
}

func plus(b *ir.Builder, x, y size) size {
	switch {
	case x.IsConst(0):
		return y
	case y.IsConst(0):
		return x
	}
	return combine(b, arith.AddI, func(x, y int64) int64 { return x + y }, x, y)
}

func minus(b *ir.Builder, x, y size) size {
	if y.IsConst(0) {
		return x
	}
	return combine(b, arith.SubI, func(x, y int64) int64 { return x - y }, x, y)
}

func times(b *ir.Builder, x, y size) size {
	switch {
	case x.IsConst(1):
		return y
	case y.IsConst(1):
		return x
	}
	return combine(b, arith.MulI, func(x, y int64) int64 { return x * y }, x, y)
}

func larger(b *ir.Builder, x, y size) size {
	return combine(b, arith.MaxSI, func(x, y int64) int64 { return max(x, y) }, x, y)
}

func smaller(b *ir.Builder, x, y size) size {
	return combine(b, arith.MinSI, func(x, y int64) int64 { return min(x, y) }, x, y)
}

// quotient divides a number that isn't negative by a positive one that is known.
func quotient(b *ir.Builder, x size, y int64) size {
	if y == 1 {
		return x
	}
	return combine(b, arith.DivSI, func(x, y int64) int64 { return x / y }, x, known(y))
}

// roundedUp divides a number by a positive one that is known, and rounds up.
func roundedUp(b *ir.Builder, x size, y int64) size {
	if y == 1 {
		return x
	}
	return combine(b, arith.CeilDivSI, func(x, y int64) int64 {
		q := x / y
		if x%y > 0 {
			q++
		}
		return q
	}, x, known(y))
}

func value(b *ir.Builder, x size) *ir.Value { return arith.ValueOf(b, x) }

func values(b *ir.Builder, list []size) []*ir.Value { return arith.ValuesOf(b, list) }

func index(b *ir.Builder, n int64) *ir.Value { return arith.ConstantIndex(b, n) }

// shapeOf returns what is known of sizes.
func shapeOf(list []size) []int64 {
	out := make([]int64, len(list))
	for i, s := range list {
		if n, ok := s.Int(); ok {
			out[i] = n
		} else {
			out[i] = ir.Dynamic
		}
	}
	return out
}

// empty is a tensor of sizes and a type of elements, of which nothing is known.
func empty(b *ir.Builder, sizes []size, elem ir.Type) *ir.Value {
	return tensor.NewEmpty(b, constants(sizes), elem, nil)
}

// constants replaces values that are known to be a number by it.
func constants(sizes []size) []size {
	out := make([]size, len(sizes))
	for i, s := range sizes {
		if n, ok := s.Int(); ok {
			s = known(n)
		}
		out[i] = s
	}
	return out
}

// fitted gives a tensor another type that it may have: sizes that only one of the types knows are no difference.
func fitted(b *ir.Builder, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type() == t {
		return v
	}
	return tensor.NewCast(b, t, v)
}

func ranked(v *ir.Value) *ir.RankedTensorType { t, _ := v.Type().(*ir.RankedTensorType); return t }

func rankedResult(op *ir.Op, i int) *ir.RankedTensorType { return ranked(op.Result(i)) }

// listed returns the elements of a list, a tensor of integers, as numbers of type index.
func (l *lowering) listed(v *ir.Value, n int) []size {
	if d := constantOf(v); d != nil && d.Len() == int64(n) {
		return shapes.ConstSizes(stablehlo.Ints(d))
	}
	out := make([]size, n)
	for i := range out {
		out[i] = shapes.SizeOf(l.asIndex(tensor.NewExtract(l.b, v, index(l.b, int64(i)))))
	}
	return out
}
