package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Outcomes is a set of the outcomes that the comparison of two numbers may have, of which it has just one.
type Outcomes uint8

// The outcomes. Unordered is that with what is no number.
const (
	Equal Outcomes = 1 << iota
	Greater
	Less
	Unordered

	ordered = Equal | Greater | Less
)

// exchanged returns the outcomes for operands in the other order.
func (some Outcomes) exchanged() Outcomes {
	if less := some&Less != 0; less != (some&Greater != 0) {
		some ^= Less | Greater
	}
	return some
}

// Order is how numbers are compared.
type Order uint8

// The orders: of integers, and of floating-point numbers.
const (
	Signed Order = iota
	Unsigned
	Floating
)

// Outcome returns that of the comparison of two known integers of one type.
func (o Order) Outcome(x, y int64) Outcomes {
	switch {
	case x == y:
		return Equal
	case (x < y) == (o == Signed || x < 0 == (y < 0)):
		return Less
	}
	return Greater
}

// Compare returns the condition that the comparison of two numbers of one type has one of some outcomes. Of integers, of which true is -1 as a
// signed boolean, one is the smaller one, just if they differ.
func (v *Machine) Compare(o Order, some Outcomes, x, y Value) Lit {
	if some&Unordered != 0 {
		return v.Compare(o, some^(ordered|Unordered), x, y).Not()
	}
	if c, ok := v.chosenAs(x); ok {
		return v.F.Choose(c.cond, v.Compare(o, some, c.then, y), v.Compare(o, some, c.els, y))
	}
	if c, ok := v.chosenAs(y); ok {
		return v.F.Choose(c.cond, v.Compare(o, some, x, c.then), v.Compare(o, some, x, c.els))
	}
	a, b := Identity(x), Identity(y)
	if x.Kind == Integer || a > b && y.Kind != Integer {
		x, y, some = y, x, some.exchanged()
	}
	has := func(outcome Outcomes) Lit { return LitOf(some&outcome != 0) }
	l := has(Equal)
	switch {
	case some == 0:
		return No
	case a == "" || b == "":
		return v.F.Variable()
	case x.Kind == Integer:
		return has(o.Outcome(x.Number, y.Number))
	case o != Floating && (v.IsSum(x) || v.IsSum(y)):
		less := has(Less)
		switch {
		case less == has(Greater):
		case y.Kind == Integer:
			less = v.F.Choose(v.below(o, x, y.Number, false), less, has(Greater))
		default:
			less = v.F.Choose(v.related(o, Less, x, y), less, has(Greater))
		}
		return v.F.Choose(v.equalSums(x, y), l, less)
	case y.Kind == Integer && x.Kind != Boolean:
		if l != has(Greater) {
			l = v.F.Choose(v.below(o, x, y.Number, true), l, has(Greater))
		}
		if has(Less) != has(Equal) {
			l = v.F.Choose(v.below(o, x, y.Number, false), has(Less), l)
		}
		return l
	case a != b && some != ordered:
		differs, less := v.related(o, Less|Greater, x, y), has(Less)
		if less != has(Greater) {
			less = v.F.Choose(v.related(o, Less, x, y), less, has(Greater))
		}
		l = v.F.Choose(differs, less, l)
	}
	if o == Floating {
		l = v.F.And(v.F.And(v.inOrder(x), v.inOrder(y)), l)
	}
	return l
}

// inOrder returns the condition that a floating-point number is one.
func (v *Machine) inOrder(x Value) Lit {
	if f := v.literals[x]; f != nil {
		n := f.Float64()
		return LitOf(n == n)
	}
	return v.related(Floating, Equal, x, x)
}

// related returns the condition that the comparison of two numbers has an outcome, given that they are in the order, and if they may not
// be equal that they aren't: a variable, unless they are booleans.
func (v *Machine) related(o Order, some Outcomes, x, y Value) Lit {
	switch booleans := x.Kind == Boolean && y.Kind == Boolean; {
	case some == Less|Greater && booleans:
		return v.F.Iff(x.Truth, y.Truth).Not()
	case booleans && o == Unsigned:
		return y.Truth
	case booleans:
		return x.Truth
	case some == Less|Greater && o == Unsigned:
		o = Signed
	}
	return v.SameFor(fmt.Sprint("compared ", o, some, Identity(x), Identity(y)), func() Value { return TruthOf(v.learn(o, some, x, y)) }).Truth
}

// learn returns a new variable that holds just if a comparison has one of some outcomes.
func (v *Machine) learn(o Order, some Outcomes, x, y Value) Lit {
	l := v.F.Variable()
	v.Compared(l, o, some, x, y)
	return l
}

// threshold is the condition that a number is less than a known one, as signed numbers. Of those of
// one number, each implies the greater ones.
type threshold struct {
	at    int64
	truth Lit
}

// Counter returns what a loop counts that begins with a number; again tells that there was an iteration before.
func (v *Machine) Counter(lower Value, again Lit) Value {
	i := v.Fresh(Number)
	if lower.Kind == Integer && lower.Number < math.MaxInt64 {
		v.thresholds[i] = []threshold{{lower.Number, No}, {lower.Number + 1, again.Not()}}
	}
	return i
}

// below returns the condition that an integer is less than n, or equal.
func (v *Machine) below(o Order, x Value, n int64, orEqual bool) Lit {
	switch {
	case o == Unsigned:
		l, negative := v.below(Signed, x, n, orEqual), v.below(Signed, x, 0, false)
		if n < 0 {
			return v.F.Or(negative.Not(), l)
		}
		return v.F.And(negative.Not(), l)
	case orEqual && n == math.MaxInt64:
		return Yes
	case orEqual:
		n++
	case n == math.MinInt64:
		return No
	}
	if l, ok := v.belowSum(x, n); ok {
		return l
	}
	all := v.thresholds[x]
	i, ok := slices.BinarySearchFunc(all, n, func(t threshold, n int64) int { return cmp.Compare(t.at, n) })
	if ok {
		return all[i].truth
	}
	l := v.learn(Signed, Less, x, Constant(n))
	if i > 0 {
		l = v.F.Or(l, all[i-1].truth)
	}
	if i < len(all) {
		l = v.F.And(l, all[i].truth)
	}
	v.thresholds[x] = slices.Insert(all, i, threshold{n, l})
	return l
}
