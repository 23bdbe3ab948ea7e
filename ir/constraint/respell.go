package constraint

import "freehold/ir"

// Before LLVM 16, lists of integers were arrays of attributes or dense elements, where
// they are dense arrays now; some became so only after LLVM 19.

// maxElements bounds the lists that are made of dense elements, of which a short text
// can have any number.
const maxElements = 1 << 16

// integers returns the elements of a list of integers as it was before.
func integers(c *ir.Context, a ir.Attribute) (v []int64, ok bool) {
	switch a := a.(type) {
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			i, ok := e.(*ir.IntegerAttr)
			if !ok {
				return nil, false
			}
			v = append(v, i.Value)
		}
		return v, true
	case *ir.DenseElementsAttr:
		if shape, _ := ir.ShapeOf(a.Type); !denseIntegers(a) || len(shape) != 1 || a.Len() > maxElements {
			return nil, false
		}
		for i := range a.Len() {
			e, ok := a.Elem(c, i).(*ir.IntegerAttr)
			if !ok {
				return nil, false
			}
			v = append(v, e.Value)
		}
		return v, true
	}
	return nil, false
}

// toDenseArray makes array<t: ...> of a list of integers that fit.
func toDenseArray(t ir.Type) func(c *ir.Context, a ir.Attribute) ir.Attribute {
	return func(c *ir.Context, a ir.Attribute) ir.Attribute {
		v, ok := integers(c, a)
		if !ok {
			return nil
		}
		switch t {
		case ir.I64:
			return c.DenseI64Array(v...)
		case ir.I32:
			narrow := make([]int32, len(v))
			for i, x := range v {
				if narrow[i] = int32(x); int64(narrow[i]) != x {
					return nil
				}
			}
			return c.DenseI32Array(narrow...)
		}
		return nil
	}
}

// toArray makes [...] of a list of integers.
func toArray(c *ir.Context, a ir.Attribute) ir.Attribute {
	d, ok := a.(*ir.DenseArrayAttr)
	if !ok || d.Elem != ir.Type(ir.I64) {
		return nil
	}
	var elems []ir.Attribute
	for _, v := range d.Ints() {
		elems = append(elems, c.IntegerAttr(ir.I64, v))
	}
	return c.ArrayAttr(elems...)
}

// DenseI64Sizes is [DenseI64Array] for sizes, of which those that are values were -1
// before LLVM 16.
var DenseI64Sizes = func() ir.AttrConstraint {
	out := DenseI64Array
	out.Respell = func(c *ir.Context, a ir.Attribute) ir.Attribute {
		v, ok := integers(c, a)
		if !ok {
			return nil
		}
		for i := range v {
			if v[i] == -1 {
				v[i] = ir.Dynamic
			}
		}
		return c.DenseI64Array(v...)
	}
	return out
}()

// EnumOrText is [Enum] of an enumeration whose values were strings once.
func EnumOrText(summary string, d *ir.EnumDef) ir.AttrConstraint {
	out := Enum(summary, d)
	out.Respell = func(c *ir.Context, a ir.Attribute) ir.Attribute {
		return enumOf(c, a, d)
	}
	return out
}

// enumOf returns the value of an enumeration that a string names; nil if it doesn't.
func enumOf(c *ir.Context, a ir.Attribute, d *ir.EnumDef) ir.Attribute {
	if s, ok := a.(*ir.StringAttr); ok {
		if v, ok := d.Parse(s.Value); ok {
			return c.EnumAttr(d, v)
		}
	}
	return nil
}

// EnumArray accepts arrays of values of an enumeration, which were strings before LLVM 16.
func EnumArray(summary string, d *ir.EnumDef) ir.AttrConstraint {
	out := ArrayOf(summary, func(a ir.Attribute) bool {
		e, ok := a.(*ir.EnumAttr)
		return ok && e.Def == d
	})
	out.Respell = func(c *ir.Context, a ir.Attribute) ir.Attribute {
		array, ok := a.(*ir.ArrayAttr)
		if !ok {
			return nil
		}
		var elems []ir.Attribute
		for _, e := range array.Elems {
			v := enumOf(c, e, d)
			if v == nil {
				return nil
			}
			elems = append(elems, v)
		}
		return c.ArrayAttr(elems...)
	}
	return out
}
