package emitc

import (
	"fmt"
	"strings"

	"freehold/dialect/arith"
	"freehold/ir"
)

// extremeNest is a nest that finds the greatest or least of many numbers. They are compared as integers, whose order compilers may change.
type extremeNest struct {
	in      *ir.Value
	sign    string
	key, of string
	keyType string
	best    string
}

// extreme returns how the nest finds a greatest or least number, if that is all it does, in loops that don't change which element is written; else nil.
func (n *nest) extreme(sums int) *extremeNest {
	if !n.free || sums == len(n.loops) || len(n.operands) != n.inits+1 {
		return nil
	}
	body, total := n.op.BodyBlock(0), n.operands[n.inits].arg
	op := body.First()
	if total == nil || op == nil || op.Next() != body.Last() || op.NumResults() != 1 || body.Last().OnlyOperand() != op.Result(0) {
		return nil
	}
	kinds := map[*ir.OpID]struct {
		sign   string
		number bool
	}{arith.MaximumF: {">", false}, arith.MinimumF: {"<", false}, arith.MaxNumF: {">", true}, arith.MinNumF: {"<", true}}
	kind, ok := kinds[op.ID()]
	t, float := op.Result(0).Type().(*ir.FloatType)
	if !ok || !float || !isNative(t) {
		return nil
	}
	in := arith.BinaryOp{Op: op}.LHS()
	if in == total {
		in = arith.BinaryOp{Op: op}.RHS()
	} else if (arith.BinaryOp{Op: op}).RHS() != total {
		return nil
	}
	if in == total || in.ArgOwner() != body {
		return nil
	}
	e := &extremeNest{in: in, sign: kind.sign, keyType: "int32_t"}
	if t == ir.F64 {
		e.keyType = "int64_t"
	}
	e.key, e.of = n.f.m.orderKeys(t, (kind.sign == ">") != kind.number)
	return e
}

// begin declares the variable for the integer of the best number so far, which is total.
func (e *extremeNest) begin(f *function, total string) {
	e.best = f.variable("best", e.keyType, e.key+"("+total+")")
}

// combine compares with the next number.
func (e *extremeNest) combine(f *function) {
	k := f.define("key", e.keyType, e.key+"("+f.value(e.in)+")")
	f.assign(e.best, k+" "+e.sign+" "+e.best+" ? "+k+" : "+e.best)
}

// extremeFunction returns the name of the function for the greater or lesser of two numbers. It puts their bits together by masks: those of both where one of them is NaN, and for zeros of
// both signs the bits of the one that counts; compilers do that for several numbers at a time, in a third of what a choice takes that knows NaN and zeros.
func (m *module) extremeFunction(t *ir.FloatType, sign string, number bool) string {
	name := "fh_" + extremeWord(sign, number) + "_" + floatWord(t)
	return m.helpers.define(name, extremeOf(t, name, sign, number))
}

// extremeWord returns a word for the greater or lesser of two numbers.
func extremeWord(sign string, number bool) string {
	word := map[string]string{">": "max", "<": "min"}[sign]
	if number {
		word += "num"
	}
	return word
}

// floatWord returns the C type of f32 or f64.
func floatWord(t *ir.FloatType) string {
	if t == ir.F32 {
		return "float"
	}
	return "double"
}

// extremeOf returns the text of such a function. It uses no other one, as where it isn't used in the end that would be complained of.
func extremeOf(t *ir.FloatType, name, sign string, number bool) string {
	first, second, all := extremeMasks(sign, number)
	scalar := strings.NewReplacer("~", "!", "|", "||", "_", "").Replace
	return fmt.Sprintf(`
static inline %[1]s %[2]s(%[1]s a, %[1]s b) {
  union { %[1]s value; uint%[3]d_t bits; } v, w;
  uint%[3]d_t x, y, of_a = -(uint%[3]d_t)%[4]s, of_b = -(uint%[3]d_t)%[5]s;
  v.value = a;
  w.value = b;
  x = v.bits;
  y = w.bits;
  v.bits = %[6]s;
  return v.value;
}`, floatWord(t), name, t.Width, scalar(first), scalar(second), strings.NewReplacer("x_", "x", "y_", "y", "a_", "a", "b_", "b").Replace(all))
}

// extremeMasks returns when the bits of a_ and of b_ are part of the greater or lesser number, and what then is put together of them, x_ and y_.
func extremeMasks(sign string, number bool) (first, second, all string) {
	first, second = map[string]string{">": "~(a_ <= b_)", "<": "~(a_ > b_)"}[sign], map[string]string{">": "~(a_ >= b_)", "<": "~(b_ > a_)"}[sign]
	if number {
		equal := map[string]string{">": "", "<": "="}[sign]
		first, second = "((a_ "+sign+equal+" b_) | (b_ != b_))", "((b_ "+sign+equal+" a_) | (a_ != a_))"
	}
	return first, second, map[string]string{">": "(x_ & (of_a_ | y_)) | (y_ & of_b_)", "<": "(x_ & of_a_) | (y_ & of_b_)"}[sign]
}

// vectorExtreme returns the name of the same for several floats.
func (m *module) vectorExtreme(vector string, n int64, sign string, number bool) string {
	first, second, all := extremeMasks(sign, number)
	name := vector + "_" + extremeWord(sign, number)
	return m.helpers.define(name, fmt.Sprintf(`
#ifdef __GNUC__
#define %[1]s(a, b) __extension__({ \
  %[2]s a_ = (a), b_ = (b); \
  %[3]s x_ = (%[3]s)a_, y_ = (%[3]s)b_, of_a_ = (%[3]s)(%[4]s), of_b_ = (%[3]s)(%[5]s); \
  (%[2]s)(%[6]s); })
#else%[7]s
static %[2]s %[1]s(%[2]s a, %[2]s b) { int i; for (i = 0; i < %[8]s; i++) a.e[i] = %[1]s_one(a.e[i], b.e[i]); return a; }
#endif`, name, vector, m.bitsType(n), first, second, all, extremeOf(ir.F32, name+"_one", sign, number), m.lanesText(n)))
}
