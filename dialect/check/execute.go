package check

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"freehold/exec"
	"freehold/ir"
)

// Defaults of the attributes.
const (
	defaultTolerance = 0.0001
	defaultULPs      = 3
)

// execute is how a comparison executes.
func execute(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	t := ir.ElementType(ComparisonOp{op}.Actual().Type())
	differs, err := differenceOf(op, t)
	if err != nil {
		return nil, err
	}
	a, b := c.Object(ComparisonOp{op}.Actual()), c.Object(ComparisonOp{op}.Expected())
	return func(f *exec.Frame) error {
		x, y := f.O[a], f.O[b]
		sizes, others := sizesOf(x), sizesOf(y)
		if fmt.Sprint(sizes) != fmt.Sprint(others) {
			return exec.Findf(exec.Assertion, op, "%s: the sizes %v differ from the expected %v", op.Name(), sizes, others)
		}
		return exec.Each(sizes, func(i int64, idx []int64) error {
			p, err := elementAt(op, x, i, idx)
			if err != nil {
				return err
			}
			q, err := elementAt(op, y, i, idx)
			if err != nil {
				return err
			}
			if p == exec.PoisonValue || q == exec.PoisonValue {
				return exec.Findf(exec.Assertion, op, "%s: element %v is undefined", op.Name(), idx)
			}
			if why := differs(p, q); why != "" {
				return exec.Findf(exec.Assertion, op, "%s: element %v is %s, but %s is expected%s", op.Name(), idx, text(t, p), text(t, q), why[1:])
			}
			return nil
		})
	}, nil
}

func sizesOf(v any) []int64 {
	switch v := v.(type) {
	case *exec.Tensor:
		return v.Sizes
	case *exec.MemRef:
		return v.Sizes
	}
	return nil
}

func elementAt(op *ir.Op, v any, i int64, idx []int64) (any, error) {
	if t, ok := v.(*exec.Tensor); ok {
		return t.At(i), nil
	}
	m := v.(*exec.MemRef)
	if err := m.Access(op); err != nil {
		return nil, err
	}
	return m.At(op, idx)
}

// differenceOf returns what tells, of two elements of a type, how they differ more than they may: "" if they don't, else a
// dot and what there is to say about it.
func differenceOf(op *ir.Op, t ir.Type) (func(a, b any) string, error) {
	switch t := t.(type) {
	case *ir.ComplexType:
		part, err := differenceOf(op, t.Elem)
		if err != nil {
			return nil, err
		}
		return func(a, b any) string {
			x, y := a.(exec.Complex), b.(exec.Complex)
			if why := part(x.Re, y.Re); why != "" {
				return why
			}
			return part(x.Im, y.Im)
		}, nil
	case *ir.FloatType:
		return floatDifference(op, t), nil
	case *ir.IntegerType, *ir.IndexType:
		return func(a, b any) string {
			if text(t, a) == text(t, b) {
				return ""
			}
			return "."
		}, nil
	}
	return nil, exec.Unsupported(op, "its elements can't be compared")
}

func floatDifference(op *ir.Op, t *ir.FloatType) func(a, b any) string {
	number := func(v any) float64 { return exec.Float64(t, v) }
	same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	switch op.ID() {
	case ExpectAlmostEq:
		limit := ComparisonOp{op}.Tolerance()
		return func(a, b any) string {
			x, y := number(a), number(b)
			// Large numbers of the type may be further apart than the tolerance.
			if same(x, y) || math.Abs(x-y) <= limit || between(t, x, y) <= defaultULPs {
				return ""
			}
			return fmt.Sprintf(". at a distance of at most %g", limit)
		}
	case ExpectClose:
		least, most := ComparisonOp{op}.Steps()
		return func(a, b any) string {
			d := between(t, number(a), number(b))
			if d >= uint64(least) && d <= uint64(most) {
				return ""
			}
			return fmt.Sprintf(".: %d numbers apart, not %d to %d", d, least, most)
		}
	}
	return func(a, b any) string {
		if same(number(a), number(b)) {
			return ""
		}
		return "."
	}
}

// between returns how many steps it is from one number of a type to another one: none between two NaN or zeros, and as many as can be
// counted from or to a single NaN.
func between(t *ir.FloatType, x, y float64) uint64 {
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x) || math.IsNaN(y):
		return math.MaxUint64
	}
	place := func(x float64) int64 {
		w := exec.FloatWord(t, math.Abs(x))
		if math.Signbit(x) {
			return -int64(w)
		}
		return int64(w)
	}
	p, q := place(x), place(y)
	if p > q {
		return uint64(p) - uint64(q)
	}
	return uint64(q) - uint64(p)
}

// text is an element as a reader knows it.
func text(t ir.Type, v any) string {
	switch t := t.(type) {
	case *ir.ComplexType:
		z := v.(exec.Complex)
		return "(" + text(t.Elem, z.Re) + "," + text(t.Elem, z.Im) + ")"
	case *ir.FloatType:
		return strconv.FormatFloat(exec.Float64(t, v), 'g', -1, max(32, min(t.Width, 64)))
	}
	switch v := v.(type) {
	case uint64:
		if w := exec.Width(t); w > 1 {
			return exec.FormatInt(exec.SignExtend(v, w))
		}
		return fmt.Sprint(v)
	case *big.Int:
		return exec.Signed(v, exec.Width(t)).String()
	}
	return fmt.Sprint(v)
}
