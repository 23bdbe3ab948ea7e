package elementary

import (
	"math"
	"math/rand/v2"
	"testing"
)

// function is a function of one number, with what it computes exactly, where it is defined, and the largest error in units in the last place that was measured, rounded up.
type function struct {
	name     string
	fn       func(x float64) float64
	exact    func(x *number) *number
	from, to float64
	limit    float64
}

var functions = []function{
	{"exp", Exp, bigExp, -746, 710, 0.501},
	{"exp2", Exp2, func(x *number) *number { return bigExp(times(x, bigLn2())) }, -1076, 1024, 0.501},
	{"expm1", Expm1, bigExpm1, -60, 710, 0.51},
	{"log", Log, bigLog, 5e-324, math.MaxFloat64, 0.501},
	{"log2", Log2, func(x *number) *number { return over(bigLog(x), bigLn2()) }, 5e-324, math.MaxFloat64, 0.501},
	{"log10", Log10, func(x *number) *number { return over(bigLog(x), bigLog(of(10))) }, 5e-324, math.MaxFloat64, 0.501},
	{"log1p", Log1p, bigLog1p, math.Nextafter(-1, 0), math.MaxFloat64, 0.501},
	{"sin", Sin, func(x *number) *number { return bigSin(x, 0) }, -math.MaxFloat64, math.MaxFloat64, 0.51},
	{"cos", Cos, func(x *number) *number { return bigSin(x, 1) }, -math.MaxFloat64, math.MaxFloat64, 0.51},
	{"tan", Tan, func(x *number) *number { return over(bigSin(x, 0), bigSin(x, 1)) }, -math.MaxFloat64, math.MaxFloat64, 0.51},
	{"sinh", Sinh, bigSinh, -711, 711, 0.51},
	{"cosh", Cosh, bigCosh, -711, 711, 0.51},
	{"tanh", Tanh, bigTanh, -23, 23, 0.51},
	{"asin", Asin, func(x *number) *number { return bigAtan2(x, root(minus(of(1), times(x, x)))) }, -1, 1, 0.51},
	{"acos", Acos, func(x *number) *number { return bigAtan2(root(minus(of(1), times(x, x))), x) }, -1, 1, 0.51},
	{"atan", Atan, bigAtan, -math.MaxFloat64, math.MaxFloat64, 0.51},
	{"asinh", Asinh, bigAsinh, -math.MaxFloat64, math.MaxFloat64, 0.51},
	{"acosh", Acosh, func(x *number) *number { return bigLog1p(plus(minus(x, of(1)), root(minus(times(x, x), of(1))))) }, 1, math.MaxFloat64, 0.51},
	{"atanh", Atanh, bigAtanhOf, math.Nextafter(-1, 0), math.Nextafter(1, 0), 0.51},
	{"cbrt", Cbrt, func(x *number) *number {
		if x.Sign() < 0 {
			return negated(bigExp(over(bigLog(negated(x)), of(3))))
		}
		return bigExp(over(bigLog(x), of(3)))
	}, -math.MaxFloat64, math.MaxFloat64, 0.501},
	{"erf", Erf, bigErf, -6, 6, 1},
	{"erfc", Erfc, func(x *number) *number { return minus(of(1), bigErf(x)) }, -6, 27.3, 1},
	{"rsqrt", Rsqrt, func(x *number) *number { return over(of(1), root(x)) }, 5e-324, math.MaxFloat64, 1.5},
}

func bigAtanhOf(x *number) *number {
	return half(bigLog1p(over(times(of(2), x), minus(of(1), x))), 1)
}

// arguments returns numbers of all sizes in a range, and those near numbers where functions are difficult.
func arguments(f function, r *rand.Rand, n int) []float64 {
	var list []float64
	add := func(x float64) {
		if x >= f.from && x <= f.to && x != 0 {
			list = append(list, x)
		}
	}
	near := func(x float64) {
		for _, d := range []float64{0, 0x1p-52, -0x1p-52, 0x1p-40, -0x1p-40, 0x1p-20, -0x1p-20, 0x1p-9, -0x1p-9} {
			add(x + x*d)
			add(-x - x*d)
		}
		for range 2 {
			add(x * (1 + r.NormFloat64()*math.Ldexp(1, -r.IntN(50))))
		}
	}
	for _, x := range []float64{1, 0.5, 2, 10, math.E, 709.78, 709.44, 745.13, 708.4, 1023.5, 1074.5, 1022.5, 0.75, 0.6875, 1.375, 1.0 / 64, 1.0 / 128, 0x1p-7, 0x1p-28, 0x1p-54,
		math.Ln2 / 256, 0x1p-9, 22, 40, 50, 0x1p28, 0x1p30, 0x1p53, 0x1p60, 1e300, 1e-300, 0x1p-1022, 5e-324, 1e-310, math.MaxFloat64, 26, 27.2, 0x1.921fb54442d18p+0} {
		near(x)
	}
	for k := range 60 {
		near(float64(k) * math.Pi / 2)
		near(math.Ldexp(math.Pi/2, 17*k))
		near(float64(k) / 32)
	}
	near(6381956970095103 * 0x1p797) // the double that is nearest to a multiple of π/2
	for range n {
		add(math.Float64frombits(r.Uint64()))
		add(math.Ldexp(r.Float64()-0.5, r.IntN(12)))
		add(math.Ldexp(r.Float64()-0.5, -r.IntN(60)))
		add(1 + r.NormFloat64()*math.Ldexp(1, -r.IntN(50)))
	}
	return list
}

// pairs are functions of two numbers.
var pairs = []struct {
	name  string
	fn    func(x, y float64) float64
	exact func(x, y *number) *number
	limit float64
}{
	{"pow", Pow, func(x, y *number) *number { return bigExp(times(y, bigLog(x))) }, 0.51},
	{"atan2", Atan2, bigAtan2, 0.51},
	{"hypot", Hypot, func(x, y *number) *number { return root(plus(times(x, x), times(y, y))) }, 0.501},
}

// TestErrorsOfPairs is TestErrors for functions of two numbers.
func TestErrorsOfPairs(t *testing.T) {
	for _, f := range pairs {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(2, uint64(len(f.name))))
			power := f.name == "pow"
			var list [][2]float64
			add := func(x, y float64) {
				if power {
					x = math.Abs(x)
				}
				if l := math.Log(x) * y; x != 0 && y != 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0) && x == x && y == y && (!power || l > -746 && l < 710 && x != 1) {
					list = append(list, [2]float64{x, y})
				}
			}
			for range 600 {
				any := math.Float64frombits(r.Uint64())
				add(any, math.Float64frombits(r.Uint64()))
				add(any, math.Ldexp(r.Float64()-0.5, 4))
				add(any, any*(1+r.NormFloat64()))
				add(r.NormFloat64(), r.NormFloat64())
				x := 1 + r.NormFloat64()*math.Ldexp(1, -r.IntN(52))
				add(x, 1400*(r.Float64()-0.5)/math.Log(math.Abs(x)))
				add(any, 1400*(r.Float64()-0.5)/math.Log(math.Abs(any)))
				add(float64(r.IntN(40)), float64(r.IntN(80)-40))
			}
			for _, x := range [][2]float64{{1.0000001, 1e9}, {0.9999999999999999, 1e16}, {10, 308}, {10, -308}, {10, -323}, {2, -1074}, {2, 1023}, {2, 0.5}, {5e-324, 0.5}, {5e-324, -0.5}, {1e-310, 1.02}} {
				add(x[0], x[1])
			}
			worst, where, wrong := 0.0, [2]float64{}, 0
			for _, x := range list {
				e := ulps(f.fn(x[0], x[1]), f.exact(of(x[0]), of(x[1])))
				if e > 0.5 {
					wrong++
				}
				if e > worst {
					worst, where = e, x
				}
			}
			if worst > f.limit {
				t.Errorf("%s of %v is %v, which is %.4f units in the last place off, and not at most %v", f.name, where, f.fn(where[0], where[1]), worst, f.limit)
			}
			t.Logf("| `%s` | %.5f | %v | %d of %d not nearest |", f.name, worst, where, wrong, len(list))
		})
	}
}

// TestErrors compares with numbers of 320 bits. Run with -v, it prints the table of the largest errors.
func TestErrors(t *testing.T) {
	n := 150
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(len(f.name))))
			worst, where, wrong, count := 0.0, 0.0, 0, 0
			for _, x := range arguments(f, r, n) {
				got := f.fn(x)
				e := ulps(got, f.exact(of(x)))
				if count++; e > 0.5 {
					wrong++
				}
				if e > worst {
					worst, where = e, x
				}
			}
			if worst > f.limit {
				t.Errorf("%s(%v) is %v, which is %.4f units in the last place off, and not at most %v", f.name, where, f.fn(where), worst, f.limit)
			}
			t.Logf("| `%s` | %.5f | %v | %d of %d not nearest |", f.name, worst, where, wrong, count)
		})
	}
}

func BenchmarkElementary(b *testing.B) {
	for _, f := range []struct {
		name     string
		fn, ofGo func(x float64) float64
		from, to float64
	}{
		{"exp", Exp, math.Exp, -20, 20}, {"log", Log, math.Log, 0.1, 100}, {"sin", Sin, math.Sin, -10, 10}, {"cos", Cos, math.Cos, -10, 10}, {"tan", Tan, math.Tan, -10, 10},
		{"tanh", Tanh, math.Tanh, -3, 3}, {"erfc", Erfc, math.Erfc, -3, 3}, {"log2", Log2, math.Log2, 0.1, 100}, {"atan", Atan, math.Atan, -3, 3}, {"expm1", Expm1, math.Expm1, -3, 3},
		{"pow", func(x float64) float64 { return Pow(x, 2.5) }, func(x float64) float64 { return math.Pow(x, 2.5) }, 0.1, 10},
	} {
		var xs [256]float64
		for i := range xs {
			xs[i] = f.from + (f.to-f.from)*float64(i*97%256)/256
		}
		for _, g := range []struct {
			name string
			fn   func(x float64) float64
		}{{"ours", f.fn}, {"Go's", f.ofGo}} {
			b.Run(f.name+"/"+g.name, func(b *testing.B) {
				s := 0.0
				for i := range b.N {
					s += g.fn(xs[i&255])
				}
				if s == 1.5 {
					b.Log(s)
				}
			})
		}
	}
}
