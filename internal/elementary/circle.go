package elementary

import (
	"math"
	"math/bits"
)

// reduce returns how far a finite number is from the nearest multiple of a quarter of a turn, and which multiple that is, modulo 4 of them.
func reduce(x float64) (r dd, n int) {
	const (
		first, second, third = 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110 // of π/2
		inverse              = 0x1.45f306dc9c883p-1
	)
	switch a := math.Abs(x); {
	case a <= 0.75:
		return dd{x, 0}, 0
	case a >= 0x1p30:
		return reduceFar(x)
	}
	k := float64(x*inverse) + 0x1.8p52
	n = int(math.Float64bits(k) & 3)
	k -= 0x1.8p52
	// The first product and sum is exact: it is a multiple of 2^-53 and less than 1.
	p := product(k, second)
	s := sum(math.FMA(-k, first, x), -p.h)
	return quickSum(s.h, s.l-math.FMA(k, third, p.l)), n
}

// reduceFar is reduce for numbers of at least 2^30 (M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions, ACM SIGNUM
// Newsletter 18, 1983): of 2/π, only 256 bits make a difference that isn't whole turns or too small.
func reduceFar(x float64) (r dd, n int) {
	b := math.Float64bits(math.Abs(x))
	m, e := b&(1<<52-1)|1<<52, int(b>>52)-1075
	// The bits from that of 2^(1-e) on. Zeros come before the table's first one.
	at := e - 2 + 64
	word, shift := at/64, at%64
	var w [4]uint64
	for i := range w {
		w[i] = turns[word+i] << shift
		if shift > 0 {
			w[i] |= turns[word+i+1] >> (64 - shift)
		}
	}
	// Their product with m, in quarters of a turn: two bits of whole ones, and a fraction.
	var carry uint64
	for i := 3; i >= 0; i-- {
		high, low := bits.Mul64(w[i], m)
		var c uint64
		w[i], c = bits.Add64(low, carry, 0)
		carry = high + c
	}
	n = int(w[0] >> 62)
	for i := range w {
		w[i] <<= 2
		if i < 3 {
			w[i] |= w[i+1] >> 62
		}
	}
	negative := w[0]>>63 != 0
	if negative {
		n++
		for i := range w {
			w[i] = ^w[i] // less by the last bit, which makes no difference
		}
	}
	scale := 1.0
	if w[0] == 0 {
		w[0], w[1], w[2] = w[1], w[2], w[3]
		scale = 0x1p-64
	}
	zeros := bits.LeadingZeros64(w[0])
	w[0], w[1] = w[0]<<zeros|w[1]>>(64-zeros), w[1]<<zeros|w[2]>>(64-zeros)
	scale *= powerOfTwo(-zeros)
	high, low := float64(w[0]>>11)*0x1p-53, float64(w[0]<<53>>11|w[1]>>22)*0x1p-106
	r = quickSum(high*scale, low*scale).mul(halfPi)
	if negative != (x < 0) {
		r = r.neg()
	}
	if x < 0 {
		n = -n
	}
	return r, n & 3
}

// reduceSum is [reduce] for a sum, whose second part may be many turns itself.
func reduceSum(x dd) (r dd, n int) {
	r, n = reduce(x.h)
	if math.Abs(x.l) < 0x1p-10 {
		return r.plus(x.l), n
	}
	s, m := reduce(x.l)
	r, n = r.add(s), n+m
	switch {
	case r.h > halfPi.h/2:
		return r.sub(halfPi), n + 1
	case r.h < -halfPi.h/2:
		return r.add(halfPi), n - 1
	}
	return r, n
}

// circle returns the sine of a number of at most π/4 and a bit, and of n quarters of a turn more.
func circle(r dd, n int) dd {
	negative := r.h < 0
	if negative {
		r = r.neg()
	}
	i := int(r.h*64 + 0.5)
	t := quickSum(r.h-float64(i)*(1.0/64), r.l)
	t2 := t.h * t.h
	sine := t.l + t.h*t2*(-1.0/6+t2*(1.0/120-t2*(1.0/5040)))                // less t.h
	cosine := t2*(-1.0/2+t2*(1.0/24-t2*(1.0/720-t2*(1.0/40320)))) - t.h*t.l // less 1
	a, b := &sines[i].sin, sines[i].cos
	if n&1 != 0 {
		a, b = &sines[i].cos, sines[i].sin.neg()
		negative = false
	}
	u := product(b.h, t.h)
	s := quickSum(a.h, u.h)
	s = quickSum(s.h, s.l+(u.l+(a.l+b.l*t.h+a.h*cosine+b.h*sine)))
	if negative != (n&2 != 0) {
		return s.neg()
	}
	return s
}

// Sin returns the sine.
func Sin(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-28:
		return x
	case !(a <= math.MaxFloat64):
		return math.NaN()
	}
	return circle(reduce(x)).h
}

// Cos returns the cosine.
func Cos(x float64) float64 {
	if !(math.Abs(x) <= math.MaxFloat64) {
		return math.NaN()
	}
	r, n := reduce(x)
	return circle(r, n+1).h
}

// Tan returns the tangent.
func Tan(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-28:
		return x
	case !(a <= math.MaxFloat64):
		return math.NaN()
	}
	r, n := reduce(x)
	return circle(r, n).div(circle(r, n+1)).h
}

// RootOfUnity returns exp(2πi k/n), where k and n are at most 2^50. The angle is taken from the nearest quarter of a turn, so that the roots that are 1, i, -1 and -i are just that, and no
// zero is negative.
func RootOfUnity(k, n int64) (re, im float64) {
	quarter := (8*k + n) / (2 * n) // of the four, the nearest one, rounded
	r := dd{float64(4*k - quarter*n), 0}.div(dd{float64(n), 0}).mul(halfPi)
	sine, cosine := circle(r, int(quarter&3)), circle(r, int(quarter&3)+1)
	return cosine.h + 0, sine.h + 0
}
