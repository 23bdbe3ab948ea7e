package exec

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
)

// TestRoundedOnce checks results that rounding first to 64 bits would spoil.
func TestRoundedOnce(t *testing.T) {
	tie := 1 + math.Ldexp(1, -12)
	fma := FFMA(ir.F32)
	if got, want := wordTo32(fma.F3(wordOf32(float32(tie)), wordOf32(float32(tie)), wordOf32(float32(math.Ldexp(1, -60))))),
		float32(1+math.Ldexp(1, -11)+math.Ldexp(1, -23)); got != want {
		t.Errorf("the sum is %g, not %g", got, want)
	}
	for _, tt := range []struct {
		x      int64
		signed bool
		want   float64
	}{
		{1<<62 + 1<<54 + 1, true, 1<<62 + 1<<55},
		{1<<62 + 1<<54, true, 1 << 62},
		{-(1<<62 + 1<<54 + 1), true, -(1<<62 + 1<<55)},
		{1<<62 + 1<<54 + 1, false, 1<<62 + 1<<55},
		{-1, false, 1 << 64},
	} {
		s := IntToFloat(64, ir.BF16, tt.signed)
		if got := FloatOf(ir.BF16, s.F1(uint64(tt.x))); got != tt.want {
			t.Errorf("%d (signed %v) becomes %g, not %g", tt.x, tt.signed, got, tt.want)
		}
	}
}

func TestRoundingModes(t *testing.T) {
	up, down := 1+math.Ldexp(1, -10), 1.0 // neighbours in f16
	half := 1 + math.Ldexp(1, -11)
	tests := []struct {
		x    float64
		mode Rounding
		want float64
	}{
		{half, ToNearestEven, down}, {half, ToNearestAway, up}, {half, Upward, up}, {half, Downward, down}, {half, TowardZero, down},
		{-half, ToNearestEven, -down}, {-half, ToNearestAway, -up}, {-half, Upward, -down}, {-half, Downward, -up}, {-half, TowardZero, -down},
		{1.0000001, ToNearestAway, down}, {1.0000001, Upward, up}, {1, Upward, 1},
		{1e-30, Upward, math.Ldexp(1, -24)}, {1e-30, TowardZero, 0}, {1e9, TowardZero, 65504}, {1e9, Upward, math.Inf(1)},
		{-1e9, Upward, -65504}, {1e9, ToNearestAway, math.Inf(1)}, {math.Inf(1), TowardZero, math.Inf(1)},
	}
	for _, tt := range tests {
		s := FConvert(ir.F64, ir.F16, tt.mode)
		if got := FloatOf(ir.F16, s.F1(math.Float64bits(tt.x))); got != tt.want {
			t.Errorf("%g in mode %d becomes %g, not %g", tt.x, tt.mode, got, tt.want)
		}
	}
}

// TestWideFloats checks that operations on numbers of more than 64 bits are those
// on real numbers, rounded to the type.
func TestWideFloats(t *testing.T) {
	for _, typ := range []*ir.FloatType{ir.F80, ir.F128} {
		prec := uint(typ.Format.MantBits + 1)
		rapid.Check(t, func(t *rapid.T) {
			number := func(name string) *big.Float {
				m := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 1, int(prec)/8).Draw(t, name))
				x := new(big.Float).SetPrec(prec).SetInt(m)
				x.SetMantExp(x, rapid.IntRange(-80, 80).Draw(t, name+"'s exponent"))
				if rapid.Bool().Draw(t, name+"'s sign") {
					x.Neg(x)
				}
				return x
			}
			x, y := number("x"), number("y")
			value := func(x *big.Float) any { return realTo(typ, newReal().Set(x)) }
			exact := new(big.Float).SetPrec(2000)
			for name, tt := range map[string]struct {
				s    Scalar
				want *big.Float
			}{
				"add": {FAdd(typ), new(big.Float).Copy(exact.Add(x, y))},
				"sub": {FSub(typ), new(big.Float).Copy(exact.Sub(x, y))},
				"mul": {FMul(typ), new(big.Float).Copy(exact.Mul(x, y))},
			} {
				want := new(big.Float).SetPrec(prec).Set(tt.want)
				if got := realOf(typ, tt.s.Apply(value(x), value(y))); got.Cmp(want) != 0 {
					t.Fatalf("%s of %s: %g and %g give %g, not %g", name, typ, x, y, got, want)
				}
			}
			if y.Sign() != 0 {
				div := FDiv(typ)
				got := realOf(typ, div.Apply(value(x), value(y)))
				if want := new(big.Float).SetPrec(prec).Quo(x, y); got.Cmp(want) != 0 {
					t.Fatalf("division of %s: %g by %g gives %g, not %g", typ, x, y, got, want)
				}
			}
		})
	}
}

func TestWideFloatSpecials(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	negZero := math.Copysign(0, -1)
	tests := []struct {
		name    string
		op      func(*ir.FloatType) Scalar
		x, y    float64
		want    float64
		forZero bool
	}{
		{"infinities cancel", FSub, inf, inf, nan, false},
		{"zero times infinity", FMul, 0, inf, nan, false},
		{"zero by zero", FDiv, 0, 0, nan, false},
		{"one by zero", FDiv, -1, 0, -inf, false},
		{"remainder", FRem, -7.5, 2, -1.5, false},
		{"remainder by zero", FRem, 1, 0, nan, false},
		{"remainder by infinity", FRem, 3, inf, 3, false},
		{"maximum of NaN", FMaximum, inf, nan, nan, false},
		{"maxnum of NaN", FMaxNum, nan, 1, 1, false},
		{"minimum of zeros", FMinimum, 0, negZero, negZero, true},
		{"copysign", FCopySign, 2, negZero, -2, false},
	}
	for _, typ := range []*ir.FloatType{ir.F80, ir.F128} {
		for _, tt := range tests {
			s := tt.op(typ)
			got := Float64(typ, s.Apply(FloatValue(typ, tt.x), FloatValue(typ, tt.y)))
			if got != tt.want && !(got != got && tt.want != tt.want) || tt.forZero && math.Signbit(got) != math.Signbit(tt.want) {
				t.Errorf("%s of %s: got %g, not %g", tt.name, typ, got, tt.want)
			}
		}
		for _, mode := range []struct {
			mode Rounding
			fn   func(float64) float64
		}{{Downward, math.Floor}, {Upward, math.Ceil}, {TowardZero, math.Trunc}, {ToNearestAway, math.Round}, {ToNearestEven, math.RoundToEven}} {
			for _, x := range []float64{0.5, 1.5, 2.5, -0.5, -1.5, 2.25, -2.75, 7, inf} {
				s := FIntegral(typ, mode.mode, mode.fn)
				if got := Float64(typ, s.Apply(FloatValue(typ, x))); got != mode.fn(x) {
					t.Errorf("%g in mode %d of %s becomes %g", x, mode.mode, typ, got)
				}
			}
		}
	}
}

// TestWraps compares the tests for overflow with numbers of any size.
func TestWraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 64).Draw(t, "width")
		edge := rapid.SampledFrom([]uint64{0, 1, math.MaxUint64, 1 << (width - 1), 1<<(width-1) - 1})
		operand := rapid.OneOf(edge, rapid.Uint64())
		a, b := Mask(operand.Draw(t, "a"), width), Mask(operand.Draw(t, "b"), width)
		args := []*big.Int{new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)}
		for name, op := range map[string]func(int) Scalar{"add": Add, "sub": Sub, "mul": Mul, "shl": Shl} {
			for _, flags := range []Overflow{NoSignedWrap, NoUnsignedWrap, NoSignedWrap | NoUnsignedWrap} {
				s := op(width).NoOverflow(width, flags)
				var want bool
				if r, _ := s.Wide(args); s.WidePoison(args, r) {
					want = true
				}
				if got := s.Poison(a, b, 0); got != want {
					t.Fatalf("%s of i%d with flags %d: %d, %d is poison: %v, not %v", name, width, flags, a, b, got, want)
				}
			}
		}
	})
}
