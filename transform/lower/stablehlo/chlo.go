package stablehlo

import (
	"errors"
	"slices"
	"strings"

	"freehold/dialect/chlo"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// client is a function that chlo has: what it is of floating-point and of complex numbers; nil where there is none.
type client struct {
	onFloat, onComplex func(f *formula, x *ir.Value) *ir.Value
	// direct is an operation of math that is the function.
	direct *ir.OpID
	// exact tells that it need not be computed in more bits than the number has.
	exact bool
}

var clients = map[*ir.OpID]client{
	chlo.Acos:      {onFloat: (*formula).acos, onComplex: (*formula).complexAcos, direct: math.Acos},
	chlo.Acosh:     {onFloat: (*formula).acosh, onComplex: (*formula).complexAcosh, direct: math.Acosh},
	chlo.Asin:      {onFloat: (*formula).asin, onComplex: (*formula).complexAsin, direct: math.Asin},
	chlo.Asinh:     {onFloat: (*formula).asinh, onComplex: (*formula).complexAsinh, direct: math.Asinh},
	chlo.Atan:      {onFloat: (*formula).atan, onComplex: (*formula).complexAtan, direct: math.Atan},
	chlo.Atanh:     {onFloat: (*formula).atanh, onComplex: (*formula).complexAtanh, direct: math.Atanh},
	chlo.BesselI1e: {onFloat: (*formula).besselI1e},
	chlo.Conj:      {onFloat: func(_ *formula, x *ir.Value) *ir.Value { return x }, onComplex: (*formula).conjugate, exact: true},
	chlo.Cosh:      {onFloat: (*formula).cosh, onComplex: (*formula).complexCosh, direct: math.Cosh},
	chlo.Digamma:   {onFloat: (*formula).digamma},
	chlo.Erf:       {onFloat: (*formula).erf, direct: math.Erf},
	chlo.ErfInv:    {onFloat: (*formula).erfInv},
	chlo.Erfc:      {onFloat: (*formula).erfc},
	chlo.Lgamma:    {onFloat: (*formula).lgamma},
	chlo.Sinh:      {onFloat: (*formula).sinh, onComplex: (*formula).complexSinh, direct: math.Sinh},
	chlo.Square:    {onFloat: (*formula).square, onComplex: (*formula).square, exact: true},
	chlo.Tan: {onFloat: func(f *formula, x *ir.Value) *ir.Value { return f.do(stablehlo.Tan, x) },
		onComplex: func(f *formula, x *ir.Value) *ir.Value { return f.do(stablehlo.Tan, x) }, exact: true},
}

// pairs are the functions of two floating-point numbers.
var pairs = map[*ir.OpID]func(f *formula, a, b *ir.Value) *ir.Value{
	chlo.Polygamma: (*formula).polygamma,
	chlo.Zeta:      (*formula).zeta,
}

// tests are those whose result is a boolean.
var tests = map[*ir.OpID]func(f *formula, x *ir.Value) *ir.Value{
	chlo.IsInf:    func(f *formula, x *ir.Value) *ir.Value { return f.same(f.abs(x), f.infinity()) },
	chlo.IsNegInf: func(f *formula, x *ir.Value) *ir.Value { return f.same(x, f.neg(f.infinity())) },
	chlo.IsPosInf: func(f *formula, x *ir.Value) *ir.Value { return f.same(x, f.infinity()) },
}

// addClients adds the functions of chlo to the operations on elements.
func addClients() {
	for id := range clients {
		scalars[id] = onElement
	}
	for id := range pairs {
		scalars[id] = onElement
	}
	for id := range tests {
		scalars[id] = onElement
	}
	scalars[chlo.NextAfter] = onElement
	for _, def := range chlo.Dialect.OpDefs() {
		if scalars[def.ID] != nil {
			clientNames[strings.TrimPrefix(def.ID.String(), "chlo.")] = def.ID
		}
	}
}

// onElement computes a function of chlo of elements.
func onElement(e *element, a []*ir.Value) *ir.Value {
	if k, ok := clients[e.op.ID()]; ok && k.direct != nil && ir.IsFloat(a[0].Type()) {
		return e.New(k.direct, a...)
	}
	return clientOf(e.op, elementFormula(e, a[0].Type()), a)
}

// clientOf writes a function of chlo down; nil if it isn't defined for the numbers. What has fewer bits than f32 is computed in f32.
func clientOf(op *ir.Op, f *formula, a []*ir.Value) *ir.Value {
	id := op.ID()
	if !isComputable(f.elem) {
		return nil
	}
	if id == chlo.NextAfter {
		return f.nextAfter(a[0], a[1])
	}
	if test := tests[id]; test != nil {
		if !ir.IsFloat(f.elem) {
			return nil
		}
		return test(f, a[0])
	}
	k := clients[id]
	if z := complexOf(f.elem); z != nil {
		if k.onComplex == nil {
			return nil
		}
		if k.exact || z.Elem == ir.Type(ir.F64) {
			return k.onComplex(f, a[0])
		}
		// Formulas of several steps lose a bit or two, which f32 has none to spare of.
		wide := f.of(f.c.Complex(ir.F64))
		return wide.convert(k.onComplex(wide, f.convert(a[0], wide.elem)), z)
	}
	t, ok := f.elem.(*ir.FloatType)
	if !ok {
		if id == chlo.Square {
			return f.square(a[0])
		}
		return nil
	}
	g, narrow := f, t.Width < ir.F32.Width && !k.exact
	args := slices.Clone(a)
	if narrow {
		g = f.of(ir.F32)
		for i := range args {
			args[i] = f.convert(args[i], ir.F32)
		}
	}
	var v *ir.Value
	if two := pairs[id]; two != nil {
		v = two(g, args[0], args[1])
	} else {
		v = k.onFloat(g, args[0])
	}
	if narrow {
		v = g.convert(v, t)
	}
	return v
}

func (f *formula) conjugate(z *ir.Value) *ir.Value {
	g, re, im := f.parts(z)
	return f.complex(re, g.neg(im))
}

// nextAfter is the next number of the type in the direction of another one.
func (f *formula) nextAfter(x, y *ir.Value) *ir.Value {
	t, ok := f.elem.(*ir.FloatType)
	if !ok || t.Width > 64 {
		return nil
	}
	n := f.of(f.c.Integer(t.Width))
	bits := func(v *ir.Value) *ir.Value { return n.do(stablehlo.BitcastConvert, v) }
	number := func(v *ir.Value) *ir.Value { return f.do(stablehlo.BitcastConvert, v) }
	sign := n.constant(f.c.IntegerAttr(n.elem, int64(t.Format.SignMask())))
	zero, one := n.at(0), n.at(1)
	a, b := bits(x), bits(y)
	// Of the least numbers on both sides of zero, that which has the sign of y.
	least := n.do(stablehlo.Or, n.do(stablehlo.And, b, sign), one)
	away := f.compare(stablehlo.GE, f.abs(x), f.abs(y))
	sameSign := n.compare(stablehlo.EQ, n.do(stablehlo.And, a, sign), n.do(stablehlo.And, b, sign))
	inwards := f.either(away, f.emit(stablehlo.Not, ir.I1, nil, sameSign))
	next := n.choose(inwards, n.sub(a, one), n.add(a, one))
	isZero := n.same(n.do(stablehlo.And, a, n.do(stablehlo.Not, sign)), zero)
	result := number(n.choose(isZero, least, next))
	unknown := f.either(f.compare(stablehlo.NE, x, x), f.compare(stablehlo.NE, y, y))
	return f.choose(unknown, f.nan(), f.choose(f.same(x, y), y, result))
}

// constantLike is a constant of the shape of a tensor, on the level of stablehlo.
func (l *lowering) constantLike(v *ir.Value, a ir.Attribute) *ir.Value {
	c := l.b.Context()
	t := ranked(v)
	elem := ir.TypeOfAttr(a)
	if ir.IsStaticShape(t.Shape) {
		return stablehlo.NewConstant(l.b, c.DenseElements(c.RankedTensor(t.Shape, elem), elementBytes(a)))
	}
	one := stablehlo.NewConstant(l.b, c.DenseElements(c.RankedTensor(nil, elem), elementBytes(a)))
	return l.dynamicBroadcast(one, l.dimensions(v), t.Shape, nil)
}

// elementBytes are the bytes of a number as dense constants have them.
func elementBytes(a ir.Attribute) []byte {
	if re, im := complex.Parts(a); re != nil {
		return append(elementBytes(re), elementBytes(im)...)
	}
	out := ir.AppendElement(nil, a)
	if ir.TypeOfAttr(a) == ir.Type(ir.I1) {
		out[0] &= 1
	}
	return out
}

// dimensions is the list of sizes of a tensor, on the level of stablehlo.
func (l *lowering) dimensions(v *ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(ranked(v).Shape))
	for i := range out {
		out[i] = l.dimension(v, i)
	}
	return out
}

func (l *lowering) dimension(v *ir.Value, i int) *ir.Value {
	c := l.b.Context()
	scalar := c.RankedTensor(nil, ir.I32)
	if n := ranked(v).Shape[i]; n != ir.Dynamic {
		return stablehlo.NewConstant(l.b, c.DenseElements(scalar, elementBytes(c.I32Attr(n))))
	}
	return l.b.CreateOp(stablehlo.GetDimensionSize, []ir.Type{scalar}, []*ir.Value{v}, ir.NamedAttr{Name: "dimension", Value: c.I64Attr(int64(i))}).Result(0)
}

// dynamicBroadcast repeats a tensor, on the level of stablehlo. sizes are those of the result.
func (l *lowering) dynamicBroadcast(v *ir.Value, sizes []*ir.Value, shape, dims []int64) *ir.Value {
	c := l.b.Context()
	t := c.RankedTensor(shape, ranked(v).Elem)
	attr := ir.NamedAttr{Name: "broadcast_dimensions", Value: c.DenseI64Array(dims...)}
	if ir.IsStaticShape(shape) {
		return l.b.CreateOp(stablehlo.BroadcastInDim, []ir.Type{t}, []*ir.Value{v}, attr).Result(0)
	}
	return l.b.CreateOp(stablehlo.DynamicBroadcastInDim, []ir.Type{t}, []*ir.Value{v, l.listOf(sizes)}, attr).Result(0)
}

// broadcasting broadcasts operands to a common shape, the dimensions counted from the last one or as an attribute says, and applies the
// operation on operands of the same shape.
func (l *lowering) broadcasting(op *ir.Op) ([]*ir.Value, error) {
	result := rankedResult(op, 0)
	rank := len(result.Shape)
	operands := op.Operands().Values()
	dims := make([][]int64, len(operands))
	given := ints(op, "broadcast_dimensions")
	for i, v := range operands {
		n := len(ranked(v).Shape)
		if n > rank {
			return nil, errorf("the result has fewer dimensions than an operand")
		}
		if n < rank && given != nil && len(given) == n {
			dims[i] = given
			continue
		}
		for d := range n {
			dims[i] = append(dims[i], int64(rank-n+d))
		}
	}
	sizes := l.joined(operands, dims, result.Shape)
	args := make([]*ir.Value, len(operands))
	for i, v := range operands {
		args[i] = v
		t := ranked(v)
		whole := slices.Equal(t.Shape, result.Shape) && ir.IsStaticShape(t.Shape)
		if op.Is(chlo.BroadcastSelect) && i == 0 && len(t.Shape) == 0 {
			whole = true
		}
		if !whole {
			args[i] = l.dynamicBroadcast(v, sizes, result.Shape, dims[i])
		}
	}
	s := l.b.State(chlo.Broadcasts[op.ID()])
	s.Operands, s.Types = args, []ir.Type{l.b.Context().RankedTensor(result.Shape, result.Elem)}
	if op.Is(chlo.BroadcastCompare) {
		c := l.b.Context()
		for name, def := range map[string]*ir.EnumDef{"comparison_direction": stablehlo.ComparisonDirection, "compare_type": stablehlo.ComparisonType} {
			if e, ok := op.Attr(name).(*ir.EnumAttr); ok {
				s.SetAttr(name, c.EnumAttr(def, e.Value))
			}
		}
	}
	return one(l.b.Create(s).Result(0)), nil
}

// joined are the sizes of what operands are broadcast to: in each dimension that of the first one that isn't 1 there.
func (l *lowering) joined(operands []*ir.Value, dims [][]int64, shape []int64) []*ir.Value {
	c := l.b.Context()
	out := make([]*ir.Value, len(shape))
	if ir.IsStaticShape(shape) {
		return out
	}
	for d := range shape {
		for i, v := range operands {
			k := slices.Index(dims[i], int64(d))
			if k < 0 {
				continue
			}
			n := l.dimension(v, k)
			if out[d] == nil {
				out[d] = n
				continue
			}
			f := l.tensorFormula(n, ir.I32)
			out[d] = f.choose(f.same(out[d], f.at(1)), n, out[d])
		}
		if out[d] == nil {
			out[d] = stablehlo.NewConstant(l.b, c.DenseElements(c.RankedTensor(nil, ir.I32), elementBytes(c.I32Attr(max(shape[d], 1)))))
		}
	}
	return out
}

// clientConstant is a constant of the shape of the operand.
func (l *lowering) clientConstant(op *ir.Op) ([]*ir.Value, error) {
	a := op.Attr("value")
	if op.NumOperands() == 0 {
		return one(stablehlo.NewConstant(l.b, a)), nil
	}
	if !isNumber(a) {
		return nil, errorf("its value isn't one number")
	}
	return one(l.constantLike(op.OnlyOperand(), a)), nil
}

// isNumber tells whether an attribute is a number of the type that it has.
func isNumber(a ir.Attribute) bool {
	switch a.(type) {
	case *ir.FloatAttr, *ir.IntegerAttr:
		return true
	}
	re, _ := complex.Parts(a)
	return re != nil
}

// topK are the k largest elements along the last dimension, and where they are: a sort, of which the beginning is kept.
func (l *lowering) topK(op *ir.Op) ([]*ir.Value, error) {
	return l.ends(chlo.TopKOp{Op: op}.OperandValue(), intAttr(op, "k"), stablehlo.GT), nil
}

// ends are the first k elements along the last dimension that a comparison, with which each holds before those behind it, puts there, and where they were.
func (l *lowering) ends(v *ir.Value, k int64, comparison uint64) []*ir.Value {
	sorted := l.inOrder(v, comparison)
	for i, v := range sorted {
		sorted[i] = l.front(v, k)
	}
	return sorted
}

// dynamicTopK is topK where k, the second operand, is known only at run time.
func (l *lowering) dynamicTopK(op *ir.Op) ([]*ir.Value, error) {
	if op.NumOperands() != 2 || op.NumResults() != 2 || ranked(op.Operand(0)) == nil || len(ranked(op.Operand(0)).Shape) == 0 || ranked(op.Operand(1)) == nil ||
		!slices.Equal(ranked(op.Operand(1)).Shape, []int64{}) || !ir.IsInteger(ranked(op.Operand(1)).Elem) {
		return nil, errorf("it takes a tensor and how many elements are wanted, and has two results")
	}
	b := l.b
	k := b.CreateOp(stablehlo.Convert, []ir.Type{b.Context().RankedTensor(nil, ir.I32)}, one(op.Operand(1))).Result(0)
	sorted := l.inOrder(op.Operand(0), stablehlo.GT)
	for i, v := range sorted {
		shape := slices.Clone(ranked(v).Shape)
		shape[len(shape)-1] = ir.Dynamic
		limits := l.dimensions(v)
		limits[len(limits)-1] = k
		sorted[i] = l.upTo(v, shape, limits)
	}
	return sorted, nil
}

// inOrder sorts a tensor along its last dimension by falling values, or by rising ones if that is the comparison, and tells where they were.
func (l *lowering) inOrder(v *ir.Value, comparison uint64) []*ir.Value {
	b := l.b
	c := b.Context()
	t := ranked(v)
	last := int64(len(t.Shape) - 1)
	places := c.RankedTensor(t.Shape, ir.I32)
	var at *ir.Value
	dim := ir.NamedAttr{Name: "iota_dimension", Value: c.I64Attr(last)}
	if ir.IsStaticShape(t.Shape) {
		at = b.CreateOp(stablehlo.Iota, []ir.Type{places}, nil, dim).Result(0)
	} else {
		at = b.CreateOp(stablehlo.DynamicIota, []ir.Type{places}, one(l.listOf(l.dimensions(v))), dim).Result(0)
	}
	s := l.stableSort([]*ir.Value{v, at}, last)
	x, n := c.RankedTensor(nil, t.Elem), c.RankedTensor(nil, ir.I32)
	blk := s.AddRegion().AddBlock(x, x, n, n)
	sorted := b.Create(s)
	b.SetEnd(blk)
	attrs := []ir.NamedAttr{{Name: "comparison_direction", Value: c.EnumAttr(stablehlo.ComparisonDirection, comparison)}}
	if ir.IsFloat(t.Elem) {
		attrs = append(attrs, ir.NamedAttr{Name: "compare_type", Value: c.EnumAttr(stablehlo.ComparisonType, stablehlo.TotalOrder)})
	}
	cond := b.CreateOp(stablehlo.Compare, []ir.Type{c.RankedTensor(nil, ir.I1)}, blk.Args()[:2], attrs...).Result(0)
	b.CreateOp(stablehlo.Return, nil, []*ir.Value{cond})
	b.SetAfter(sorted)
	return sorted.Results().Values()
}

// stableSort is a sort along a dimension that lacks the region with its comparison.
func (l *lowering) stableSort(operands []*ir.Value, dim int64) ir.OpState {
	s := l.b.State(stablehlo.Sort)
	s.Operands, s.Types = operands, ir.TypesOf(operands)
	s.SetAttr("dimension", l.b.Context().I64Attr(dim))
	s.SetAttr("is_stable", l.b.Context().Bool(true))
	return s
}

// front are the first k elements along the last dimension, on the level of stablehlo.
func (l *lowering) front(v *ir.Value, k int64) *ir.Value {
	b := l.b
	c := b.Context()
	shape := slices.Clone(ranked(v).Shape)
	last := len(shape) - 1
	shape[last] = k
	if ir.IsStaticShape(shape) {
		return l.first(v, last, k)
	}
	limits := l.dimensions(v)
	scalar := c.RankedTensor(nil, ir.I32)
	limits[last] = stablehlo.NewConstant(b, c.DenseElements(scalar, elementBytes(c.I32Attr(k))))
	return l.upTo(v, shape, limits)
}

// upTo are the elements of a tensor up to limits, on the level of stablehlo.
func (l *lowering) upTo(v *ir.Value, shape []int64, limits []*ir.Value) *ir.Value {
	b := l.b
	c := b.Context()
	t := c.RankedTensor(shape, ranked(v).Elem)
	list := func(n int64) *ir.Value {
		return stablehlo.NewConstant(b, c.DenseElements(c.RankedTensor([]int64{int64(len(shape))}, ir.I32), elementBytes(c.I32Attr(n))))
	}
	return b.CreateOp(stablehlo.RealDynamicSlice, []ir.Type{t}, []*ir.Value{v, list(0), l.listOf(limits), list(1)}).Result(0)
}

// first are the first k elements along a dimension of a tensor whose sizes are known, on the level of stablehlo.
func (l *lowering) first(v *ir.Value, dim int, k int64) *ir.Value {
	c := l.b.Context()
	shape := slices.Clone(ranked(v).Shape)
	shape[dim] = k
	list := func(name string, numbers ...int64) ir.NamedAttr {
		return ir.NamedAttr{Name: name, Value: c.DenseI64Array(numbers...)}
	}
	return l.b.CreateOp(stablehlo.Slice, []ir.Type{c.RankedTensor(shape, ranked(v).Elem)}, one(v), list("start_indices", make([]int64, len(shape))...),
		list("limit_indices", shape...), list("strides", slices.Repeat([]int64{1}, len(shape))...)).Result(0)
}

// listOf makes a list of numbers, on the level of stablehlo.
func (l *lowering) listOf(numbers []*ir.Value) *ir.Value {
	b := l.b
	c := b.Context()
	list := make([]*ir.Value, len(numbers))
	for i, n := range numbers {
		list[i] = b.CreateOp(stablehlo.Reshape, []ir.Type{c.RankedTensor([]int64{1}, ir.I32)}, one(n)).Result(0)
	}
	t := c.RankedTensor([]int64{int64(len(list))}, ir.I32)
	return b.CreateOp(stablehlo.Concatenate, []ir.Type{t}, list, ir.NamedAttr{Name: "dimension", Value: c.I64Attr(0)}).Result(0)
}

// ToStableHLO replaces the operations of chlo in a module by those of stablehlo that compute the same. It tells whether there were any. It is an error if one can't be
// replaced, with a diagnostic for each. Linear time.
func ToStableHLO(module *ir.Op) (changed bool, err error) {
	l := newLowering(module)
	var ops []*ir.Op
	module.Walk(func(op *ir.Op) bool {
		if op.Dialect() == chlo.Dialect {
			ops = append(ops, op)
		}
		return true
	})
	var failed []error
	for _, op := range ops {
		l.b.SetBefore(op)
		l.b.Loc = op.Loc()
		results, err := l.fromClient(op)
		if err != nil {
			failed = append(failed, op.Errorf("can't be replaced: %s", err))
			continue
		}
		for i, v := range results {
			t := op.Result(i).Type()
			if v.Type() != t {
				v = l.b.CreateOp(stablehlo.Convert, []ir.Type{t}, one(v)).Result(0)
			}
			op.Result(i).ReplaceAllUsesWith(v)
		}
		op.Erase()
	}
	return len(ops) > 0, errors.Join(failed...)
}

// fromClient makes operations of stablehlo of one of chlo.
func (l *lowering) fromClient(op *ir.Op) ([]*ir.Value, error) {
	if op.Is(chlo.RaggedDot) {
		return l.raggedLoop(op)
	}
	if r := rules[op.ID()]; r != nil {
		results, err := r(l, op)
		if err != nil || len(results) == 0 {
			return results, err
		}
		// A broadcast may leave a function of chlo.
		if d := results[0].DefiningOp(); d != nil && d.Dialect() == chlo.Dialect && rules[d.ID()] == nil {
			l.b.SetBefore(d)
			if results, err = l.fromClient(d); err == nil {
				d.Erase()
			}
			l.b.SetBefore(op)
		}
		return results, err
	}
	if scalars[op.ID()] == nil {
		return nil, errorf("there is no rule for it")
	}
	v := clientOf(op, l.tensorFormula(op.Operand(0), ranked(op.Operand(0)).Elem), op.Operands().Values())
	if v == nil {
		return nil, errTypes
	}
	return one(v), nil
}
