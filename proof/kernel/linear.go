package kernel

import (
	"fmt"
	"math"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// sum is a number of the type index that is a constant plus multiples of others, which are no sums: all of 64 bits, and what wraps around wraps
// around in each of them.
type sum struct {
	terms    []multiple // in the order of identities, without zeros
	constant int64
}

type multiple struct{ number, times int64 }

// isSum tells whether a number is a sum of others.
func (v *Machine) isSum(x Value) bool {
	_, ok := v.sums[x.Number]
	return ok && x.Kind == Number
}

// sumOf returns an integer as a sum; false if it may be an address, or is a boolean.
func (v *Machine) sumOf(x Value) (sum, bool) {
	switch {
	case x.Kind == Integer:
		return sum{constant: x.Number}, true
	case v.isSum(x):
		return v.sums[x.Number], true
	}
	return sum{terms: []multiple{{x.Number, 1}}}, x.Kind == Number
}

// plus returns a sum with some times another one added.
func (s sum) plus(times int64, t sum) sum {
	s.terms, s.constant = slices.Clone(s.terms), s.constant+times*t.constant
	for _, m := range t.terms {
		i, ok := slices.BinarySearchFunc(s.terms, m.number, func(m multiple, n int64) int { return int(m.number - n) })
		if !ok {
			s.terms = slices.Insert(s.terms, i, multiple{m.number, 0})
		}
		s.terms[i].times += times * m.times
	}
	s.terms = slices.DeleteFunc(s.terms, func(m multiple) bool { return m.times == 0 })
	return s
}

// single returns the number of which a sum is the same or the negation, beside the constant.
func (s sum) single() (x Value, negated, ok bool) {
	if len(s.terms) != 1 || s.terms[0].times != 1 && s.terms[0].times != -1 {
		return Value{}, false, false
	}
	return Value{Kind: Number, Number: s.terms[0].number}, s.terms[0].times < 0, true
}

// Sum returns what an operation computes, if that is a sum of its operands.
func (v *Machine) Sum(fr *Frame, op *ir.Op) (Value, bool) {
	model, ok := interfaces.LinearValue.Of(op)
	if !ok {
		return Value{}, false
	}
	l, ok := model(op, interfaces.LinearTerm)
	out := sum{constant: l.Offset()}
	for x, times := range l.Terms() {
		s, number := v.sumOf(v.Get(fr, x))
		out, ok = out.plus(times, s), ok && number
	}
	x, negated, single := out.single()
	switch {
	case !ok:
		return Value{}, false
	case len(out.terms) == 0:
		return Constant(out.constant), true
	case single && !negated && out.constant == 0:
		return x, true
	}
	return v.SameFor(fmt.Sprint("sum ", out), func() Value {
		x := v.Fresh(Number)
		v.sums[x.Number] = out
		return x
	}), true
}

// SumAt returns the value of a sum, given those of its terms; false if one of them isn't known.
func (v *Machine) SumAt(x Value, at func(Value) (int64, bool)) (n int64, known, isSum bool) {
	if !v.isSum(x) {
		return 0, false, false
	}
	n, known = v.sums[x.Number].constant, true
	for _, m := range v.sums[x.Number].terms {
		k, ok := at(Value{Kind: Number, Number: m.number})
		n, known = n+m.times*k, known && ok
	}
	return n, known, true
}

// equalSums returns the condition that two integers are equal, none of which is a boolean or may be an address.
func (v *Machine) equalSums(x, y Value) Lit {
	s, _ := v.sumOf(x)
	t, _ := v.sumOf(y)
	s = s.plus(-1, t) // which is to be zero
	z, negated, single := s.single()
	switch {
	case len(s.terms) == 0:
		return LitOf(s.constant == 0)
	case single && negated:
		return v.Compare(Signed, Equal, z, Constant(s.constant))
	case single:
		return v.Compare(Signed, Equal, z, Constant(-s.constant))
	case s.terms[0].times < 0:
		s = sum{}.plus(-1, s)
	}
	if len(s.terms) == 2 && s.constant == 0 && s.terms[0].times == 1 && s.terms[1].times == -1 {
		return v.Compare(Signed, Equal, Value{Kind: Number, Number: s.terms[0].number}, Value{Kind: Number, Number: s.terms[1].number})
	}
	return v.SameFor(fmt.Sprint("zero ", s), func() Value { return TruthOf(v.learn(Signed, Equal, x, y)) }).Truth
}

// belowSum is below for a sum that can't wrap around, since it is a size less something, or something less a size; false for other numbers.
func (v *Machine) belowSum(x Value, n int64) (Lit, bool) {
	if !v.isSum(x) {
		return No, false
	}
	s := v.sums[x.Number]
	size, negated, ok := s.single()
	switch {
	case !ok || !v.IsSize(size) || s.constant > 0 && !negated || s.constant < 0 && negated:
		return No, false
	case !negated && n > math.MaxInt64+s.constant:
		return Yes, true
	case !negated:
		return v.below(Signed, size, n-s.constant, false), true
	case n < s.constant-math.MaxInt64:
		return No, true
	}
	return v.below(Signed, size, s.constant-n, true).Not(), true
}
