package tosa

import (
	"strconv"

	"freehold/dialect/quant"
	"freehold/ir"
	"freehold/ir/constraint"
)

// isNumber tells whether the elements of tensors can have the type: unsigned and signless
// integers, floating-point numbers, and quantized ones.
func isNumber(t ir.Type) bool {
	if i, ok := t.(*ir.IntegerType); ok {
		return i.Signedness != ir.Signed
	}
	return ir.IsFloat(t) || isQuantized(t)
}

// isQuantized tells whether the type is one of quantized numbers that elements can have.
func isQuantized(t ir.Type) bool {
	q := quant.Of(t)
	if q == nil {
		return false
	}
	switch q.Width {
	case 8:
		return true
	case 4, 16, 32:
		return q.Signed
	}
	return false
}

var number = ir.TypeConstraint{Summary: "number", Match: isNumber}

// The constraints on operands and results.
var (
	anyTensor    = constraint.TensorOf(number)
	rankedTensor = constraint.RankedTensorOf(number)
	boolTensor   = constraint.TensorOf(constraint.I1)
	floatTensor  = constraint.TensorOf(constraint.AnyFloat)
	i32Tensor    = constraint.TensorOf(constraint.I32)
	indexTensor  = constraint.TensorOf(constraint.Or(constraint.I32, constraint.I64))
	scalarTensor = constraint.RankOf("0D", "tensor", 0, number)
	indices2D    = constraint.RankOf("2D", "tensor", 2, constraint.I32)

	// weight accepts the elements of filters and weights.
	weight = ir.TypeConstraint{
		Summary: "4-bit signless integer or 8-bit signless integer or Quint8 type or Qint4 type or Qint8 type or Qint16 type or Qint32 type or floating-point",
		Match: func(t ir.Type) bool {
			return isSignless(t, 4) || isSignless(t, 8) || ir.IsFloat(t) || isQuantized(t)
		},
	}
	weight2D, weight4D, weight5D = weightOf(2), weightOf(4), weightOf(5)

	tensor1D, tensor2D, tensor3D, tensor4D, tensor5D = tensorOf(1), tensorOf(2), tensorOf(3), tensorOf(4), tensorOf(5)

	integerLike = likeOf("signless-integer-like", func(t ir.Type) bool { return ir.IsInteger(t) && isNumber(t) })
	int8Like    = likeOf("signless-integer-8-bit-like", func(t ir.Type) bool { return isSignless(t, 8) })
)

func isSignless(t ir.Type, width int) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && i.Signedness == ir.Signless && i.Width == width
}

func weightOf(rank int) ir.TypeConstraint {
	return constraint.RankOf(strconv.Itoa(rank)+"D", "tensor", rank, weight)
}

// tensorOf accepts tensors of a rank, and unranked ones.
func tensorOf(rank int) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: strconv.Itoa(rank) + "-d tensor", Class: ir.TensorClass, Match: func(t ir.Type) bool {
		if !anyTensor.Match(t) {
			return false
		}
		shape, ranked := ir.ShapeOf(t)
		return !ranked || len(shape) == rank
	}}
}

func likeOf(summary string, match func(ir.Type) bool) ir.TypeConstraint {
	return constraint.Like(summary, ir.TypeConstraint{Match: match})
}

// The constraints on attributes.
var (
	i8Attr = constraint.Integer("8-bit signless integer attribute", ir.I8, nil)
	// shiftAttr is a number of 32 bits in LLVM 16.
	shiftAttr = fromWider(i8Attr, ir.I32, ir.I8)
	floatAttr = ir.AttrConstraint{Summary: "arbitrary float attribute", Match: isFloatAttr, Class: isFloatAttr}
	i8Array   = ir.AttrConstraint{Summary: "i8 dense array attribute", Kind: ir.DenseArrayKind,
		ValueType: func(*ir.Context) ir.Type { return ir.I8 }, Match: isI8Array, Class: isI8Array, Respell: toI8Array}
	elementsAttr = ir.AttrConstraint{Summary: "constant vector/tensor attribute", Match: isElements, Class: isElements}
	accTypeAttr  = constraint.TypeAttrOf("type attribute of 32-bit signless integer or 32-bit signed integer or 16-bit float or 32-bit float",
		func(t ir.Type) bool {
			i, ok := t.(*ir.IntegerType)
			return ok && i.Width == 32 && i.Signedness != ir.Unsigned || t == ir.Type(ir.F16) || t == ir.Type(ir.F32)
		})
	resizeMode = ir.AttrConstraint{Respell: respellMode, Summary: "Supported resize/upsampling strategies", Kind: ir.StringKind, Class: constraint.StrAttr.Class,
		Match: func(a ir.Attribute) bool {
			s, ok := a.(*ir.StringAttr)
			return ok && (s.Value == Bilinear || s.Value == NearestNeighbor)
		}}
)

// fromWider also reads numbers of a wider type, as another version of LLVM has them, that fit the constraint's.
func fromWider(a ir.AttrConstraint, wide, narrow *ir.IntegerType) ir.AttrConstraint {
	a.Respell = func(c *ir.Context, a ir.Attribute) ir.Attribute {
		if n, ok := a.(*ir.IntegerAttr); ok && n.Type == ir.Type(wide) && n.Big == nil {
			if r := c.IntegerAttr(narrow, n.Value); r.Value == n.Value {
				return r
			}
		}
		return nil
	}
	return a
}

// toI8Array makes a list of numbers of 8 bits of one of 32, as LLVM 17 and before have it, dense or not.
func toI8Array(c *ir.Context, a ir.Attribute) ir.Attribute {
	if r := constraint.DenseI32Array.Respell(c, a); r != nil {
		a = r
	}
	d, ok := a.(*ir.DenseArrayAttr)
	if !ok || d.Elem != ir.Type(ir.I32) {
		return nil
	}
	data := make([]byte, d.Len())
	for i := range data {
		n := d.Int(i)
		if n != int64(int8(n)) {
			return nil
		}
		data[i] = byte(n)
	}
	return c.DenseArray(ir.I8, data)
}

func isFloatAttr(a ir.Attribute) bool { _, ok := a.(*ir.FloatAttr); return ok }

func isI8Array(a ir.Attribute) bool {
	d, ok := a.(*ir.DenseArrayAttr)
	return ok && d.Elem == ir.Type(ir.I8)
}

func isElements(a ir.Attribute) bool {
	switch a := a.(type) {
	case *ir.DenseElementsAttr, *ir.DenseStringElementsAttr, *ir.SparseElementsAttr, *ir.DenseResourceAttr:
		return true
	case *ir.DialectAttr:
		return a.Type != nil && ir.IsShaped(a.Type)
	}
	return false
}

// i64s accepts lists of n numbers.
func i64s(n int) ir.AttrConstraint {
	return counted("i64 dense array attribute with exactly "+strconv.Itoa(n)+" elements", func(k int) bool { return k == n })
}

// upTo4 accepts lists of at most four numbers; the summary is that of the reference.
var upTo4 = counted("i64 dense array attribute with at least 4 elements", func(k int) bool { return k <= 4 })

func counted(summary string, holds func(int) bool) ir.AttrConstraint {
	c := constraint.DenseI64Array
	c.Summary = summary
	match := c.Match
	c.Match = func(a ir.Attribute) bool { return match(a) && holds(a.(*ir.DenseArrayAttr).Len()) }
	return c
}

func attr(name string, c ir.AttrConstraint) ir.AttrDef { return ir.AttrDef{Name: name, Type: c} }

// axisAttr is the dimension that an operation works along, a number of 64 bits in LLVM 17 and before.
var axisAttr = attr("axis", fromWider(constraint.I32Attr, ir.I64, ir.I32))

// localBoundAttr says how exact a result has to be.
var localBoundAttr = ir.AttrDef{Name: "local_bound", Type: constraint.BoolAttr, Optional: true,
	Default: func(c *ir.Context) ir.Attribute { return c.Bool(false) }}

func tensorType(v *ir.Value) *ir.RankedTensorType { t, _ := v.Type().(*ir.RankedTensorType); return t }
