package emitc

import (
	"fmt"
	"math"
	"strings"

	"freehold/dialect/arith"
	dialectmath "freehold/dialect/math"
	"freehold/exec"
	"freehold/ir"
)

// integerLanes computes what the body of a nest does with integers, and floats beside them, for several elements that follow each other in memory.
//
// Compilers that find out by themselves what can be done at a time take as many elements as there are of the narrowest type in a vector, and then take the
// vectors of what is widened apart and put them together again. Here numbers have 32 bits while they are computed with: what is in memory is widened as it is
// loaded, and cut as it is stored, for which AVX-512 has instructions. Numbers of 64 bits are in two vectors, those of the even lanes and those of the odd
// ones, so that to widen and to cut them moves nothing to another place. Only where there are such instructions this is compiled; a loop for single elements follows,
// which does the rest, or all.
type integerLanes struct {
	*nest
	// ctype is the C type of numbers of up to 32 bits, and long that of half as many of 64.
	ctype, long string
	// floats are the lanes of the floats.
	floats *lanes
	// values are what was computed, and made the names of elements that were loaded.
	values map[*ir.Value]lane
	made   map[string]string
}

// lane is an integer in the lanes, or a mask.
type lane struct {
	// name is that of the lanes, even and odd those of the two vectors of a number of 64 bits, or of a mask for such numbers.
	name, even, odd string
	as              extension
}

// extension tells what the bits of a lane above those of the number are.
type extension uint8

const (
	// signBits are copies of the sign, and zeroBits zeroBits; a number that isn't negative may have both.
	signBits extension = 1 << iota
	zeroBits
)

// newIntegerLanes returns the lanes for a nest whose body can be computed in them, or nil.
func (n *nest) newIntegerLanes() *integerLanes {
	l := &integerLanes{nest: n}
	integers := false
	see := func(t ir.Type) bool {
		if inLanes(t, ir.F32) {
			return true
		}
		i, ok := t.(*ir.IntegerType)
		if !ok {
			return false
		}
		switch i.Width {
		case 8, 16, 32, 64:
		case 1:
			return true
		default:
			return false
		}
		integers = true
		return true
	}
	for k, o := range n.operands {
		t := ir.ElementType(o.v.Type())
		if o.arg == nil || !see(t) || o.r != nil && k < n.inits && exec.Width(t) == 64 {
			return nil
		}
	}
	body := n.op.BodyBlock(0)
	for op := range body.Ops() {
		if op == body.Last() {
			break
		}
		if n.isHoisted(op) {
			continue
		}
		if op.NumResults() != 1 || !see(op.Result(0).Type()) || !l.computes(op) {
			return nil
		}
		for _, v := range op.Operands().Values() {
			if !see(v.Type()) {
				return nil
			}
		}
	}
	if body.Last().NumOperands() != 1 || !integers {
		return nil
	}
	return l
}

// intOps are the operations on integers that have a sign in C.
var intOps = map[*ir.OpID]string{arith.AddI: "+", arith.SubI: "-", arith.MulI: "*", arith.AndI: "&", arith.OrI: "|", arith.XOrI: "^"}

// intExtremes are the operations that choose one of two integers: the name of the macro for it, and whether they have signBits.
var intExtremes = map[*ir.OpID]struct {
	word   string
	signed bool
}{arith.MaxSI: {"max", true}, arith.MinSI: {"min", true}, arith.MaxUI: {"max", false}, arith.MinUI: {"min", false}}

// isShift tells whether an operation is a shift.
func isShift(op *ir.Op) bool { return op.Is(arith.ShLI) || op.Is(arith.ShRUI) || op.Is(arith.ShRSI) }

// computes tells whether an operation, whose types are ones for lanes, is computed in them.
func (l *integerLanes) computes(op *ir.Op) bool {
	mask := func(v *ir.Value) bool { return exec.Width(v.Type()) == 1 }
	r := op.Result(0)
	switch {
	case op.Is(arith.ExtSI), op.Is(arith.ExtUI), op.Is(arith.AndI), op.Is(arith.OrI), op.Is(arith.XOrI), op.Is(arith.Select):
		return true
	case op.Is(arith.CmpI):
		return !mask(op.Operand(0))
	case op.Is(arith.CmpF):
		return ir.ElementType(op.Operand(0).Type()) == ir.Type(ir.F32) && comparisonOf(op) != ""
	case op.Is(arith.SIToFP), op.Is(arith.UIToFP):
		return r.Type() == ir.Type(ir.F32) && !mask(op.OnlyOperand()) && !isLong(op.OnlyOperand())
	case op.Is(arith.FPToSI):
		return op.OnlyOperand().Type() == ir.Type(ir.F32) && !mask(r) && exec.Width(r.Type()) <= 32
	case op.Is(arith.FPToUI):
		return op.OnlyOperand().Type() == ir.Type(ir.F32) && !mask(r) && exec.Width(r.Type()) < 32
	case op.Is(dialectmath.RoundEven):
		return r.Type() == ir.Type(ir.F32)
	case intOps[op.ID()] != "", op.Is(arith.TruncI), intExtremes[op.ID()].word != "":
		return !mask(r)
	case isShift(op):
		n, constant := ir.ConstantInt(arith.BinaryOp{Op: op}.RHS())
		return !mask(r) && (!constant || n >= 0 && n < int64(exec.Width(r.Type())))
	}
	return ir.IsFloat(r.Type()) && isLaneOp(op)
}

// comparisonOf returns the name of a comparison of floats in instructions for vectors; "" where nothing is compared.
func comparisonOf(op *ir.Op) string {
	return map[any]string{
		arith.OEQ: "_CMP_EQ_OQ", arith.OGT: "_CMP_GT_OQ", arith.OGE: "_CMP_GE_OQ", arith.OLT: "_CMP_LT_OQ", arith.OLE: "_CMP_LE_OQ",
		arith.ONE: "_CMP_NEQ_OQ", arith.ORD: "_CMP_ORD_Q", arith.UEQ: "_CMP_EQ_UQ", arith.FUGT: "_CMP_NLE_UQ", arith.FUGE: "_CMP_NLT_UQ",
		arith.FULT: "_CMP_NGE_UQ", arith.FULE: "_CMP_NGT_UQ", arith.UNE: "_CMP_NEQ_UQ",
	}[arith.FPredicate(op)]
}

// begin declares the types of the lanes.
func (l *integerLanes) begin() {
	m := l.f.m
	m.lanesText(mostLanes)
	m.helpers.define("FH_INTEGER_LANES", `
/* Integers are computed with in vectors where there are instructions that widen and cut as many as are in one. */
#if defined(__GNUC__) && defined(__AVX512F__) && defined(__AVX512DQ__)
#define FH_INTEGER_LANES
#include <immintrin.h>
#endif`)
	l.floats = l.f.newLanes(l.op, ir.F32, mostLanes)
	l.forget()
	l.ctype = m.bitsType(mostLanes)
	l.long = m.helpers.define("fh_long_lanes", `
#ifdef FH_INTEGER_LANES
typedef uint64_t fh_long_lanes __attribute__((vector_size(64)));
typedef int64_t fh_long_lanes_signed __attribute__((vector_size(64)));
#endif`)
}

// isLong tells whether a value is an integer of 64 bits.
func isLong(v *ir.Value) bool { return exec.Width(v.Type()) == 64 }

// macro defines a macro for lanes of integers, in whose text $T is the C type of the lanes and $B the width of one, and returns its name.
func (l *integerLanes) macro(ctype, name, params, text string) string {
	name = ctype + "_" + name
	bits := "32"
	if ctype == l.long {
		bits = "64"
	}
	text = strings.NewReplacer("$T", ctype, "$L", l.long, "$I", l.ctype, "$F", l.floats.ctype, "$B", bits).Replace(text)
	return l.f.m.helpers.define(name, "#ifdef FH_INTEGER_LANES\n#define "+name+params+" "+text+"\n#endif")
}

// mask16 and mask8 are the C types of masks for all lanes, and for the even or odd ones.
const mask16, mask8 = "__mmask16", "__mmask8"

// load returns the integers from a place on, with zeros or copies of their signs above them.
func (l *integerLanes) load(width int, signed bool, place string) string {
	word := map[bool]string{true: "i", false: "u"}[signed]
	name := fmt.Sprintf("load_%s%d", word, width)
	text := map[int]string{
		8:  "(($T)_mm512_cvtep%s8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p))))",
		16: "(($T)_mm512_cvtep%s16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(p))))",
	}[width]
	if width == 32 {
		name, text = "load", "(($T)_mm512_loadu_si512((const void *)(p)))"
	} else {
		text = fmt.Sprintf(text, word)
	}
	return l.macro(l.ctype, name, "(p)", text) + "(&" + place + ")"
}

// store writes integers to a place.
func (l *integerLanes) store(width int, place, value string) {
	text := map[int]string{
		8:  "_mm_storeu_si128((__m128i *)(void *)(p), _mm512_cvtepi32_epi8((__m512i)(v)))",
		16: "_mm256_storeu_si256((__m256i *)(void *)(p), _mm512_cvtepi32_epi16((__m512i)(v)))",
		32: "_mm512_storeu_si512((void *)(p), (__m512i)(v))",
	}[width]
	l.f.linef("%s(&%s, %s);", l.macro(l.ctype, fmt.Sprintf("store_i%d", width), "(p, v)", text), place, value)
}

// splat returns a number in all lanes of a type.
func (l *integerLanes) splat(ctype, e string) string {
	return l.macro(ctype, "splat", "(x)", "(($T)_mm512_set1_epi$B((int$B_t)(x)))") + "(" + e + ")"
}

// operand returns an integer of up to 32 bits with the bits above it that are asked for; 0 if they don't matter. vector tells whether it is in lanes, or the
// same in all.
func (l *integerLanes) operand(v *ir.Value, as extension) (e string, vector bool) {
	w := exec.Width(v.Type())
	if n, ok := ir.ConstantInt(v); ok {
		u := uint32(signExtended(uint64(n), w))
		if as == zeroBits {
			u &= math.MaxUint32 >> (32 - w)
		}
		return fmt.Sprintf("%du", u), false
	}
	x, ok := l.values[v]
	if !ok {
		e := l.f.value(v)
		if as == signBits {
			return "(uint32_t)(" + signedType(w) + ")" + factor(e), false
		}
		return "(uint32_t)" + factor(e), false
	}
	if w == 32 || as == 0 || x.as&as != 0 {
		return x.name, true
	}
	if as == zeroBits {
		return l.f.define("positive", l.ctype, fmt.Sprintf("%s & %#xu", x.name, uint32(1)<<w-1)), true
	}
	return l.f.define("signed", l.ctype, fmt.Sprintf("(%[1]s)((%[1]s_signed)(%[2]s << %[3]d) >> %[3]d)", l.ctype, x.name, 32-w)), true
}

// inLanes returns such an operand in lanes.
func (l *integerLanes) inLanes(v *ir.Value, as extension) string {
	e, vector := l.operand(v, as)
	if !vector {
		return l.splat(l.ctype, e)
	}
	return e
}

// longOperand returns an integer of 64 bits, of the even and the odd lanes.
func (l *integerLanes) longOperand(v *ir.Value) (even, odd string, vector bool) {
	if n, ok := ir.ConstantInt(v); ok {
		return unsignedLiteral(uint64(n)), unsignedLiteral(uint64(n)), false
	}
	if x, ok := l.values[v]; ok {
		return x.even, x.odd, true
	}
	return l.f.value(v), l.f.value(v), false
}

// inLongLanes returns one in lanes.
func (l *integerLanes) inLongLanes(v *ir.Value) (even, odd string) {
	even, odd, vector := l.longOperand(v)
	if !vector {
		even = l.splat(l.long, even)
		return even, even
	}
	return even, odd
}

// maskOf returns an operand that is a mask.
func (l *integerLanes) maskOf(v *ir.Value) string {
	x, ok := l.values[v]
	switch {
	case !ok:
		return "(" + mask16 + ")-(int)" + factor(l.f.value(v))
	case x.name == "":
		macro := l.macro(l.ctype, "mask", "(even, odd)", `\
  _mm512_movepi32_mask(_mm512_mask_blend_epi32(0xaaaa, _mm512_movm_epi64(even), _mm512_movm_epi64(odd)))`)
		x.name = l.f.define("mask", mask16, fmt.Sprintf("%s(%s, %s)", macro, x.even, x.odd))
		l.values[v] = x
	}
	return x.name
}

// longMaskOf returns an operand that is a mask for the even and for the odd lanes.
func (l *integerLanes) longMaskOf(v *ir.Value) (even, odd string) {
	x, ok := l.values[v]
	switch {
	case !ok:
		e := "(" + mask8 + ")-(int)" + factor(l.f.value(v))
		return e, e
	case x.even == "":
		if x.even, x.odd, ok = l.comparedHalves(v.DefiningOp()); !ok {
			x.even, x.odd = l.halves(x.name)
		}
		l.values[v] = x
	}
	return x.even, x.odd
}

// comparedHalves returns the masks of a comparison of a number of up to 32 bits with a constant, by comparisons of 64 bits: a number in the upper half decides whatever
// is below it, if it is asked whether it is less.
func (l *integerLanes) comparedHalves(op *ir.Op) (even, odd string, ok bool) {
	if op == nil || !op.Is(arith.CmpI) || isLong(op.Operand(0)) {
		return "", "", false
	}
	how, more := map[arith.IntPredicate]string{arith.SLT: "LT", arith.SLE: "LT", arith.SGT: "NLT", arith.SGE: "NLT"}[arith.Predicate(op)], int64(0)
	if p := arith.Predicate(op); p == arith.SLE || p == arith.SGT {
		more = 1
	}
	limit, constant := ir.ConstantInt(op.Operand(1))
	x, vector := l.operand(op.Operand(0), signBits)
	if how == "" || !constant || !vector || limit+more != int64(int32(limit+more)) {
		return "", "", false
	}
	macro := l.macro(l.long, "compares", "(a, b, how)", "_mm512_cmp_epi$B_mask((__m512i)(a), (__m512i)(b), how)")
	to := l.splat(l.long, unsignedLiteral(uint64((limit+more)<<32)))
	all := "(" + l.long + ")" + x
	return l.f.define("even", mask8, fmt.Sprintf("%s(%s << 32, %s, _MM_CMPINT_%s)", macro, all, to, how)), l.f.define("odd", mask8, fmt.Sprintf("%s(%s, %s, _MM_CMPINT_%s)", macro, all, to, how)), true
}

// halves returns the masks for the even and for the odd lanes.
func (l *integerLanes) halves(mask string) (even, odd string) {
	all := l.f.define("all", l.long, "("+l.long+")_mm512_movm_epi32("+mask+")")
	return l.f.define("even", mask8, "_mm512_movepi64_mask((__m512i)("+all+" << 32))"), l.f.define("odd", mask8, "_mm512_movepi64_mask((__m512i)"+all+")")
}

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
	low, high, as := -1.0, math.Ldexp(1, w), zeroBits
	if op.Is(arith.FPToSI) {
		low, high, as = -math.Ldexp(1, w-1)-1, math.Ldexp(1, w-1), signBits
		if w == 32 {
			low = float64(math.Nextafter32(float32(-high), float32(math.Inf(-1)))) // one less than the least number is no float
		}
	}
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
	switch {
	case op.Is(arith.SIToFP):
		e = fmt.Sprintf("__builtin_convertvector((%s_signed)%s, %s)", l.ctype, l.inLanes(op.OnlyOperand(), signBits), c)
	case op.Is(arith.UIToFP) && exec.Width(op.OnlyOperand().Type()) < 32:
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
	return l.f.define(nameOf(op.Result(0)), c, e)
}

// argument loads the elements of an operand from a place on.
func (l *integerLanes) argument(o *nestOperand, place string, walks bool) {
	t := o.r.elem
	if ft, ok := t.(*ir.FloatType); ok {
		l.floats.values[o.arg] = l.floats.load(ft, place, walks)
		return
	}
	w := exec.Width(t)
	signed := l.wantsSigns(o.arg)
	as := zeroBits
	if signed {
		as = signBits
	}
	if !walks {
		if l.made[place] == "" {
			l.made[place] = l.f.define("in", l.f.ctype(l.op, t), place)
		}
		l.f.scalars[o.arg] = l.made[place]
		return
	}
	if w == 1 {
		in := l.f.define("in", l.ctype, l.load(8, false, place))
		l.values[o.arg] = lane{name: l.f.define("is", mask16, l.macro(l.ctype, "any", "(v)", "_mm512_test_epi32_mask((__m512i)(v), (__m512i)(v))")+"("+in+")")}
		return
	}
	if l.made[place] == "" {
		l.made[place] = l.f.define("in", l.ctype, l.load(w, signed, place))
	}
	l.values[o.arg] = lane{name: l.made[place], as: as}
}

// wantsSigns tells whether something asks for the sign of an element.
func (l *integerLanes) wantsSigns(v *ir.Value) bool {
	for _, u := range v.Uses() {
		op := u.Owner()
		signed := op.Is(arith.CmpI) && int(arith.Predicate(op)) < 6
		if op.Is(arith.ExtSI) || op.Is(arith.SIToFP) || op.Is(arith.ShRSI) && u.Index() == 0 || intExtremes[op.ID()].signed || signed {
			return true
		}
	}
	return false
}

// loaded defines the elements of all operands that the body uses, from the first index of a dimension on.
func (l *integerLanes) loaded(d int, first string, but *nestOperand) {
	l.vars[d] = first
	for _, o := range l.operands {
		switch {
		case !o.arg.HasUses(), o.r == nil, o == but:
		case o.strides[d] == "0":
			// It is a number that was loaded before.
		default:
			l.argument(o, l.element(o), true)
		}
	}
}

// bodyOps computes the operations of the body.
func (l *integerLanes) bodyOps(but *ir.Op) {
	body := l.op.BodyBlock(0)
	for op := range body.Ops() {
		switch {
		case op == body.Last(), op == but, l.isHoisted(op):
		case l.isUniform(op):
			l.f.operation(op)
		default:
			l.compute(op)
		}
	}
}

// mixes tells whether the body has numbers of several widths, or something that compilers don't do well for several at a time.
func (l *integerLanes) mixes() bool {
	widths := map[int]bool{}
	see := func(t ir.Type) {
		if w := exec.Width(t); w > 1 {
			widths[w] = true
		} else if ir.IsFloat(t) {
			widths[t.(*ir.FloatType).Width] = true
		}
	}
	for _, o := range l.operands {
		if o.arg.HasUses() || o == l.operands[l.inits] {
			see(ir.ElementType(o.v.Type()))
		}
	}
	for op := range l.op.BodyBlock(0).Ops() {
		if op.NumResults() == 1 {
			see(op.Result(0).Type())
		}
	}
	return len(widths) > 1
}

// integerElements returns the lanes for a nest whose innermost loop computes elements that follow each other in memory, nil if there are none or compilers find them
// by themselves.
func (n *nest) integerElements() *integerLanes {
	if n.plain || !n.free || n.indexed || len(n.loops) == 0 || len(n.operands) != n.inits+1 || n.op.BodyBlock(0).First() == n.op.BodyBlock(0).Last() {
		return nil
	}
	d := n.loops[len(n.loops)-1]
	for k, o := range n.operands {
		if o.r != nil && o.strides[d] != "1" && (k == n.inits || o.strides[d] != "0") {
			return nil
		}
	}
	l := n.newIntegerLanes()
	if w := exec.Width(n.operands[n.inits].r.elem); l == nil || !l.mixes() || w == 1 || w == 64 || n.isFew(d, mostLanes) {
		return nil
	}
	return l
}

// integerSums returns the lanes for a nest whose innermost loop combines integers, of fewer bits than the result, or nil. They may be combined in any order.
func (n *nest) integerSums() *integerLanes {
	if n.plain || !n.free || n.indexed || len(n.loops) == 0 || len(n.operands) != n.inits+1 {
		return nil
	}
	d, init := n.loops[len(n.loops)-1], n.operands[n.inits]
	if init.strides[d] != "0" || n.isFew(d, 4*mostLanes) {
		return nil
	}
	for _, o := range n.operands[:n.inits] {
		if o.r != nil && o.strides[d] != "1" && o.strides[d] != "0" {
			return nil
		}
	}
	l := n.newIntegerLanes()
	if l == nil || !l.mixes() || l.combination() == nil || exec.Width(init.r.elem) < 32 {
		return nil
	}
	return l
}

// combinations are the operations by which integers are combined: what a combination begins with, and the end of the name of the instruction that combines all.
var combinations = map[*ir.OpID]struct{ first, all string }{
	arith.AddI: {"0", "add_epi"}, arith.OrI: {"0", "or_epi"}, arith.AndI: {"-1", "and_epi"}, arith.MulI: {"1", "mul_epi"},
	arith.MaxSI: {"", "max_epi"}, arith.MinSI: {"", "min_epi"}, arith.MaxUI: {"", "max_epu"}, arith.MinUI: {"", "min_epu"},
}

// combination returns the operation that combines a number with those before, if the rest of the body doesn't depend on these.
func (l *integerLanes) combination() *ir.Op {
	body, total := l.op.BodyBlock(0), l.operands[l.inits].arg
	op := body.Last().OnlyOperand().DefiningOp()
	if op == nil || op.Block() != body || combinations[op.ID()].all == "" || !total.HasOneUse() || total.Uses()[0].Owner() != op || !op.Result(0).HasOneUse() {
		return nil
	}
	return op
}

// writeElements writes the innermost loop, whose counter is already declared.
func (l *integerLanes) writeElements(d int, counter string) {
	init := l.operands[l.inits]
	l.inSteps(d, counter)
	l.loaded(d, counter, nil)
	l.bodyOps(nil)
	v := l.op.BodyBlock(0).Last().OnlyOperand()
	if t, ok := init.r.elem.(*ir.FloatType); ok {
		l.floats.store(t, l.element(init), l.floats.operand(v))
	} else {
		l.store(exec.Width(init.r.elem), l.element(init), l.inLanes(v, 0))
	}
	l.f.close()
}

// combined returns what a combination combines with what was before.
func (l *integerLanes) combined(op *ir.Op) *ir.Value {
	if x := op.Operand(0); x != l.operands[l.inits].arg {
		return x
	}
	return op.Operand(1)
}

// sumsFit returns the extension to 64 bits whose results are added up along a dimension, if there are so few that each lane's sum fits in 32 bits.
func (l *integerLanes) sumsFit(d int, op *ir.Op) *ir.Op {
	x := l.combined(op).DefiningOp()
	size, known := number(l.sizes[d])
	if !isLong(op.Result(0)) || !op.Is(arith.AddI) || !known || x == nil || x.Block() != op.Block() || !x.Is(arith.ExtSI) && !x.Is(arith.ExtUI) {
		return nil
	}
	if w := exec.Width(x.OnlyOperand().Type()); w == 1 || w > 16 || size/mostLanes+1 > 1<<(31-w) {
		return nil
	}
	return x
}

// unrolled asks for several steps of the loop that follows in one.
func (l *integerLanes) unrolled() {
	l.f.line(l.f.m.helpers.define("FH_UNROLLED", `
/* Asks for four iterations of the loop that follows in one. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define FH_UNROLLED _Pragma("GCC unroll 4")
#else
#define FH_UNROLLED
#endif`))
}

// inSteps opens the loop over as many elements at a time as there are lanes.
func (l *integerLanes) inSteps(d int, counter string) {
	by := l.f.m.lanesText(mostLanes)
	l.f.openf("for (; %s + %s <= %s; %s += %s)", counter, by, l.f.pinned("size", l.sizes[d]), counter, by)
	l.forget()
}

// last writes what is left when there are fewer elements than lanes: again so many, up to the end, of which those count that weren't seen before.
func (l *integerLanes) last(d int, counter string, combine func(from, more string)) {
	f, size, by := l.f, l.f.pinned("size", l.sizes[d]), l.f.m.lanesText(mostLanes)
	test := counter + " < " + size
	if n, known := number(size); known && n%mostLanes == 0 {
		return
	} else if !known {
		test += " && " + size + " >= " + by
	}
	f.openf("if (%s)", test)
	l.forget()
	last := f.define("last", f.m.types.index(), size+" - "+by)
	combine(last, f.define("more", mask16, fmt.Sprintf("(%s)(0xffff << (%s - %s))", mask16, counter, last)))
	f.linef("%s = %s;", counter, size)
	f.close()
}

// forget drops the names of what was computed in a block that is closed.
func (l *integerLanes) forget() {
	l.values, l.made = map[*ir.Value]lane{}, map[string]string{}
	l.floats.values, l.floats.made = map[*ir.Value]string{}, map[string]string{}
}

// writeSums writes the innermost loop, whose counter is already declared, of a nest that combines integers with a variable.
func (l *integerLanes) writeSums(d int, counter, total string) {
	f, op, init := l.f, l.combination(), l.operands[l.inits]
	c, long := combinations[op.ID()], isLong(op.Result(0))
	ctype, words := l.ctype, []string{"totals"}
	if long {
		ctype, words = l.long, []string{"even", "odd"}
	}
	first := c.first
	if first == "" {
		first = total
	}
	// Numbers of few bits are summed up in 32 as long as that can't overflow.
	var sums []string
	narrow := l.sumsFit(d, op)
	if narrow != nil {
		ctype, words, long = l.ctype, []string{"totals"}, false
	}
	for _, word := range words {
		sums = append(sums, f.variable(word, ctype, l.splat(ctype, first)))
	}
	x, upper := l.combined(op), extension(0)
	if narrow != nil {
		x, upper = narrow.OnlyOperand(), zeroBits
		if narrow.Is(arith.ExtSI) {
			upper = signBits
		}
	}
	combine := func(from, more string) {
		l.loaded(d, from, init)
		l.bodyOps(op)
		switch {
		case more == "":
		case long:
			a, b := l.halves(more)
			p, q := l.inLongLanes(x)
			all := l.splat(ctype, first)
			l.values[x] = lane{even: f.define("more", ctype, l.selected(ctype, a, p, all)), odd: f.define("more", ctype, l.selected(ctype, b, q, all))}
		default:
			l.values[x] = lane{name: f.define("more", ctype, l.selected(ctype, more, l.inLanes(x, upper), l.splat(ctype, first))), as: upper}
		}
		y := lane{name: sums[0]}
		if long {
			y = lane{even: sums[0], odd: sums[1]}
		}
		l.values[init.arg] = y
		if narrow != nil {
			f.assign(sums[0], sums[0]+" + "+l.inLanes(x, upper))
			return
		}
		l.compute(op)
		r := l.values[op.Result(0)]
		if long {
			f.assign(sums[0], r.even)
			f.assign(sums[1], r.odd)
			return
		}
		f.assign(sums[0], r.name)
	}
	l.unrolled()
	l.inSteps(d, counter)
	combine(counter, "")
	f.close()
	l.last(d, counter, combine)
	if narrow != nil {
		ctype, l.values[x] = l.long, lane{name: sums[0], as: signBits | zeroBits}
		even, odd := l.computeLong(narrow)
		sums = []string{f.define("even", ctype, even), f.define("odd", ctype, odd)}
	}
	name := strings.NewReplacer("_epi", "", "_epu", "_unsigned").Replace(c.all)
	for _, s := range sums {
		all := f.define("all", f.ctype(l.op, init.r.elem), l.macro(ctype, "all_"+name, "(v)", "((uint$B_t)_mm512_reduce_"+c.all+"$B((__m512i)(v)))")+"("+s+")")
		x := &element{f: f, op: op, out: init.r.elem, in: []ir.Type{init.r.elem, init.r.elem}, args: []string{total, all}}
		f.assign(total, operations().scalars[op.ID()](x))
	}
}

// inIntegerLanes writes the innermost loop in lanes, and what they leave one by one.
func (n *nest) inIntegerLanes(level int, l *integerLanes, totals []string) {
	f, d := n.f, n.loops[level]
	base := "i"
	if level < len(counters) {
		base = counters[level]
	}
	counter := f.names.fresh(base)
	f.linef("%s %s = 0;", f.m.types.index(), counter)
	l.begin()
	f.line("#ifdef FH_INTEGER_LANES")
	size, known := number(n.sizes[d])
	exact := known && size%mostLanes == 0
	if total := totals[n.inits]; l.operands[l.inits].strides[d] == "0" {
		l.writeSums(d, counter, total)
		exact = known
	} else {
		l.writeElements(d, counter)
	}
	if exact {
		f.line("#else") // as nothing is left, of which compilers may complain
	} else {
		f.line("#endif")
	}
	if n.writesApart(d) {
		f.m.vectorMacro()
		f.line("FH_INDEPENDENT")
	}
	n.vars[d] = counter
	f.openf("for (; %s < %s; %s++)", counter, f.pinned("size", n.sizes[d]), counter)
	for k, o := range n.operands[:n.inits] {
		if o.arg != nil && o.r != nil && o.arg.HasUses() && n.depth(o) == len(n.loops) {
			f.bind(o.arg, f.define("in", f.ctype(n.op, o.r.elem), n.element(n.operands[k])))
		}
	}
	n.body(totals)
	f.close()
	if exact {
		f.line("#endif")
	}
}
