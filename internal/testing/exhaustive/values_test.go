package exhaustive_test

import (
	"math"
	"math/big"

	"freehold/dialect/ub"
	"freehold/exec"
	"freehold/ir"
)

// Numbers of types that have too many: ends of ranges, also of narrower types, and some between.
var specialIntegers = []int64{0, 1, 2, 3, 7, -1, -2, -7, 63, 64, 127, 128, -128, 255, 256, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64, math.MinInt64}

var specialFloats = []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, 3, -3, 1.0 / 3, 7.5, 100, 255, -129, 1 << 20, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-126, -0x1p-24, 0x1.fffffep127}

// domain returns the values of a type: all of small ones, words or objects as package exec has them.
func (w *world) domain(t ir.Type) []any {
	d, ok := w.domains[t]
	if ok {
		return d
	}
	switch t := t.(type) {
	case *ir.IntegerType:
		if t.Width <= 4 {
			for v := range uint64(1) << t.Width {
				d = append(d, v)
			}
			break
		}
		d = w.integersOf(t, t.Width)
	case *ir.IndexType:
		d = w.integersOf(t, 64)
	case *ir.FloatType:
		if t.Width <= 8 {
			for v := range uint64(1) << t.Width {
				d = append(d, v)
			}
			break
		}
		d = specialsOf(t)
	case *ir.ComplexType:
		parts := specialsOf(t.Elem.(*ir.FloatType))
		for _, re := range parts {
			for _, im := range parts {
				d = append(d, exec.Complex{Re: re, Im: im})
			}
		}
	case *ir.VectorType, *ir.RankedTensorType:
		shape, _ := ir.ShapeOf(t)
		n, _ := ir.NumElements(shape)
		elems := w.domain(ir.ElementType(t))
		for i := range elems {
			x := exec.NewTensor(exec.ElemOf(ir.ElementType(t)), shape, false)
			for k := range n {
				x.SetAt(k, elems[(i+int(k)*5)%len(elems)])
			}
			d = append(d, x.Share())
		}
	}
	w.domains[t] = d
	return d
}

var smallIntegers = []int64{0, 1, 2, 3, 4, 5, 7, 8, 11, -1, -2, -3, -4, -5, -9, 100, -100}

func (w *world) integersOf(t ir.Type, width int) (out []any) {
	seen := map[string]bool{}
	list := specialIntegers
	if w.small {
		list = smallIntegers
	}
	for _, v := range list {
		b := new(big.Int).And(big.NewInt(v), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1)))
		if !seen[b.String()] {
			seen[b.String()] = true
			out = append(out, exec.FromBits(t, b))
		}
	}
	return out
}

func specialsOf(t *ir.FloatType) (out []any) {
	seen := map[any]bool{}
	add := func(v any) {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	for _, x := range specialFloats {
		add(exec.FloatValue(t, x))
	}
	return out
}

// constantsOf returns the constants of a type, poison among them: all of the smallest types, and special ones of others.
func (w *world) constantsOf(t ir.Type) []ir.Attribute {
	out, ok := w.constants[t]
	if ok {
		return out
	}
	c := w.ctx
	switch t := t.(type) {
	case *ir.IntegerType, *ir.IndexType:
		for _, v := range w.domain(t) {
			out = append(out, c.BigIntegerAttr(t, exec.BitsOf(t, v)))
		}
	case *ir.FloatType:
		for _, v := range specialsOf(t) {
			out = append(out, floatAttr(c, t, v))
		}
		out = append(out, floatAttr(c, t, exec.FromBits(t, big.NewInt(1))), floatAttr(c, t, exec.FromBits(t, big.NewInt(3))))
	case *ir.ComplexType:
		e := t.Elem.(*ir.FloatType)
		parts := []any{exec.FloatValue(e, 0), exec.FloatValue(e, math.Copysign(0, -1)), exec.FloatValue(e, 1), exec.FloatValue(e, math.Inf(1)), exec.FloatValue(e, math.NaN())}
		for _, re := range parts {
			for _, im := range parts {
				out = append(out, c.ArrayAttr(floatAttr(c, e, re), floatAttr(c, e, im)))
			}
		}
	case *ir.VectorType, *ir.RankedTensorType:
		elem := ir.ElementType(t)
		if _, isComplex := elem.(*ir.ComplexType); isComplex {
			break
		}
		shape, _ := ir.ShapeOf(t)
		n, _ := ir.NumElements(shape)
		var elems []ir.Attribute
		for _, a := range w.constantsOf(elem) {
			if !ub.IsPoison(a) {
				elems = append(elems, a)
			}
		}
		for i := range elems {
			out = append(out, c.DenseElements(t, ir.AppendElement(nil, elems[i])))
			var data []byte
			for k := range n {
				data = ir.AppendElement(data, elems[(i+int(k)*3)%len(elems)])
			}
			out = append(out, c.DenseElements(t, data))
		}
	}
	out = append(out, ub.PoisonAttr(c))
	w.constants[t] = out
	return out
}

func floatAttr(c *ir.Context, t *ir.FloatType, v any) ir.Attribute {
	bits := exec.BitsOf(t, v)
	lo := new(big.Int).And(bits, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return c.FloatBits(t, lo, new(big.Int).Rsh(bits, 64).Uint64())
}

// same tells whether two values of a type are: NaNs all are. Where the first is undefined the second may be anything. sloppy says that
// zeros may have any sign.
func same(t ir.Type, want, got any, sloppy bool) bool {
	switch x := want.(type) {
	case *exec.Tensor:
		y := got.(*exec.Tensor)
		for i := range x.Elements() {
			if v := x.At(i); v != exec.PoisonValue && !same(ir.ElementType(t), v, y.At(i), sloppy) {
				return false
			}
		}
		return true
	case exec.Complex:
		y, ok := got.(exec.Complex)
		e := t.(*ir.ComplexType).Elem
		return ok && same(e, x.Re, y.Re, sloppy) && same(e, x.Im, y.Im, sloppy)
	}
	if want == exec.PoisonValue {
		return true
	}
	if got == exec.PoisonValue {
		return false
	}
	if f, ok := t.(*ir.FloatType); ok {
		a, b := exec.Float64(f, want), exec.Float64(f, got)
		if a != a || b != b {
			return a != a && b != b
		}
		if sloppy && a == 0 && b == 0 {
			return true
		}
	}
	a, b := exec.BitsOf(t, want), exec.BitsOf(t, got)
	return a != nil && b != nil && a.Cmp(b) == 0
}

// show returns a value as text.
func show(t ir.Type, v any) string {
	switch x := v.(type) {
	case *exec.Tensor:
		s := "["
		for i := range x.Elements() {
			s += " " + show(ir.ElementType(t), x.At(i))
		}
		return s + " ]"
	case exec.Complex:
		e := t.(*ir.ComplexType).Elem
		return "(" + show(e, x.Re) + ", " + show(e, x.Im) + ")"
	}
	if v == exec.PoisonValue {
		return "poison"
	}
	if f, ok := t.(*ir.FloatType); ok {
		return exec.FormatG(exec.Float64(f, v))
	}
	return exec.BitsOf(t, v).String()
}
