package fold

import (
	"math"

	"freehold/ir"
)

// Floats is [Elementwise] for operations on floating-point numbers of at most 64
// bits. fn computes in double precision what is then rounded to the result's
// element type; that rounds twice, which is harmless for sums, products and
// quotients. It returns false if there is no result. A NaN among the operands is
// the result without a call of fn.
func Floats(c *ir.Context, result ir.Type, operands []ir.Attribute, fn func(args []float64) (float64, bool)) ir.Attribute {
	return floats(c, result, operands, true, positiveNaN, fn)
}

// FloatsWithNaN is [Floats] for operations that don't just pass NaN on: fn sees it.
func FloatsWithNaN(c *ir.Context, result ir.Type, operands []ir.Attribute, fn func(args []float64) (float64, bool)) ir.Attribute {
	return floats(c, result, operands, false, math.Copysign(positiveNaN, -1), fn)
}

// FloatsWithPositiveNaN is [FloatsWithNaN] for functions of which C libraries make a positive NaN.
func FloatsWithPositiveNaN(c *ir.Context, result ir.Type, operands []ir.Attribute, fn func(args []float64) (float64, bool)) ir.Attribute {
	return floats(c, result, operands, false, positiveNaN, fn)
}

// positiveNaN is the NaN that arithmetic makes. Processors differ in its sign: here arithmetic makes a positive one, and functions
// one as C libraries do on an x86-64 processor.
var positiveNaN = math.Float64frombits(0x7ff8 << 48)

func floats(c *ir.Context, result ir.Type, operands []ir.Attribute, propagate bool, made float64, fn func(args []float64) (float64, bool)) ir.Attribute {
	elem, ok := ir.ElementType(result).(*ir.FloatType)
	if !ok || elem.Width > 64 {
		return nil
	}
	var buf [3]float64
	return Elementwise(c, result, operands, func(attrs []ir.Attribute) ir.Attribute {
		args := buf[:0]
		hadNaN := false
		for _, a := range attrs {
			f, ok := a.(*ir.FloatAttr)
			if !ok || f.Type.Width > 64 {
				return nil
			}
			x := f.Float64()
			if math.IsNaN(x) {
				if propagate {
					return c.FloatAttr(elem, x)
				}
				hadNaN = true
			}
			args = append(args, x)
		}
		v, ok := fn(args)
		if !ok {
			return nil
		}
		if math.IsNaN(v) && !hadNaN {
			v = made
		}
		return c.FloatAttr(elem, v)
	})
}
