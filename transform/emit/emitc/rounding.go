package emitc

import (
	"fmt"

	"freehold/exec"
	"freehold/ir"
)

// roundedTowards returns the name of the function that rounds a double to a type in a direction other than to the nearest even one. It finds
// the nearest number, and of that and its neighbour on the other side of the double the one that the direction asks for.
func (m *module) roundedTowards(t *ir.FloatType, r exec.Rounding) string {
	word := map[exec.Rounding]string{exec.Downward: "downward", exec.Upward: "upward", exec.TowardZero: "toward_zero", exec.ToNearestAway: "nearest_away"}[r]
	c, _ := m.types.of(t)
	name, bits := "fh_"+identifier(t.String())+"_"+word, unsignedType(storageBits(t.Width))
	toBits, ofBits := "", ""
	if t == ir.F32 {
		toBits, ofBits = m.helper("fh_float_bits"), m.helper("fh_float_of")
	}
	value := func(e string) string { return m.double(t, ofBits+"(("+bits+")("+e+"))") }
	sign := t.Format.SignMask()
	leave := "v == x || x != x || isinf(x)"
	switch {
	case r == exec.ToNearestAway:
		leave += " || v != v || isinf(v)"
	case t.Format.Special == ir.FiniteOnly:
		leave += fmt.Sprintf(" || (fabs(x) > fabs(v) && (near & ~sign) == %#x)", t.Format.MaxFinite())
	case t.Format.Special == ir.PowersOfTwo:
		leave += " || (x < v && near == 0)"
	}
	away := map[exec.Rounding]string{
		exec.Downward: "x < 0", exec.Upward: "x > 0", exec.TowardZero: "0",
		exec.ToNearestAway: "fabs(x) - " + value("smaller") + " >= " + value("larger") + " - fabs(x)",
	}[r]
	abs, signed := "", "x < 0"
	if sign == 0 {
		abs, signed = "\n  x = fabs(x);", "0"
	}
	if t.Format.Special == ir.FiniteNaNNegZero {
		signed += " && out"
	}
	m.helpers.headers["math.h"] = true
	return m.helpers.define(name, fmt.Sprintf(`
static inline %[1]s %[2]s(double x) {%[3]s
  const uint64_t sign = %#[4]x, near = %[5]s(%[6]s);
  const double v = %[7]s;
  uint64_t smaller = v != v ? %#[8]x : near & ~sign, larger = smaller, out;
  if (%[9]s) return %[10]s((%[11]s)near);
  if (v != v || fabs(v) > fabs(x)) smaller--;
  else larger++;
  out = %[12]s ? larger : smaller;
  return %[10]s((%[11]s)(%[13]s ? out | sign : out));
}`, c, name, abs, sign, toBits, m.rounded(t, "x"), value("near"), t.Format.MaxFinite()+1, leave, ofBits, bits, away, signed))
}
