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
	// signBits are copies of the sign, and zeroBits are zeros; a number that isn't negative may have both.
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

// intOps are the operations on integers for which C has an operator.
var intOps = map[*ir.OpID]string{arith.AddI: "+", arith.SubI: "-", arith.MulI: "*", arith.AndI: "&", arith.OrI: "|", arith.XOrI: "^"}

// intExtremes are the operations that choose one of two integers: the name of the macro for it, and whether they compare signed numbers.
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
		return comparisonOf(op) != ""
	case op.Is(arith.SIToFP), op.Is(arith.UIToFP):
		once := r.Type() == ir.Type(ir.F32) || isExact(exec.Width(op.OnlyOperand().Type()), r.Type().(*ir.FloatType))
		return once && !mask(op.OnlyOperand()) && !isLong(op.OnlyOperand())
	case op.Is(arith.FPToSI):
		return !mask(r) && exec.Width(r.Type()) <= 32
	case op.Is(arith.FPToUI):
		return !mask(r) && exec.Width(r.Type()) < 32
	case op.Is(dialectmath.RoundEven):
		return true
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
