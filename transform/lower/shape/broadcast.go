package shape

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// aligned are shapes of different ranks, aligned at their ends.
type aligned struct {
	shapes []*ir.Value
	// rank is the largest rank, and missing says how many dimensions each shape lacks in
	// front.
	rank    *ir.Value
	missing []*ir.Value
}

func align(b *ir.Builder, shapes []*ir.Value, zero *ir.Value) aligned {
	a := aligned{shapes: shapes}
	ranks := make([]*ir.Value, len(shapes))
	for i, s := range shapes {
		ranks[i] = tensor.NewDimOf(b, s, zero)
	}
	a.rank = ranks[0]
	for _, n := range ranks[1:] {
		a.rank = arith.New(b, arith.MaxUI, n, a.rank)
	}
	for _, n := range ranks {
		a.missing = append(a.missing, arith.New(b, arith.SubI, a.rank, n))
	}
	return a
}

// inEach computes a value from one shape after another, in dimension i: what next makes of
// the value so far and the shape's extent, or the value so far where the shape lacks the
// dimension.
func (a aligned) inEach(b *ir.Builder, i, v *ir.Value, next func(b *ir.Builder, v, extent *ir.Value) *ir.Value) *ir.Value {
	for k, s := range a.shapes {
		lacks := arith.NewCmpI(b, arith.ULT, i, a.missing[k])
		before := v
		v = scf.NewIf(b, lacks, []ir.Type{v.Type()}, func(*ir.Builder) []*ir.Value {
			return []*ir.Value{before}
		}, func(b *ir.Builder) []*ir.Value {
			extent := tensor.NewExtract(b, s, arith.New(b, arith.SubI, i, a.missing[k]))
			return []*ir.Value{next(b, before, extent)}
		}).Result(0)
	}
	return v
}

// extent is the extent of the common shape in dimension i: the last one that isn't 1.
func (a aligned) extent(b *ir.Builder, i *ir.Value) *ir.Value {
	one := arith.ConstantIndex(b, 1)
	return a.inEach(b, i, one, func(b *ir.Builder, v, extent *ir.Value) *ir.Value {
		return arith.NewSelect(b, arith.NewCmpI(b, arith.EQ, extent, one), v, extent)
	})
}

// broadcastToGenerate computes the common shape; that there is one is not checked.
func broadcastToGenerate(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumOperands() == 0 {
		return false
	}
	b := r.Builder
	a := align(b, op.Operands().Values(), arith.ConstantIndex(b, 0))
	common := tensor.NewGenerate(b, r.Context().RankedTensor([]int64{ir.Dynamic}, ir.Index), []*ir.Value{a.rank}, func(b *ir.Builder, indices []*ir.Value) *ir.Value {
		return a.extent(b, indices[0])
	})
	r.Replace(op, castTo(b, op.Result(0).Type(), common))
	return true
}

// isBroadcastableToLoop tells whether each extent is 1, or that of the common shape.
func isBroadcastableToLoop(r *rewrite.Rewriter, op *ir.Op) bool {
	b := r.Builder
	if op.NumOperands() < 2 {
		r.Replace(op, arith.ConstantBool(b, true))
		return true
	}
	zero, one := arith.ConstantIndex(b, 0), arith.ConstantIndex(b, 1)
	a := align(b, op.Operands().Values(), zero)
	yes := arith.ConstantBool(b, true)
	loop := scf.NewFor(b, zero, a.rank, one, []*ir.Value{yes}, func(b *ir.Builder, i *ir.Value, args []*ir.Value) []*ir.Value {
		common := a.extent(b, i)
		return []*ir.Value{a.inEach(b, i, args[0], func(b *ir.Builder, v, extent *ir.Value) *ir.Value {
			fits := arith.New(b, arith.OrI, arith.NewCmpI(b, arith.EQ, extent, one), arith.NewCmpI(b, arith.EQ, extent, common))
			return arith.New(b, arith.AndI, v, fits)
		})}
	})
	r.Replace(op, loop.Result(0))
	return true
}
