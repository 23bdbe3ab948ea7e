package emitc

import (
	"fmt"

	"freehold/dialect/arith"
	dialectmath "freehold/dialect/math"
	"freehold/exec"
	"freehold/ir"
)

// bothAs returns the bits above two operands that cost the least.
func (l *integerLanes) bothAs(a, b *ir.Value) extension {
	x, y := l.values[a].as, l.values[b].as
	if x&zeroBits != 0 || y&zeroBits != 0 && x&signBits == 0 {
		return zeroBits
	}
	return signBits
}

// compute writes an operation.
func (l *integerLanes) compute(op *ir.Op) {
	f, r := l.f, op.Result(0)
	base := nameOf(r)
	switch w := exec.Width(r.Type()); {
	case ir.IsFloat(r.Type()):
		l.floats.values[r] = l.computeFloat(op)
		return
	case w == 1:
		l.computeMask(op)
		return
	case w == 64:
		even, odd := l.computeLong(op)
		l.values[r] = lane{even: f.define(base, l.long, even), odd: f.define(base, l.long, odd)}
		return
	}
	put := func(e string, as extension) { l.values[r] = lane{name: f.define(base, l.ctype, e), as: as} }
	switch {
	case op.Is(arith.ExtSI), op.Is(arith.ExtUI):
		v, upper, as := op.OnlyOperand(), signBits, signBits
		if op.Is(arith.ExtUI) {
			upper, as = zeroBits, signBits|zeroBits
		}
		if exec.Width(v.Type()) == 1 {
			one := map[bool]string{true: "-1", false: "1"}[as == signBits]
			put(fmt.Sprintf("%s(%s, %s)", l.macro(l.ctype, "where", "(m, x)", "(($T)_mm512_maskz_set1_epi32(m, x))"), l.maskOf(v), one), as)
			return
		}
		l.values[r] = lane{name: l.inLanes(v, upper), as: as}
	case op.Is(arith.TruncI) && isLong(op.OnlyOperand()):
		even, odd := l.toCut(op.OnlyOperand())
		put(fmt.Sprintf("%s(%s, %s)", l.macro(l.ctype, "both", "(even, odd)", "(($T)_mm512_mask_blend_epi32(0xaaaa, (__m512i)(even), (__m512i)(odd)))"), even, odd), 0)
	case op.Is(arith.TruncI):
		l.values[r] = lane{name: l.inLanes(op.OnlyOperand(), 0)}
	case op.Is(arith.FPToSI), op.Is(arith.FPToUI):
		put(l.fromFloat(op, exec.Width(r.Type())))
	case op.Is(arith.Select):
		s := arith.SelectOp{Op: op}
		as := l.bothAs(s.TrueValue(), s.FalseValue())
		put(l.selected(l.ctype, l.maskOf(s.Condition()), l.inLanes(s.TrueValue(), as), l.inLanes(s.FalseValue(), as)), as)
	case intExtremes[op.ID()].word != "":
		as := zeroBits
		if intExtremes[op.ID()].signed {
			as = signBits
		}
		put(l.extremeOf(l.ctype, op, l.inLanes(op.Operand(0), as), l.inLanes(op.Operand(1), as)), as)
	case isShift(op):
		put(l.shifted(op))
	default:
		x, y := op.Operand(0), op.Operand(1)
		a, vector := l.operand(x, 0)
		b, other := l.operand(y, 0)
		if !vector && !other {
			a = l.inLanes(x, 0)
		}
		as := extension(0)
		if op.Is(arith.AndI) || op.Is(arith.OrI) || op.Is(arith.XOrI) {
			as = l.values[x].as & l.values[y].as
		}
		put(a+" "+intOps[op.ID()]+" "+b, as)
	}
}

// selected returns the choice between two vectors.
func (l *integerLanes) selected(ctype, mask, a, b string) string {
	return fmt.Sprintf("%s(%s, %s, %s)", l.macro(ctype, "select", "(m, a, b)", "(($T)_mm512_mask_blend_epi$B(m, (__m512i)(b), (__m512i)(a)))"), mask, a, b)
}

// extremeOf returns the greater or lesser of two vectors.
func (l *integerLanes) extremeOf(ctype string, op *ir.Op, a, b string) string {
	x, kind := intExtremes[op.ID()], "epu"
	name := x.word + "_unsigned"
	if x.signed {
		kind, name = "epi", x.word
	}
	macro := l.macro(ctype, name, "(a, b)", fmt.Sprintf("(($T)_mm512_%s_%s$B((__m512i)(a), (__m512i)(b)))", x.word, kind))
	return fmt.Sprintf("%s(%s, %s)", macro, a, b)
}

// computeLong returns the expressions for an integer of 64 bits.
func (l *integerLanes) computeLong(op *ir.Op) (even, odd string) {
	switch {
	case op.Is(arith.ExtSI):
		x := l.extended(op, signBits)
		return fmt.Sprintf("(%[1]s)((%[1]s_signed)(%[2]s << 32) >> 32)", l.long, x), fmt.Sprintf("(%[1]s)((%[1]s_signed)%[2]s >> 32)", l.long, x)
	case op.Is(arith.ExtUI):
		x := l.extended(op, zeroBits)
		return x + " & UINT64_C(0xffffffff)", x + " >> 32"
	case op.Is(arith.Select):
		s := arith.SelectOp{Op: op}
		m, n := l.longMaskOf(s.Condition())
		a, b := l.inLongLanes(s.TrueValue())
		c, d := l.inLongLanes(s.FalseValue())
		return l.selected(l.long, m, a, c), l.selected(l.long, n, b, d)
	case op.Is(arith.MulI) && l.isShort(op.Operand(0)) && l.isShort(op.Operand(1)):
		macro := l.macro(l.long, "product", "(a, b)", "(($T)_mm512_mul_epi32((__m512i)(a), (__m512i)(b)))")
		a, b := l.short(op.Operand(0))
		c, d := l.short(op.Operand(1))
		return fmt.Sprintf("%s(%s, %s)", macro, a, c), fmt.Sprintf("%s(%s, %s)", macro, b, d)
	}
	x, y := op.Operand(0), op.Operand(1)
	if n, constant := ir.ConstantInt(y); constant && isShift(op) {
		a, b := l.inLongLanes(x)
		return l.shiftedBy(l.long, op, a, n), l.shiftedBy(l.long, op, b, n)
	}
	if isShift(op) || intExtremes[op.ID()].word != "" {
		a, b := l.inLongLanes(x)
		c, d := l.inLongLanes(y)
		if isShift(op) {
			return l.shiftedAll(l.long, op, a, c), l.shiftedAll(l.long, op, b, d)
		}
		return l.extremeOf(l.long, op, a, c), l.extremeOf(l.long, op, b, d)
	}
	a, b, vector := l.longOperand(x)
	c, d, other := l.longOperand(y)
	if !vector && !other {
		a, b = l.inLongLanes(x)
	}
	sign := " " + intOps[op.ID()] + " "
	return a + sign + c, b + sign + d
}

// extended returns the operand of an extension to 64 bits, as if it had so many already: each lane has a number of 32 bits, and the next one.
func (l *integerLanes) extended(op *ir.Op, as extension) string {
	v := op.OnlyOperand()
	if exec.Width(v.Type()) == 1 {
		one := map[bool]string{true: "-1", false: "1"}[as == signBits]
		return "(" + l.long + ")" + l.macro(l.ctype, "where", "(m, x)", "(($T)_mm512_maskz_set1_epi32(m, x))") + "(" + l.maskOf(v) + ", " + one + ")"
	}
	return "(" + l.long + ")" + l.inLanes(v, as)
}

// short returns the halves of a number for which isShort holds, for a product that only takes the lower 32 bits of each lane.
func (l *integerLanes) short(v *ir.Value) (even, odd string) {
	if _, constant := ir.ConstantInt(v); constant {
		return l.inLongLanes(v)
	}
	d := v.DefiningOp()
	as := zeroBits
	if d.Is(arith.ExtSI) {
		as = signBits
	}
	x := l.extended(d, as)
	return x, x + " >> 32"
}

// isShort tells whether a number of 64 bits is one of at most 32 with its sign.
func (l *integerLanes) isShort(v *ir.Value) bool {
	if n, ok := ir.ConstantInt(v); ok {
		return n == int64(int32(n))
	}
	d := v.DefiningOp()
	return d != nil && d.Block() == l.op.BodyBlock(0) && (d.Is(arith.ExtSI) || d.Is(arith.ExtUI) && exec.Width(d.OnlyOperand().Type()) < 32)
}

// toCut returns the halves of a number of 64 bits of which the lower 32 count, where they are wanted: those of the odd lanes in the upper half. What was shifted to the right
// isn't shifted back.
func (l *integerLanes) toCut(v *ir.Value) (even, odd string) {
	even, odd = l.inLongLanes(v)
	op := v.DefiningOp()
	if op == nil || op.Block() != l.op.BodyBlock(0) || !op.Is(arith.ShRSI) && !op.Is(arith.ShRUI) {
		return even, odd + " << 32"
	}
	n, constant := ir.ConstantInt(op.Operand(1))
	if !constant {
		return even, odd + " << 32"
	}
	_, before := l.inLongLanes(op.Operand(0))
	if n > 32 {
		return even, l.shiftedBy(l.long, op, before, n-32)
	}
	return even, fmt.Sprintf("%s << %d", before, 32-n)
}

// shifted returns a shift of numbers of up to 32 bits.
func (l *integerLanes) shifted(op *ir.Op) (string, extension) {
	as := extension(0)
	switch {
	case op.Is(arith.ShRUI):
		as = zeroBits
	case op.Is(arith.ShRSI):
		as = signBits
	}
	a := l.inLanes(arith.BinaryOp{Op: op}.LHS(), as)
	if n, constant := ir.ConstantInt(arith.BinaryOp{Op: op}.RHS()); constant {
		return l.shiftedBy(l.ctype, op, a, n), as
	}
	return l.shiftedAll(l.ctype, op, a, l.inLanes(arith.BinaryOp{Op: op}.RHS(), zeroBits)), as
}

// shiftedBy returns a shift by a constant.
func (l *integerLanes) shiftedBy(ctype string, op *ir.Op, a string, n int64) string {
	switch {
	case op.Is(arith.ShLI):
		return fmt.Sprintf("%s << %d", a, n)
	case op.Is(arith.ShRUI):
		return fmt.Sprintf("%s >> %d", a, n)
	}
	return fmt.Sprintf("(%[1]s)((%[1]s_signed)%[2]s >> %[3]d)", ctype, factor(a), n)
}

// shiftedAll returns a shift by a vector. One by the width or more gives 0, as for single elements.
func (l *integerLanes) shiftedAll(ctype string, op *ir.Op, a, b string) string {
	switch {
	case op.Is(arith.ShLI):
		return fmt.Sprintf("%s(%s, %s)", l.macro(ctype, "sll", "(a, b)", "(($T)_mm512_sllv_epi$B((__m512i)(a), (__m512i)(b)))"), a, b)
	case op.Is(arith.ShRUI):
		return fmt.Sprintf("%s(%s, %s)", l.macro(ctype, "srl", "(a, b)", "(($T)_mm512_srlv_epi$B((__m512i)(a), (__m512i)(b)))"), a, b)
	}
	macro := l.macro(ctype, "sra", "(a, b, w)", `\
  (($T)_mm512_maskz_srav_epi$B(_mm512_cmplt_epu$B_mask((__m512i)(b), _mm512_set1_epi$B(w)), (__m512i)(a), (__m512i)(b)))`)
	return fmt.Sprintf("%s(%s, %s, %d)", macro, a, b, exec.Width(op.Result(0).Type()))
}

// fromFloat returns a float rounded towards zero, 0 if that doesn't fit.
func (l *integerLanes) fromFloat(op *ir.Op, w int) (string, extension) {
	as := zeroBits
	if op.Is(arith.FPToSI) {
		as = signBits
	}
	low, high := toIntLimits(ir.F32, w, as == signBits)
	if w < 32 && staysWithin(op.OnlyOperand(), w, as == signBits) {
		// NaN becomes -2^31, whose lower bits are 0.
		macro := l.macro(l.floats.ctype, "cut", "(v)", "(($I)_mm512_cvttps_epi32((__m512)(v)))")
		return macro + "(" + l.floats.operand(op.OnlyOperand()) + ")", 0
	}
	l.compares()
	macro := l.macro(l.floats.ctype, "to_integer", "(v, low, high)", `\
  (($I)_mm512_maskz_cvttps_epi32($F_compares(v, $F_splat(low), _CMP_GT_OQ) & $F_compares(v, $F_splat(high), _CMP_LT_OQ), (__m512)(v)))`)
	return fmt.Sprintf("%s(%s, %s, %s)", macro, l.floats.operand(op.OnlyOperand()), floatLiteral(ir.F32, low), floatLiteral(ir.F32, high)), as
}

// compares returns the name of the macro that compares floats.
func (l *integerLanes) compares() string {
	return l.macro(l.floats.ctype, "compares", "(a, b, how)", "_mm512_cmp_ps_mask((__m512)(a), (__m512)(b), how)")
}

// computeMask writes an operation whose result is a mask.
func (l *integerLanes) computeMask(op *ir.Op) {
	f, r := l.f, op.Result(0)
	put := func(e string) { l.values[r] = lane{name: f.define(nameOf(r), mask16, e)} }
	switch {
	case op.Is(arith.CmpF):
		put(fmt.Sprintf("%s(%s, %s, %s)", l.compares(), l.floats.operand(op.Operand(0)), l.floats.operand(op.Operand(1)), comparisonOf(op)))
	case op.Is(arith.Select):
		s := arith.SelectOp{Op: op}
		c := factor(l.maskOf(s.Condition()))
		put(fmt.Sprintf("(%s)((%s & %s) | (~%s & %s))", mask16, c, factor(l.maskOf(s.TrueValue())), c, factor(l.maskOf(s.FalseValue()))))
	case op.Is(arith.CmpI):
		p := int(arith.Predicate(op))
		how := "_MM_CMPINT_" + []string{"EQ", "NE", "LT", "LE", "NLE", "NLT", "LT", "LE", "NLE", "NLT"}[p]
		as, name, kind := l.bothAs(op.Operand(0), op.Operand(1)), "compares", "epi"
		switch {
		case p >= 6:
			as, name, kind = zeroBits, "compares_unsigned", "epu"
		case p >= 2:
			as = signBits
		}
		text := fmt.Sprintf("_mm512_cmp_%s$B_mask((__m512i)(a), (__m512i)(b), how)", kind)
		if isLong(op.Operand(0)) {
			macro := l.macro(l.long, name, "(a, b, how)", text)
			a, b := l.inLongLanes(op.Operand(0))
			c, d := l.inLongLanes(op.Operand(1))
			l.values[r] = lane{even: f.define("even", mask8, fmt.Sprintf("%s(%s, %s, %s)", macro, a, c, how)), odd: f.define("odd", mask8, fmt.Sprintf("%s(%s, %s, %s)", macro, b, d, how))}
			return
		}
		put(fmt.Sprintf("%s(%s, %s, %s)", l.macro(l.ctype, name, "(a, b, how)", text), l.inLanes(op.Operand(0), as), l.inLanes(op.Operand(1), as), how))
	default:
		put(fmt.Sprintf("(%s)(%s %s %s)", mask16, factor(l.maskOf(op.Operand(0))), intOps[op.ID()], factor(l.maskOf(op.Operand(1)))))
	}
}

// computeFloat writes an operation whose result is a float.
func (l *integerLanes) computeFloat(op *ir.Op) string {
	e, c := "", l.floats.ctype
	rounds := false
	switch {
	case op.Is(arith.SIToFP):
		rounds = true
		e = fmt.Sprintf("__builtin_convertvector((%s_signed)%s, %s)", l.ctype, l.inLanes(op.OnlyOperand(), signBits), c)
	case op.Is(arith.UIToFP) && exec.Width(op.OnlyOperand().Type()) < 32:
		rounds = true
		e = fmt.Sprintf("__builtin_convertvector((%s_signed)%s, %s)", l.ctype, l.inLanes(op.OnlyOperand(), zeroBits), c)
	case op.Is(arith.UIToFP):
		e = fmt.Sprintf("__builtin_convertvector(%s, %s)", l.inLanes(op.OnlyOperand(), zeroBits), c)
	case op.Is(dialectmath.RoundEven):
		macro := l.macro(l.floats.ctype, "rint", "(v)", "(($F)_mm512_roundscale_ps((__m512)(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))")
		e = macro + "(" + l.floats.operand(op.OnlyOperand()) + ")"
	case op.Is(arith.Select):
		s := arith.SelectOp{Op: op}
		macro := l.macro(l.floats.ctype, "select", "(m, a, b)", "(($F)_mm512_mask_blend_ps(m, (__m512)(b), (__m512)(a)))")
		e = fmt.Sprintf("%s(%s, %s, %s)", macro, l.maskOf(s.Condition()), l.floats.operand(s.TrueValue()), l.floats.operand(s.FalseValue()))
	default:
		return l.floats.compute(op)
	}
	if rounds {
		e = l.floats.rounded(op, e)
	}
	return l.f.define(nameOf(op.Result(0)), c, e)
}
