package naive

import (
	"math/big"
	"slices"

	"freehold/dialect/affine"
	"freehold/ir"
)

// apply returns the results of a map for operands, the dimensions first.
func (f *frame) apply(op *ir.Op, m *ir.AffineMap, operands ir.Operands) []int64 {
	args := f.numbers(op, operands.Values())
	var out []int64
	for _, e := range m.Results {
		x, ok := e.Eval(args[:m.Dims], args[m.Dims:])
		if !ok {
			f.wrong(op, DivisionByZero, "a division by a number that is not positive")
		}
		out = append(out, x)
	}
	return out
}

func least(list []int64) int64 {
	v := list[0]
	for _, x := range list {
		if x < v {
			v = x
		}
	}
	return v
}

func most(list []int64) int64 {
	v := list[0]
	for _, x := range list {
		if x > v {
			v = x
		}
	}
	return v
}

// neutral is what a reduction of affine.parallel starts with.
func neutral(kind string, t ir.Type) any {
	ft, _ := t.(*ir.FloatType)
	low, high := limits(width(t))
	ones := wrap(big.NewInt(-1), width(t))
	switch kind {
	case "addf":
		return finite(false, new(big.Rat))
	case "mulf":
		return finite(false, big.NewRat(1, 1))
	case "maximumf", "maxnumf":
		return round(ft, infinity(true), nearestEven)
	case "minimumf", "minnumf":
		return round(ft, infinity(false), nearestEven)
	case "muli":
		return wrap(big.NewInt(1), width(t))
	case "andi", "minu":
		return ones
	case "maxs":
		return wrap(low, width(t))
	case "mins":
		return wrap(high, width(t))
	}
	return new(big.Int)
}

func affineOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"affine.apply": func(f *frame, op *ir.Op) {
			f.set(op, 0, wrap(big.NewInt(f.apply(op, affine.MapOf(op), op.Operands())[0]), 64))
		},
		"affine.min": func(f *frame, op *ir.Op) {
			f.set(op, 0, wrap(big.NewInt(least(f.apply(op, affine.MapOf(op), op.Operands()))), 64))
		},
		"affine.max": func(f *frame, op *ir.Op) {
			f.set(op, 0, wrap(big.NewInt(most(f.apply(op, affine.MapOf(op), op.Operands()))), 64))
		},
		"affine.load": func(f *frame, op *ir.Op) {
			o := affine.AccessOp{Op: op}
			f.set(op, 0, f.load(op, f.get(o.MemRef()).(*MemRef), f.apply(op, o.Map(), o.MapOperands())))
		},
		"affine.store": func(f *frame, op *ir.Op) {
			o := affine.AccessOp{Op: op}
			f.store(op, f.get(o.MemRef()).(*MemRef), f.apply(op, o.Map(), o.MapOperands()), f.get(o.Value()))
		},
		"affine.vector_load": func(f *frame, op *ir.Op) {
			o := affine.AccessOp{Op: op}
			m, at := f.get(o.MemRef()).(*MemRef), f.apply(op, o.Map(), o.MapOperands())
			shape, _ := ir.ShapeOf(op.Result(0).Type())
			f.set(op, 0, build(m.Type, shape, func(idx []int64) any { return f.elementAt(op, m, plusLast(at, idx), 0) }))
		},
		"affine.vector_store": func(f *frame, op *ir.Op) {
			o := affine.AccessOp{Op: op}
			m, at := f.get(o.MemRef()).(*MemRef), f.apply(op, o.Map(), o.MapOperands())
			v := f.get(o.Value()).(*Tensor)
			points(v.Sizes, func(idx []int64) { f.setAt(op, m, plusLast(at, idx), 0, v.at(idx)) })
		},
		"affine.for": func(f *frame, op *ir.Op) {
			o := affine.ForOp{Op: op}
			lower, upper := most(f.apply(op, o.LowerMap(), o.LowerOperands())), least(f.apply(op, o.UpperMap(), o.UpperOperands()))
			carried := []any{}
			for _, u := range o.Inits() {
				carried = append(carried, f.get(u.Value()))
			}
			f.nest(op, []int64{lower}, []int64{upper}, []int64{o.Step()}, func(ivs []any) {
				carried = f.region(op.RegionAt(0), append(ivs, carried...))
			})
			f.setAll(op, carried)
		},
		"affine.if": func(f *frame, op *ir.Op) {
			set := affine.IfOp{Op: op}.Set()
			args := f.numbers(op, op.Operands().Values())
			k := 0
			for i, e := range set.Constraints {
				x, ok := e.Eval(args[:set.Dims], args[set.Dims:])
				if !ok {
					f.wrong(op, DivisionByZero, "a division by a number that is not positive")
				}
				if x < 0 || set.Eq[i] && x != 0 {
					k = 1
				}
			}
			if r := op.RegionAt(k); !r.Empty() {
				f.setAll(op, f.region(r, nil))
			}
		},
		"affine.parallel": func(f *frame, op *ir.Op) {
			o := affine.ParallelOp{Op: op}
			lows, highs := f.apply(op, o.LowerMap(), o.LowerOperands()), f.apply(op, o.UpperMap(), o.UpperOperands())
			var lower, upper []int64
			for _, n := range o.LowerGroups() {
				lower, lows = append(lower, most(lows[:n])), lows[n:]
			}
			for _, n := range o.UpperGroups() {
				upper, highs = append(upper, least(highs[:n])), highs[n:]
			}
			kinds := o.Reductions()
			totals := make([]any, len(kinds))
			for i, k := range kinds {
				totals[i] = neutral(k, op.Result(i).Type())
			}
			if slices.Contains(kinds, "assign") {
				iterations := 0
				f.nest(op, lower, upper, o.Steps(), func([]any) { iterations++ })
				if iterations != 1 {
					f.wrong(op, Unspecified, "other than one value is assigned")
				}
			}
			f.nest(op, lower, upper, o.Steps(), func(ivs []any) {
				for i, v := range f.region(op.RegionAt(0), ivs) {
					totals[i] = combine(op, kinds[i], op.Result(i).Type(), v, totals[i])
				}
			})
			f.setAll(op, totals)
		},
		"affine.delinearize_index": func(f *frame, op *ir.Op) {
			rest := f.number(op, op.Operand(0))
			basis := f.numbers(op, op.OperandGroup(1).Values())
			if static, ok := op.Attr("static_basis").(*ir.DenseArrayAttr); ok {
				basis = withDynamic(static.Ints(), basis)
			}
			if len(basis) < op.NumResults() {
				basis = append([]int64{1}, basis...) // the first one bounds the number, and may be missing
			}
			for i := len(basis) - 1; i >= 0; i-- {
				if basis[i] < 1 {
					f.wrong(op, DivisionByZero, "a basis that is not positive")
				}
				q, r := new(big.Int).DivMod(big.NewInt(rest), big.NewInt(basis[i]), new(big.Int))
				if i == 0 {
					r.SetInt64(rest)
				}
				f.set(op, i, wrap(r, 64))
				rest = q.Int64()
			}
		},
		"affine.linearize_index": func(f *frame, op *ir.Op) {
			at, dynamic := f.numbers(op, op.OperandGroup(0).Values()), f.numbers(op, op.OperandGroup(1).Values())
			sizes := withDynamic(op.Attr("static_basis").(*ir.DenseArrayAttr).Ints(), dynamic)
			sizes = sizes[len(sizes)-(len(at)-1):] // the first one, if there are as many as digits, only bounds the result
			sum := big.NewInt(at[0])
			for i, x := range at[1:] {
				sum.Add(sum.Mul(sum, big.NewInt(sizes[i])), big.NewInt(x))
			}
			f.set(op, 0, wrap(sum, 64))
		},
		"affine.prefetch": func(*frame, *ir.Op) {},
	}
}

// plusLast adds indices to the last ones of a place.
func plusLast(at, idx []int64) []int64 {
	out := append([]int64(nil), at...)
	for i, x := range idx {
		out[len(at)-len(idx)+i] += x
	}
	return out
}

// withDynamic puts numbers in the places of a list that has none.
func withDynamic(static, dynamic []int64) []int64 {
	list := slices.Clone(static)
	for i, n := range list {
		if n == ir.Dynamic {
			list[i], dynamic = dynamic[0], dynamic[1:]
		}
	}
	return list
}
