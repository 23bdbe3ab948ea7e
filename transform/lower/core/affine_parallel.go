package core

import (
	"math"
	"math/big"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// lowerParallel makes a scf.parallel, whose reductions start with their neutral
// elements.
func lowerParallel(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.ParallelOp{Op: op}
	lowerMap, upperMap := o.LowerMap(), o.UpperMap()
	lowerGroups, upperGroups := o.LowerGroups(), o.UpperGroups()
	var lower, upper []*ir.Value
	ls, us := lowerMap.Results, upperMap.Results
	for i := range o.Steps() {
		nl, nu := lowerGroups[i], upperGroups[i]
		l := extreme(r, op, ls[:nl], lowerMap.Dims, o.LowerOperands().Values(), arith.MaxSI)
		if l == nil {
			return false
		}
		u := extreme(r, op, us[:nu], upperMap.Dims, o.UpperOperands().Values(), arith.MinSI)
		if u == nil {
			return false
		}
		lower, upper, ls, us = append(lower, l), append(upper, u), ls[nl:], us[nu:]
	}
	var steps, inits []*ir.Value
	for _, n := range o.Steps() {
		steps = append(steps, arith.ConstantIndex(r.Builder, n))
	}
	kinds := o.Reductions()
	for i, k := range kinds {
		neutral := reductions[k].neutral
		if neutral == nil {
			if c := conversion.Of(r); c != nil {
				c.Report(ir.Errorf(op.Loc(), "Reduction operation type not supported"))
			}
			return false
		}
		inits = append(inits, arith.NewConstant(r.Builder, neutral(r.Context(), op.Result(i).Type())).Result(0))
	}
	loop := newParallel(r, lower, upper, steps, inits)
	r.InlineRegionBefore(op.RegionAt(0), loop.RegionAt(0), nil)
	if len(kinds) > 0 {
		yield := loop.BodyBlock(0).Last()
		r.SetEnd(yield.Block())
		newReduce(r, yield.Operands().Values(), kinds)
		r.Erase(yield)
	}
	r.Replace(op, loop.Results().Values()...)
	return true
}

// newParallel creates a scf.parallel with an empty region.
func newParallel(r *rewrite.Rewriter, lower, upper, steps, inits []*ir.Value) *ir.Op {
	s := r.State(scf.Parallel)
	s.Operands = append(append(append(append(s.Operands, lower...), upper...), steps...), inits...)
	s.Types = ir.TypesOf(inits)
	n := int32(len(lower))
	s.SetAttr(ir.OperandSegmentsAttr, r.Context().DenseI32Array(n, n, n, int32(len(inits))))
	s.AddRegion()
	return r.Create(s)
}

// newReduce creates a scf.reduce with reductions of the given kinds.
func newReduce(r *rewrite.Rewriter, values []*ir.Value, kinds []string) {
	s := r.State(scf.Reduce)
	s.Operands = values
	for range kinds {
		s.AddRegion()
	}
	reduce := r.Create(s)
	for i, k := range kinds {
		t := values[i].Type()
		b := r.CreateBlock(reduce.RegionAt(i), nil, t, t)
		r.SetEnd(b)
		combined := arith.New(r.Builder, reductions[k].combine, b.Arg(0), b.Arg(1))
		r.CreateOp(scf.ReduceReturn, nil, []*ir.Value{combined})
	}
}

// reductions tells what combines two values of a reduction, and which value changes no
// other when they are combined.
var reductions = map[string]struct {
	combine *ir.OpID
	neutral func(c *ir.Context, t ir.Type) ir.Attribute
}{
	"addf":     {arith.AddF, float(0)},
	"addi":     {arith.AddI, integer(func(uint) *big.Int { return new(big.Int) })},
	"andi":     {arith.AndI, integer(func(uint) *big.Int { return big.NewInt(-1) })},
	"maximumf": {arith.MaximumF, float(math.Inf(-1))},
	"maxs":     {arith.MaxSI, integer(func(w uint) *big.Int { return new(big.Int).Neg(power(w - 1)) })},
	"maxu":     {arith.MaxUI, integer(func(uint) *big.Int { return new(big.Int) })},
	"minimumf": {arith.MinimumF, float(math.Inf(1))},
	"mins":     {arith.MinSI, integer(func(w uint) *big.Int { return new(big.Int).Sub(power(w-1), big.NewInt(1)) })},
	"minu":     {arith.MinUI, integer(func(w uint) *big.Int { return new(big.Int).Sub(power(w), big.NewInt(1)) })},
	"mulf":     {arith.MulF, float(1)},
	"muli":     {arith.MulI, integer(func(uint) *big.Int { return big.NewInt(1) })},
	"ori":      {arith.OrI, integer(func(uint) *big.Int { return new(big.Int) })},
}

func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

func float(x float64) func(*ir.Context, ir.Type) ir.Attribute {
	return func(c *ir.Context, t ir.Type) ir.Attribute { return c.FloatAttr(t.(*ir.FloatType), x) }
}

func integer(value func(width uint) *big.Int) func(*ir.Context, ir.Type) ir.Attribute {
	return func(c *ir.Context, t ir.Type) ir.Attribute {
		return c.BigIntegerAttr(t, value(uint(t.(*ir.IntegerType).Width)))
	}
}
