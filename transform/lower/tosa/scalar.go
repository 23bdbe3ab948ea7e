package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/math"
	"freehold/dialect/tosa"
	"freehold/ir"
)

// scalar computes one element of an elementwise operation's result from elements of its
// operands, whose integers are signless, or returns nil if it isn't defined for their types.
type scalar func(b *ir.Builder, op *ir.Op, args []*ir.Value, result ir.Type) *ir.Value

// scalars lists the elementwise operations.
var scalars = []struct {
	id      *ir.OpID
	compute scalar
}{
	{tosa.Abs, abs},
	{tosa.Add, numeric(arith.AddF, arith.AddI)},
	{tosa.ArithmeticRightShift, shiftRight},
	{tosa.BitwiseAnd, integral(arith.AndI)},
	{tosa.BitwiseNot, invert},
	{tosa.BitwiseOr, integral(arith.OrI)},
	{tosa.BitwiseXor, integral(arith.XOrI)},
	{tosa.Cast, castElement},
	{tosa.Ceil, floating(math.Ceil)},
	{tosa.Clamp, clamp},
	{tosa.Clz, integral(math.CountLeadingZeros)},
	{tosa.Cos, floating(math.Cos)},
	{tosa.Equal, comparison(arith.OEQ, arith.EQ)},
	{tosa.Erf, floating(math.Erf)},
	{tosa.Exp, floating(math.Exp)},
	{tosa.Floor, floating(math.Floor)},
	{tosa.Greater, comparison(arith.OGT, arith.SGT)},
	{tosa.GreaterEqual, comparison(arith.OGE, arith.SGE)},
	{tosa.IntDiv, integral(arith.DivSI)},
	{tosa.Log, floating(math.Log)},
	{tosa.LogicalAnd, integral(arith.AndI)},
	{tosa.LogicalLeftShift, integral(arith.ShLI)},
	{tosa.LogicalNot, invert},
	{tosa.LogicalOr, integral(arith.OrI)},
	{tosa.LogicalRightShift, integral(arith.ShRUI)},
	{tosa.LogicalXor, integral(arith.XOrI)},
	{tosa.Maximum, signed(arith.MaximumF, arith.MaxSI)},
	{tosa.Minimum, signed(arith.MinimumF, arith.MinSI)},
	{tosa.Mul, multiply},
	{tosa.Negate, negate},
	{tosa.Pow, floating(math.PowF)},
	{tosa.Reciprocal, reciprocal},
	{tosa.Rsqrt, floating(math.Rsqrt)},
	{tosa.Select, func(b *ir.Builder, _ *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
		return arith.NewSelect(b, args[0], args[1], args[2])
	}},
	{tosa.Sigmoid, sigmoid},
	{tosa.Sin, floating(math.Sin)},
	{tosa.Sub, numeric(arith.SubF, arith.SubI)},
	{tosa.Tanh, floating(math.Tanh)},
}

// elementOf is the type of the elements of operand i, as the operation has it.
func elementOf(op *ir.Op, i int) ir.Type { return ir.ElementType(op.Operand(i).Type()) }

// isUnsigned tells whether operand i has unsigned elements.
func isUnsigned(op *ir.Op, i int) bool { return isUnsignedType(elementOf(op, i)) }

func isUnsignedType(t ir.Type) bool {
	n, ok := t.(*ir.IntegerType)
	return ok && n.Signedness == ir.Unsigned
}

// numeric is an operation that there is for floating-point numbers and for integers.
func numeric(float, integer *ir.OpID) scalar {
	return func(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
		if ir.IsFloat(args[0].Type()) {
			return newOp(b, float, args)
		}
		return newOp(b, integer, args)
	}
}

// signed is numeric for operations that need to know the sign.
func signed(float, integer *ir.OpID) scalar {
	any := numeric(float, integer)
	return func(b *ir.Builder, op *ir.Op, args []*ir.Value, t ir.Type) *ir.Value {
		if isUnsigned(op, 0) {
			return nil
		}
		return any(b, op, args, t)
	}
}

func floating(id *ir.OpID) scalar {
	return func(b *ir.Builder, _ *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
		if !ir.IsFloat(args[0].Type()) {
			return nil
		}
		return newOp(b, id, args)
	}
}

func integral(id *ir.OpID) scalar {
	return func(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
		if !ir.IsInteger(args[0].Type()) {
			return nil
		}
		return newOp(b, id, args)
	}
}

// newOp creates an operation of a dialect of scalars whose result has the type of its first
// operand.
func newOp(b *ir.Builder, id *ir.OpID, args []*ir.Value) *ir.Value {
	return b.CreateOp(id, []ir.Type{args[0].Type()}, args).Result(0)
}

func comparison(float arith.FloatPredicate, integer arith.IntPredicate) scalar {
	return func(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
		switch {
		case ir.IsFloat(args[0].Type()):
			return arith.NewCmpF(b, float, args[0], args[1])
		case isUnsigned(op, 0):
			return nil
		}
		return arith.NewCmpI(b, integer, args[0], args[1])
	}
}

func abs(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	x := args[0]
	switch {
	case ir.IsFloat(x.Type()):
		return math.New(b, math.AbsF, x)
	case isUnsigned(op, 0):
		return nil
	}
	zero := arith.ConstantInt(b, x.Type(), 0)
	return arith.New(b, arith.MaxSI, x, arith.New(b, arith.SubI, zero, x))
}

// invert turns all bits round.
func invert(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	if !ir.IsInteger(args[0].Type()) || isUnsigned(op, 0) {
		return nil
	}
	return arith.New(b, arith.XOrI, args[0], arith.ConstantInt(b, args[0].Type(), -1))
}

func reciprocal(b *ir.Builder, _ *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	t, ok := args[0].Type().(*ir.FloatType)
	if !ok {
		return nil
	}
	return arith.New(b, arith.DivF, arith.ConstantFloat(b, t, 1), args[0])
}

func sigmoid(b *ir.Builder, _ *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	t, ok := args[0].Type().(*ir.FloatType)
	if !ok {
		return nil
	}
	one := arith.ConstantFloat(b, t, 1)
	e := math.New(b, math.Exp, arith.New(b, arith.NegF, args[0]))
	return arith.New(b, arith.DivF, one, arith.New(b, arith.AddF, e, one))
}

// negate subtracts from the sum of the zero points, in a type that holds all differences.
func negate(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	x := args[0]
	if ir.IsFloat(x.Type()) {
		return arith.New(b, arith.NegF, x)
	}
	if isUnsigned(op, 0) {
		return nil
	}
	points, quantized := tosa.ZeroPoints(op)
	if !quantized {
		return arith.New(b, arith.SubI, arith.ConstantInt(b, x.Type(), 0), x)
	}
	width := x.Type().(*ir.IntegerType).Width
	points0 := points[0] + points[1]
	wide := b.Context().Integer(widthFor(width, points0))
	sum := arith.ConstantInt(b, wide, points0)
	difference := arith.New(b, arith.SubI, sum, arith.NewCast(b, arith.ExtSI, wide, x))
	low, high := signedRange(width)
	clamped := clampInt(b, difference, arith.ConstantInt(b, wide, low), arith.ConstantInt(b, wide, high), false)
	return arith.NewCast(b, arith.TruncI, x.Type(), clamped)
}

// widthFor is the least of the widths 16, 32, 48 and 64 that holds a number minus any of a
// width.
func widthFor(width int, number int64) int {
	if number < 0 {
		number = -number
	}
	if number < 0 || width >= 64 {
		return 64
	}
	_, high := signedRange(width)
	largest := high + number + 1
	for _, w := range []int{16, 32, 48} {
		if _, limit := signedRange(w); largest > 0 && largest <= limit {
			return w
		}
	}
	return 64
}

// signedRange returns the least and the largest number of a width of at most 64 bits.
func signedRange(width int) (low, high int64) {
	low = -1 << (width - 1)
	return low, -(low + 1)
}

// clampInt limits an integer.
func clampInt(b *ir.Builder, x, low, high *ir.Value, unsigned bool) *ir.Value {
	least, largest := arith.MaxSI, arith.MinSI
	if unsigned {
		least, largest = arith.MaxUI, arith.MinUI
	}
	return arith.New(b, largest, high, arith.New(b, least, low, x))
}

// clampFloat limits a floating-point number.
func clampFloat(b *ir.Builder, x, low, high *ir.Value) *ir.Value {
	return arith.New(b, arith.MaximumF, arith.New(b, arith.MinimumF, x, high), low)
}

func clamp(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	x := args[0]
	if t, ok := x.Type().(*ir.FloatType); ok {
		low := arith.ConstantFloat(b, t, op.Attr("min_fp").(*ir.FloatAttr).Float64())
		high := arith.ConstantFloat(b, t, op.Attr("max_fp").(*ir.FloatAttr).Float64())
		return clampFloat(b, x, low, high)
	}
	least, largest := op.Attr("min_int").(*ir.IntegerAttr).Value, op.Attr("max_int").(*ir.IntegerAttr).Value
	width, unsigned := x.Type().(*ir.IntegerType).Width, isUnsigned(op, 0)
	if width < 64 {
		low, high := signedRange(width)
		if unsigned {
			low, high = 0, 1<<width-1
		}
		least, largest = min(max(least, low), high), max(min(largest, high), low)
	} else if unsigned {
		least, largest = max(least, 0), max(largest, 0)
	}
	return clampInt(b, x, arith.ConstantInt(b, x.Type(), least), arith.ConstantInt(b, x.Type(), largest), unsigned)
}

// multiply extends factors to the type of the result. A shift divides the product, rounded, by a
// power of two.
func multiply(b *ir.Builder, op *ir.Op, args []*ir.Value, result ir.Type) *ir.Value {
	shift := op.Attr("shift").(*ir.IntegerAttr).Value
	x, y := args[0], args[1]
	if ir.IsFloat(x.Type()) {
		if shift != 0 {
			return nil
		}
		return arith.New(b, arith.MulF, x, y)
	}
	t := result
	if shift != 0 {
		t = ir.I32
	}
	factors := [2]*ir.Value{x, y}
	extend := func() {
		for i, f := range factors {
			if f.Type().(*ir.IntegerType).Width < t.(*ir.IntegerType).Width {
				factors[i] = arith.NewCast(b, arith.ExtSI, t, f)
			}
		}
	}
	if shift == 0 {
		extend()
		return arith.New(b, arith.MulI, factors[0], factors[1])
	}
	by := arith.ConstantInt(b, ir.I8, shift)
	if x.Type().(*ir.IntegerType).Width > 32 || isUnsigned(op, 0) {
		return nil
	}
	extend()
	return fit(b, applyScale(b, factors[0], factors[1], by, false), result)
}

// fit makes an integer narrower or wider.
func fit(b *ir.Builder, x *ir.Value, t ir.Type) *ir.Value {
	from, to := x.Type().(*ir.IntegerType).Width, t.(*ir.IntegerType).Width
	switch {
	case from > to:
		return arith.NewCast(b, arith.TruncI, t, x)
	case from < to:
		return arith.NewCast(b, arith.ExtSI, t, x)
	}
	return x
}

// applyScale multiplies, divides by a power of two, and rounds.
func applyScale(b *ir.Builder, value, multiplier, shift *ir.Value, double bool) *ir.Value {
	return b.CreateOp(tosa.ApplyScale, []ir.Type{ir.I32}, []*ir.Value{value, multiplier, shift},
		ir.NamedAttr{Name: "double_round", Value: b.Context().Bool(double)}).Result(0)
}

// shiftRight divides by a power of two. To round, the last bit that is shifted out is added.
func shiftRight(b *ir.Builder, op *ir.Op, args []*ir.Value, _ ir.Type) *ir.Value {
	x, by := args[0], args[1]
	if !ir.IsInteger(x.Type()) {
		return nil
	}
	shifted := arith.New(b, arith.ShRSI, x, by)
	if op.Attr("round").(*ir.IntegerAttr).Value == 0 {
		return shifted
	}
	one, zero, no, yes := arith.ConstantInt(b, x.Type(), 1), arith.ConstantInt(b, x.Type(), 0), arith.ConstantBool(b, false), arith.ConstantBool(b, true)
	any := arith.NewCmpI(b, arith.SGT, by, zero)
	last := arith.New(b, arith.ShRSI, x, arith.New(b, arith.SubI, by, one))
	bit := arith.New(b, arith.AndI, arith.NewCast(b, arith.TruncI, ir.I1, last), yes)
	// Where nothing is shifted out, the bit is poison: one is chosen that is not.
	carry := arith.NewCast(b, arith.ExtUI, x.Type(), arith.NewSelect(b, any, bit, no))
	return arith.New(b, arith.AddI, shifted, carry)
}

// unrealized is a cast that a later conversion of types makes sense of.
func unrealized(b *ir.Builder, t ir.Type, v *ir.Value) *ir.Value {
	return builtin.NewUnrealizedConversionCast(b, []ir.Type{t}, v).Result(0)
}
