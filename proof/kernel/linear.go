package kernel

import (
	"fmt"
	"math"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Sum returns what an operation computes, if that is a linear function of its operands: of the type index, so that what wraps around does in each term.
func (v *Machine) Sum(fr *Frame, op *ir.Op) (Value, bool) {
	model, ok := interfaces.LinearValue.Of(op)
	if !ok {
		return Value{}, false
	}
	integers := true
	l, ok := model(op, func(x *ir.Value) interfaces.Linear {
		s, integer := v.linear(v.Get(fr, x))
		integers = integers && integer
		return s
	})
	if !ok || !integers {
		return Value{}, false
	}
	if n, constant := l.Constant(); constant {
		return Constant(n), true
	}
	if x, negated, single := v.single(l); single && !negated && l.Offset() == 0 {
		return x, true
	}
	return v.SameFor(v.text(l), func() Value {
		x := v.Fresh(Number)
		v.sums[x] = l
		return x
	}), true
}

// IsSum tells whether a number is a linear function of others.
func (v *Machine) IsSum(x Value) bool {
	_, ok := v.sums[x]
	return ok
}

// linear returns an integer as a linear function of numbers that are none of others; false if it may be an address, or is a boolean.
func (v *Machine) linear(x Value) (interfaces.Linear, bool) {
	switch {
	case x.Kind == Integer:
		return interfaces.LinearConst(x.Number), true
	case v.IsSum(x):
		return v.sums[x], true
	}
	t := v.termOf[x]
	if t == nil {
		t = new(ir.Value) // stands for it
		v.termOf[x], v.terms[t] = t, x
	}
	return interfaces.LinearTerm(t), x.Kind == Number
}

// text returns a text that is the same for the same linear functions.
func (v *Machine) text(l interfaces.Linear) string {
	var terms []string
	for t, times := range l.Terms() {
		terms = append(terms, fmt.Sprint(times, Identity(v.terms[t])))
	}
	slices.Sort(terms)
	return fmt.Sprint("sum ", terms, l.Offset())
}

// single returns the number of which a linear function is the same or the negation, beside the constant.
func (v *Machine) single(l interfaces.Linear) (x Value, negated, ok bool) {
	for t, times := range l.Terms() {
		x, negated, ok = v.terms[t], times < 0, len(l.Terms()) == 1 && (times == 1 || times == -1)
	}
	return x, negated, ok
}

// equalSums returns the condition that two integers are equal, neither of which may be an address or is a boolean.
func (v *Machine) equalSums(x, y Value) Lit {
	l, _ := v.linear(x)
	m, _ := v.linear(y)
	l = l.Minus(m) // which is to be zero
	if n, constant := l.Constant(); constant {
		return LitOf(n == 0)
	}
	one := map[int64]Value{} // terms, by how often they are there
	for t, times := range l.Terms() {
		one[times] = v.terms[t]
	}
	plus, hasPlus := one[1]
	minus, hasMinus := one[-1]
	switch n := len(l.Terms()); {
	case n == 1 && hasPlus:
		return v.Compare(Signed, Equal, plus, Constant(-l.Offset()))
	case n == 1 && hasMinus:
		return v.Compare(Signed, Equal, minus, Constant(l.Offset()))
	case n == 2 && hasPlus && hasMinus && l.Offset() == 0:
		return v.Compare(Signed, Equal, plus, minus)
	}
	return v.SameFor("zero "+min(v.text(l), v.text(l.Times(-1))), func() Value { return TruthOf(v.learn(Signed, Equal, x, y)) }).Truth
}

// belowSum is below for a sum that can't wrap around, since it is a size less something, or something less a size; false for other numbers.
func (v *Machine) belowSum(x Value, n int64) (Lit, bool) {
	l := v.sums[x]
	size, negated, ok := v.single(l)
	switch c := l.Offset(); {
	case !ok || !v.IsSize(size) || c > 0 && !negated || c < 0 && negated:
		return No, false
	case !negated && n > math.MaxInt64+c:
		return Yes, true
	case !negated:
		return v.below(Signed, size, n-c, false), true
	case n < c-math.MaxInt64:
		return No, true
	default:
		return v.below(Signed, size, c-n, true).Not(), true
	}
}
