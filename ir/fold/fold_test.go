package fold_test

import (
	"math"
	"math/big"
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/fold"
)

// Bits mean what they do in Go.
func TestWrap(t *testing.T) {
	for v := int64(-1000); v < 1000; v++ {
		b := big.NewInt(v)
		if got := fold.Wrap(b, 8).Int64(); got != int64(int8(v)) {
			t.Errorf("%d as i8 is %d", v, got)
		}
		if got := fold.Unsigned(b, 8).Int64(); got != int64(uint8(v)) {
			t.Errorf("%d as ui8 is %d", v, got)
		}
		if got := fold.Wrap(b, 1).Int64(); got != -(v & 1) {
			t.Errorf("%d as i1 is %d", v, got)
		}
	}
	if got := fold.Wrap(big.NewInt(5), 0); got.Sign() != 0 {
		t.Errorf("no bits are %v", got)
	}
}

func attr(t *testing.T, c *ir.Context, text string) ir.Attribute {
	t.Helper()
	a, err := asm.ParseAttr(c, text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Results wrap, element by element; splats are computed once; of what is no constant, or has no number of elements, there is no result.
func TestInts(t *testing.T) {
	c := ir.NewContext()
	calls := 0
	add := func(w int, args []*big.Int) *big.Int {
		calls++
		if w != 8 {
			t.Errorf("width %d", w)
		}
		return new(big.Int).Add(args[0], args[1])
	}
	for _, x := range []struct {
		a, b, want string
		calls      int
	}{
		{"127 : i8", "1 : i8", "-128 : i8", 1},
		{"dense<[127, -1]> : tensor<2xi8>", "dense<[1, -1]> : tensor<2xi8>", "dense<[-128, -2]> : tensor<2xi8>", 2},
		{"dense<100> : tensor<1000xi8>", "dense<100> : tensor<1000xi8>", "dense<-56> : tensor<1000xi8>", 1},
		{"dense<1> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>", "dense<[2, 3]> : tensor<2xi8>", 2},
		{"sparse<[[1]], [3]> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>", "dense<[1, 5]> : tensor<2xi8>", 2},
		{"dense<1> : tensor<2xi8>", "1 : i8", "", 0},
		{`"a string"`, "1 : i8", "", 0},
	} {
		a, b := attr(t, c, x.a), attr(t, c, x.b)
		calls = 0
		got := fold.Ints(c, ir.TypeOfAttr(b), []ir.Attribute{a, b}, add)
		if x.want == "" && got != nil || x.want != "" && got != attr(t, c, x.want) || calls != x.calls {
			t.Errorf("%s + %s = %v in %d calls", x.a, x.b, got, calls)
		}
	}
}

// A NaN among the operands is the result, unless the function is to see it.
func TestFloats(t *testing.T) {
	c := ir.NewContext()
	nan, one := attr(t, c, "0x7FC00000 : f32"), attr(t, c, "1.0 : f32")
	smaller := func(args []float64) (float64, bool) {
		if math.IsNaN(args[0]) {
			return args[1], true
		}
		return min(args[0], args[1]), true
	}
	if got := fold.Floats(c, ir.F32, []ir.Attribute{nan, one}, smaller); got != nan {
		t.Errorf("%v", got)
	}
	if got := fold.FloatsWithNaN(c, ir.F32, []ir.Attribute{nan, one}, smaller); got != one {
		t.Errorf("%v", got)
	}
	third := func([]float64) (float64, bool) { return 1.0 / 3, true }
	if got, want := fold.Floats(c, ir.F32, []ir.Attribute{one}, third), c.FloatAttr(ir.F32, float64(float32(1.0)/3)); got != ir.Attribute(want) {
		t.Errorf("%v isn't rounded to %v", got, want)
	}
}
