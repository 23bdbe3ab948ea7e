package elementary

import (
	"math"
	"math/big"
	"testing"
)

// Roots of unity are what their powers say: the n-th power, computed with 200 bits, is 1 as far as their last bits allow.
func TestRoots(t *testing.T) {
	for n := int64(1); n <= 64; n++ {
		for k := range n {
			re, im := RootOfUnity(k, n)
			if d := math.Abs(re*re + im*im - 1); d > 2.3e-16 {
				t.Errorf("RootOfUnity(%d, %d) = %v, %v has length 1 + %v", k, n, re, im, d)
			}
			x, y := big.NewFloat(1).SetPrec(200), new(big.Float).SetPrec(200)
			a, b := new(big.Float).SetPrec(200).SetFloat64(re), new(big.Float).SetPrec(200).SetFloat64(im)
			for range n {
				mul := func(p, q *big.Float) *big.Float { return new(big.Float).SetPrec(200).Mul(p, q) }
				x, y = new(big.Float).SetPrec(200).Sub(mul(x, a), mul(y, b)), new(big.Float).SetPrec(200).Add(mul(x, b), mul(y, a))
			}
			fx, _ := x.Float64()
			fy, _ := y.Float64()
			if math.Abs(fx-1) > float64(n)*1.6e-16 || math.Abs(fy) > float64(n)*1.6e-16 {
				t.Errorf("RootOfUnity(%d, %d) to the power of %[2]d is %v, %v", k, n, fx, fy)
			}
		}
	}
	for k, want := range [][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		if re, im := RootOfUnity(int64(3*k), 12); re != want[0] || im != want[1] {
			t.Errorf("RootOfUnity(%d, 12) = %v, %v; want %v", 3*k, re, im, want)
		}
	}
	if re, _ := RootOfUnity(1, 6); re != 0.5 {
		t.Errorf("the real part of RootOfUnity(1, 6) is %v", re)
	}
}
