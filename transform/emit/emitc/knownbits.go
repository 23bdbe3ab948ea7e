package emitc

import (
	"cmp"
	"math"

	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/ir"
)

// knownBits is what is known of an integer: which of its lower 64 bits are 0 or 1, that all further ones are 0 if it fits, and between which numbers it is as one with a sign, if it has no more than 64.
type knownBits struct {
	width       int
	zeros, ones uint64
	fits        bool
	low, high   int64
}

// anyBits is what is known of any integer of a width.
func anyBits(width int) knownBits {
	if width > 64 {
		return knownBits{width: width, low: math.MinInt64, high: math.MaxInt64}
	}
	return knownBits{width: width, zeros: ^lowest(width), fits: true, low: math.MinInt64 >> (64 - width), high: math.MaxInt64 >> (64 - width)}
}

// lowest has the lowest bits set.
func lowest(width int) uint64 { return math.MaxUint64 >> (64 - min(width, 64)) }

// constantBits is what is known of a constant, of which n are the lower bits.
func constantBits(width int, n uint64) knownBits {
	n &= lowest(width)
	k := knownBits{width: width, zeros: ^n, ones: n, fits: true}
	if k.low = int64(n); width <= 64 {
		k.low = signExtended(n, width)
	}
	k.high = k.low
	return k
}

// mostSteps is how many operations known looks back.
const mostSteps = 4

// known returns what masks and extensions leave of an integer, so far as compilers know it as well.
func (m *module) known(v *ir.Value, steps int) knownBits {
	w := m.width(v.Type())
	if c, ok := ir.ConstantOf(v).(*ir.IntegerAttr); ok && c.Big == nil && (w <= 64 || c.Value >= 0) {
		return constantBits(w, uint64(c.Value))
	} else if ok && c.Big != nil && c.Big.IsUint64() {
		return constantBits(w, c.Big.Uint64())
	}
	k, op := anyBits(w), v.DefiningOp()
	if op == nil || steps == 0 || op.NumOperands() == 0 {
		return k
	}
	of := func(i int) knownBits { return m.known(op.Operand(i), steps-1) }
	switch {
	case op.Is(arith.AndI), op.Is(index.And):
		a, b := of(0), of(1)
		k.zeros, k.ones, k.fits = a.zeros|b.zeros, a.ones&b.ones, a.fits || b.fits
	case op.Is(arith.OrI), op.Is(index.Or):
		a, b := of(0), of(1)
		k.zeros, k.ones, k.fits = a.zeros&b.zeros, a.ones|b.ones, a.fits && b.fits
	case op.Is(arith.RemUI), op.Is(index.RemU):
		if by := of(1); by.fits && by.ones == ^by.zeros && by.ones&(by.ones-1) == 0 && by.ones > 0 {
			k.zeros, k.fits = ^(by.ones - 1), true
		}
	case op.Is(arith.ExtUI), op.Is(arith.IndexCastUI), op.Is(index.CastU):
		if from := of(0); from.width < w {
			k.zeros, k.ones, k.fits = from.zeros, from.ones, from.fits
		}
	case op.Is(arith.ExtSI), op.Is(arith.IndexCast), op.Is(index.CastS):
		if from := of(0); from.width < w && w <= 64 {
			k.low, k.high = from.low, from.high
		}
	}
	if sign := uint64(1) << (w - 1); w <= 64 {
		// What the bits tell of the number with a sign.
		if k.zeros&sign != 0 {
			k.low, k.high = max(k.low, int64(k.ones)), min(k.high, int64(^k.zeros))
		} else if k.ones&sign != 0 {
			k.low, k.high = max(k.low, signExtended(k.ones, w)), min(k.high, signExtended(^k.zeros, w))
		}
	}
	return k
}

// decided returns the outcome of a comparison that what is known of both numbers decides, of which compilers would complain; "" if it depends on them.
func (x *element) decided(t ir.Type, sign string, bySign bool) string {
	w := x.f.m.width(t)
	if w == 0 {
		return ""
	}
	var known [2]knownBits
	for i, arg := range x.args {
		n, ok := literal(arg)
		if plain, isPlain := number(arg); isPlain && !ok || t == ir.Type(ir.Index) {
			n, ok = uint64(plain), isPlain
		}
		switch {
		case ok:
			known[i] = constantBits(w, n)
		case x.values == nil, ir.IsVector(x.values[i].Type()):
			known[i] = anyBits(w)
		default:
			known[i] = x.f.m.known(x.values[i], mostSteps)
		}
	}
	a, b := known[0], known[1]
	switch fit := a.fits && b.fits; {
	case sign == "==" || sign == "!=":
		if a.zeros&b.ones|a.ones&b.zeros != 0 || w <= 64 && (a.high < b.low || b.high < a.low) {
			return outcome(sign == "!=")
		}
		return ""
	case bySign && w <= 64:
		return inOrder(sign, a.low, a.high, b.low, b.high)
	case fit:
		return inOrder(sign, a.ones, ^a.zeros, b.ones, ^b.zeros)
	case bySign:
		return ""
	case b.fits && ^b.zeros == 0: // nothing is below 0
		return map[string]string{"<": "0", ">=": "1"}[sign]
	case a.fits && ^a.zeros == 0:
		return map[string]string{">": "0", "<=": "1"}[sign]
	}
	return ""
}

// inOrder returns the outcome of a comparison of numbers within limits; "" if it depends on them.
func inOrder[T cmp.Ordered](sign string, low1, high1, low2, high2 T) string {
	switch {
	case sign == ">" || sign == ">=":
		return inOrder(map[string]string{">": "<", ">=": "<="}[sign], low2, high2, low1, high1)
	case high1 < low2, sign == "<=" && high1 == low2:
		return "1"
	case low1 > high2, sign == "<" && low1 == high2:
		return "0"
	}
	return ""
}

func outcome(holds bool) string {
	if holds {
		return "1"
	}
	return "0"
}
