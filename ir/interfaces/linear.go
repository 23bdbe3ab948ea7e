package interfaces

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// Linear is a number: a constant plus multiples of values.
type Linear struct {
	terms    map[*ir.Value]int64 // without zeros
	constant int64
}

// LinearValue is implemented by operations whose only result is a linear function
// of other values; of gives what is known about an operand. The model returns
// false if the result of this operation is not linear.
var LinearValue = ir.NewInterface[func(op *ir.Op, of func(v *ir.Value) Linear) (Linear, bool)]("ValueBoundsOpInterface")

// linearDepth bounds how many operations are looked through, since values that are
// used often would be visited again and again.
const linearDepth = 16

// LinearOf returns a size, offset or stride in terms of constants and values that are
// not linear functions of others.
func LinearOf(r shapes.OpFoldResult) Linear {
	if r.Value == nil {
		return Linear{constant: r.Const}
	}
	return linearOf(r.Value, linearDepth)
}

func linearOf(v *ir.Value, depth int) Linear {
	if n, ok := ir.ConstantInt(v); ok {
		return Linear{constant: n}
	}
	if op := v.DefiningOp(); op != nil && depth > 0 {
		if model, ok := LinearValue.Of(op); ok {
			if l, ok := model(op, func(w *ir.Value) Linear { return linearOf(w, depth-1) }); ok {
				return l
			}
		}
	}
	return LinearTerm(v)
}

// LinearConst returns the constant n.
func LinearConst(n int64) Linear { return Linear{constant: n} }

// LinearTerm returns the number that a value is.
func LinearTerm(v *ir.Value) Linear { return Linear{terms: map[*ir.Value]int64{v: 1}} }

// Terms returns how often each value is in the sum, without zeros, and Offset the constant.
func (l Linear) Terms() map[*ir.Value]int64 { return l.terms }

// Offset returns the constant of the sum; see [Linear.Terms].
func (l Linear) Offset() int64 { return l.constant }

// Plus returns the sum.
func (l Linear) Plus(m Linear) Linear { return l.plus(m, 1) }

// Minus returns the difference.
func (l Linear) Minus(m Linear) Linear { return l.plus(m, -1) }

func (l Linear) plus(m Linear, k int64) Linear {
	out := Linear{map[*ir.Value]int64{}, l.constant + k*m.constant}
	for v, n := range l.terms {
		out.terms[v] = n
	}
	for v, n := range m.terms {
		if out.terms[v] += k * n; out.terms[v] == 0 {
			delete(out.terms, v)
		}
	}
	return out
}

// Times returns the product with a constant.
func (l Linear) Times(k int64) Linear { return Linear{}.plus(l, k) }

// Constant returns the number if it depends on no value.
func (l Linear) Constant() (int64, bool) { return l.constant, len(l.terms) == 0 }

// Product returns the product if one of the factors is constant.
func (l Linear) Product(m Linear) (Linear, bool) {
	if k, ok := m.Constant(); ok {
		return l.Times(k), true
	}
	k, ok := l.Constant()
	return m.Times(k), ok
}

// AlwaysEqual tells whether two sizes, offsets or strides are known to be equal.
func AlwaysEqual(a, b shapes.OpFoldResult) bool {
	if a.Same(b) {
		return true
	}
	n, ok := LinearOf(a).Minus(LinearOf(b)).Constant()
	return ok && n == 0
}

// CounterLimits is implemented by loops: the model returns the lowest and the highest value of an argument of the body that counts, if
// these are known.
var CounterLimits = ir.NewInterface[func(op *ir.Op, arg *ir.Value) (lowest, highest int64, ok bool)]("CounterLimits")

// mostLimit bounds the numbers for which limits are computed, so that sums and products don't overflow.
const mostLimit = 1 << 31

// Limits returns numbers that the number never falls below and never exceeds, if they are known.
func (l Linear) Limits() (lowest, highest int64, ok bool) {
	lowest, highest = l.constant, l.constant
	if l.constant < -mostLimit || l.constant > mostLimit {
		return 0, 0, false
	}
	for v, n := range l.terms {
		loop := v.ParentBlock().ParentOp()
		if v.DefiningOp() != nil || loop == nil {
			return 0, 0, false
		}
		m, ok := CounterLimits.Of(loop)
		if !ok {
			return 0, 0, false
		}
		from, to, ok := m(loop, v)
		if !ok || min(from, -to, n, -n) < -mostLimit || max(from, to) > mostLimit {
			return 0, 0, false
		}
		if n < 0 {
			from, to = to, from
		}
		lowest, highest = lowest+n*from, highest+n*to
		if lowest < -mostLimit*mostLimit/2 || highest > mostLimit*mostLimit/2 {
			return 0, 0, false
		}
	}
	return lowest, highest, true
}
