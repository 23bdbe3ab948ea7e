package ir

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// float writes the number and reports whether it was written as a bit pattern.
func (w *Writer) float(a *FloatAttr) (hex bool) { return w.floatBits(a.Type, a.Lo, a.Hi) }

// floatBits writes a number the way mlir-opt does: with 6 digits in scientific
// notation if that reads back as the same bits; else with as many digits as the
// format may need, unless that has no decimal point; else, and for infinities and
// NaNs, as a hexadecimal bit pattern. Whatever is written reads back as the same number,
// where mlir-opt's text for numbers that are no doubles does not.
func (w *Writer) floatBits(t *FloatType, lo, hi uint64) (hex bool) {
	f := t.Format
	if t.Width > 64 {
		v, ok := f.ToBig(lo, hi)
		if !ok || f.Special == X87 && lo>>63 == 0 && (lo != 0 || hi&0x7fff != 0) {
			w.bitPattern(lo, hi) // infinite, or not a canonical number
			return true
		}
		short := toDecimal(v, 6)
		start := len(w.Buf)
		w.Buf = short.scientific(w.Buf)
		if l, h := f.FromBig(short.big(f.MantBits + 64)); l == lo && h == hi && w.reads(start, f, lo, hi) {
			return false
		}
		w.Buf = w.Buf[:start]
		return w.fullDecimal(toDecimal(v, fullDigits(f)), f, lo, hi)
	}
	x := f.ToFloat64(lo)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.bitPattern(lo, 0)
		return true
	}
	if w.shortFloat(x, f, lo) {
		return false
	}
	v := big.NewFloat(x)
	if d := toDecimal(v, 6); d.reads(f, t, lo) {
		w.Buf = d.scientific(w.Buf)
		return false
	}
	return w.fullDecimal(toDecimal(v, fullDigits(f)), f, lo, 0)
}

// shortFloat writes a number that needs only 6 digits if it is sure, without
// computing exactly, that this is how they come out. It is what makes the usual
// constants cheap.
func (w *Writer) shortFloat(x float64, f FloatFormat, lo uint64) bool {
	var buf [32]byte
	s := strconv.AppendFloat(buf[:0], x, 'e', 16, 64)
	point := 1
	if s[0] == '-' {
		point = 2
	}
	tail, exp := s[point+6:point+17], s[point+17:]
	if tail[0] != '0' {
		return false
	}
	exact := math.Abs(x) < 1e6 && x*1024 == math.Trunc(x*1024)
	if string(tail) == "00000000000" && !exact {
		return false
	}
	start := len(w.Buf)
	w.Buf = append(append(append(w.Buf, s[:point+6]...), '0'), exp...)
	y, err := strconv.ParseFloat(string(w.Buf[start:]), 64)
	if b, _ := f.FromFloat64(y); err == nil && b == lo {
		return true
	}
	w.Buf = w.Buf[:start]
	return false
}

// fullDigits is how many decimal digits are written for a number that has more
// than six: 2 more than the mantissa can hold for sure.
func fullDigits(f FloatFormat) int { return 2 + (f.MantBits+1)*59/196 }

func (w *Writer) fullDecimal(d decimal, f FloatFormat, lo, hi uint64) (hex bool) {
	start := len(w.Buf)
	w.Buf = d.plain(w.Buf, fullDigits(f))
	if bytes.IndexByte(w.Buf[start:], '.') >= 0 && (!f.wide() || w.reads(start, f, lo, hi)) {
		return false
	}
	w.Buf = w.Buf[:start]
	w.bitPattern(lo, hi)
	return true
}

// reads tells whether what was written from start on is read as the given bits.
func (w *Writer) reads(start int, f FloatFormat, lo, hi uint64) bool {
	s, neg := strings.CutPrefix(string(w.Buf[start:]), "-")
	l, h := f.ParseDecimal(s, neg)
	return l == lo && h == hi
}

func (w *Writer) bitPattern(lo, hi uint64) {
	w.Text("0x")
	if hi == 0 {
		const digits = 16
		started := false
		for i := digits - 1; i >= 0; i-- {
			c := lo >> (4 * i) & 15
			if started = started || c != 0 || i == 0; started {
				w.Byte(hexDigits[c])
			}
		}
		return
	}
	started := false
	for _, b := range rawBits(lo, hi) {
		for _, c := range [2]byte{b >> 4, b & 15} {
			if started = started || c != 0; started {
				w.Byte(hexDigits[c])
			}
		}
	}
}

// decimal is ±0.d1d2d3... * 10^exp, without trailing zeros; no digits mean zero.
type decimal struct {
	neg    bool
	digits []byte
	exp    int
}

// toDecimal returns n digits of x. Like the reference implementation it drops
// most of the digits that are too many before it rounds, so that a number whose
// first n digits fill the bits that n digits may take is truncated.
func toDecimal(x *big.Float, n int) decimal {
	d := decimal{neg: x.Signbit()}
	if x.Sign() == 0 {
		return d
	}
	// |x| is sig * 2^exp2 with an odd sig, that is sig * 5^k * 10^-k for k = -exp2.
	mant := new(big.Float)
	exp2 := x.MantExp(mant)
	prec := int(mant.MinPrec())
	sig, _ := mant.Abs(mant).SetMantExp(mant, prec).Int(nil)
	exp2 -= prec
	exp := 0
	if exp2 >= 0 {
		sig.Lsh(sig, uint(exp2))
	} else {
		sig.Mul(sig, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-exp2)), nil))
		exp = exp2
	}
	if drop := (sig.BitLen() - (n*196+58)/59) * 59 / 196; drop > 0 {
		sig.Quo(sig, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(drop)), nil))
		exp += drop
	}
	d.digits = sig.Append(nil, 10)
	d.exp = exp + len(d.digits)
	d.round(n)
	return d
}

// round keeps n digits, without trailing zeros; halves are rounded up.
func (d *decimal) round(n int) {
	up := len(d.digits) > n && d.digits[n] >= '5'
	d.digits = d.digits[:min(n, len(d.digits))]
	if up {
		i := len(d.digits) - 1
		for i >= 0 && d.digits[i] == '9' {
			i--
		}
		if d.digits = d.digits[:i+1]; i >= 0 {
			d.digits[i]++
		} else {
			d.digits = append(d.digits, '1')
			d.exp++
		}
	}
	for len(d.digits) > 0 && d.digits[len(d.digits)-1] == '0' {
		d.digits = d.digits[:len(d.digits)-1]
	}
}

// reads tells whether the number, read in the format, has the given bits.
func (d decimal) reads(f FloatFormat, t *FloatType, lo uint64) bool {
	bits := 64
	if t == F32 {
		bits = 32
	}
	y, err := strconv.ParseFloat(string(d.scientific(nil)), bits)
	if err != nil {
		return false
	}
	b, _ := f.FromFloat64(y)
	return b == lo
}

func (d decimal) big(prec int) *big.Float {
	v, _, err := big.ParseFloat(string(d.scientific(nil)), 10, uint(prec), big.ToNearestEven)
	if err != nil {
		return new(big.Float)
	}
	return v
}

// scientific writes d.dddddde±xx with at least 6 digits after the point.
func (d decimal) scientific(b []byte) []byte {
	if d.neg {
		b = append(b, '-')
	}
	if len(d.digits) == 0 {
		return append(b, "0.000000e+00"...)
	}
	b = append(b, d.digits[0], '.')
	b = append(b, d.digits[1:]...)
	for i := len(d.digits); i < 7; i++ {
		b = append(b, '0')
	}
	e := d.exp - 1
	if e < 0 {
		b = append(b, 'e', '-')
		e = -e
	} else {
		b = append(b, 'e', '+')
	}
	if e < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(e), 10)
}

// plain writes the number without padding: in positional notation if that takes at
// most three zeros beside the point (and no more digits than limit), else as d.dE±x.
func (d decimal) plain(b []byte, limit int) []byte {
	if d.neg {
		b = append(b, '-')
	}
	n := len(d.digits)
	if n == 0 {
		return append(b, '0')
	}
	trailing := d.exp - n // zeros between the digits and the point
	switch {
	case trailing >= 0 && trailing <= 3 && d.exp <= limit:
		b = append(b, d.digits...)
		for range trailing {
			b = append(b, '0')
		}
		return b
	case trailing < 0 && d.exp > 0:
		b = append(b, d.digits[:d.exp]...)
		b = append(b, '.')
		return append(b, d.digits[d.exp:]...)
	case trailing < 0 && d.exp > -3:
		b = append(b, '0', '.')
		for i := d.exp; i < 0; i++ {
			b = append(b, '0')
		}
		return append(b, d.digits...)
	}
	b = append(b, d.digits[0], '.')
	if n == 1 {
		b = append(b, '0')
	}
	b = append(b, d.digits[1:]...)
	e := d.exp - 1
	if e < 0 {
		b = append(b, 'E', '-')
		e = -e
	} else {
		b = append(b, 'E', '+')
	}
	return strconv.AppendInt(b, int64(e), 10)
}
