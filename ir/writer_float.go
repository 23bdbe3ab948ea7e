package ir

import (
	"math"
	"math/big"
	"strconv"
)

// float writes the number and reports whether it was written as a bit pattern.
func (w *Writer) float(a *FloatAttr) (hex bool) { return w.floatBits(a.Type, a.Lo, a.Hi) }

// floatBits writes a number the way mlir-opt does: with 6 digits in scientific
// notation if that reads back as the same bits; else with as many digits as the
// format may need, unless that has no decimal point; else, and for infinities and
// NaNs, as a hexadecimal bit pattern.
func (w *Writer) floatBits(t *FloatType, lo, hi uint64) (hex bool) {
	f := t.Format
	if t.Width > 64 {
		v, ok := f.ToBig(lo, hi)
		if !ok {
			w.bitPattern(lo, hi)
			return true
		}
		if t.Width == 80 && lo>>63 == 0 && (lo != 0 || hi&0x7fff != 0) {
			w.bitPattern(lo, hi) // not a canonical number
			return true
		}
		short := bigDecimal(v, 6)
		if l, h := f.FromBig(short.big(f.MantBits + 64)); l == lo && h == hi {
			w.Buf = short.scientific(w.Buf)
			return false
		}
		return w.fullDecimal(bigDecimal(v, fullDigits(f)), f, lo, hi)
	}
	x := f.ToFloat64(lo)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.bitPattern(lo, 0)
		return true
	}
	// Most constants have few digits; then the correctly rounded ones are right.
	var buf [32]byte
	s := strconv.AppendFloat(buf[:0], x, 'e', 6, 64)
	if quick := sixDigits(s); quick {
		if y, err := strconv.ParseFloat(string(s), 64); err == nil {
			if b, _ := f.FromFloat64(y); b == lo {
				w.Buf = append(w.Buf, s...)
				return false
			}
		}
	} else if d := float64Decimal(x, 6); d.reads(f, t, lo) {
		w.Buf = d.scientific(w.Buf)
		return false
	}
	return w.fullDecimal(float64Decimal(x, fullDigits(f)), f, lo, 0)
}

// sixDigits tells whether the last digit before the exponent of s is 0.
func sixDigits(s []byte) bool {
	for i := len(s) - 1; i > 0; i-- {
		if s[i] == 'e' {
			return s[i-1] == '0'
		}
	}
	return false
}

// fullDigits is how many decimal digits are written for a number that has more
// than six: 2 more than the mantissa can hold for sure.
func fullDigits(f FloatFormat) int { return 2 + (f.MantBits+1)*59/196 }

func (w *Writer) fullDecimal(d decimal, f FloatFormat, lo, hi uint64) (hex bool) {
	start := len(w.Buf)
	w.Buf = d.plain(w.Buf, fullDigits(f))
	for _, c := range w.Buf[start:] {
		if c == '.' {
			return false
		}
	}
	w.Buf = w.Buf[:start]
	w.bitPattern(lo, hi)
	return true
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

// extraDigits is how many digits beyond those wanted are computed, so that the
// digit to round at is exact.
const extraDigits = 26

// float64Decimal rounds x to n digits, halves away from zero.
func float64Decimal(x float64, n int) decimal {
	return roundDecimal(strconv.AppendFloat(nil, x, 'e', n+extraDigits, 64), n)
}

func bigDecimal(x *big.Float, n int) decimal {
	return roundDecimal(x.Append(nil, 'e', n+extraDigits), n)
}

// roundDecimal reads d.ddde±x and keeps n digits.
func roundDecimal(s []byte, n int) decimal {
	var d decimal
	if s[0] == '-' {
		d.neg = true
		s = s[1:]
	}
	e := len(s) - 1
	for s[e] != 'e' {
		e--
	}
	d.exp, _ = strconv.Atoi(string(s[e+1:]))
	d.exp++
	all := append([]byte{s[0]}, s[2:e]...)
	up := len(all) > n && all[n] >= '5'
	d.digits = all[:min(n, len(all))]
	if up {
		i := len(d.digits) - 1
		for ; i >= 0 && d.digits[i] == '9'; i-- {
			d.digits[i] = '0'
		}
		if i >= 0 {
			d.digits[i]++
		} else {
			d.digits = append([]byte{'1'}, d.digits[:len(d.digits)-1]...)
			d.exp++
		}
	}
	for len(d.digits) > 0 && d.digits[len(d.digits)-1] == '0' {
		d.digits = d.digits[:len(d.digits)-1]
	}
	return d
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
