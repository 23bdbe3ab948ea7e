package math

import (
	gomath "math"
	"testing"
)

// TestSubnormal compares functions of subnormal numbers with what logarithms by
// exponent and fraction give.
func TestSubnormal(t *testing.T) {
	close := func(name string, x, got, want float64) {
		t.Helper()
		if gomath.Abs(got-want) > 1e-12*gomath.Abs(want) {
			t.Errorf("%s of %g is %g, not %g", name, x, got, want)
		}
	}
	for _, x := range []float64{gomath.SmallestNonzeroFloat64, 1e-310, 0x1p-1022, 1e-300, 3} {
		fraction, exponent := gomath.Frexp(x)
		want := gomath.Log(fraction) + float64(exponent)*gomath.Ln2
		close("log", x, log(x), want)
		close("log10", x, log10(x), want/gomath.Ln10)
		close("a small power", x, pow(x, 0.1), gomath.Exp(0.1*want))
		close("a negative power", x, pow(x, -0.25), gomath.Exp(-0.25*want))
		close("the first power", x, pow(x, 1), x)
	}
	if got := pow(-gomath.SmallestNonzeroFloat64, 3); got != 0 || !gomath.Signbit(got) {
		t.Errorf("an odd power of a negative number is %g, not -0", got)
	}
}

// A square is the product, as C code has it: a result with few bits is rounded once, where the library's function rounds it twice.
func TestSquares(t *testing.T) {
	for _, x := range []float64{8.385886227446542e-155, 1.3685663727294683e-154, -3, 1e200, gomath.Inf(-1), 0} {
		if got := pow(x, 2); got != x*x {
			t.Errorf("the square of %v is %v, not %v", x, got, x*x)
		}
	}
}
