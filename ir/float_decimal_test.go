package ir

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Numbers of wide formats are read as they are written, whether a double can hold them or
// not.
func TestWideDecimals(t *testing.T) {
	c := NewContext()
	check := func(typ *FloatType, lo, hi uint64) {
		a := c.FloatBits(typ, lo, hi)
		text := strings.TrimSuffix(a.String(), " : "+typ.String())
		if strings.HasPrefix(text, "0x") {
			return
		}
		s, neg := strings.CutPrefix(text, "-")
		if l, h := typ.Format.ParseDecimal(s, neg); l != lo || h != hi {
			t.Errorf("%s: %x %x is read as %x %x", a, hi, lo, h, l)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		check(F128, rnd.Uint64()&^(1<<rnd.IntN(64)-1), rnd.Uint64())
		check(F80, rnd.Uint64()|1<<63, rnd.Uint64()&0xffff)
		x := rnd.NormFloat64()
		for _, typ := range []*FloatType{F80, F128} {
			a := c.FloatAttr(typ, x)
			check(typ, a.Lo, a.Hi)
		}
	}
}

func TestParseDecimal(t *testing.T) {
	for _, x := range []struct {
		t      *FloatType
		s      string
		hi, lo uint64
	}{
		{F128, "0.1", 0x3ffb999999999999, 0xa000000000000000}, // as a double, like mlir-opt
		{F128, "0.100000000000000005551115123125782702", 0x3ffb999999999999, 0xa000000000000000},
		{F128, "0.333333333333333333333333333333333317", 0x3ffd555555555555, 0x5555555555555555},
		{F80, "0.333333333333333333342", 0x3ffd, 0xaaaaaaaaaaaaaaab},
		{F128, "0.00000000000000000000", 0, 0},
		{F128, "1.000000000000000000001e999999999", 0x7fff000000000000, 0},
		{F128, "1.000000000000000000001e-999999999", 0, 0},
		{F64, "0.333333333333333333333333333333333317", 0, 0x3fd5555555555555},
	} {
		if lo, hi := x.t.Format.ParseDecimal(x.s, false); lo != x.lo || hi != x.hi {
			t.Errorf("%s : %s is %x %x, want %x %x", x.s, x.t, hi, lo, x.hi, x.lo)
		}
	}
}
