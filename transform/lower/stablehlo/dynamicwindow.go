package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// dynamicWindow is a dimension of a window whose numbers may be known only at run time.
type dynamicWindow struct {
	size, stride, baseDilation, dilation, low size
	// extent is how many elements the input has, and dilated how many with those between them.
	extent, dilated size
}

// dynamicReduceWindow is reduceWindow where the numbers of the window are operands behind the inputs and what they start with: its size, strides, dilations of the
// inputs and of the window, and paddings. The function that combines is called.
func (l *lowering) dynamicReduceWindow(op *ir.Op) ([]*ir.Value, error) {
	const numbers = 5
	b, n := l.b, op.NumResults()
	if n == 0 || op.NumOperands() != 2*n+numbers {
		return nil, errorf("it takes inputs, what each starts with, and %d operands about the window", numbers)
	}
	inputs, lists := op.Operands().Values()[:n], op.Operands().Values()[2*n:]
	first := ranked(inputs[0])
	fn := l.onlyCalled(op)
	if fn == nil || funcd.Body(fn).NumBlocks() != 1 || funcd.Body(fn).Entry().NumArgs() != 2*n {
		return nil, errorf("there is no function that combines")
	}
	if first == nil {
		return nil, errTypes
	}
	rank := len(first.Shape)
	for i, v := range op.Operands().Values() {
		shape := []int64{int64(rank)}
		switch {
		case i < n:
			shape = first.Shape
		case i < 2*n:
			shape = nil
		case i == 2*n+numbers-1:
			shape = []int64{int64(rank), 2}
		}
		if t := ranked(v); t == nil || !slices.Equal(t.Shape, shape) || i >= 2*n && !ir.IsInteger(t.Elem) {
			return nil, errorf("the sizes of its operands don't go together")
		}
	}
	for i := range n {
		if t := rankedResult(op, i); t == nil || len(t.Shape) != rank || t.Elem != ranked(inputs[i]).Elem {
			return nil, errTypes
		}
	}
	inits := make([]*ir.Value, n)
	for i := range inits {
		inits[i] = l.only(op.Operand(n + i))
	}
	w, sizes := l.dynamicWindows(inputs[0], lists, rank)
	var outs []*ir.Value
	for i, v := range inputs {
		outs = append(outs, empty(b, l.agree(sizes, rankedResult(op, i).Shape), ranked(v).Elem))
	}
	maps := slices.Repeat([]*ir.AffineMap{b.Context().IdentityMap(rank)}, n)
	window := make([]size, rank)
	for d := range w {
		window[d] = w[d].size
	}
	var x combining
	results := linalg.NewGeneric(b, nil, outs, maps, parallel(rank), func(*ir.Builder, []*ir.Value) []*ir.Value {
		at := make([]*ir.Value, rank)
		for d := range at {
			at[d] = linalg.NewIndex(b, d)
		}
		return l.loops(window, inits, func(k, acc []*ir.Value) []*ir.Value {
			elements := l.windowElements(w, inputs, inits, at, k)
			return x.of(l, funcd.Body(fn), slices.Concat(acc, elements), n)
		})
	}).Results().Values()
	return results, x.err
}

// onlyCalled returns the only function that a custom call names, or nil.
func (l *lowering) onlyCalled(op *ir.Op) *ir.Op {
	called, _ := op.Attr("called_computations").(*ir.ArrayAttr)
	if called == nil || len(called.Elems) != 1 {
		return nil
	}
	ref, ok := called.Elems[0].(*ir.SymbolRefAttr)
	if !ok {
		return nil
	}
	if fn := l.tables.Lookup(op, ref); fn != nil && fn.Is(funcd.Func) {
		return fn
	}
	return nil
}

// dynamicWindows reads the numbers of a window, and tells how many places it has along each dimension.
func (l *lowering) dynamicWindows(input *ir.Value, lists []*ir.Value, rank int) (w []dynamicWindow, places []size) {
	const ofSize, ofStride, ofBase, ofDilation, ofPadding = 0, 1, 2, 3, 4
	b := l.b
	read := func(i int) []size { return l.listed(lists[i], rank) }
	window, strides, bases, dilations := read(ofSize), read(ofStride), read(ofBase), read(ofDilation)
	paddings := l.pairs(lists[ofPadding], rank)
	for d, extent := range sizesOf(b, input) {
		// What isn't positive has no meaning, and doesn't divide.
		k := dynamicWindow{size: window[d], stride: larger(b, strides[d], known(1)), baseDilation: larger(b, bases[d], known(1)), dilation: dilations[d], low: paddings[d][0], extent: extent}
		k.dilated = larger(b, plus(b, times(b, minus(b, extent, known(1)), k.baseDilation), known(1)), known(0))
		padded := plus(b, plus(b, k.dilated, k.low), paddings[d][1])
		span := plus(b, times(b, minus(b, k.size, known(1)), k.dilation), known(1))
		last := larger(b, plus(b, minus(b, padded, span), k.stride), known(0))
		w = append(w, k)
		places = append(places, combine(b, arith.DivSI, func(x, y int64) int64 { return x / y }, last, k.stride))
	}
	return w, places
}

// pairs reads a matrix of two columns.
func (l *lowering) pairs(v *ir.Value, rows int) [][2]size {
	out := make([][2]size, rows)
	d := constantOf(v)
	for i := range out {
		for j := range out[i] {
			if d != nil {
				out[i][j] = known(stablehlo.Ints(d)[2*i+j])
				continue
			}
			out[i][j] = shapes.SizeOf(l.asIndex(tensor.NewExtract(l.b, v, index(l.b, int64(i)), index(l.b, int64(j)))))
		}
	}
	return out
}

// windowElements are the elements of inputs at a place of a window, which begins where the element of the result at says, or else what the inputs start with.
func (l *lowering) windowElements(w []dynamicWindow, inputs, inits, at, k []*ir.Value) []*ir.Value {
	b := l.b
	inside := arith.ConstantBool(b, true)
	place := make([]*ir.Value, len(w))
	for d, x := range w {
		to := arith.New(b, arith.AddI, arith.New(b, arith.MulI, at[d], value(b, x.stride)), arith.New(b, arith.MulI, k[d], value(b, x.dilation)))
		to = arith.New(b, arith.SubI, to, value(b, x.low))
		in := l.isInside(to, value(b, x.dilated))
		place[d] = to
		if !x.baseDilation.IsConst(1) {
			step := value(b, x.baseDilation)
			in = arith.New(b, arith.AndI, in, (&element{Builder: b}).cmpI(arith.EQ, arith.New(b, arith.RemSI, to, step), index(b, 0)))
			place[d] = arith.New(b, arith.DivSI, to, step)
		}
		inside = arith.New(b, arith.AndI, inside, in)
	}
	return l.when(inside, func() []*ir.Value {
		var out []*ir.Value
		for _, v := range inputs {
			out = append(out, tensor.NewExtract(b, v, place...))
		}
		return out
	}, func() []*ir.Value { return inits }, ir.TypesOf(inits))
}
