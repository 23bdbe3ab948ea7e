package ir

import (
	"math"
	"math/big"
	"testing"
)

func TestWriteTypes(t *testing.T) {
	c := NewContext()
	d0, d1, s0 := c.AffineDim(0), c.AffineDim(1), c.AffineSymbol(0)
	for _, x := range []struct {
		t    Type
		want string
	}{
		{c.IntegerOf(4, Signed), "si4"},
		{c.IntegerOf(8, Unsigned), "ui8"},
		{c.Complex(F32), "complex<f32>"},
		{c.Tuple(I1, Index), "tuple<i1, index>"},
		{c.Function([]Type{I32}, nil), "(i32) -> ()"},
		{c.Function(nil, []Type{I32}), "() -> i32"},
		{c.Function(nil, []Type{c.Function(nil, nil)}), "() -> (() -> ())"},
		{c.Vector([]int64{4, 3}, []bool{true, false}, F32), "vector<[4]x3xf32>"},
		{c.Vector(nil, nil, F32), "vector<f32>"},
		{c.RankedTensorOf([]int64{2, Dynamic}, F32, c.StringAttr("enc")), `tensor<2x?xf32, "enc">`},
		{c.UnrankedTensor(BF16), "tensor<*xbf16>"},
		{c.MemRefOf([]int64{2, Dynamic}, F32, c.StridedLayout(Dynamic, []int64{Dynamic, 1}), c.I64Attr(3)), "memref<2x?xf32, strided<[?, 1], offset: ?>, 3>"},
		{c.MemRefOf([]int64{2}, F32, nil, c.I32Attr(1)), "memref<2xf32, 1 : i32>"},
		{c.MemRefOf([]int64{2, 2}, F32, c.AffineMapAttr(c.AffineMap(2, 1, c.AffineAdd(d0, c.AffineMul(d1, s0)))), nil), "memref<2x2xf32, affine_map<(d0, d1)[s0] -> (d0 + d1 * s0)>>"},
		{c.UnrankedMemRef(F32, c.StringAttr("gpu")), `memref<*xf32, "gpu">`},
		{c.OpaqueTypeOf("foo", "bar<1>"), "!foo.bar<1>"},
		{c.OpaqueTypeOf("foo", "bar baz"), "!foo<bar baz>"},
	} {
		if got := x.t.String(); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
}

func TestWriteAttrs(t *testing.T) {
	c := NewContext()
	wide, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	f32 := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = AppendElement(b, c.FloatAttr(F32, x))
		}
		return b
	}
	bools := make([]byte, 104)
	for i := range bools {
		bools[i] = byte(i / 4 % 2)
	}
	flags := &EnumDef{Dialect: "arith", Mnemonic: "fastmath", Bit: true, Separator: ",", Cases: []EnumCase{{Keyword: "none"}, {Keyword: "reassoc", Value: 1}, {Keyword: "nnan", Value: 2}}}
	for _, x := range []struct {
		a    Attribute
		want string
	}{
		{Unit, "unit"},
		{c.Bool(true), "true"},
		{c.I64Attr(-3), "-3 : i64"},
		{c.IndexAttr(7), "7 : index"},
		{c.IntegerAttr(c.IntegerOf(8, Unsigned), 255), "255 : ui8"},
		{c.BigIntegerAttr(c.Integer(128), wide), "123456789012345678901234567890 : i128"},
		{c.StringAttr("a\"b\\c\n\x00"), `"a\22b\\c\0A\00"`},
		{c.TypedStringAttr("x", I32), `"x" : i32`},
		{c.ArrayAttr(c.I64Attr(1), c.I32Attr(2), c.FloatAttr(F64, 1), c.FloatAttr(F32, 1)), "[1, 2 : i32, 1.000000e+00, 1.000000e+00 : f32]"},
		{c.DictAttr(NamedAttr{"b c", Unit}, NamedAttr{"a", c.I64Attr(1)}), `{a = 1 : i64, "b c"}`},
		{c.TypeAttr(F32), "f32"},
		{c.SymbolRef("f", "a b", "c"), `@f::@"a b"::@c`},
		{c.DenseI64Array(1, 2), "array<i64: 1, 2>"},
		{c.DenseI64Array(), "array<i64>"},
		{c.DenseBoolArray(true, false), "array<i1: true, false>"},
		{c.DenseElements(c.RankedTensor([]int64{2, 2}, F32), f32(1, 2, 3, 4)), "dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>"},
		{c.DenseElements(c.RankedTensor([]int64{2, 2}, F32), f32(1)), "dense<1.000000e+00> : tensor<2x2xf32>"},
		{c.DenseElements(c.RankedTensor([]int64{0}, F32), nil), "dense<> : tensor<0xf32>"},
		{c.DenseElements(c.RankedTensor(nil, c.Complex(F32)), f32(1, 2)), "dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>"},
		{c.DenseElements(c.RankedTensor([]int64{104}, I1), bools), `dense<"0xF0F0F0F0F0F0F0F0F0F0F0F0F0"> : tensor<104xi1>`},
		{c.DenseStringElements(c.RankedTensor([]int64{2}, c.OpaqueTypeOf("foo", "s")), []string{"a", "b"}), `dense<["a", "b"]> : tensor<2x!foo.s>`},
		{c.DenseResource(c.RankedTensor([]int64{2}, F32), "blob"), "dense_resource<blob> : tensor<2xf32>"},
		{c.EnumAttr(flags, 0), "#arith.fastmath<none>"},
		{c.EnumAttr(flags, 3), "#arith.fastmath<reassoc,nnan>"},
		{c.FusedLoc([]Location{FileLineCol("a", 1, 2), c.NameLoc("n", Unknown)}, c.StringAttr("m")), `loc(fused<"m">["a":1:2, "n"])`},
		{c.CallSiteLoc(c.NameLoc("f", FileLineCol("a", 1, 2)), Unknown), `loc(callsite("f"("a":1:2) at unknown))`},
	} {
		if got := x.a.String(); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
}

// TestWriteFloats holds the cases in which the digits of the reference
// implementation are not the obvious ones.
func TestWriteFloats(t *testing.T) {
	c := NewContext()
	for _, x := range []struct {
		t    *FloatType
		v    float64
		want string
	}{
		{F64, 0, "0.000000e+00"},
		{F64, math.Copysign(0, -1), "-0.000000e+00"},
		{F64, 0.1, "1.000000e-01"},
		{F32, 0.1, "1.000000e-01 : f32"},
		{F16, 0.1, "9.997550e-02 : f16"},
		{BF16, 1.015625, "1.015630e+00 : bf16"},
		{F16, 65504, "6.550400e+04 : f16"},
		{F64, 1e-20, "9.9999999999999995E-21"},
		{F64, 0.0333333333, "0.033333333299999997"},
		{F32, 1.220703125e-4, "1.22070313E-4 : f32"},
		{F64, 1.0 / (1 << 25), "2.9802322387695313E-8"},
		{F64, 123456789, "0x419D6F3454000000 : f64"}, // would be read as an integer
		{F32, 1e8, "1.000000e+08 : f32"},
		{F32, math.NaN(), "0x7FC00000 : f32"},
		{F64, math.Inf(-1), "0xFFF0000000000000 : f64"},
		{F80, 1e10, "1.000000e+10 : f80"},
		{F80, 3.14159265358979, "3.14159265358979000737 : f80"},
		{F128, 0.1, "0.100000000000000005551115123125782702 : f128"},
		{F8E4M3FN, math.NaN(), "0x7F : f8E4M3FN"},
	} {
		// In an array, the type f64 is implied unless the number is a bit pattern.
		got := c.ArrayAttr(c.FloatAttr(x.t, x.v)).String()
		if want := "[" + x.want + "]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWriteAffine(t *testing.T) {
	c := NewContext()
	d0, d1, s0 := c.AffineDim(0), c.AffineDim(1), c.AffineSymbol(0)
	k := c.AffineConstant
	for _, x := range []struct {
		e    *AffineExpr
		want string
	}{
		{c.AffineMul(d0, k(-1)), "-d0"},
		{c.AffineMul(d0, k(-2)), "d0 * -2"},
		{c.AffineAdd(d0, c.AffineMul(d1, k(-1))), "d0 - d1"},
		{c.AffineAdd(d0, c.AffineMul(d1, k(-2))), "d0 - d1 * 2"},
		{c.AffineMul(c.AffineAdd(d0, d1), k(-1)), "-(d0 + d1)"},
		{c.AffineAdd(d0, c.AffineMul(c.AffineAdd(d1, k(1)), k(-1))), "d0 - (d1 + 1)"},
		{c.AffineMod(c.AffineFloorDiv(d0, k(2)), k(3)), "(d0 floordiv 2) mod 3"},
		{c.AffineCeilDiv(c.AffineAdd(d0, s0), k(8)), "(d0 + s0) ceildiv 8"},
		{c.AffineAdd(d0, k(-3)), "d0 - 3"},
	} {
		w := NewWriter()
		w.AffineExpr(x.e, nil)
		if got := string(w.Buf); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
	}
	set := c.IntegerSet(1, 1, []*AffineExpr{c.AffineAdd(d0, k(-1)), c.AffineAdd(d0, s0)}, []bool{false, true})
	if got, want := c.IntegerSetAttr(set).String(), "affine_set<(d0)[s0] : (d0 - 1 >= 0, d0 + s0 == 0)>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A product with the least integer can't be subtracted: its factor would be out of range.
func TestLeastAffineConstant(t *testing.T) {
	c := NewContext()
	d := c.AffineDim(0)
	least := c.AffineConstant(math.MinInt64)
	for _, tt := range []struct {
		expr *AffineExpr
		want string
	}{
		{c.AffineBinary(AffineAdd, d, least), "affine_map<(d0) -> (d0 - 9223372036854775808)>"},
		{c.AffineBinary(AffineAdd, d, c.AffineBinary(AffineMul, c.AffineDim(1), least)), "affine_map<(d0, d1) -> (d0 + d1 * -9223372036854775808)>"},
	} {
		dims := 1
		if tt.expr.RHS.Kind == AffineMul {
			dims = 2
		}
		if got := c.AffineMapAttr(c.AffineMap(dims, 0, tt.expr)).String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
