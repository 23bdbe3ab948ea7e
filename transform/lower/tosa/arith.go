package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// ArithOptions are the options of [ArithPatterns].
type ArithOptions struct {
	// ApplyScale replaces tosa.apply_scale, too.
	ApplyScale bool
	// Use32Bit computes with 32 bits, where the numbers have no more.
	Use32Bit bool
}

// ArithPatterns returns the patterns of tosa-to-arith: constants, and what multiplies with a
// power of two.
func ArithPatterns(o ArithOptions) []rewrite.Pattern {
	out := []rewrite.Pattern{{Name: "ConstOpConverter", Root: tosa.Const, Rewrite: constToConstant}}
	if !o.ApplyScale {
		return out
	}
	if o.Use32Bit {
		out = append(out, rewrite.Pattern{Name: "ApplyScale32BitOpConverter", Root: tosa.ApplyScale, Benefit: 200, Rewrite: scaleIn32Bits})
	}
	return append(out, rewrite.Pattern{Name: "ApplyScaleGenericOpConverter", Root: tosa.ApplyScale, Benefit: 100, Rewrite: scaleIn64Bits})
}

// ToArith replaces constants in op by those of arith, and tosa.apply_scale, if that is asked for. It
// is tosa-to-arith, and an error if one can't be replaced. Linear time.
func ToArith(op *ir.Op, o ArithOptions, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith")
	t.Illegal(tosa.Const)
	if o.ApplyScale {
		t.Illegal(tosa.ApplyScale)
	}
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

func constToConstant(r *rewrite.Rewriter, op *ir.Op) bool {
	value := op.Attr("value")
	if ir.TypeOfAttr(value) != op.Result(0).Type() {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, arith.NewConstant(r.Builder, value).Result(0))
	return true
}

// scaler has what both ways to scale need: constants of types like that of the value.
type scaler struct {
	b    *ir.Builder
	like ir.Type
}

// of is the type of elements of another width.
func (s scaler) of(elem *ir.IntegerType) ir.Type {
	if ir.IsShaped(s.like) {
		return s.b.Context().WithElementType(s.like, elem)
	}
	return elem
}

// constant is a number, or a vector or tensor of it.
func (s scaler) constant(elem *ir.IntegerType, n int64) *ir.Value {
	t := s.of(elem)
	if !ir.IsShaped(t) {
		return arith.ConstantInt(s.b, elem, n)
	}
	c := s.b.Context()
	return arith.NewConstant(s.b, c.DenseElements(t, ir.AppendElement(nil, c.IntegerAttr(elem, n)))).Result(0)
}

// scalable tells whether an operation's operands are integers whose shapes are known.
func scalable(op *ir.Op) bool {
	for _, t := range op.Operands().Types() {
		if isUnsignedType(t) || isUnsignedType(elementIn(t)) {
			return false
		}
		if shape, ok := ir.ShapeOf(t); ir.IsShaped(t) && (!ok || !ir.IsStaticShape(shape)) {
			return false
		}
	}
	return elementIn(op.Result(0).Type()) == ir.Type(ir.I32)
}

func elementIn(t ir.Type) ir.Type {
	if ir.IsShaped(t) {
		return ir.ElementType(t)
	}
	return t
}

// scaleIn64Bits adds half of the power of two to the product, and shifts. To round twice, a quarter of
// 2^32 is added, or subtracted, first, if so much is shifted out.
func scaleIn64Bits(r *rewrite.Rewriter, op *ir.Op) bool {
	if !scalable(op) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	value, multiplier, shift := tosa.ApplyScaleOp{Op: op}.Value(), tosa.ApplyScaleOp{Op: op}.Multiplier(), tosa.ApplyScaleOp{Op: op}.Shift()
	s := scaler{b, value.Type()}
	i32, i64 := s.of(ir.I32), s.of(ir.I64)
	zero := s.constant(elementIn(value.Type()).(*ir.IntegerType), 0)
	one := s.constant(ir.I64, 1)
	limit := s.constant(ir.I32, 31)

	shift32 := arith.NewCast(b, arith.ExtUI, i32, shift)
	value64 := extend(b, value, i64)
	product := arith.New(b, arith.MulI, value64, extend(b, multiplier, i64))
	shift64 := arith.NewCast(b, arith.ExtUI, i64, shift32)
	half := arith.New(b, arith.ShRUI, arith.New(b, arith.ShLI, one, shift64), one)
	rounded := arith.New(b, arith.AddI, product, half)
	if op.Attr("double_round").(*ir.IntegerAttr).Value != 0 {
		up, down := s.constant(ir.I64, 1<<30), s.constant(ir.I64, -1<<30)
		positive := arith.NewCmpI(b, arith.SGE, value, zero)
		twice := arith.New(b, arith.AddI, arith.NewSelect(b, positive, up, down), rounded)
		far := arith.NewCmpI(b, arith.SGT, shift32, limit)
		rounded = arith.NewSelect(b, far, twice, rounded)
	}
	r.Replace(op, arith.NewCast(b, arith.TruncI, i32, arith.New(b, arith.ShRSI, rounded, shift64)))
	return true
}

// extend makes a number wider, if it isn't that wide.
func extend(b *ir.Builder, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type() == t {
		return v
	}
	return arith.NewCast(b, arith.ExtSI, t, v)
}

// scaleIn32Bits does the same with the two halves of the product.
func scaleIn32Bits(r *rewrite.Rewriter, op *ir.Op) bool {
	value, multiplier := tosa.ApplyScaleOp{Op: op}.Value(), tosa.ApplyScaleOp{Op: op}.Multiplier()
	if !scalable(op) || elementIn(value.Type()) != ir.Type(ir.I32) || elementIn(multiplier.Type()) != ir.Type(ir.I32) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	s := scaler{b, value.Type()}
	i32 := s.of(ir.I32)
	shift := arith.NewCast(b, arith.ExtUI, i32, tosa.ApplyScaleOp{Op: op}.Shift())
	zero, one, two := s.constant(ir.I32, 0), s.constant(ir.I32, 1), s.constant(ir.I32, 2)
	thirty, word := s.constant(ir.I32, 30), s.constant(ir.I32, 32)

	product := b.CreateOp(arith.MulSIExtended, []ir.Type{i32, i32}, []*ir.Value{value, multiplier})
	low, high := product.Result(0), product.Result(1)
	atLeast := arith.NewCmpI(b, arith.SGE, shift, word)
	over := arith.NewCmpI(b, arith.SGT, shift, word)
	left := arith.New(b, arith.SubI, word, shift)
	right := arith.New(b, arith.SubI, shift, word)
	left = arith.NewSelect(b, atLeast, zero, left)
	right = arith.NewSelect(b, atLeast, right, zero)

	if op.Attr("double_round").(*ir.IntegerAttr).Value != 0 {
		minus := s.constant(ir.I32, -1)
		positive := arith.NewCmpI(b, arith.SGE, value, zero)
		sign := arith.NewSelect(b, positive, one, minus)
		sign = arith.NewSelect(b, atLeast, sign, zero)
		carry := arith.New(b, arith.AddI, arith.New(b, arith.ShRUI, low, thirty), sign)
		carry = arith.New(b, arith.ShRSI, carry, two)
		quarter := arith.New(b, arith.ShLI, sign, thirty)
		low = arith.New(b, arith.AddI, low, quarter)
		high = arith.New(b, arith.AddI, high, carry)
	}
	// Half of the power of two is added: to the lower half, with a carry, and to the upper one.
	half := arith.New(b, arith.ShLI, one, arith.New(b, arith.SubI, shift, one))
	half = arith.NewSelect(b, over, zero, half)
	rounded := arith.New(b, arith.AddI, low, half)
	carry := arith.NewCast(b, arith.ExtUI, i32, arith.NewCmpI(b, arith.UGT, low, rounded))
	low = rounded
	high = arith.New(b, arith.AddI, high, carry)
	half = arith.New(b, arith.ShLI, one, arith.New(b, arith.SubI, right, one))
	half = arith.NewSelect(b, over, half, zero)
	high = arith.New(b, arith.AddI, high, half)

	high = arith.New(b, arith.ShRSI, arith.New(b, arith.ShLI, high, left), right)
	low = arith.NewSelect(b, atLeast, zero, arith.New(b, arith.ShRUI, low, shift))
	r.Replace(op, arith.New(b, arith.AddI, low, high))
	return true
}
