package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// combining runs build with elements, in which an operation's region may fail to be put, and tells about that.
type combining struct{ err error }

// of returns what a region makes of elements, or the first of them if it can't be put there.
func (x *combining) of(l *lowering, r *ir.Region, args []*ir.Value, n int) []*ir.Value {
	out, err := l.inline(r, args)
	if err != nil {
		x.err = err
		return args[:n]
	}
	for i := range out {
		b := &body{l: l}
		out[i] = b.converted(out[i], args[i].Type())
	}
	return out
}

// reduce combines the elements along some dimensions.
func (l *lowering) reduce(op *ir.Op) ([]*ir.Value, error) {
	n := op.NumOperands() / 2
	inputs, inits := op.Operands().Values()[:n], op.Operands().Values()[n:]
	dims := ints(op, "dimensions")
	c := l.b.Context()
	rank := len(ranked(inputs[0]).Shape)
	iterators := parallel(rank)
	sizes := sizesOf(l.b, inputs[0])
	var kept []*ir.AffineExpr
	var rest []size
	for d := range rank {
		if slices.Contains(dims, int64(d)) {
			iterators[d] = interfaces.Reduction
		} else {
			kept, rest = append(kept, c.AffineDim(d)), append(rest, sizes[d])
		}
	}
	var maps []*ir.AffineMap
	var outs []*ir.Value
	for i := range inputs {
		maps = append(maps, c.IdentityMap(rank))
		init := (&body{l: l}).converted(l.only(inits[i]), rankedResult(op, i).Elem)
		outs = append(outs, l.filled(rest, init))
	}
	for range outs {
		maps = append(maps, c.AffineMap(rank, 0, kept...))
	}
	var x combining
	r := linalg.NewGeneric(l.b, inputs, outs, maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		return x.of(l, op.RegionAt(0), slices.Concat(args[n:], args[:n]), n)
	})
	return r.Results().Values(), x.err
}

// reduceWindow combines the elements in each place of a window. Where there is padding, it goes strip by strip: one index of the first dimension in which windows are
// single elements, and of the first one in which they aren't, at a time.
func (l *lowering) reduceWindow(op *ir.Op) ([]*ir.Value, error) {
	n := op.NumOperands() / 2
	inputs, fills := op.Operands().Values()[:n], make([]*ir.Value, n)
	for i, v := range op.Operands().Values()[n:] {
		fills[i] = l.only(v)
	}
	w, err := stablehlo.WindowOf(op, len(ranked(inputs[0]).Shape))
	if err != nil {
		return nil, err
	}
	pads := windowPads(w)
	padded := l.paddedSizes(inputs[0], pads)
	var sizes []size
	for i := range inputs {
		sizes = l.agree(l.places(padded, w), rankedResult(op, i).Shape)
	}
	outs := make([]*ir.Value, n)
	if isAnyZero(sizes) {
		for i := range outs {
			outs[i] = l.filled(sizes, fills[i])
		}
		return outs, nil
	}
	strips := l.windowStrips(w, pads, padded, sizes)
	part := shapeOf(sizes)
	for _, s := range strips {
		part[s.result] = 1
	}
	compute := func(parts []*ir.Value) []*ir.Value {
		values, combineErr := l.windowsCombined(op.RegionAt(0), parts, fills, w, part)
		if combineErr != nil {
			err = combineErr
			return parts
		}
		return values
	}
	elems := make([]ir.Type, n)
	for i, v := range inputs {
		elems[i] = ranked(v).Elem
	}
	results := l.byStrips(strips, inputs, fills, pads, sizes, elems, compute)
	return results, err
}

// windowStrips are the strips in which windows with padding are combined.
func (l *lowering) windowStrips(w []stablehlo.WindowDim, pads []padding, padded, sizes []size) (out []strip) {
	if l.WholePadding || areZero(pads) {
		return nil
	}
	var found [2]bool // of the dimensions with windows, and of those without
	for d, k := range w {
		kind := 0
		if k.Size == 1 && pads[d].isZero() {
			kind = 1
		}
		s := strip{dim: d, result: d, stride: known(k.Stride), span: known((k.Size-1)*k.Dilation + 1), count: sizes[d]}
		if !found[kind] && s.isWorthIt(padded[d]) {
			found[kind] = true
			out = append(out, s)
		}
	}
	return out
}

// windowsCombined combines the elements in each place of a window of inputs that have no padding. shape is what is known of the results'.
func (l *lowering) windowsCombined(region *ir.Region, inputs, inits []*ir.Value, w []stablehlo.WindowDim, shape []int64) ([]*ir.Value, error) {
	n, rank := len(inputs), len(w)
	c := l.b.Context()
	window, steps := make([]size, rank), make([]*ir.AffineExpr, rank)
	iterators := parallel(2 * rank)
	places := make([]*ir.AffineExpr, rank)
	parts := make([]*ir.AffineExpr, rank)
	for d, k := range w {
		window[d], iterators[rank+d] = known(k.Size), interfaces.Reduction
		steps[d] = c.AffineAdd(c.AffineMul(c.AffineDim(d), c.AffineConstant(k.Stride)), c.AffineMul(c.AffineDim(rank+d), c.AffineConstant(k.Dilation)))
		places[d], parts[d] = c.AffineDim(d), c.AffineDim(rank+d)
	}
	var maps []*ir.AffineMap
	var outs []*ir.Value
	for i, v := range inputs {
		maps = append(maps, c.AffineMap(2*rank, 0, steps...))
		outs = append(outs, l.filled(l.agree(l.places(sizesOf(l.b, v), w), shape), inits[i]))
	}
	// A tensor of the window's shape says how far the loops go.
	maps = append(maps, c.AffineMap(2*rank, 0, parts...))
	for range outs {
		maps = append(maps, c.AffineMap(2*rank, 0, places...))
	}
	var x combining
	r := linalg.NewGeneric(l.b, append(slices.Clone(inputs), empty(l.b, window, ir.I1)), outs, maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		return x.of(l, region, slices.Concat(args[n+1:], args[:n]), n)
	})
	return r.Results().Values(), x.err
}

// places returns how many places windows have along the dimensions of a tensor.
func (l *lowering) places(sizes []size, w []stablehlo.WindowDim) []size {
	out := make([]size, len(w))
	for i, k := range w {
		span := (k.Size-1)*k.Dilation + 1
		out[i] = quotient(l.b, larger(l.b, minus(l.b, sizes[i], known(span-k.Stride)), known(0)), k.Stride)
	}
	return out
}

// loops is a nest of loops that carries values on.
func (l *lowering) loops(sizes []size, inits []*ir.Value, body func(indices, carried []*ir.Value) []*ir.Value) []*ir.Value {
	zero, step := index(l.b, 0), index(l.b, 1)
	limits := values(l.b, sizes)
	var nest func(indices, carried []*ir.Value) []*ir.Value
	nest = func(indices, carried []*ir.Value) []*ir.Value {
		if len(indices) == len(sizes) {
			return body(indices, carried)
		}
		return scf.NewFor(l.b, zero, limits[len(indices)], step, carried, func(_ *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
			return nest(append(slices.Clone(indices), iv), args)
		}).Results().Values()
	}
	return nest(nil, inits)
}

// when computes values under a condition, and others where it doesn't hold.
func (l *lowering) when(cond *ir.Value, then, otherwise func() []*ir.Value, types []ir.Type) []*ir.Value {
	return scf.NewIf(l.b, cond, types, func(*ir.Builder) []*ir.Value { return then() }, func(*ir.Builder) []*ir.Value { return otherwise() }).Results().Values()
}

// selectAndScatter adds each element of the source where the window at its place has the element that is selected.
func (l *lowering) selectAndScatter(op *ir.Op) ([]*ir.Value, error) {
	b, v, source := l.b, stablehlo.SelectAndScatterOp{Op: op}.OperandValue(), stablehlo.SelectAndScatterOp{Op: op}.Source()
	rank := len(ranked(v).Shape)
	w, err := stablehlo.WindowOf(op, rank)
	if err != nil {
		return nil, err
	}
	sizes := sizesOf(b, v)
	extents := values(b, sizes)
	result := l.filled(sizes, l.only(stablehlo.SelectAndScatterOp{Op: op}.InitValue()))
	window := make([]size, rank)
	for i, k := range w {
		window[i] = known(k.Size)
	}
	var x combining
	elem := ranked(v).Elem
	zero, falsity := index(b, 0), arith.ConstantBool(b, false)
	first := enter(b, (&element{Builder: b}).number(plain(b.Context(), elem), 0), elem)
	out := l.loops(sizesOf(b, source), one(result), func(at, carried []*ir.Value) []*ir.Value {
		found := l.loops(window, slices.Concat(one(falsity), one(first), slices.Repeat(one(zero), rank)), func(k, best []*ir.Value) []*ir.Value {
			place := make([]*ir.Value, rank)
			var inside *ir.Value
			for d := range place {
				place[d] = arith.New(b, arith.AddI, arith.New(b, arith.MulI, at[d], index(b, w[d].Stride)), arith.New(b, arith.SubI, k[d], index(b, w[d].Low)))
				in := l.isInside(place[d], extents[d])
				if inside == nil {
					inside = in
				} else {
					inside = arith.New(b, arith.AndI, inside, in)
				}
			}
			if inside == nil {
				inside = arith.ConstantBool(b, true)
			}
			return l.when(inside, func() []*ir.Value {
				candidate := tensor.NewExtract(b, v, place...)
				keeps := l.regionOf(&x, op.RegionAt(0), one(best[1]), one(candidate))
				kept := arith.New(b, arith.AndI, best[0], keeps)
				next := make([]*ir.Value, len(best))
				next[0] = arith.ConstantBool(b, true)
				for i, n := range slices.Concat(one(candidate), place) {
					next[i+1] = arith.NewSelect(b, kept, best[i+1], n)
				}
				return next
			}, func() []*ir.Value { return best }, ir.TypesOf(best))
		})
		return l.when(found[0], func() []*ir.Value {
			old := tensor.NewExtract(b, carried[0], found[2:]...)
			sum := x.of(l, op.RegionAt(1), []*ir.Value{old, tensor.NewExtract(b, source, at...)}, 1)
			return one(tensor.NewInsert(b, sum[0], carried[0], found[2:]...))
		}, func() []*ir.Value { return carried }, ir.TypesOf(carried))
	})
	return out, x.err
}

// regionOf is the condition that a region computes of elements.
func (l *lowering) regionOf(x *combining, r *ir.Region, a, b []*ir.Value) *ir.Value {
	out, err := l.inline(r, slices.Concat(a, b))
	if err != nil {
		x.err = err
		return arith.ConstantBool(l.b, true)
	}
	return out[0]
}

// mapElements computes each element by a region.
func (l *lowering) mapElements(op *ir.Op) ([]*ir.Value, error) {
	t := rankedResult(op, 0)
	rank := len(t.Shape)
	c := l.b.Context()
	maps := slices.Repeat([]*ir.AffineMap{c.IdentityMap(rank)}, op.NumOperands()+1)
	var failed error
	r := linalg.NewGeneric(l.b, op.Operands().Values(), one(empty(l.b, l.jointSizes(op), t.Elem)), maps, parallel(rank), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		out, err := l.inline(op.RegionAt(0), args[:op.NumOperands()])
		if err != nil {
			failed = err
			return args[len(args)-1:]
		}
		return out
	})
	return r.Results().Values(), failed
}
