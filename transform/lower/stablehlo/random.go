package stablehlo

import (
	"slices"

	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// words makes random numbers of 32 bits of a counter and a key. Its arithmetic is modulo 2^32.
type words struct{ e *element }

func (w words) of(n uint32) *ir.Value { return w.e.integer(ir.I32, int64(int32(n))) }

func (w words) add(a, b *ir.Value) *ir.Value { return w.e.New(arith.AddI, a, b) }
func (w words) xor(a, b *ir.Value) *ir.Value { return w.e.New(arith.XOrI, a, b) }

func (w words) rotate(a *ir.Value, n uint32) *ir.Value {
	return w.e.New(arith.OrI, w.e.New(arith.ShLI, a, w.of(n)), w.e.New(arith.ShRUI, a, w.of(32-n)))
}

// split divides a number of 64 bits into its low and its high half.
func (w words) split(v *ir.Value) (low, high *ir.Value) {
	shifted := w.e.New(arith.ShRUI, v, w.e.integer(ir.I64, 32))
	return arith.NewCast(w.e.Builder, arith.TruncI, ir.I32, v), arith.NewCast(w.e.Builder, arith.TruncI, ir.I32, shifted)
}

func (w words) join(low, high *ir.Value) *ir.Value {
	a, b := arith.NewCast(w.e.Builder, arith.ExtUI, ir.I64, low), arith.NewCast(w.e.Builder, arith.ExtUI, ir.I64, high)
	return w.e.New(arith.OrI, a, w.e.New(arith.ShLI, b, w.e.integer(ir.I64, 32)))
}

// threefry is Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
func (w words) threefry(key, counter [2]*ir.Value) [2]*ir.Value {
	rotations := [2][4]uint32{{13, 15, 26, 6}, {17, 29, 16, 24}}
	parity := w.xor(w.xor(key[0], key[1]), w.of(0x1BD11BDA))
	keys := [3]*ir.Value{key[0], key[1], parity}
	x, y := w.add(counter[0], keys[0]), w.add(counter[1], keys[1])
	for group := range 5 {
		for _, n := range rotations[group%2] {
			x = w.add(x, y)
			y = w.xor(w.rotate(y, n), x)
		}
		x = w.add(x, keys[(group+1)%3])
		y = w.add(w.add(y, keys[(group+2)%3]), w.of(uint32(group+1)))
	}
	return [2]*ir.Value{x, y}
}

// philox is Philox-4x32 with 10 rounds (Salmon et al., 2011).
func (w words) philox(key [2]*ir.Value, x [4]*ir.Value) [4]*ir.Value {
	product := func(a *ir.Value, by uint32) (low, high *ir.Value) {
		wide := arith.NewCast(w.e.Builder, arith.ExtUI, ir.I64, a)
		return w.split(w.e.New(arith.MulI, wide, w.e.integer(ir.I64, int64(by))))
	}
	for round := range 10 {
		if round > 0 {
			key = [2]*ir.Value{w.add(key[0], w.of(0x9E3779B9)), w.add(key[1], w.of(0xBB67AE85))}
		}
		low0, high0 := product(x[0], 0xD2511F53)
		low1, high1 := product(x[2], 0xCD9E8D57)
		x = [4]*ir.Value{w.xor(w.xor(high1, x[1]), key[0]), low1, w.xor(w.xor(high0, x[3]), key[1]), low0}
	}
	return x
}

// bitGenerator makes random bits, as XLA makes them of the same state: a key, and a counter that goes on by how many blocks were made.
func (l *lowering) bitGenerator(op *ir.Op) ([]*ir.Value, error) {
	t := rankedResult(op, 1)
	if !ir.IsStaticShape(t.Shape) {
		return nil, errorf("the shape of its result isn't known, and no operand says it")
	}
	return l.randomBits(stablehlo.RNGBitGeneratorOp{Op: op}.InitialState(), t, shapes.ConstSizes(t.Shape), stablehlo.EnumValue(op, "rng_algorithm", stablehlo.DefaultAlgorithm))
}

// dynamicBitGenerator is bitGenerator with a second operand that says the shape of the result.
func (l *lowering) dynamicBitGenerator(op *ir.Op) ([]*ir.Value, error) {
	algorithm, ok := op.DiscardableAttr("rng_algorithm").(*ir.EnumAttr)
	if op.NumOperands() != 2 || op.NumResults() != 2 || !ok || rankedResult(op, 1) == nil || op.Operand(0).Type() != op.Result(0).Type() ||
		ranked(op.Operand(1)) == nil || !slices.Equal(ranked(op.Operand(1)).Shape, []int64{int64(len(rankedResult(op, 1).Shape))}) {
		return nil, errorf("it takes a state and a shape, and says rng_algorithm")
	}
	if s := ranked(op.Operand(0)); s == nil || len(s.Shape) != 1 || s.Shape[0] != 2 && s.Shape[0] != 3 || width(l.b.Context(), s.Elem) != 64 {
		return nil, errorf("its state is no list of two or three numbers of 64 bits")
	}
	t := rankedResult(op, 1)
	return l.randomBits(op.Operand(0), t, l.agree(l.listed(op.Operand(1), len(t.Shape)), t.Shape), algorithm.Value)
}

// randomBits makes the random bits of a tensor with some sizes, and the next state.
func (l *lowering) randomBits(state *ir.Value, t *ir.RankedTensorType, sizes []size, algorithm uint64) ([]*ir.Value, error) {
	b := l.b
	elem := plain(b.Context(), t.Elem)
	bits := width(b.Context(), elem)
	if bits == 0 || bits > 64 {
		return nil, errTypes
	}
	e := &element{Builder: b}
	w := words{e}
	read := func(i int64) *ir.Value { return enter(b, tensor.NewExtract(b, state, index(b, i)), ir.I64) }
	key, counter := read(0), read(1)
	k0, k1 := w.split(key)
	keys := [2]*ir.Value{k0, k1}
	longState := ranked(state).Shape[0] == 3
	g := &generator{l: l, w: w, keys: keys, counter: counter, high: e.integer(ir.I64, 0)}
	if longState {
		g.high = read(2)
	}
	var blocks size
	var out *ir.Value
	switch {
	case algorithm != stablehlo.ThreeFry:
		out, blocks = g.philox(t, sizes, elem, bits)
	case bits == 64:
		out, blocks = g.threefryOf64(t, sizes, elem)
	default:
		out, blocks = g.threefry(t, sizes, elem)
	}
	var next *ir.Value
	if n, ok := blocks.Int(); ok {
		next = e.New(arith.AddI, counter, e.integer(ir.I64, n))
	} else {
		next = e.New(arith.AddI, counter, arith.NewCast(b, arith.IndexCast, ir.I64, value(b, blocks)))
	}
	list := []*ir.Value{key, next}
	if longState {
		carry := arith.NewCast(b, arith.ExtUI, ir.I64, e.cmpI(arith.ULT, next, counter))
		list = append(list, e.New(arith.AddI, g.high, carry))
	}
	newState := tensor.NewFromElements(b, b.Context().RankedTensor([]int64{int64(len(list))}, ir.I64), list...)
	return []*ir.Value{newState, out}, nil
}

// generator has the state of which bits are made.
type generator struct {
	l             *lowering
	w             words
	keys          [2]*ir.Value
	counter, high *ir.Value
}

// linear is the place of an element, in row-major order, as a number of 64 bits.
func (g *generator) linear(indices []*ir.Value, sizes []size) *ir.Value {
	b := g.l.b
	at := index(b, 0)
	for i, x := range indices {
		at = arith.New(b, arith.AddI, arith.New(b, arith.MulI, at, value(b, sizes[i])), x)
	}
	return arith.NewCast(b, arith.IndexCast, ir.I64, at)
}

// result makes an element of 32 or 64 bits one of the type.
func (g *generator) result(v *ir.Value, elem ir.Type, t ir.Type) *ir.Value {
	b := g.l.b
	c := b.Context()
	n := width(c, elem)
	if have := width(c, v.Type()); n < have {
		v = arith.NewCast(b, arith.TruncI, c.Integer(n), v)
	}
	if ir.IsFloat(elem) {
		v = arith.NewCast(b, arith.Bitcast, elem, v)
	}
	return enter(b, v, t)
}

// elements is how many elements a tensor with some sizes has.
func (g *generator) elements(sizes []size) size {
	n := known(1)
	for _, s := range sizes {
		n = combine(g.l.b, arith.MulI, func(x, y int64) int64 { return x * y }, n, s)
	}
	return n
}

// block is the two numbers of 32 bits that Threefry makes of block n.
func (g *generator) block(n *ir.Value) [2]*ir.Value {
	low, high := g.w.split(g.w.e.New(arith.AddI, g.counter, n))
	return g.w.threefry(g.keys, [2]*ir.Value{low, high})
}

// threefryOf64 makes a number of 64 bits of each block.
func (g *generator) threefryOf64(t *ir.RankedTensorType, sizes []size, elem ir.Type) (*ir.Value, size) {
	count := g.elements(sizes)
	return g.l.generate(sizes, t.Elem, func(indices []*ir.Value) *ir.Value {
		x := g.block(g.linear(indices, sizes))
		return g.result(g.w.join(x[0], x[1]), elem, t.Elem)
	}), count
}

// threefry makes two numbers of 32 bits or less of each block. The two are neighbours along the first dimension of even size, or the largest one.
func (g *generator) threefry(t *ir.RankedTensorType, sizes []size, elem ir.Type) (*ir.Value, size) {
	l, b, e := g.l, g.l.b, g.w.e
	if !ir.IsStaticShape(t.Shape) {
		return g.threefryOfSizes(t, sizes, elem)
	}
	half, dim := slices.Clone(t.Shape), pairedDimension(t.Shape)
	if dim >= 0 {
		half[dim] = (half[dim] + 1) / 2
	}
	out := l.generate(sizes, t.Elem, func(indices []*ir.Value) *ir.Value {
		if dim < 0 {
			return g.result(g.block(g.linear(indices, sizes))[0], elem, t.Elem)
		}
		at, two := slices.Clone(indices), index(b, 2)
		second := e.cmpI(arith.EQ, arith.New(b, arith.RemUI, indices[dim], two), index(b, 1))
		at[dim] = arith.New(b, arith.DivUI, indices[dim], two)
		x := g.block(g.linear(at, shapes.ConstSizes(half)))
		return g.result(e.choose(second, x[1], x[0]), elem, t.Elem)
	})
	return out, g.elements(shapes.ConstSizes(half))
}

// pairedDimension is the one along which pairs of numbers are neighbours; -1 if there is no dimension.
func pairedDimension(shape []int64) int {
	if i := slices.IndexFunc(shape, func(n int64) bool { return n%2 == 0 }); i >= 0 {
		return i
	}
	best := -1
	for i, n := range shape {
		if best < 0 || n > shape[best] {
			best = i
		}
	}
	return best
}

// threefryOfSizes is threefry where the dimension is chosen when the program runs.
func (g *generator) threefryOfSizes(t *ir.RankedTensorType, sizes []size, elem ir.Type) (*ir.Value, size) {
	l, b, e := g.l, g.l.b, g.w.e
	ns, two := values(b, sizes), index(b, 2)
	// Of even sizes the first one, or else the first of the largest: by the number of the dimension, and what is the best so far.
	dim, best, found := index(b, 0), ns[0], e.cmpI(arith.EQ, arith.New(b, arith.RemUI, ns[0], two), index(b, 0))
	for i, n := range ns[1:] {
		even := e.cmpI(arith.EQ, arith.New(b, arith.RemUI, n, two), index(b, 0))
		better := e.New(arith.OrI, even, e.cmpI(arith.SGT, n, best))
		better = e.New(arith.AndI, better, e.New(arith.XOrI, found, arith.ConstantBool(b, true)))
		dim, best = e.choose(better, index(b, int64(i+1)), dim), e.choose(better, n, best)
		found = e.New(arith.OrI, found, even)
	}
	// Along that dimension, two indices are one block.
	pairs, halves := make([]*ir.Value, len(ns)), make([]size, len(ns))
	for i, n := range ns {
		pairs[i] = e.cmpI(arith.EQ, dim, index(b, int64(i)))
		up := arith.New(b, arith.DivUI, arith.New(b, arith.AddI, n, index(b, 1)), two)
		halves[i] = shapes.SizeOf(e.choose(pairs[i], up, n))
	}
	out := l.generate(sizes, t.Elem, func(indices []*ir.Value) *ir.Value {
		at := make([]*ir.Value, len(indices))
		second := arith.ConstantBool(b, false)
		for i, x := range indices {
			at[i] = e.choose(pairs[i], arith.New(b, arith.DivUI, x, two), x)
			odd := e.cmpI(arith.EQ, arith.New(b, arith.RemUI, x, two), index(b, 1))
			second = e.New(arith.OrI, second, e.New(arith.AndI, pairs[i], odd))
		}
		x := g.block(g.linear(at, halves))
		return g.result(e.choose(second, x[1], x[0]), elem, t.Elem)
	})
	return out, g.elements(halves)
}

// philox makes four numbers of 32 bits, or two of 64, of each block, one after the other.
func (g *generator) philox(t *ir.RankedTensorType, sizes []size, elem ir.Type, bits int) (*ir.Value, size) {
	l, b, e := g.l, g.l.b, g.w.e
	each := int64(4)
	if bits == 64 {
		each = 2
	}
	blocks := roundedUp(b, g.elements(sizes), each)
	return l.generate(sizes, t.Elem, func(indices []*ir.Value) *ir.Value {
		place := g.linear(indices, sizes)
		per := e.integer(ir.I64, each)
		n, part := e.New(arith.DivUI, place, per), e.New(arith.RemUI, place, per)
		low := e.New(arith.AddI, g.counter, n)
		high := e.New(arith.AddI, g.high, arith.NewCast(b, arith.ExtUI, ir.I64, e.cmpI(arith.ULT, low, n)))
		a0, a1 := g.w.split(low)
		a2, a3 := g.w.split(high)
		x := g.w.philox(g.keys, [4]*ir.Value{a0, a1, a2, a3})
		list := x[:]
		if bits == 64 {
			list = []*ir.Value{g.w.join(x[0], x[1]), g.w.join(x[2], x[3])}
		}
		v := list[0]
		for i := 1; i < len(list); i++ {
			v = e.choose(e.cmpI(arith.EQ, part, e.integer(ir.I64, int64(i))), list[i], v)
		}
		return g.result(v, elem, t.Elem)
	}), blocks
}

// randomNumbers are numbers of a distribution: the specification leaves them to the implementation. They are made by Philox of a key
// that is the operation's number in the module, so that runs can be repeated.
func (l *lowering) randomNumbers(op *ir.Op) ([]*ir.Value, error) {
	b := l.b
	t := rankedResult(op, 0)
	sizes := l.agree(l.listed(stablehlo.RNGOp{Op: op}.Shape(), len(t.Shape)), t.Shape)
	elem := plain(b.Context(), t.Elem)
	e := &element{Builder: b, in: []ir.Type{t.Elem}}
	w := words{e}
	l.generators++
	key := [2]*ir.Value{w.of(uint32(l.generators)), w.of(0)}
	low, high := enter(b, l.only(stablehlo.RNGOp{Op: op}.A()), elem), enter(b, l.only(stablehlo.RNGOp{Op: op}.B()), elem)
	normal := stablehlo.EnumValue(op, "rng_distribution", stablehlo.Uniform) == stablehlo.Normal
	f, isFloat := elem.(*ir.FloatType)
	if normal && !isFloat || !isFloat && !isInteger(elem) {
		return nil, errTypes
	}
	extents := values(b, sizes)
	return one(l.generate(sizes, t.Elem, func(indices []*ir.Value) *ir.Value {
		at := index(b, 0)
		for i, x := range indices {
			at = arith.New(b, arith.AddI, arith.New(b, arith.MulI, at, extents[i]), x)
		}
		n := arith.NewCast(b, arith.IndexCast, ir.I64, at)
		c0, c1 := w.split(n)
		x := w.philox(key, [4]*ir.Value{c0, c1, w.of(0), w.of(0)})
		if !isFloat {
			return enter(b, e.between(low, high, w.join(x[0], x[1])), t.Elem)
		}
		u := e.unit(w.join(x[0], x[1]))
		if normal {
			u = e.normal(u, e.unit(w.join(x[2], x[3])))
			return e.New(arith.AddF, low, e.New(arith.MulF, e.convertFloat(u, f), high))
		}
		return e.New(arith.AddF, low, e.New(arith.MulF, e.convertFloat(u, f), e.New(arith.SubF, high, low)))
	})), nil
}

// unit is a number from 0 up to 1 of random bits.
func (e *element) unit(bits *ir.Value) *ir.Value {
	n := e.New(arith.ShRUI, bits, e.integer(ir.I64, 11))
	return e.New(arith.MulF, arith.NewCast(e.Builder, arith.UIToFP, ir.F64, n), e.number(ir.F64, 0x1p-53))
}

// normal is a normally distributed number, by the method of Box and Muller.
func (e *element) normal(u, v *ir.Value) *ir.Value {
	radius := e.New(math.Sqrt, e.New(arith.MulF, e.number(ir.F64, -2), e.New(math.Log1p, e.New(arith.NegF, u))))
	return e.New(arith.MulF, radius, e.New(math.Cos, e.New(arith.MulF, e.number(ir.F64, 2*gomath.Pi), v)))
}

// between is an integer from low up to high of random bits.
func (e *element) between(low, high, bits *ir.Value) *ir.Value {
	t := low.Type().(*ir.IntegerType)
	if t.Width < 64 {
		bits = arith.NewCast(e.Builder, arith.TruncI, t, bits)
	}
	span := e.New(arith.SubI, high, low)
	none := e.cmpI(arith.EQ, span, e.integer(t, 0))
	return e.New(arith.AddI, low, e.New(arith.RemUI, bits, e.choose(none, e.integer(t, 1), span)))
}
