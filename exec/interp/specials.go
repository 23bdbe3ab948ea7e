package interp

import (
	"math"
	"math/big"
	"math/rand/v2"

	"freehold/exec"
	"freehold/ir"
)

// specialFloats returns the numbers of a format at which operations change what they do, without regard to
// what the format rounds them to: zeros, units, infinities and NaNs of both signs, the numbers next to zero, to the normal ones and
// to infinity, and those around the limits of integers. Of formats with 8 bits or fewer these are all numbers.
func specialFloats(t *ir.FloatType) (out []any) {
	if t.Width <= 8 {
		for bits := range int64(1) << t.Width {
			out = append(out, exec.FromBits(t, big.NewInt(bits)))
		}
		return out
	}
	f := t.Format
	least := math.Ldexp(1, max(1-f.Bias-f.MantBits, -1074))
	normal := math.Ldexp(1, max(1-f.Bias, -1022))
	most := math.Ldexp(2-math.Ldexp(1, -min(f.MantBits, 52)), min(f.Bias, 1023))
	for _, x := range []float64{
		math.NaN(), math.Inf(1), math.Copysign(0, -1), -1, 0, most, math.Inf(-1), 1, least, -most, 0.5, normal, -least,
		math.Copysign(math.NaN(), -1), -normal, normal - least, -2.5, 127, 128, 255, 256, 1 << 24, 1<<31 - 1, 1 << 31, -1 << 31, 1 << 53, -1 << 63, 1 << 64,
	} {
		out = append(out, exec.FloatValue(t, x))
	}
	return out
}

// specialIntegers returns the integers of a width at which operations change what they do, each once: zero, units of both signs, the
// least and the greatest ones and their neighbours, signed and not, and those at which narrower integers end.
func specialIntegers(width int) (out []*big.Int) {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(width))
	seen := map[string]bool{}
	add := func(x *big.Int, more int64) {
		x = new(big.Int).Add(x, big.NewInt(more))
		if x.Mod(x, limit); !seen[x.String()] {
			seen[x.String()] = true
			out = append(out, x)
		}
	}
	half := new(big.Int).Rsh(limit, 1)
	add(half, 0)
	add(half, -1)
	add(new(big.Int), -1)
	add(new(big.Int), 0)
	add(new(big.Int), 1)
	add(half, 1)
	for _, w := range []uint{7, 8, 31, 32, 15, 16, 63, 64} {
		if int(w) < width {
			p := new(big.Int).Lsh(big.NewInt(1), w)
			add(p, 0)
			add(p, -1)
			add(new(big.Int).Neg(p), 0)
		}
	}
	add(new(big.Int), 2)
	add(half, -2)
	add(new(big.Int), -2)
	return out
}

// specials hands out special numbers, by type, one after the other in an order of its own, so that a few neighbouring arguments
// have all of them.
type specials struct {
	rnd   *rand.Rand
	start int
	lists map[ir.Type]*specialList
}

type specialList struct {
	values []any
	next   int
}

// of returns the next special number of an integer, index or floating-point type.
func (s *specials) of(t ir.Type) any {
	l := s.lists[t]
	if l == nil {
		l = &specialList{next: s.start}
		switch t := t.(type) {
		case *ir.FloatType:
			l.values = specialFloats(t)
		case *ir.IntegerType:
			for _, x := range specialIntegers(t.Width) {
				l.values = append(l.values, integerOf(x, t.Width))
			}
		default:
			for _, x := range specialIntegers(64) {
				l.values = append(l.values, x.Uint64())
			}
		}
		if s.lists == nil {
			s.lists = map[ir.Type]*specialList{}
		}
		s.lists[t] = l
		s.rnd.Shuffle(len(l.values), func(i, j int) { l.values[i], l.values[j] = l.values[j], l.values[i] })
	}
	v := l.values[l.next%len(l.values)]
	l.next++
	return v
}

// integerOf returns the word or object of an integer.
func integerOf(x *big.Int, width int) any {
	if width > 64 {
		return x
	}
	return x.Uint64()
}
