// Package fold computes elementwise operations on constants, for the folders of
// dialects: on numbers, and on vectors and tensors of numbers.
package fold

import (
	"math/big"
	"slices"

	"freehold/ir"
)

// maxSparse is how many elements a sparse constant may have to be folded: those that
// are zero take no memory before.
const maxSparse = 1 << 20

// Elementwise applies fn to the operands, which are numbers, or to their elements
// where they are dense or sparse constants, and returns the constant of the given type
// that has the results. It returns nil if an operand is no such constant or fn returns
// nil. Where all operands are splats fn is called once.
func Elementwise(c *ir.Context, result ir.Type, operands []ir.Attribute, fn func(args []ir.Attribute) ir.Attribute) ir.Attribute {
	dense, splat := 0, true
	for i, o := range operands {
		if s, ok := o.(*ir.SparseElementsAttr); ok {
			d := s.Dense(c, maxSparse)
			if d == nil {
				return nil
			}
			operands, o = slices.Clone(operands), d
			operands[i] = d
		}
		switch o := o.(type) {
		case *ir.IntegerAttr, *ir.FloatAttr:
		case *ir.DenseElementsAttr:
			dense++
			splat = splat && o.Splat
		default:
			return nil
		}
	}
	if dense == 0 {
		return fn(operands)
	}
	shape, ranked := ir.ShapeOf(result)
	if dense != len(operands) || !ranked || !ir.IsStaticShape(shape) {
		return nil
	}
	n := int64(1)
	if !splat {
		n, _ = ir.NumElements(shape)
	}
	args := make([]ir.Attribute, len(operands))
	data := make([]byte, 0, n*int64(ir.ElementBytes(ir.ElementType(result))))
	for i := range n {
		for j, o := range operands {
			args[j] = o.(*ir.DenseElementsAttr).Elem(c, i)
		}
		r := fn(args)
		if r == nil {
			return nil
		}
		data = ir.AppendElement(data, r)
	}
	return c.DenseElements(result, data)
}

// Ints is [Elementwise] for operations on integers. fn gets the width of the first
// operand and the operands as signed numbers, which it must not change; it returns
// a number that is wrapped to the width of the result, or nil.
func Ints(c *ir.Context, result ir.Type, operands []ir.Attribute, fn func(w int, args []*big.Int) *big.Int) ir.Attribute {
	elem := ir.ElementType(result)
	var buf [2]*big.Int
	return Elementwise(c, result, operands, func(attrs []ir.Attribute) ir.Attribute {
		args := buf[:0]
		w := 0
		for _, a := range attrs {
			i, ok := a.(*ir.IntegerAttr)
			if !ok {
				return nil
			}
			if w == 0 {
				w = Width(i.Type)
			}
			args = append(args, Signed(i))
		}
		v := fn(w, args)
		if v == nil {
			return nil
		}
		return c.BigIntegerAttr(elem, v)
	})
}

// Filled returns the constant of type t whose elements are all the number v; nil
// if t has dynamic dimensions.
func Filled(c *ir.Context, t ir.Type, v int64) ir.Attribute {
	elem := ir.ElementType(t)
	if elem == t {
		return c.IntegerAttr(t, v)
	}
	shape, ranked := ir.ShapeOf(t)
	if !ranked || !ir.IsStaticShape(shape) {
		return nil
	}
	return c.DenseElements(t, ir.AppendElement(nil, c.IntegerAttr(elem, v)))
}

// Width returns the width of an integer type, and 64 for index.
func Width(t ir.Type) int {
	if i, ok := t.(*ir.IntegerType); ok {
		return i.Width
	}
	return 64
}

// Signed returns the attribute's bits as a signed number.
func Signed(a *ir.IntegerAttr) *big.Int { return Wrap(a.BigInt(), Width(a.Type)) }

// Wrap returns the signed number that the low w bits of v stand for.
func Wrap(v *big.Int, w int) *big.Int {
	u := Unsigned(v, w)
	if w > 0 && u.Bit(w-1) == 1 {
		return new(big.Int).Sub(u, new(big.Int).Lsh(one, uint(w)))
	}
	return u
}

// Unsigned returns the unsigned number that the low w bits of v stand for.
func Unsigned(v *big.Int, w int) *big.Int {
	if v.Sign() >= 0 && v.BitLen() <= w {
		return v
	}
	return new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(one, uint(w)), one))
}

var one = big.NewInt(1)
