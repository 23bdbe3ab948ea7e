package tosa

import (
	"slices"

	"freehold/ir"
	"freehold/ir/constraint"
)

// ConstShape is a constant shape of LLVM 22, which becomes a [Const] where it is read in a program of an earlier version.
var ConstShape = ir.NewOpID("tosa.const_shape")

func constShapeDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      ConstShape,
		Since:   22,
		Results: ir.SingleResult("output", constraint.AnyType),
		Attrs:   []ir.AttrDef{attr(valuesName, elementsAttr)},
		Traits:  ir.TraitPure,
		Format:  "` ` attr-dict ` ` `:` functional-type(operands, results)",
		Later: []ir.Spelling{{Since: 22, Upgrade: func(b *ir.Builder, s *ir.OpState) error {
			if b.Context().LLVM() >= 22 {
				return nil
			}
			values := s.Attr(valuesName)
			s.Name, s.Props = b.Context().OpNameOf(Const), nil
			s.SetAttr("value", values)
			return readConst(b, s)
		}}},
	}
}

// newShape creates a constant shape as LLVM 22 has it.
func newShape(b *ir.Builder, list ...int64) *ir.Value {
	c := b.Context()
	t := c.DialectTypeOf(c.Dialect(dialectName), shapeType, c.I64Attr(int64(len(list))))
	values := shapeElements(c, list)
	if v := made(b, t, values); v != nil {
		return v
	}
	return b.CreateOp(ConstShape, []ir.Type{t}, nil, ir.NamedAttr{Name: valuesName, Value: values}).Result(0)
}

// lookedAt is how many operations [made] looks at.
const lookedAt = 128

// made returns a constant in front of the builder's place, in the same block and not far away, that has the values; nil if there is none. A program of
// LLVM 22 has the constants that its operations had as operands.
func made(b *ir.Builder, t ir.Type, values ir.Attribute) *ir.Value {
	op := b.InsertionPoint().Before
	for n := 0; op != nil && n < lookedAt; n++ {
		if op = op.Prev(); op == nil {
			return nil
		}
		if (op.Is(ConstShape) || op.Is(Const)) && op.Result(0).Type() == t && (op.Prop(0) == values || op.DiscardableAttr(valuesName) == values) {
			return op.Result(0)
		}
	}
	return nil
}

// shapeElements returns the sizes of a shape, of which those that aren't known are -1.
func shapeElements(c *ir.Context, shape []int64) *ir.DenseElementsAttr {
	var data []byte
	for _, d := range shape {
		if d == ir.Dynamic {
			d = -1
		}
		data = ir.AppendElement(data, c.IntegerAttr(ir.Index, d))
	}
	return c.DenseElements(c.RankedTensor([]int64{int64(len(shape))}, ir.Index), data)
}

// newList creates a constant of LLVM 22 with one dimension.
func newList(b *ir.Builder, elem ir.Type, list ...int64) *ir.Value {
	c := b.Context()
	var data []byte
	for _, n := range list {
		var a ir.Attribute = c.IntegerAttr(elem, n)
		if f, ok := elem.(*ir.FloatType); ok {
			a = c.FloatAttr(f, float64(n))
		}
		data = ir.AppendElement(data, a)
	}
	t := c.RankedTensor([]int64{int64(len(list))}, elem)
	return newLaterConst(b, t, c.DenseElements(t, data))
}

func newLaterConst(b *ir.Builder, t ir.Type, values ir.Attribute) *ir.Value {
	if v := made(b, t, values); v != nil {
		return v
	}
	op := b.CreateOp(Const, []ir.Type{t}, nil)
	op.SetDiscardableAttr(valuesName, values)
	return op.Result(0)
}

// elementsOf returns the elements of a constant, which may be in either spelling; nil if it is none.
func elementsOf(v *ir.Value) *ir.DenseElementsAttr {
	if d := ConstantOf(v); d != nil {
		return d
	}
	if op := v.DefiningOp(); op != nil && op.Is(Const) {
		d, _ := op.DiscardableAttr(valuesName).(*ir.DenseElementsAttr)
		return d
	}
	return nil
}

// withOperands puts operands behind those of op.
func withOperands(op *ir.Op, more ...*ir.Value) {
	op.SetOperands(append(slices.Clone(op.Operands().Values()), more...))
}

// printConst gives the elements their name.
func printConst(_ *ir.Builder, op *ir.Op) {
	if a := op.Prop(0); a != nil {
		op.SetProp(0, nil)
		op.SetDiscardableAttr(valuesName, a)
	}
}

// printPoints makes operands of zero points. Of is the index of the operand, or -1 for the
// result, whose elements each of them is one of.
func printPoints(of ...int) func(b *ir.Builder, op *ir.Op) {
	return func(b *ir.Builder, op *ir.Op) {
		points, ok := ZeroPoints(op)
		if !ok {
			points = make([]int64, len(of))
		}
		op.SetAttr(quantName, nil)
		var list []*ir.Value
		for i, k := range of {
			t := op.Result(0).Type()
			if k >= 0 {
				t = op.Operand(k).Type()
			}
			list = append(list, newList(b, ir.ElementType(t), points[i]))
		}
		withOperands(op, list...)
	}
}

// printConvolution also says in which type products are summed up.
func printConvolution(b *ir.Builder, op *ir.Op) {
	printPoints(0, 1)(b, op)
	acc := ir.ElementType(op.Result(0).Type())
	if f, ok := acc.(*ir.FloatType); ok && f.Width < ir.F32.Width {
		acc = ir.F32
	}
	op.SetDiscardableAttr(accTypeName, b.Context().TypeAttr(acc))
}

func printTransposeConv(b *ir.Builder, op *ir.Op) {
	op.SetAttr("out_shape", nil)
	printConvolution(b, op)
}

// printFullyConnected makes a convolution of images of one element.
func printFullyConnected(b *ir.Builder, op *ir.Op) {
	c := b.Context()
	widen := func(t ir.Type) (ir.Type, []int64) {
		r, ok := t.(*ir.RankedTensorType)
		if !ok || len(r.Shape) != 2 {
			return nil, nil
		}
		shape := []int64{r.Shape[0], 1, 1, r.Shape[1]}
		return c.RankedTensor(shape, r.Elem), shape
	}
	var list []*ir.Value
	for i := range 2 {
		t, shape := widen(op.Operand(i).Type())
		if !inferable(shape) {
			return
		}
		list = append(list, newReshape(b, op.Operand(i), t, shape))
	}
	t, _ := widen(op.Result(0).Type())
	if t == nil {
		return
	}
	_, final := ir.ShapeOf(op.Result(0).Type())
	shape, _ := ir.ShapeOf(op.Result(0).Type())
	if !final || !inferable(shape) {
		return
	}
	ones := c.DenseI64Array(1, 1)
	attrs := []ir.NamedAttr{{Name: "pad", Value: c.DenseI64Array(0, 0, 0, 0)}, {Name: "stride", Value: ones}, {Name: "dilation", Value: ones}}
	if q := op.Attr(quantName); q != nil {
		attrs = append(attrs, ir.NamedAttr{Name: quantName, Value: q})
	}
	conv := b.CreateOp(Conv2D, []ir.Type{t}, append(list, FullyConnectedOp{op}.Bias()), attrs...)
	b.SetBefore(conv)
	printConvolution(b, conv)
	b.SetBefore(op)
	op.Result(0).ReplaceAllUsesWith(newReshape(b, conv.Result(0), op.Result(0).Type(), shape))
	op.Erase()
}

// inferable tells whether a reshape may leave out what isn't known of a shape.
func inferable(shape []int64) bool {
	unknown := 0
	for _, d := range shape {
		if d == ir.Dynamic {
			unknown++
		}
	}
	return shape != nil && unknown <= 1
}

// newReshape creates a reshape of LLVM 22.
func newReshape(b *ir.Builder, v *ir.Value, t ir.Type, shape []int64) *ir.Value {
	return b.CreateOp(Reshape, []ir.Type{t}, []*ir.Value{v, newShape(b, shape...)}).Result(0)
}

// printRanks gives operands that are broadcast the rank of the result.
func printRanks(b *ir.Builder, op *ir.Op) {
	rank := 0
	for _, v := range op.Operands().Values() {
		shape, ok := ir.ShapeOf(v.Type())
		if !ok {
			return
		}
		rank = max(rank, len(shape))
	}
	for i := range op.NumOperands() {
		v := op.Operand(i)
		shape, _ := ir.ShapeOf(v.Type())
		if len(shape) == rank || !inferable(append([]int64{}, shape...)) {
			continue
		}
		full := make([]int64, rank)
		for k := range full {
			full[k] = 1
		}
		copy(full[rank-len(shape):], shape)
		op.SetOperand(i, newReshape(b, v, b.Context().RankedTensor(full, ir.ElementType(v.Type())), full))
	}
}

func printMul(b *ir.Builder, op *ir.Op) {
	printRanks(b, op)
	shift, _ := op.Attr("shift").(*ir.IntegerAttr)
	if shift == nil {
		return
	}
	op.SetAttr("shift", nil)
	withOperands(op, newList(b, ir.I8, shift.Value))
}

// printShapes makes operands of lists of numbers.
func printShapes(names ...string) func(b *ir.Builder, op *ir.Op) {
	return func(b *ir.Builder, op *ir.Op) {
		var list []*ir.Value
		for _, name := range names {
			a, ok := op.Attr(name).(*ir.DenseArrayAttr)
			if !ok {
				return // it is in that spelling
			}
			list = append(list, newShape(b, a.Ints()...))
			op.SetAttr(name, nil)
		}
		withOperands(op, list...)
	}
}

// printResize also gives the mode its type.
func printResize(b *ir.Builder, op *ir.Op) {
	printShapes("scale", "offset", "border")(b, op)
	if mode, ok := op.Attr("mode").(*ir.StringAttr); ok {
		op.SetAttr("mode", wordAttr(b.Context(), resizeModeOf, mode.Value))
	}
}

// printPad makes a shape of the paddings if they are constant, and gives the element that is padded one dimension.
func printPad(b *ir.Builder, op *ir.Op) {
	d := elementsOf(PadOp{op}.Padding())
	if d == nil {
		return
	}
	elem := ir.ElementType(PadOp{op}.Input1().Type())
	operands := []*ir.Value{PadOp{op}.Input1(), newShape(b, Ints(d)...)}
	switch points, ok := ZeroPoints(op); {
	case PadOp{op}.PadConst() != nil:
		one := b.Context().RankedTensor([]int64{1}, elem)
		scalar := PadOp{op}.PadConst()
		reshaped := scalar.DefinedBy(Reshape)
		if c := elementsOf(scalar); c != nil {
			operands = append(operands, newLaterConst(b, one, b.Context().DenseElements(one, []byte(c.Raw(0)))))
		} else if reshaped != nil && (ReshapeOp{reshaped}).Input1().Type() == ir.Type(one) {
			operands = append(operands, ReshapeOp{reshaped}.Input1())
		} else {
			operands = append(operands, newReshape(b, scalar, one, []int64{1}))
		}
	case ok:
		operands = append(operands, newList(b, elem, points[0]))
	default:
		operands = append(operands, newList(b, elem, 0))
	}
	op.SetAttr(quantName, nil)
	before := op.Operands().Values()
	op.SetOperands(operands)
	for _, v := range before[1:] {
		eraseUnused(v) // what the operation had when it was read
	}
}

// eraseUnused erases a constant or a reshape that nothing uses, and what it alone used.
func eraseUnused(v *ir.Value) {
	op := v.DefiningOp()
	if op == nil || v.HasUses() || !op.Is(Const) && !op.Is(ConstShape) && !op.Is(Reshape) {
		return
	}
	operands := op.Operands().Values()
	op.Erase()
	for _, x := range operands {
		eraseUnused(x)
	}
}

// printTranspose makes an attribute of an order of dimensions that is constant.
func printTranspose(b *ir.Builder, op *ir.Op) {
	d := elementsOf(TransposeOp{op}.Perms())
	if d == nil {
		return
	}
	var list []int32
	for _, n := range Ints(d) {
		list = append(list, int32(n))
	}
	order := TransposeOp{op}.Perms()
	op.SetOperands([]*ir.Value{TransposeOp{op}.Input1()})
	if !order.HasUses() {
		order.DefiningOp().Erase()
	}
	op.SetDiscardableAttr(permsName, b.Context().DenseI32Array(list...))
}

// printClamp takes the limits that the type of the elements asks for.
func printClamp(b *ir.Builder, op *ir.Op) {
	elem := ir.ElementType(ClampOp{op}.Input().Type())
	for _, name := range []string{"min", "max"} {
		var limit ir.Attribute
		if n, ok := op.Attr(name + "_int").(*ir.IntegerAttr); ok {
			limit = b.Context().IntegerAttr(elem, closest(elem, n.Value))
		}
		if f, ok := elem.(*ir.FloatType); ok {
			x, _ := op.Attr(name + "_fp").(*ir.FloatAttr)
			if x == nil {
				return
			}
			limit = b.Context().FloatAttr(f, x.Float64())
		}
		op.SetAttr(name+"_int", nil)
		op.SetAttr(name+"_fp", nil)
		op.SetDiscardableAttr(name+"_val", limit)
	}
}

// closest returns the number of an integer type that is closest to n.
func closest(t ir.Type, n int64) int64 {
	i, ok := t.(*ir.IntegerType)
	if !ok || i.Width >= 64 {
		return n
	}
	if i.Signedness == ir.Unsigned {
		return min(max(n, 0), 1<<i.Width-1)
	}
	return min(max(n, -1<<(i.Width-1)), 1<<(i.Width-1)-1)
}

// roundingOf is how LLVM 22 says whether numbers are rounded twice.
func roundingOf(op *ir.Op) ir.Attribute {
	w := singleRound
	if op.Attr("double_round") == ir.Attribute(op.Context().Bool(true)) {
		w = doubleRound
	}
	op.SetAttr("double_round", nil)
	return wordAttr(op.Context(), roundingName, w)
}

func printApplyScale(_ *ir.Builder, op *ir.Op) {
	op.SetDiscardableAttr(roundingName, roundingOf(op))
}

// printRescale makes operands of what is multiplied with, shifted by, and of the zero points.
func printRescale(b *ir.Builder, op *ir.Op) {
	c := b.Context()
	multiplier, ok := op.Attr("multiplier").(*ir.DenseArrayAttr)
	shift, also := op.Attr("shift").(*ir.DenseArrayAttr)
	if !ok || !also {
		return
	}
	number := ir.Type(ir.I16)
	if op.Attr("scale32") == ir.Attribute(c.Bool(true)) {
		number = ir.I32
	}
	in, out := ir.ElementType(RescaleOp{op}.Input().Type()), ir.ElementType(op.Result(0).Type())
	inZero, outZero := op.Attr("input_zp").(*ir.IntegerAttr).Value, op.Attr("output_zp").(*ir.IntegerAttr).Value
	withOperands(op, newList(b, number, multiplier.Ints()...), newList(b, ir.I8, shift.Ints()...), newList(b, in, inZero), newList(b, out, outZero))
	for _, name := range []string{"multiplier", "shift", "input_zp", "output_zp"} {
		op.SetAttr(name, nil)
	}
	op.SetDiscardableAttr(roundingName, roundingOf(op))
	op.SetDiscardableAttr(inputSign, c.Bool(false))
	op.SetDiscardableAttr(outputSign, c.Bool(false))
}
