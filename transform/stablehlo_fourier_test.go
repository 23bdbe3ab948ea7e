package transform_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"
)

// discrete is the transform along one dimension by its definition: sums of products with roots of unity.
func discrete(x []complex128, sign float64) []complex128 {
	out := make([]complex128, len(x))
	for k := range out {
		for j, e := range x {
			out[k] += e * cmplx.Exp(complex(0, sign*2*math.Pi*float64(j*k%len(x))/float64(len(x))))
		}
	}
	return out
}

// complexText are the elements of a constant.
func complexText(list []complex128) string {
	var parts []string
	for _, x := range list {
		parts = append(parts, fmt.Sprintf("(%e, %e)", real(x), imag(x)))
	}
	return "dense<[" + strings.Join(parts, ", ") + "]>"
}

func realText(list []complex128) string {
	var parts []string
	for _, x := range list {
		parts = append(parts, fmt.Sprintf("%e", real(x)))
	}
	return "dense<[" + strings.Join(parts, ", ") + "]>"
}

// Transforms of all sizes, those that are powers of two among them, are what their definition says.
func TestStableHLOTransforms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{1, 2, 3, 4, 7, 8, 12, 16, 31, 32, 64} {
		x, half := make([]complex128, n), n/2+1
		mirrored, reals := make([]complex128, n), make([]complex128, n)
		for i := range x {
			x[i], reals[i] = complex(rnd.NormFloat64(), rnd.NormFloat64()), complex(rnd.NormFloat64(), 0)
		}
		for i := range half {
			mirrored[i], mirrored[(n-i)%n] = x[i], cmplx.Conj(x[i])
		}
		// What stands for itself has no imaginary part, though the argument may have one.
		mirrored[0] = complex(real(x[0]), 0)
		if n%2 == 0 {
			mirrored[n/2] = complex(real(x[n/2]), 0)
		}
		divided := func(list []complex128) []complex128 {
			for i := range list {
				list[i] /= complex(float64(n), 0)
			}
			return list
		}
		whole, part, numbers := fmt.Sprintf("tensor<%dxcomplex<f64>>", n), fmt.Sprintf("tensor<%dxcomplex<f64>>", half), fmt.Sprintf("tensor<%dxf64>", n)
		for _, tt := range []struct{ kind, in, from, want, to string }{
			{"FFT", complexText(x), whole, complexText(discrete(x, -1)), whole},
			{"IFFT", complexText(x), whole, complexText(divided(discrete(x, 1))), whole},
			{"RFFT", realText(reals), numbers, complexText(discrete(reals, -1)[:half]), part},
			{"IRFFT", complexText(x[:half]), part, realText(divided(discrete(mirrored, 1))), numbers},
		} {
			text := fmt.Sprintf("func.func @main() {\n  %%x = stablehlo.constant %s : %s\n  %%r = stablehlo.fft %%x, type = %s, length = [%d] : (%s) -> %s\n"+
				"  check.expect_almost_eq_const %%r, %s : %s\n  return\n}\n", tt.in, tt.from, tt.kind, n, tt.from, tt.to, tt.want, tt.to)
			if wrong := executes(text); wrong != nil {
				t.Errorf("%v\n%s", wrong, text)
			}
		}
	}
}
