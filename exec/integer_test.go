package exec

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
)

// TestIntegersAgainstBig compares the operations on words with those on numbers of
// any size.
func TestIntegersAgainstBig(t *testing.T) {
	ops := map[string]func(int) Scalar{
		"add": Add, "sub": Sub, "mul": Mul, "and": And, "or": Or, "xor": Xor,
		"maxs": MaxS, "mins": MinS, "maxu": MaxU, "minu": MinU,
		"divs": DivS, "divu": DivU, "rems": RemS, "remu": RemU,
		"ceildivs": CeilDivS, "ceildivu": CeilDivU, "floordivs": FloorDivS,
		"shl": Shl, "shru": ShrU, "shrs": ShrS,
	}
	for p := EQ; p <= UGE; p++ {
		ops["cmp"+string(rune('0'+p))] = func(w int) Scalar { return Compare(p, w) }
	}
	for name, op := range ops {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				width := rapid.IntRange(1, 64).Draw(t, "width")
				edge := rapid.SampledFrom([]uint64{0, 1, 2, math.MaxUint64, 1 << (width - 1), 1<<(width-1) - 1})
				operand := rapid.OneOf(edge, rapid.Uint64())
				a, b := Mask(operand.Draw(t, "a"), width), Mask(operand.Draw(t, "b"), width)
				s := op(width)
				if s.Check != nil && s.Check(a, b) != nil || s.Poison != nil && s.Poison(a, b, 0) {
					return
				}
				want, fault := s.Wide([]*big.Int{new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)})
				if fault != nil {
					t.Fatal(fault.Message)
				}
				want.Mod(want, new(big.Int).Lsh(big.NewInt(1), uint(width)))
				if got := s.F2(a, b); got != want.Uint64() {
					t.Fatalf("i%d: %d, %d gives %d, not %d", width, a, b, got, want)
				}
				if s.Emit != nil {
					f := &Frame{W: []uint64{a, b, 0}}
					if err := s.Emit(2, []int{0, 1})(f); err != nil || f.W[2] != want.Uint64() {
						t.Fatalf("the step gives %d, not %d (%v)", f.W[2], want, err)
					}
				}
			})
		})
	}
}

func TestDivisionFaults(t *testing.T) {
	tests := []struct {
		name string
		s    Scalar
		a, b uint64
		want Kind
	}{
		{"by zero", DivS(32), 7, 0, DivisionByZero},
		{"unsigned by zero", RemU(8), 7, 0, DivisionByZero},
		{"overflow", DivS(8), 0x80, 0xff, Undefined},
		{"ceil overflow", CeilDivS(64), 1 << 63, math.MaxUint64, Undefined},
	}
	for _, tt := range tests {
		if f := tt.s.Check(tt.a, tt.b); f == nil || f.Kind != tt.want {
			t.Errorf("%s: got %v", tt.name, f)
		}
	}
	if f := RemS(8).Check(0x80, 0xff); f != nil {
		t.Errorf("the remainder of the least number by -1 is defined, but: %s", f.Message)
	}
}

func TestMulHigh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		if got, want := mulHigh(a, b), p.Rsh(p, 64).Int64(); got != want {
			t.Fatalf("%d * %d gives %d, not %d", a, b, got, want)
		}
	})
}

// TestNarrowFloats checks that the basic operations on narrow formats round the
// exact result once.
func TestNarrowFloats(t *testing.T) {
	ops := map[string]struct {
		of    func(*ir.FloatType) Scalar
		exact func(z, x, y *big.Float) *big.Float
	}{
		"add": {FAdd, (*big.Float).Add}, "sub": {FSub, (*big.Float).Sub}, "mul": {FMul, (*big.Float).Mul},
	}
	for _, typ := range []*ir.FloatType{ir.F16, ir.BF16, ir.F32, ir.F8E5M2, ir.F8E4M3FN} {
		for name, op := range ops {
			t.Run(typ.Name+"/"+name, func(t *testing.T) {
				s := op.of(typ)
				rapid.Check(t, func(t *rapid.T) {
					w := rapid.Uint64Range(0, 1<<typ.Width-1)
					a, b := w.Draw(t, "a"), w.Draw(t, "b")
					x, y := FloatOf(typ, a), FloatOf(typ, b)
					got := s.F2(a, b)
					if math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) {
						return
					}
					z := op.exact(new(big.Float).SetPrec(2000), big.NewFloat(x), big.NewFloat(y))
					if z.Sign() == 0 {
						if FloatOf(typ, got) != 0 {
							t.Fatalf("%g, %g gives %g, not 0", x, y, FloatOf(typ, got))
						}
						return
					}
					// More than twice as many bits make the first of two roundings harmless.
					v, _ := z.Float64()
					want, _ := typ.Format.FromFloat64(v)
					if typ == ir.F32 {
						v, _ := z.Float32()
						want = uint64(math.Float32bits(v))
					}
					if got != want {
						t.Fatalf("%g, %g gives %g, not %g", x, y, FloatOf(typ, got), FloatOf(typ, want))
					}
				})
			})
		}
	}
}

func TestFloatToInt(t *testing.T) {
	tests := []struct {
		x      float64
		width  int
		signed bool
		want   uint64
		poison bool
	}{
		{1.9, 32, true, 1, false},
		{-1.9, 32, true, 0xffffffff, false},
		{127.9, 8, true, 127, false},
		{-128.9, 8, true, 0x80, false},
		{255.9, 8, false, 255, false},
		{-0.9, 8, false, 0, false},
		{1e19, 64, false, 10000000000000000000, false},
		{-9223372036854775808, 64, true, 1 << 63, false},
		{128, 8, true, 0, true},
		{-129, 8, true, 0, true},
		{256, 8, false, 0, true},
		{-1, 8, false, 0, true},
		{math.NaN(), 16, true, 0, true},
		{math.Inf(1), 64, true, 0, true},
		{9223372036854775808, 64, true, 0, true},
		{-9223372036854777856, 64, true, 0, true},
		{18446744073709551616, 64, false, 0, true},
	}
	for _, tt := range tests {
		s, x := FloatToInt(ir.F64, tt.width, tt.signed), math.Float64bits(tt.x)
		got := s.F1(x)
		if poison := s.Poison(x, 0, got); poison != tt.poison || !poison && got != tt.want {
			t.Errorf("%g to %d bits (signed %v) gives %#x (poison %v), not %#x (poison %v)", tt.x, tt.width, tt.signed, got, poison, tt.want, tt.poison)
		}
	}
}

func TestFloatExtremes(t *testing.T) {
	nan, negZero := math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		name    string
		op      func(*ir.FloatType) Scalar
		x, y, z float64
	}{
		{"maximum of NaN", FMaximum, nan, 1, nan},
		{"minimum of NaN", FMinimum, 1, nan, nan},
		{"maximum of zeros", FMaximum, negZero, 0, 0},
		{"minimum of zeros", FMinimum, 0, negZero, negZero},
		{"maximum of infinity and NaN", FMaximum, math.Inf(1), nan, nan},
		{"minimum of NaN and infinity", FMinimum, nan, math.Inf(-1), nan},
		{"maxnum of NaN", FMaxNum, nan, 1, 1},
		{"minnum of NaN", FMinNum, 1, nan, 1},
	}
	for _, tt := range tests {
		got := math.Float64frombits(tt.op(ir.F64).F2(math.Float64bits(tt.x), math.Float64bits(tt.y)))
		if got != tt.z && !(math.IsNaN(got) && math.IsNaN(tt.z)) || math.Signbit(got) != math.Signbit(tt.z) && got == 0 {
			t.Errorf("%s: got %g, not %g", tt.name, got, tt.z)
		}
	}
}
