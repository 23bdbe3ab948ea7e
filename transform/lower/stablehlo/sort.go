package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// sorting is a sort of lines of tensors along a dimension, by merging: stable, in n log n comparisons.
type sorting struct {
	l    *lowering
	op   *ir.Op
	dim  int
	n    *ir.Value
	fail combining
}

// sort sorts the lines of tensors along a dimension. Runs of 1, 2, 4, ... elements are merged into a line beside, which is copied back.
func (l *lowering) sort(op *ir.Op) ([]*ir.Value, error) {
	b := l.b
	inputs := op.Operands().Values()
	sizes := sizesOf(b, inputs[0])
	dim := len(sizes) - 1
	if op.Attr("dimension") != nil {
		dim = int(intAttr(op, "dimension"))
	}
	if dim < 0 {
		dim += len(sizes)
	}
	if dim < 0 {
		return inputs, nil
	}
	s := &sorting{l: l, op: op, dim: dim, n: value(b, sizes[dim])}
	lines := make([]*ir.Value, len(inputs))
	for i, v := range inputs {
		lines[i] = empty(b, sizes[dim:dim+1], ranked(v).Elem)
	}
	others := slices.Delete(slices.Clone(sizes), dim, dim+1)
	out := l.loops(others, slices.Concat(inputs, lines), func(at, carried []*ir.Value) []*ir.Value { return s.line(at, carried) })
	return out[:len(inputs)], s.fail.err
}

// place is where element i of a line is.
func (s *sorting) place(at []*ir.Value, i *ir.Value) []*ir.Value {
	return slices.Insert(slices.Clone(at), s.dim, i)
}

// line sorts one line: carried are the tensors, and the lines beside them.
func (s *sorting) line(at, carried []*ir.Value) []*ir.Value {
	b := s.l.b
	types := append([]ir.Type{ir.Index}, ir.TypesOf(carried)...)
	w := scf.NewWhile(b, types, slices.Concat(one(index(b, 1)), carried))
	b.SetEnd(w.Before())
	args := w.Before().Args()
	scf.NewCondition(b, arith.NewCmpI(b, arith.ULT, args[0], s.n), args...)
	b.SetEnd(w.After())
	args = w.After().Args()
	width := args[0]
	double := arith.New(b, arith.AddI, width, width)
	merged := scf.NewFor(b, index(b, 0), s.n, double, args[1:], func(_ *ir.Builder, low *ir.Value, inner []*ir.Value) []*ir.Value {
		return s.merge(at, low, width, inner)
	}).Results().Values()
	scf.NewYield(b, slices.Concat(one(double), s.copyBack(at, merged))...)
	b.SetAfter(w.Op)
	return w.Results().Values()[1:]
}

// merge merges two runs that follow each other into the lines beside.
func (s *sorting) merge(at []*ir.Value, low, width *ir.Value, carried []*ir.Value) []*ir.Value {
	b, k := s.l.b, len(carried)/2
	tensors, lines := carried[:k], carried[k:]
	middle := arith.New(b, arith.MinUI, arith.New(b, arith.AddI, low, width), s.n)
	high := arith.New(b, arith.MinUI, arith.New(b, arith.AddI, middle, width), s.n)
	one1 := index(b, 1)
	inits := slices.Concat([]*ir.Value{low, middle}, lines)
	out := scf.NewFor(b, low, high, one1, inits, func(_ *ir.Builder, to *ir.Value, args []*ir.Value) []*ir.Value {
		i, j, lines := args[0], args[1], args[2:]
		second := s.takesSecond(at, tensors, i, j, middle, high)
		from := arith.NewSelect(b, second, j, i)
		next := []*ir.Value{
			arith.NewSelect(b, second, i, arith.New(b, arith.AddI, i, one1)),
			arith.NewSelect(b, second, arith.New(b, arith.AddI, j, one1), j),
		}
		for n, line := range lines {
			next = append(next, tensor.NewInsert(b, tensor.NewExtract(b, tensors[n], s.place(at, from)...), line, to))
		}
		return next
	}).Results().Values()
	return slices.Concat(tensors, out[2:])
}

// takesSecond tells whether the next element comes from the second run: if the first one is at its end, or if that of the second
// must come before that of the first.
func (s *sorting) takesSecond(at, tensors []*ir.Value, i, j, middle, high *ir.Value) *ir.Value {
	l, b := s.l, s.l.b
	ended := arith.NewCmpI(b, arith.UGE, i, middle)
	types := []ir.Type{ir.I1}
	return l.when(ended, func() []*ir.Value { return one(arith.ConstantBool(b, true)) }, func() []*ir.Value {
		return l.when(arith.NewCmpI(b, arith.ULT, j, high), func() []*ir.Value {
			var args []*ir.Value
			for _, t := range tensors {
				args = append(args, tensor.NewExtract(b, t, s.place(at, j)...), tensor.NewExtract(b, t, s.place(at, i)...))
			}
			return one(l.regionOf(&s.fail, s.op.RegionAt(0), args, nil))
		}, func() []*ir.Value { return one(arith.ConstantBool(b, false)) }, types)
	}, types)[0]
}

// copyBack puts the lines beside into the tensors.
func (s *sorting) copyBack(at, carried []*ir.Value) []*ir.Value {
	b, k := s.l.b, len(carried)/2
	lines := carried[k:]
	tensors := scf.NewFor(b, index(b, 0), s.n, index(b, 1), carried[:k], func(_ *ir.Builder, i *ir.Value, args []*ir.Value) []*ir.Value {
		next := make([]*ir.Value, k)
		for n, t := range args {
			next[n] = tensor.NewInsert(b, tensor.NewExtract(b, lines[n], i), t, s.place(at, i)...)
		}
		return next
	}).Results().Values()
	return slices.Concat(tensors, lines)
}
