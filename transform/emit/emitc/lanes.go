package emitc

import (
	"fmt"
	"strconv"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/exec"
	"freehold/ir"
)

// lanes writes what the body of a nest computes for one element, or in vectors for several that follow each other in memory. Numbers of few bits are
// floats while they are computed with, and each result is rounded.
type lanes struct {
	f  *function
	op *ir.Op
	// elem is the type in which numbers are computed with, f32 or f64, width how many there are at a time, and ctype the C type of so many.
	elem  *ir.FloatType
	width int64
	ctype string
	// values are the names of what was computed, and made those for expressions.
	values map[*ir.Value]string
	made   map[string]string
	// stored is what is rounded when it is stored.
	stored *ir.Value
}

// newLanes returns the lanes for a number of elements at a time.
func (f *function) newLanes(op *ir.Op, elem *ir.FloatType, width int64) *lanes {
	l := &lanes{f: f, op: op, elem: elem, width: width, ctype: f.ctype(op, elem), made: map[string]string{}}
	if width > 1 {
		l.ctype = f.m.vectorType(elem, width)
	}
	return l
}

// laneCount returns how many numbers of a type there are in a vector.
func laneCount(elem *ir.FloatType) int64 {
	if elem == ir.F64 {
		return 4
	}
	return 8
}

// vectorOps are the operations that are done on several numbers at a time.
var vectorOps = map[*ir.OpID]string{arith.AddF: "add", arith.SubF: "sub", arith.MulF: "mul", arith.DivF: "div"}

// vectorSigns are the signs for them in C.
var vectorSigns = map[string]string{"add": "+", "sub": "-", "mul": "*", "div": "/"}

// inLanes tells whether numbers of a type can be computed with in lanes of elem.
func inLanes(t ir.Type, elem *ir.FloatType) bool {
	ft, ok := t.(*ir.FloatType)
	return ok && floatType(ft) == elem
}

// fitsLanes tells whether all that the body does with its operands can be done in lanes of elem; where hoisting is set,
// without what is written before the innermost loop.
func (n *nest) fitsLanes(elem *ir.FloatType, hoisting bool) bool {
	for _, o := range n.operands {
		if o.arg == nil || !inLanes(ir.ElementType(o.v.Type()), elem) {
			return false
		}
	}
	body := n.op.BodyBlock(0)
	for op := range body.Ops() {
		if op == body.Last() {
			return op.NumOperands() == 1
		}
		if hoisting && n.isHoisted(op) {
			continue
		}
		if !isLaneOp(op) || !inLanes(op.Result(0).Type(), elem) {
			return false
		}
		for _, v := range op.Operands().Values() {
			if !inLanes(v.Type(), elem) {
				return false
			}
		}
	}
	return false
}

// laneExtreme tells which of two numbers an operation chooses, in lanes of floats.
func laneExtreme(op *ir.Op) (sign string, number, ok bool) {
	switch {
	case op.Result(0).Type() == ir.Type(ir.F64):
		return "", false, false
	case op.Is(arith.MaximumF):
		return ">", false, true
	case op.Is(arith.MinimumF):
		return "<", false, true
	case op.Is(arith.MaxNumF):
		return ">", true, true
	case op.Is(arith.MinNumF):
		return "<", true, true
	}
	return "", false, false
}

// laneFunction returns the name of the function of a float that an operation is, if there is a polynomial for it.
func laneFunction(op *ir.Op) string {
	name, math := strings.CutPrefix(op.Name(), "math.")
	if _, ok := polynomials[name]; !math || !ok || op.Result(0).Type() == ir.Type(ir.F64) {
		return ""
	}
	return name
}

// call returns the value of a function, which is computed in a loop that compilers make vectors of.
func (l *lanes) call(name, a string, t *ir.FloatType) string {
	f := l.f
	one := "(float)"
	if t != l.elem {
		one = f.m.oddFloat()
	}
	if l.width == 1 {
		return one + "(" + f.m.polynomial(name) + "(" + a + "))"
	}
	each := f.names.fresh("each")
	f.linef("float %s[%s];", each, f.m.lanesText(l.width))
	f.linef("%s_store(%s, %s);", l.ctype, each, a)
	if isCircular(name) && t == l.elem && l.width == mostLanes {
		f.linef("%s(%s);", f.m.circular(name, l.width), each)
		return l.ctype + "_load(" + each + ")"
	}
	i := f.count(f.m.lanesText(l.width))
	f.linef("%s[%s] = %s(%s(%s[%s]));", each, i, one, f.m.polynomial(name), each, i)
	f.close()
	return l.ctype + "_load(" + each + ")"
}

// isLaneOp tells whether an operation can be done in lanes.
func isLaneOp(op *ir.Op) bool {
	_, _, extreme := laneExtreme(op)
	return vectorOps[op.ID()] != "" || extreme || laneFunction(op) != "" || op.Is(arith.NegF) || op.Is(arith.ExtF) || op.Is(arith.TruncF) && roundingOf(op) == exec.ToNearestEven
}

// element returns the expression for the elements from a place on that holds numbers of a type, or for the one there if the lanes don't walk along memory.
func (l *lanes) element(t *ir.FloatType, place string, walks bool) string {
	switch m := l.f.m; {
	case !walks:
		return m.asComputed(t, place)
	case t == l.elem:
		return l.ctype + "_load(&" + place + ")"
	default:
		return m.halfVector(t, l.ctype, l.width, "load") + "(&" + place + ")"
	}
}

// load defines the elements from a place on, or the one there in all lanes.
func (l *lanes) load(t *ir.FloatType, place string, walks bool) string {
	if l.made[place] == "" {
		c := l.ctype
		if !walks {
			c = l.f.ctype(l.op, l.elem)
		}
		l.made[place] = l.f.define("in", c, l.element(t, place, walks))
		if !walks {
			l.made[place] = l.splat(l.made[place])
		}
	}
	return l.made[place]
}

// gather defines the elements that are a stride from each other, from a place on.
func (l *lanes) gather(t *ir.FloatType, place, stride string) string {
	if l.made[place] == "" {
		load := l.f.m.halfVector(t, l.ctype, l.width, "load")
		l.made[place] = l.f.define("in", l.ctype, l.f.m.gatheringLoad(t, load, stride, l)+"(&"+place+", "+stride+")")
	}
	return l.made[place]
}

// store writes elements to a place.
func (l *lanes) store(t *ir.FloatType, place, value string) {
	switch f := l.f; {
	case l.width > 1 && t == l.elem:
		f.linef("%s_store(&%s, %s);", l.ctype, place, value)
	case l.width > 1:
		convert := f.m.halfVector
		if l.stored != nil && isNormalOrZero(l.stored.DefiningOp()) {
			convert = f.m.normalHalfVector
		}
		f.linef("%s(&%s, %s);", convert(t, l.ctype, l.width, "store"), place, value)
	case t == l.elem:
		f.linef("%s = %s;", place, value)
	default:
		f.linef("%s = %s(%s);", place, f.m.half(t, "from_float"), value)
	}
}

// asComputed returns a number as one of the type in which it is computed with.
func (m *module) asComputed(t *ir.FloatType, e string) string {
	if isNative(t) {
		return e
	}
	if bits, err := strconv.ParseUint(e, 0, 64); err == nil {
		if x := t.Format.ToFloat64(bits); isFinite(x) {
			return floatLiteral(ir.F32, x)
		}
	}
	return m.half(t, "to_float") + "(" + e + ")"
}

// splat returns a number in all lanes.
func (l *lanes) splat(e string) string {
	if l.width == 1 {
		return e
	}
	if l.made[e] == "" {
		l.made[e] = l.f.define("all", l.ctype, l.ctype+"_splat("+e+")")
	}
	return l.made[e]
}

// operand returns a value that an operation of the body uses.
func (l *lanes) operand(v *ir.Value) string {
	if e, ok := l.values[v]; ok {
		return e
	}
	t, e := v.Type().(*ir.FloatType), l.f.value(v)
	if isNative(t) {
		return l.splat(e)
	}
	return l.load(t, e, false)
}

// body writes what a body computes, with values for its arguments, and returns what it yields. That is not rounded yet where nothing but the store
// that follows needs it, if last is set.
func (l *lanes) body(b *ir.Block, values map[*ir.Value]string, last bool) string {
	l.values = values
	if v := b.Last().OnlyOperand(); last && v.HasOneUse() {
		l.stored = v
	}
	for op := range b.Ops() {
		if op == b.Last() {
			break
		}
		if _, known := values[op.Result(0)]; !known {
			values[op.Result(0)] = l.compute(op)
		}
	}
	return l.operand(b.Last().OnlyOperand())
}

// compute writes an operation.
func (l *lanes) compute(op *ir.Op) string {
	if op.Is(arith.ExtF) {
		return l.operand(op.OnlyOperand())
	}
	e, rounds := l.expression(op)
	if rounds {
		e = l.rounded(op, e)
	}
	return l.f.define(nameOf(op.Result(0)), l.ctype, e)
}

// rounded returns what an operation computes, rounded to the type of its result.
func (l *lanes) rounded(op *ir.Op, e string) string {
	f, t := l.f, op.Result(0).Type().(*ir.FloatType)
	switch {
	case t == l.elem, op.Result(0) == l.stored:
	case l.width > 1:
		convert := f.m.halfVector
		if needsNoSubnormals(op.Result(0)) {
			convert = f.m.normalHalfVector
		}
		e = convert(t, l.ctype, l.width, "round") + "(" + e + ")"
	default:
		e = f.m.half(t, "round") + "(" + e + ")"
	}
	return e
}

// expression returns the expression for an operation, and whether its value isn't one of the type yet.
func (l *lanes) expression(op *ir.Op) (e string, rounds bool) {
	switch {
	case op.Is(arith.TruncF):
		return l.operand(op.OnlyOperand()), true
	case op.Is(arith.NegF):
		if l.width > 1 {
			return l.ctype + "_neg(" + l.operand(op.OnlyOperand()) + ")", false
		}
		return "-" + factor(l.operand(op.OnlyOperand())), false
	}
	if name := laneFunction(op); name != "" {
		return l.call(name, l.operand(op.OnlyOperand()), op.Result(0).Type().(*ir.FloatType)), true
	}
	if c := limitOf(op); c != nil && l.width > 1 {
		return l.chosen(c.sign) + "(" + l.operand(c.first) + ", " + l.operand(c.second) + ")", false
	} else if c != nil {
		a, b := factor(l.operand(c.first)), factor(l.operand(c.second))
		return a + " " + c.sign + " " + b + " ? " + a + " : " + b, false
	}
	a, b := l.operand(arith.BinaryOp{Op: op}.LHS()), l.operand(arith.BinaryOp{Op: op}.RHS())
	if sign, number, ok := laneExtreme(op); ok && l.width > 1 {
		return l.f.m.vectorExtreme(l.ctype, l.width, sign, number) + "(" + a + ", " + b + ")", false
	} else if ok {
		return l.f.m.extremeFunction(l.elem, sign, number) + "(" + a + ", " + b + ")", false
	}
	if name := vectorOps[op.ID()]; l.width > 1 {
		return l.ctype + "_" + name + "(" + a + ", " + b + ")", true
	} else {
		return factor(a) + " " + vectorSigns[name] + " " + factor(b), true
	}
}

// wantsLanes tells whether the innermost loop should be written in lanes: it has f16 or bf16, for which some processors have instructions that compilers
// don't use for several numbers at a time by themselves, or a function for which large numbers are computed in another way.
func (n *nest) wantsLanes() bool {
	if !n.free || n.indexed || len(n.loops) == 0 || len(n.operands) != n.inits+1 || n.op.BodyBlock(0).First() == n.op.BodyBlock(0).Last() || !n.fitsLanes(ir.F32, true) {
		return false
	}
	d, some := n.loops[len(n.loops)-1], false
	for k, o := range n.operands {
		t := ir.ElementType(o.v.Type())
		some = some || t == ir.Type(ir.F16) || t == ir.Type(ir.BF16)
		if o.r != nil && o.strides[d] != "1" && (k == n.inits || o.strides[d] != "0") {
			return false
		}
	}
	for op := range n.op.BodyBlock(0).Ops() {
		some = some || (op.Is(math.Sin) || op.Is(math.Cos)) && !n.isHoisted(op)
	}
	size, known := number(n.sizes[d])
	return some && (!known || size >= mostLanes)
}

// elementsInLanes writes the loop of a dimension in lanes, and what is left one by one.
func (n *nest) elementsInLanes(d int) {
	init, body := n.operands[n.inits], n.op.BodyBlock(0)
	n.steps(d, mostLanes, func(first string, width int64) {
		n.vars[d] = first
		l, values := n.f.newLanes(n.op, ir.F32, width), map[*ir.Value]string{}
		for _, o := range n.operands {
			switch {
			case !o.arg.HasUses():
			case o.r == nil:
				values[o.arg] = l.operand(o.v)
			case o.strides[d] == "0":
				values[o.arg] = l.operand(o.arg)
			default:
				values[o.arg] = l.load(o.r.elem.(*ir.FloatType), n.element(o), width > 1)
			}
		}
		for _, op := range n.hoisted {
			values[op.Result(0)] = l.operand(op.Result(0))
		}
		l.store(init.r.elem.(*ir.FloatType), n.element(init), l.body(body, values, true))
	})
}

// steps writes the loop of a dimension in steps of a width, and then in steps of 1 for what is left. fn is given the first index of a step.
func (n *nest) steps(d int, width int64, fn func(first string, width int64)) {
	f, size := n.f, n.f.pinned("size", n.sizes[d])
	count, known := number(size)
	exact, from, c := known && count%width == 0, "0", f.m.types.index()
	if !known || count >= width {
		v, by := f.names.fresh("tile"), f.m.lanesText(width)
		switch {
		case exact:
			f.openf("for (%s %s = 0; %s < %s; %s += %s)", c, v, v, size, v, by)
		case known:
			// Where the rest begins is a constant: gcc 12 complains of a loop of no rest that begins where another one ended.
			from = constant(count / width * width)
			if width == mostLanes {
				from = fmt.Sprintf("%s / %s * %s", size, by, by)
			}
			f.openf("for (%s %s = 0; %s < %s; %s += %s)", c, v, v, from, v, by)
		default:
			from = v
			f.linef("%s %s = 0;", c, v)
			f.openf("for (; %s + %s <= %s; %s += %s)", v, by, size, v, by)
		}
		fn(v, width)
		f.close()
	}
	if exact {
		return
	}
	v := f.names.fresh("rest")
	f.openf("for (%s %s = %s; %s < %s; %s++)", c, v, from, v, size, v)
	fn(v, 1)
	f.close()
}

// mostLanes is how many floats the longest vectors have. A vector of so many has as many as fit into a register, which is found when the program is compiled.
const mostLanes = 16

// lanesText returns a number of elements as an expression.
func (m *module) lanesText(n int64) string {
	if n != mostLanes {
		return constant(n)
	}
	return m.helpers.define("FH_LANES", `
/* How many floats a vector has. */
#ifdef __AVX512F__
#define FH_LANES 16
#elif defined(__AVX2__)
#define FH_LANES 8
#else
#define FH_LANES 4
#endif`)
}

// vectorName returns the name of a type of several numbers.
func vectorName(elem string, n int64) string {
	if n == mostLanes {
		return "fh_" + elem + "_lanes"
	}
	return fmt.Sprintf("fh_%s_x%d", elem, n)
}

// vectorType defines a type of several numbers, with arithmetic: by GCC's vector extension where there is that, and else by loops.
func (m *module) vectorType(t *ir.FloatType, n int64) string {
	c, _ := m.types.of(t)
	name, count := vectorName(c, n), m.lanesText(n)
	text := "#ifdef __GNUC__\n" + fmt.Sprintf(`typedef %[2]s %[1]s __attribute__((vector_size(%[4]d * %[3]s)));
typedef %[2]s %[1]s_memory __attribute__((vector_size(%[4]d * %[3]s), aligned(%[4]d), may_alias));
#define %[1]s_load(p) (*(const %[1]s_memory *)(const void *)(p))
#define %[1]s_store(p, v) (*(%[1]s_memory *)(void *)(p) = (v))
#define %[1]s_splat(x) ((x) - (%[1]s){0})
#define %[1]s_add(a, b) ((a) + (b))
#define %[1]s_sub(a, b) ((a) - (b))
#define %[1]s_mul(a, b) ((a) * (b))
#define %[1]s_div(a, b) ((a) / (b))
#define %[1]s_neg(a) (-(a))
#else
typedef struct { %[2]s e[%[3]s]; } %[1]s;
static %[1]s %[1]s_load(const %[2]s *p) { %[1]s v; int i; for (i = 0; i < %[3]s; i++) v.e[i] = p[i]; return v; }
static void %[1]s_store(%[2]s *p, %[1]s v) { int i; for (i = 0; i < %[3]s; i++) p[i] = v.e[i]; }
static %[1]s %[1]s_splat(%[2]s x) { %[1]s v; int i; for (i = 0; i < %[3]s; i++) v.e[i] = x; return v; }
static %[1]s %[1]s_add(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[3]s; i++) a.e[i] = a.e[i] + b.e[i]; return a; }
static %[1]s %[1]s_sub(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[3]s; i++) a.e[i] = a.e[i] - b.e[i]; return a; }
static %[1]s %[1]s_mul(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[3]s; i++) a.e[i] = a.e[i] * b.e[i]; return a; }
static %[1]s %[1]s_div(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[3]s; i++) a.e[i] = a.e[i] / b.e[i]; return a; }
static %[1]s %[1]s_neg(%[1]s a) { int i; for (i = 0; i < %[3]s; i++) a.e[i] = -a.e[i]; return a; }
#endif`, name, c, count, ir.StorageBytes(t))
	return m.helpers.define(name, text)
}
