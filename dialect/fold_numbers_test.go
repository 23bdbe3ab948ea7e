package dialect_test

import (
	"math"
	"math/big"
	"testing"

	"freehold/ir"
	"freehold/ir/fold"
)

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		v                int64
		width            int
		signed, unsigned string
	}{
		{0, 8, "0", "0"},
		{127, 8, "127", "127"},
		{128, 8, "-128", "128"},
		{-1, 8, "-1", "255"},
		{1, 1, "-1", "1"},
		{-1, 100, "-1", "1267650600228229401496703205375"},
		{5, 0, "0", "0"},
	} {
		v := big.NewInt(test.v)
		if got := fold.Wrap(v, test.width).String(); got != test.signed {
			t.Errorf("Wrap(%d, %d) = %s, want %s", test.v, test.width, got, test.signed)
		}
		if got := fold.Unsigned(v, test.width).String(); got != test.unsigned {
			t.Errorf("Unsigned(%d, %d) = %s, want %s", test.v, test.width, got, test.unsigned)
		}
	}
}

func TestInts(t *testing.T) {
	c := ir.NewContext()
	add := func(_ int, a []*big.Int) *big.Int { return new(big.Int).Add(a[0], a[1]) }
	vec := c.Vector([]int64{2}, nil, ir.I8)
	two := c.DenseElements(vec, []byte{2})
	list := c.DenseElements(vec, []byte{1, 254})
	for _, test := range []struct {
		name   string
		result ir.Type
		a, b   ir.Attribute
		want   string
	}{
		{"scalars", ir.I8, c.IntegerAttr(ir.I8, 100), c.IntegerAttr(ir.I8, 100), "-56 : i8"},
		{"booleans", ir.I1, c.Bool(true), c.Bool(true), "false"},
		{"splats", vec, two, two, "dense<4> : vector<2xi8>"},
		{"elements", vec, list, two, "dense<[3, 0]> : vector<2xi8>"},
		{"missing", ir.I8, c.IntegerAttr(ir.I8, 1), nil, ""},
		{"mixed", vec, two, c.IntegerAttr(ir.I8, 1), ""},
		{"not a number", ir.I8, c.StringAttr("x"), c.IntegerAttr(ir.I8, 1), ""},
	} {
		got := ""
		if r := fold.Ints(c, test.result, []ir.Attribute{test.a, test.b}, add); r != nil {
			got = r.String()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestFloats(t *testing.T) {
	c := ir.NewContext()
	div := func(a []float64) (float64, bool) { return a[0] / a[1], true }
	for _, test := range []struct {
		name string
		a, b ir.Attribute
		typ  ir.Type
		want ir.Attribute
	}{
		{"rounded in the type", c.FloatAttr(ir.F16, 1), c.FloatAttr(ir.F16, 3), ir.F16, c.FloatBits(ir.F16, 0x3555, 0)},
		{"new NaN is positive", c.FloatAttr(ir.F64, 0), c.FloatAttr(ir.F64, 0), ir.F64, c.FloatBits(ir.F64, 0x7ff8<<48, 0)},
		{"old NaN is kept", c.FloatBits(ir.F32, 0xffc00001, 0), c.FloatAttr(ir.F32, 1), ir.F32, c.FloatBits(ir.F32, 0xffc00001, 0)},
		{"infinity", c.FloatAttr(ir.F32, -1), c.FloatAttr(ir.F32, 0), ir.F32, c.FloatAttr(ir.F32, math.Inf(-1))},
		{"too wide", c.FloatAttr(ir.F128, 1), c.FloatAttr(ir.F128, 2), ir.F128, nil},
	} {
		if got := fold.Floats(c, test.typ, []ir.Attribute{test.a, test.b}, div); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
