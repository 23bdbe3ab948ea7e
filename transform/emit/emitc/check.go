package emitc

import (
	"fmt"

	"freehold/dialect/check"
	"freehold/ir"
)

// checkEmitters has the comparisons with what was expected, which end the program where an element differs, as assertions do.
func checkEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		check.ExpectEq:       emitExpectation,
		check.ExpectAlmostEq: emitExpectation,
		check.ExpectClose:    emitExpectation,
	}
}

func emitExpectation(f *function, op *ir.Op) {
	o := check.ComparisonOp{Op: op}
	a, b := f.memref(o.Actual()), f.memref(o.Expected())
	assert := f.m.helper("fh_assert")
	var idx []string
	for d, n := range a.sizes {
		if n != b.sizes[d] {
			f.linef("%s(%s == %s);", assert, n, b.sizes[d])
		}
	}
	for d, n := range a.sizes {
		idx = append(idx, f.count(knownSize(n, b.sizes[d])))
	}
	c := f.ctype(op, a.elem)
	x, y := f.define("actual", c, a.element(idx)), f.define("expected", c, b.element(idx))
	f.linef("%s(%s);", assert, f.expected(o, a.elem, x, y))
	f.closeAll(len(idx))
}

// expected returns the condition that an element is what it should be.
func (f *function) expected(o check.ComparisonOp, t ir.Type, x, y string) string {
	switch t := t.(type) {
	case *ir.ComplexType:
		return f.expected(o, t.Elem, x+".re", y+".re") + " && " + f.expected(o, t.Elem, x+".im", y+".im")
	case *ir.FloatType:
		return f.expectedFloat(o, t, x, y)
	}
	if f.memref(o.Actual()) == f.memref(o.Expected()) {
		return "1" // compilers warn of comparisons with itself
	}
	return x + " == " + y
}

func (f *function) expectedFloat(o check.ComparisonOp, t *ir.FloatType, x, y string) string {
	p, q := f.m.computed(t, x), f.m.computed(t, y)
	bothNaN, oneNaN := fmt.Sprintf("(%[1]s != %[1]s && %[2]s != %[2]s)", p, q), fmt.Sprintf("(%[1]s != %[1]s || %[2]s != %[2]s)", p, q)
	least, most := o.Steps()
	switch {
	case o.Is(check.ExpectEq):
		return fmt.Sprintf("(%s == %s || %s)", p, q, bothNaN)
	case o.Is(check.ExpectAlmostEq):
		f.m.helpers.headers["math.h"] = true
		near := fmt.Sprintf("fabs((double)%s - (double)%s) <= %s", p, q, floatLiteral(ir.F64, o.Tolerance()))
		return fmt.Sprintf("(%s == %s || %s || (!%s && (%s || %s <= %d)))", p, q, bothNaN, oneNaN, near, f.steps(o.Op, t, x, y), most)
	}
	steps := f.define("steps", "uint64_t", fmt.Sprintf("%s ? 0 : %s ? UINT64_MAX : %s", bothNaN, oneNaN, f.steps(o.Op, t, x, y)))
	// Compilers warn of what always holds.
	out := fmt.Sprintf("%s == UINT64_C(%d)", steps, uint64(most))
	if most != 0 {
		out = fmt.Sprintf("%s <= UINT64_C(%d)", steps, uint64(most))
	}
	if least != 0 {
		out += fmt.Sprintf(" && %s >= UINT64_C(%d)", steps, uint64(least))
	}
	return out
}

// steps returns how many numbers of a type one is from another one; neither is NaN.
func (f *function) steps(op *ir.Op, t *ir.FloatType, x, y string) string {
	if t.Width > 64 || t.Format.Special == ir.PowersOfTwo {
		f.fail(op, "the distance of two numbers of type %s can't be written in C", t)
	}
	bits := func(e string) string { return f.bits(op, t, op.Context().Integer(t.Width), e) }
	return fmt.Sprintf("%s(%s, %s, UINT64_C(%d))", f.m.helper("fh_steps"), bits(x), bits(y), uint64(1)<<(t.Width-1))
}
