package emitc

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
)

func arithEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		arith.Constant:      emitConstant,
		arith.Select:        emitSelect,
		arith.MulSIExtended: emitExtended,
		arith.MulUIExtended: emitExtended,
		arith.AddUIExtended: emitExtended,
	}
}

func arithScalars() map[*ir.OpID]scalar {
	return map[*ir.OpID]scalar{
		arith.AddI:       intBinary("+"),
		arith.SubI:       intBinary("-"),
		arith.MulI:       intBinary("*"),
		arith.AndI:       intBinary("&"),
		arith.OrI:        intBinary("|"),
		arith.XOrI:       intBinary("^"),
		arith.ShLI:       shift("<<", false),
		arith.ShRUI:      shift(">>", false),
		arith.ShRSI:      shift(">>", true),
		arith.DivUI:      divide("/", false),
		arith.DivSI:      divide("/", true),
		arith.RemUI:      divide("%", false),
		arith.RemSI:      remainder,
		arith.CeilDivUI:  roundedDivision("ceil", false),
		arith.CeilDivSI:  roundedDivision("ceil", true),
		arith.FloorDivSI: roundedDivision("floor", true),
		arith.MaxSI:      extreme(">", true),
		arith.MinSI:      extreme("<", true),
		arith.MaxUI:      extreme(">", false),
		arith.MinUI:      extreme("<", false),
		arith.AddF:       floatBinary("+"),
		arith.SubF:       floatBinary("-"),
		arith.MulF:       floatBinary("*"),
		arith.DivF:       floatBinary("/"),
		arith.RemF:       floatRemainder,
		arith.MaximumF:   floatExtreme(">", false),
		arith.MinimumF:   floatExtreme("<", false),
		arith.MaxNumF:    floatExtreme(">", true),
		arith.MinNumF:    floatExtreme("<", true),
		arith.NegF:       negate,
		arith.CmpI:       func(x *element) string { return x.compareInts(int(arith.Predicate(x.op))) },
		arith.CmpF:       compareFloats,
	}
}

// emitConstant binds the constant's value to what is written for it.
func emitConstant(f *function, op *ir.Op) {
	v, t := op.Result(0), op.Result(0).Type()
	a := op.Attr("value")
	d, dense := a.(*ir.DenseElementsAttr)
	switch {
	case dense && ir.IsVector(t):
		x := exec.TensorOf(d)
		n := x.Elements()
		if d.Splat && n > 1 {
			e, err := f.m.numbers(x.Reshaped([]int64{1}))
			if err != nil {
				f.fail(op, "%v", err)
			}
			f.fillVector(op, v, e[0])
			return
		}
		list, err := f.m.number(t, x)
		if err != nil {
			f.fail(op, "%v", err)
		}
		f.scalars[v] = f.define(nameOf(v), f.ctype(op, t), list)
	case ir.IsShaped(t):
		f.fail(op, "%s", whyNot(op))
	default:
		f.ctype(op, t)
		f.scalars[v] = f.literal(op, t, a)
		if _, float := t.(*ir.FloatType); float && f.scalars[v][0] == '-' {
			f.scalars[v] = "(" + f.scalars[v] + ")"
		}
	}
}

// fillVector makes a value a vector whose elements are all the same.
func (f *function) fillVector(op *ir.Op, v *ir.Value, e string) {
	name := f.newVector(op, v)
	i := f.loopOver(v.Type().(*ir.VectorType))
	if len(e) > 0 && e[0] == '{' {
		e = "(" + f.ctype(op, ir.ElementType(v.Type())) + ")" + e
	}
	f.linef("%s.e[%s] = %s;", name, i, e)
	f.close()
}

// emitSelect chooses between values.
func emitSelect(f *function, op *ir.Op) {
	v := op.Result(0)
	switch t := v.Type().(type) {
	case *ir.MemRefType:
		c := f.value(arith.SelectOp{Op: op}.Condition())
		a, b := f.passed(op, arith.SelectOp{Op: op}.TrueValue()), f.passed(op, arith.SelectOp{Op: op}.FalseValue())
		f.bind(v, f.define(nameOf(v), f.ctype(op, t), c+" ? "+a+" : "+b))
	default:
		if ir.IsVector(t) && !ir.IsVector(arith.SelectOp{Op: op}.Condition().Type()) {
			f.scalars[v] = f.define(nameOf(v), f.ctype(op, t), f.value(arith.SelectOp{Op: op}.Condition())+" ? "+f.value(arith.SelectOp{Op: op}.TrueValue())+" : "+f.value(arith.SelectOp{Op: op}.FalseValue()))
			return
		}
		f.elementwise(op, func(x *element) string { return x.args[0] + " ? " + x.args[1] + " : " + x.args[2] })
	}
}

func intBinary(sign string) scalar {
	return func(x *element) string {
		m := x.f.m
		if strings.Contains("+-*", sign) && x.staysIn() {
			return plainBinary(x.args[0], sign, x.args[1])
		}
		if sign == "*" && x.isSignedProduct() {
			return fmt.Sprintf("(uint64_t)(%s * %s)", factor(m.signed(x.out, x.args[0])), factor(m.signed(x.out, x.args[1])))
		}
		a, b := m.unsigned(x.out, x.args[0]), m.unsigned(x.out, x.args[1])
		if _, literal := number(x.args[0]); literal || sign == "*" {
			a = m.wide(x.out, x.args[0])
		}
		if n, ok := number(x.args[1]); ok && x.out == ir.Type(ir.Index) && n >= 0 {
			b = x.args[1]
		}
		if sign == "^" && x.isComparedComplement() {
			return m.complement(m.width(x.out)) + "(" + x.args[0] + ")"
		}
		e := a + " " + sign + " " + b
		if n, ok := literal(x.args[1]); ok && (sign == "+" || sign == "-") {
			// To add -128 is to subtract 128.
			if by := -signExtended(n, m.width(x.out)); by > 0 && by < 1<<31 {
				e = a + map[string]string{"+": " - ", "-": " + "}[sign] + constant(by)
			}
		}
		if w := m.width(x.out); x.out != ir.Type(ir.Index) && (w == 32 || w == 64 || w == 128) {
			return e
		}
		return m.wrapped(x.out, e)
	}
}

// isComparedComplement tells whether all bits of a number of 8 or 16 bits are inverted, which is then compared: gcc complains where it sees both.
func (x *element) isComparedComplement() bool {
	w := x.f.m.width(x.out)
	if n, ok := literal(x.args[1]); w != 8 && w != 16 || !ok || n != lowest(w) {
		return false
	}
	for _, u := range x.op.Result(0).Uses() {
		if u.Owner().Is(arith.CmpI) {
			return true
		}
	}
	return false
}

// complement returns the name of the function that inverts all bits of a number.
func (m *module) complement(width int) string {
	c := unsignedType(width)
	return m.helpers.define("fh_not_"+c, fmt.Sprintf("static inline %[1]s fh_not_%[1]s(%[1]s x) { return (%[1]s)~x; }", c))
}

// isSignedProduct tells whether a product of 64 bits is one of numbers of at most 32 bits with their signs, which doesn't overflow. Compilers know
// an instruction for several such at a time.
func (x *element) isSignedProduct() bool {
	if x.out != ir.Type(x.op.Context().Integer(64)) || x.op.NumOperands() != 2 || ir.IsVector(x.op.Result(0).Type()) {
		return false
	}
	extended := 0
	for _, v := range x.op.Operands().Values() {
		if n, ok := ir.ConstantInt(v); ok && n == int64(int32(n)) {
			continue
		}
		d := v.DefiningOp()
		if d == nil || !d.Is(arith.ExtSI) || exec.Width(d.OnlyOperand().Type()) > 32 {
			return false
		}
		extended++
	}
	return extended > 0
}

// plainBinary returns a sum, difference or product that doesn't overflow.
func plainBinary(a, sign, b string) string {
	switch n, ok := number(b); {
	case sign == "*":
		return mul(a, b)
	case sign == "+":
		return sum(a, b)
	case ok:
		return sum(a, constant(-n))
	}
	return a + " - " + factor(b)
}

// shift returns a shift. One by the width or more is poison; here it gives what it does in package exec, or 0.
func shift(sign string, bySign bool) scalar {
	return func(x *element) string {
		m, w := x.f.m, x.f.m.width(x.out)
		a := m.wide(x.out, x.args[0])
		if bySign {
			a = m.signed(x.out, x.args[0])
			if _, ok := literal(x.args[0]); ok {
				a = "(" + signedType(max(storageBits(w), 32)) + ")" + a
			}
		}
		by := m.unsigned(x.out, x.args[1])
		if n, ok := number(x.args[1]); ok {
			if n < 0 || n >= int64(w) {
				return "0"
			}
			by = strconv.FormatInt(n, 10)
		}
		e := a + " " + sign + " " + by
		if bySign || w < 32 || storageBits(w) != w || x.out == ir.Type(ir.Index) {
			e = m.wrapped(x.out, e)
		}
		if _, ok := number(by); ok {
			return e
		}
		if x.args[0] == "1" && sign == "<<" && w == storageBits(w) && w >= 32 && x.out != ir.Type(ir.Index) {
			// Compilers shift several numbers at a time, but not a constant by several.
			return fmt.Sprintf("(%s)(%s < %d) << (%s & %d)", unsignedType(w), by, w, by, w-1)
		}
		return fmt.Sprintf("%s < %d ? %s : 0", by, w, e)
	}
}

func divide(sign string, bySign bool) scalar {
	return func(x *element) string {
		m := x.f.m
		divisor := m.divisor(x.args[1])
		if bySign {
			return m.wrapped(x.out, m.signed(x.out, x.args[0])+" "+sign+" "+m.signed(x.out, divisor))
		}
		return m.wrapped(x.out, m.unsigned(x.out, x.args[0])+" "+sign+" "+m.unsigned(x.out, divisor))
	}
}

// divisor returns what is divided by. A zero is hidden from compilers, which complain of one also where the division is never executed.
func (m *module) divisor(e string) string {
	if n, ok := number(e); ok && n == 0 {
		return m.helpers.define("fh_zero", "/* A divisor that no division by is executed. */\nstatic inline int fh_zero(void) { return 0; }") + "()"
	}
	return e
}

// remainder returns the remainder of signed numbers, which is 0 for the least number and -1, where C has none.
func remainder(x *element) string {
	m := x.f.m
	if n, ok := number(x.args[1]); ok && n > 0 {
		return divide("%", true)(x)
	}
	b := m.signed(x.out, m.divisor(x.args[1]))
	return fmt.Sprintf("%s == -1 ? 0 : %s", b, m.wrapped(x.out, m.signed(x.out, x.args[0])+" % "+b))
}

// roundedDivision returns division that rounds up or down.
func roundedDivision(how string, bySign bool) scalar {
	return func(x *element) string {
		m := x.f.m
		bits := max(storageBits(m.width(x.out)), 32)
		if !bySign {
			return m.wrapped(x.out, fmt.Sprintf("%s(%s, %s)", m.division(how, unsignedType(bits), false), m.unsigned(x.out, x.args[0]), m.unsigned(x.out, x.args[1])))
		}
		return m.wrapped(x.out, fmt.Sprintf("%s(%s, %s)", m.division(how, signedType(bits), true), m.signed(x.out, x.args[0]), m.signed(x.out, x.args[1])))
	}
}

// division returns the name of the function that divides and rounds up or down.
func (m *module) division(how, c string, bySign bool) string {
	name := "fh_" + how + "_" + identifier(c)
	add, test := " + (a % b != 0", ""
	switch {
	case how == "floor":
		add, test = " - (a % b != 0", " && (a < 0) != (b < 0)"
	case bySign:
		test = " && (a < 0) == (b < 0)"
	}
	return m.helpers.define(name, fmt.Sprintf("static inline %s %s(%s a, %s b) { return a / b%s%s); }", c, name, c, c, add, test))
}

func extreme(sign string, bySign bool) scalar {
	return func(x *element) string {
		m := x.f.m
		if x.args[0] == x.args[1] {
			return x.args[0]
		}
		switch x.decided(x.out, sign, bySign) {
		case "0":
			return x.args[1]
		case "1":
			return x.args[0]
		}
		a, b := m.unsigned(x.out, x.args[0]), m.unsigned(x.out, x.args[1])
		if bySign {
			a, b = m.signed(x.out, x.args[0]), m.signed(x.out, x.args[1])
		}
		return fmt.Sprintf("%s %s %s ? %s : %s", a, sign, b, factor(x.args[0]), factor(x.args[1]))
	}
}

// compareInts returns a comparison by a predicate of arith.cmpi or index.cmp. What compilers would complain about is decided here.
func (x *element) compareInts(p int) string {
	m, t := x.f.m, x.in[0]
	sign := []string{"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="}[p]
	bySign := p >= 2 && p <= 5
	if x.args[0] == x.args[1] {
		return strconv.Itoa(map[string]int{"==": 1, "<=": 1, ">=": 1}[sign])
	}
	if known := x.decided(t, sign, bySign); known != "" {
		return known
	}
	if n, ok := number(x.args[1]); ok && n == 0 && p >= 6 && sign == "<=" {
		sign = "=="
	}
	if n, ok := number(x.args[0]); ok && n == 0 && p >= 6 && sign == ">=" {
		sign = "=="
	}
	if x.comparesSmallIndices() {
		return "(int32_t)" + factor(x.args[0]) + " " + sign + " (int32_t)" + factor(x.args[1])
	}
	if bySign {
		return m.signed(t, x.args[0]) + " " + sign + " " + m.signed(t, x.args[1])
	}
	return m.unsigned(t, x.args[0]) + " " + sign + " " + m.unsigned(t, x.args[1])
}

// comparesSmallIndices tells whether indices in the body of a loop nest are compared that 31 bits are enough for, so that as many comparisons are done
// at a time as there are numbers of 32 bits in a vector.
func (x *element) comparesSmallIndices() bool {
	if x.f.nest == nil || x.in[0] != ir.Type(ir.Index) || x.op.Operand(0).Type() != ir.Type(ir.Index) {
		return false
	}
	return x.f.rangeOf(x.op.Operand(0)).isSmall() && x.f.rangeOf(x.op.Operand(1)).isSmall()
}

func floatBinary(sign string) scalar {
	return func(x *element) string {
		t, m := x.float(x.out), x.f.m
		return m.roundedComputed(t, m.computed(t, x.args[0])+" "+sign+" "+m.computed(t, x.args[1]))
	}
}

func floatRemainder(x *element) string {
	t, m := x.float(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	return m.rounded(t, "fmod("+m.double(t, x.args[0])+", "+m.double(t, x.args[1])+")")
}

// floatExtreme returns the greater or lesser number; where one is NaN, the other one if number is set, else NaN. -0 is less than 0. Numbers are compared as
// integers of the same order, which compilers do several at a time.
func floatExtreme(sign string, number bool) scalar {
	return func(x *element) string {
		t, m := x.float(x.out), x.f.m
		if l := limitOf(x.op); l != nil {
			args := map[*ir.Value]string{x.op.Operand(0): x.args[0], x.op.Operand(1): x.args[1]}
			return fmt.Sprintf("%s %s %s ? %s : %s", factor(args[l.first]), l.sign, factor(args[l.second]), factor(args[l.first]), factor(args[l.second]))
		}
		return m.roundedComputed(t, m.extremeFunction(floatType(t), sign, number)+"("+m.computed(t, x.args[0])+", "+m.computed(t, x.args[1])+")")
	}
}

// orderKeys returns the names of the functions from numbers to integers of the same order, and back. NaN is above all others or, unless above is set, below.
func (m *module) orderKeys(t *ir.FloatType, above bool) (key, number string) {
	c, bits := "float", 32
	if t == ir.F64 {
		c, bits = "double", 64
	}
	m.helper("fh_" + c + "_bits")
	m.helper("fh_" + c + "_of")
	infinity := map[int]string{32: "0x7f800000", 64: "INT64_C(0x7ff0000000000000)"}[bits]
	all := fmt.Sprintf("INT%d_MAX", bits)
	nan, where := all, "above"
	if !above {
		nan, where = fmt.Sprintf("INT%d_MIN", bits), "below"
	}
	s := signedType(bits)
	key = m.helpers.define("fh_"+c+"_key_"+where, fmt.Sprintf(`
/* An integer that is less than others as the number is, with -0 below 0 and NaN %[5]s all. */
static inline %[1]s fh_%[2]s_key_%[5]s(%[2]s x) {
  %[1]s bits = (%[1]s)fh_%[2]s_bits(x), key = bits ^ (bits >> %[7]d & %[3]s), nan = -(%[1]s)((bits & %[3]s) > %[4]s);
  return (key & ~nan) | (%[6]s & nan);
}`, s, c, all, infinity, where, nan, bits-1))
	number = m.helpers.define("fh_"+c+"_of_key", fmt.Sprintf(`
static inline %[1]s fh_%[1]s_of_key(%[2]s key) { return fh_%[1]s_of((u%[2]s)(key ^ (key >> %[3]d & %[4]s))); }`, c, s, bits-1, all))
	return key, number
}

// negate returns the number with the other sign.
func negate(x *element) string {
	t, m := x.float(x.out), x.f.m
	switch {
	case isNative(t):
		return "-" + factor(x.args[0])
	case t.Format.Special == ir.FiniteNaNNegZero:
		return m.rounded(t, "-"+m.double(t, x.args[0]))
	case t.Format.SignMask() == 0:
		return x.args[0]
	}
	return fmt.Sprintf("(%s)(%s ^ %#x)", x.f.ctype(x.op, t), factor(x.args[0]), t.Format.SignMask())
}

// withItself are the predicates that hold where others do if both numbers are the same one: compilers complain of all but tests for NaN.
var withItself = map[arith.FloatPredicate]arith.FloatPredicate{
	arith.AlwaysFalse: arith.AlwaysFalse, arith.OGT: arith.AlwaysFalse, arith.OLT: arith.AlwaysFalse, arith.ONE: arith.AlwaysFalse,
	arith.OEQ: arith.OEQ, arith.OGE: arith.OEQ, arith.OLE: arith.OEQ, arith.ORD: arith.OEQ,
	arith.FUGT: arith.UNE, arith.FULT: arith.UNE, arith.UNE: arith.UNE, arith.UNO: arith.UNE,
	arith.UEQ: arith.AlwaysTrue, arith.FUGE: arith.AlwaysTrue, arith.FULE: arith.AlwaysTrue, arith.AlwaysTrue: arith.AlwaysTrue,
}

// compareFloats returns a comparison by the outcomes for which it holds.
func compareFloats(x *element) string {
	t, m := x.float(x.in[0]), x.f.m
	a, b := m.computed(t, x.args[0]), m.computed(t, x.args[1])
	is := func(sign string) string { return a + " " + sign + " " + b }
	predicate := arith.FPredicate(x.op)
	if a == b {
		predicate = withItself[predicate]
	}
	switch predicate {
	case arith.AlwaysFalse:
		return "0"
	case arith.AlwaysTrue:
		return "1"
	case arith.OEQ:
		return is("==")
	case arith.OGT:
		return is(">")
	case arith.OGE:
		return is(">=")
	case arith.OLT:
		return is("<")
	case arith.OLE:
		return is("<=")
	case arith.ONE:
		return is("<") + " || " + is(">")
	case arith.ORD:
		return ordered(a) + " && " + ordered(b)
	case arith.UEQ:
		return "!(" + is("<") + " || " + is(">") + ")"
	case arith.FUGT:
		return "!(" + is("<=") + ")"
	case arith.FUGE:
		return "!(" + is("<") + ")"
	case arith.FULT:
		return "!(" + is(">=") + ")"
	case arith.FULE:
		return "!(" + is(">") + ")"
	case arith.UNE:
		return is("!=")
	}
	return "!(" + ordered(a) + " && " + ordered(b) + ")"
}

// ordered returns the test that a number isn't NaN.
func ordered(e string) string { return e + " == " + e }

// emitExtended writes an operation with a result of twice as many bits, of which it returns the halves.
func emitExtended(f *function, op *ir.Op) {
	a, b := arith.BinaryOp{Op: op}.LHS(), arith.BinaryOp{Op: op}.RHS()
	if t, ok := a.Type().(*ir.VectorType); ok {
		low, high := f.newVector(op, op.Result(0)), f.newVector(op, op.Result(1))
		i := f.loopOver(t)
		x, y := f.extended(op, f.elementOf(a, i), f.elementOf(b, i))
		f.linef("%s.e[%s] = %s;", low, i, x)
		f.linef("%s.e[%s] = %s;", high, i, y)
		f.close()
		return
	}
	low, high := f.extended(op, f.value(a), f.value(b))
	f.result(op.Result(0), low)
	f.result(op.Result(1), high)
}

// extended returns the halves of an element of the result.
func (f *function) extended(op *ir.Op, a, b string) (low, high string) {
	m, t, second := f.m, ir.ElementType(arith.BinaryOp{Op: op}.LHS().Type()), ir.ElementType(op.Result(1).Type())
	w := m.width(t)
	x, y := m.wide(t, a), m.unsigned(t, b)
	switch {
	case op.Is(arith.AddUIExtended) && storageBits(w) == w:
		// A sum that is less than what was added has lost a bit.
		s := f.define("sum", f.ctype(op, t), m.wrapped(t, x+" + "+y))
		return s, m.wrapped(second, m.unsigned(t, s)+" < "+x)
	case op.Is(arith.AddUIExtended):
		s := f.define("sum", unsignedType(max(storageBits(w), 32)), x+" + "+y)
		return m.wrapped(t, s), m.wrapped(second, fmt.Sprintf("%s >> %d", s, w))
	case w > 64:
		return f.extendedWide(op, t, a, b)
	}
	full := f.ctype(op, op.Context().Integer(128))
	x, y = "("+full+")"+x, "("+full+")"+y
	if op.Is(arith.MulSIExtended) {
		x, y = "("+full+")(fh_i128)"+m.signed(t, a), "("+full+")(fh_i128)"+m.signed(t, b)
	}
	e := f.define("full", full, x+" * "+y)
	return m.wrapped(t, e), m.wrapped(second, fmt.Sprintf("%s >> %d", e, w))
}

// extendedWide returns the halves of a product of integers of more than 64 bits: of the 256 bits that it has, those from the width on are the second one.
func (f *function) extendedWide(op *ir.Op, t ir.Type, a, b string) (low, high string) {
	m, w, half, c := f.m, f.m.width(t), "fh_high_half", f.ctype(op, t)
	if op.Is(arith.MulSIExtended) {
		half, a, b = "fh_signed_high_half", "("+c+")"+m.signed(t, a), "("+c+")"+m.signed(t, b)
	}
	a, b = f.define("a", c, a), f.define("b", c, b)
	low, high = f.define("low", c, a+" * "+b), m.helper(half)+"("+a+", "+b+")"
	if w < 128 {
		high = fmt.Sprintf("%s << %d | %s >> %d", high, 128-w, low, w)
	}
	return m.wrapped(t, low), m.wrapped(t, high)
}
