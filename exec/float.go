package exec

import (
	"math"
	"math/big"

	"freehold/ir"
)

// The functions of this file return the scalar operations on numbers of a
// floating-point type. Narrow formats are computed with 64 bits and rounded, which
// for the four basic operations is the correctly rounded result; f80 and f128 are
// objects, see [WideFloat].

// FloatUnary returns an operation on one number of a type of up to 64 bits.
func FloatUnary(t *ir.FloatType, fn func(x float64) float64) Scalar {
	s := Scalar{F1: func(a uint64) uint64 { return FloatWord(t, fn(FloatOf(t, a))) }}
	switch t {
	case ir.F32:
		s.Run32 = func(dst []float32, args [][]float32) {
			for i, x := range args[0] {
				dst[i] = float32(fn(float64(x)))
			}
		}
	case ir.F64:
		s.Run64 = func(dst []float64, args [][]float64) {
			for i, x := range args[0] {
				dst[i] = fn(x)
			}
		}
	}
	return s
}

// FloatBinary returns an operation on two numbers of a type of up to 64 bits.
func FloatBinary(t *ir.FloatType, fn func(x, y float64) float64) Scalar {
	s := Scalar{F2: func(a, b uint64) uint64 { return FloatWord(t, fn(FloatOf(t, a), FloatOf(t, b))) }}
	switch t {
	case ir.F32:
		s.Run32 = func(dst []float32, args [][]float32) {
			y := args[1]
			for i, x := range args[0] {
				dst[i] = float32(fn(float64(x), float64(y[i])))
			}
		}
	case ir.F64:
		s.Run64 = func(dst []float64, args [][]float64) {
			y := args[1]
			for i, x := range args[0] {
				dst[i] = fn(x, y[i])
			}
		}
	}
	return s
}

// FloatTernary returns an operation on three numbers of a type of up to 64 bits.
func FloatTernary(t *ir.FloatType, fn func(x, y, z float64) float64) Scalar {
	return Scalar{F3: func(a, b, c uint64) uint64 {
		return FloatWord(t, fn(FloatOf(t, a), FloatOf(t, b), FloatOf(t, c)))
	}}
}

// FAdd returns addition.
func FAdd(t *ir.FloatType) Scalar {
	if t.Width > 64 {
		return realBinary(t, realAdd)
	}
	s := FloatBinary(t, func(x, y float64) float64 { return x + y })
	s.Fused = FusedAdd
	switch t {
	case ir.F32:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf32(wordTo32(f.W[a]) + wordTo32(f.W[b]))
				return nil
			}
		}
		s.Run32 = func(dst []float32, args [][]float32) { addRun(dst, args[0], args[1]) }
	case ir.F64:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf64(wordTo64(f.W[a]) + wordTo64(f.W[b]))
				return nil
			}
		}
		s.Run64 = func(dst []float64, args [][]float64) { addRun(dst, args[0], args[1]) }
	}
	return s
}

// FMul returns multiplication.
func FMul(t *ir.FloatType) Scalar {
	if t.Width > 64 {
		return realBinary(t, realMul)
	}
	s := FloatBinary(t, func(x, y float64) float64 { return x * y })
	s.Fused = FusedMul
	switch t {
	case ir.F32:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf32(wordTo32(f.W[a]) * wordTo32(f.W[b]))
				return nil
			}
		}
		s.Run32 = func(dst []float32, args [][]float32) { mulRun(dst, args[0], args[1]) }
	case ir.F64:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf64(wordTo64(f.W[a]) * wordTo64(f.W[b]))
				return nil
			}
		}
		s.Run64 = func(dst []float64, args [][]float64) { mulRun(dst, args[0], args[1]) }
	}
	return s
}

// FSub returns subtraction.
func FSub(t *ir.FloatType) Scalar {
	if t.Width > 64 {
		return realBinary(t, realSub)
	}
	s := FloatBinary(t, func(x, y float64) float64 { return x - y })
	s.Run32 = runOf(s.Run32, func(dst, x, y []float32) { subRun(dst, x, y) })
	s.Run64 = runOf(s.Run64, func(dst, x, y []float64) { subRun(dst, x, y) })
	return s
}

// FDiv returns division.
func FDiv(t *ir.FloatType) Scalar {
	if t.Width > 64 {
		return realBinary(t, realDiv)
	}
	s := FloatBinary(t, func(x, y float64) float64 { return x / y })
	s.Run32 = runOf(s.Run32, func(dst, x, y []float32) { divRun(dst, x, y) })
	s.Run64 = runOf(s.Run64, func(dst, x, y []float64) { divRun(dst, x, y) })
	return s
}

// FRem returns the remainder of the division that rounds towards zero.
func FRem(t *ir.FloatType) Scalar {
	if t.Width > 64 {
		return realBinary(t, realRem)
	}
	return FloatBinary(t, math.Mod)
}

// FMaximum returns the greater number, or NaN if one is NaN.
func FMaximum(t *ir.FloatType) Scalar { return extreme(t, 1, math.Max, false) }

// FMinimum returns the lesser number, or NaN if one is NaN.
func FMinimum(t *ir.FloatType) Scalar { return extreme(t, -1, math.Min, false) }

// FMaxNum returns the greater number; of a number and NaN, the number.
func FMaxNum(t *ir.FloatType) Scalar { return extreme(t, 1, math.Max, true) }

// FMinNum returns the lesser number; of a number and NaN, the number.
func FMinNum(t *ir.FloatType) Scalar { return extreme(t, -1, math.Min, true) }

// extreme returns the greater or lesser number. Where one is NaN it returns the
// other if number is set, else NaN.
func extreme(t *ir.FloatType, order int, fn func(x, y float64) float64, number bool) Scalar {
	if t.Width > 64 {
		return realBinary(t, func(x, y real) real {
			switch {
			case x == nil && number:
				return y
			case y == nil && number:
				return x
			case x == nil || y == nil:
				return nil
			}
			return realPick(order, x, y)
		})
	}
	return FloatBinary(t, func(x, y float64) float64 {
		switch {
		case x != x && number, y != y && !number:
			return y
		case x != x || y != y:
			return x
		}
		return fn(x, y)
	})
}

// FNeg returns the number with the opposite sign; of a NaN, too.
func FNeg(t *ir.FloatType) Scalar {
	switch {
	case t.Width > 64:
		return realUnary(t, func(x real) real { return newReal().Neg(x) })
	case t.Format.Special == ir.FiniteNaNNegZero:
		return FloatUnary(t, func(x float64) float64 { return -x })
	}
	s := FloatUnary(t, func(x float64) float64 { return -x })
	sign := t.Format.SignMask()
	s.F1 = func(a uint64) uint64 { return a ^ sign }
	return s
}

func runOf[F float32 | float64](old func([]F, [][]F), fn func(dst, x, y []F)) func([]F, [][]F) {
	if old == nil {
		return nil
	}
	return func(dst []F, args [][]F) { fn(dst, args[0], args[1]) }
}

func addRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func subRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func mulRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func divRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

// FloatPredicate is a comparison of floating-point numbers: a set of the outcomes
// for which it holds.
type FloatPredicate uint8

// The outcomes of comparing two numbers, of which Unordered is that with a NaN.
const (
	FEqual FloatPredicate = 1 << iota
	FGreater
	FLess
	FUnordered
)

// FCompare returns a comparison.
func FCompare(t *ir.FloatType, p FloatPredicate) Scalar {
	if t.Width > 64 {
		return Scalar{Objects: func(args []any) any {
			return bit(p&realCompare(realOf(t, args[0]), realOf(t, args[1])) != 0)
		}}
	}
	return Scalar{F2: func(a, b uint64) uint64 {
		x, y := FloatOf(t, a), FloatOf(t, b)
		outcome := FUnordered
		switch {
		case x == y:
			outcome = FEqual
		case x > y:
			outcome = FGreater
		case x < y:
			outcome = FLess
		}
		return bit(p&outcome != 0)
	}}
}

// Rounding is a direction of rounding, numbered as arith's rounding modes.
type Rounding uint8

// The directions of rounding.
const (
	ToNearestEven Rounding = iota
	Downward
	Upward
	TowardZero
	ToNearestAway
)

// FConvert returns the conversion between floating-point types.
func FConvert(from, to *ir.FloatType, mode Rounding) Scalar {
	switch {
	case from.Width > 64 || to.Width > 64:
		return Scalar{Objects: func(args []any) any {
			x := realOf(from, args[0])
			if mode != ToNearestEven {
				x = realRound(to, x, mode)
			}
			return realTo(to, x)
		}}
	case mode == ToNearestEven:
		return Scalar{F1: func(a uint64) uint64 { return FloatWord(to, FloatOf(from, a)) }}
	}
	return Scalar{F1: func(a uint64) uint64 { return roundWord(to, FloatOf(from, a), mode) }}
}

// roundWord returns x, rounded to a type of up to 64 bits in the given direction,
// as a word.
func roundWord(t *ir.FloatType, x float64, mode Rounding) uint64 {
	sign := t.Format.SignMask()
	if sign == 0 {
		x = math.Abs(x)
	}
	near := FloatWord(t, x)
	v := FloatOf(t, near)
	switch {
	case v == x || x != x || math.IsInf(x, 0),
		// There is nothing further away than where halves are rounded to either way.
		mode == ToNearestAway && (v != v || math.IsInf(v, 0)),
		t.Format.Special == ir.FiniteOnly && math.Abs(x) > math.Abs(v) && near&^sign == t.Format.MaxFinite(),
		t.Format.Special == ir.PowersOfTwo && x < v && near == 0:
		return near
	}
	// Between the two neighbours of x, neighbours in the order of their bits.
	magnitude := near &^ sign
	if v != v {
		magnitude = t.Format.MaxFinite() + 1 // what is too large is no number
	}
	smaller, larger := magnitude, magnitude
	if math.Abs(v) > math.Abs(x) || v != v {
		smaller--
	} else {
		larger++
	}
	neg := math.Signbit(x)
	away := false
	switch mode {
	case Downward:
		away = neg
	case Upward:
		away = !neg
	case ToNearestAway:
		lo, hi := FloatOf(t, smaller), FloatOf(t, larger)
		away = math.Abs(x)-lo >= hi-math.Abs(x)
	}
	out := smaller
	if away {
		out = larger
	}
	if neg && (out != 0 || t.Format.Special != ir.FiniteNaNNegZero) {
		out |= sign
	}
	return out
}

// IntToFloat returns the conversion of an integer, to nearest.
func IntToFloat(width int, to *ir.FloatType, isSigned bool) Scalar {
	s := Scalar{Objects: func(args []any) any {
		x, ok := args[0].(*big.Int)
		if !ok {
			x = new(big.Int).SetUint64(args[0].(uint64))
		}
		if isSigned {
			x = signed(x, width)
		}
		// Wide enough for the number as it is.
		return realTo(to, new(big.Float).SetPrec(uint(max(width, realPrec))).SetInt(x))
	}}
	if width > 64 || to.Width > 64 {
		return s
	}
	switch {
	case to == ir.F32 && isSigned:
		s.F1 = func(a uint64) uint64 { return wordOf32(float32(SignExtend(a, width))) }
	case to == ir.F32:
		s.F1 = func(a uint64) uint64 { return wordOf32(float32(a)) }
	case to == ir.F64 && isSigned:
		s.F1 = func(a uint64) uint64 { return wordOf64(float64(SignExtend(a, width))) }
	case to == ir.F64:
		s.F1 = func(a uint64) uint64 { return wordOf64(float64(a)) }
	case isSigned:
		s.F1 = func(a uint64) uint64 {
			x := SignExtend(a, width)
			hi := x >> 32 << 32
			return FloatWord(to, addOdd(float64(hi), float64(x-hi)))
		}
	default:
		s.F1 = func(a uint64) uint64 {
			hi := a >> 32 << 32
			return FloatWord(to, addOdd(float64(hi), float64(a-hi)))
		}
	}
	return s
}

// FloatToInt returns the conversion to an integer, towards zero. What doesn't fit
// is poison.
func FloatToInt(from *ir.FloatType, width int, isSigned bool) Scalar {
	// -1 and less, and 2^width and more, don't fit an unsigned number.
	lo, hi := -1.0, math.Ldexp(1, width)
	if isSigned {
		lo, hi = -math.Ldexp(1, width-1)-1, math.Ldexp(1, width-1)
	}
	outside := func(x float64) bool { return !(x > lo && x < hi) }
	if isSigned && width > 53 {
		// The limit below the least number is not a float64.
		outside = func(x float64) bool { return !(x >= -hi && x < hi) }
	}
	if width > 64 || from.Width > 64 {
		return wideFloatToInt(from, width, isSigned)
	}
	return Scalar{
		F1: func(a uint64) uint64 {
			x := FloatOf(from, a)
			switch {
			case outside(x):
				return 0
			case x < 0:
				return Mask(uint64(int64(x)), width)
			}
			return Mask(uint64(x), width)
		},
		Poison: func(a, _, _ uint64) bool { return outside(FloatOf(from, a)) },
	}
}

func wideFloatToInt(from *ir.FloatType, width int, isSigned bool) Scalar {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(width))
	least, most := new(big.Int), new(big.Int).Sub(limit, big.NewInt(1))
	if isSigned {
		half := new(big.Int).Rsh(limit, 1)
		least, most = new(big.Int).Neg(half), new(big.Int).Sub(half, big.NewInt(1))
	}
	return Scalar{
		Objects: func(args []any) any {
			x := realOf(from, args[0])
			if x == nil || x.IsInf() {
				return poison{}
			}
			v, _ := x.Int(nil)
			if v.Cmp(least) < 0 || v.Cmp(most) > 0 {
				return poison{}
			}
			v.Mod(v, limit)
			if width <= 64 {
				return v.Uint64()
			}
			return v
		},
		// Of words it can't be asked; but the result can be poison.
		Poison: func(_, _, _ uint64) bool { return false },
	}
}

// FastMath is a set of promises about operands and result.
type FastMath uint8

// The promises that make results poison where they don't hold.
const (
	NoNaNs FastMath = 1 << iota
	NoInfs
)

// Promised returns an operation on numbers of type t whose result is poison where
// the promises of its fast-math flags are broken: where an operand or the result is NaN, or infinite.
func (s Scalar) Promised(t *ir.FloatType, flags FastMath) Scalar { return s.PromisedCast(t, t, flags) }

// PromisedCast is [Scalar.Promised] for a conversion.
func (s Scalar) PromisedCast(from, to *ir.FloatType, flags FastMath) Scalar {
	return s.PromisedScaling(from, from, to, flags)
}

// PromisedScaling is [Scalar.Promised] for a conversion with a second operand of another type.
func (s Scalar) PromisedScaling(from, scale, to *ir.FloatType, flags FastMath) Scalar {
	if flags == 0 {
		return s
	}
	breaks := func(t *ir.FloatType, w uint64) bool {
		x := FloatOf(t, w)
		return flags&NoNaNs != 0 && x != x || flags&NoInfs != 0 && math.IsInf(x, 0)
	}
	if s.Objects != nil {
		breaksAny := func(t *ir.FloatType, v any) bool {
			switch v := v.(type) {
			case uint64:
				return breaks(t, v)
			case WideFloat:
				r := realOf(t, v)
				return flags&NoNaNs != 0 && r == nil || flags&NoInfs != 0 && r != nil && r.IsInf()
			}
			return false
		}
		inner := s.Objects
		s.Objects = func(args []any) any {
			v := inner(args)
			broken := breaksAny(to, v)
			for i, x := range args {
				t := from
				if i == 1 {
					t = scale
				}
				broken = broken || breaksAny(t, x)
			}
			if broken {
				return poison{}
			}
			return v
		}
	}
	s.Poison = func(a, b, r uint64) bool { return breaks(from, a) || breaks(scale, b) || breaks(to, r) }
	return s
}
