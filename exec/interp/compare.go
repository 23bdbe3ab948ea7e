package interp

import (
	"fmt"
	"math"
	"math/big"
	"reflect"

	"freehold/exec"
	"freehold/ir"
)

// Tolerance says how far floating-point numbers may be apart: |a-b| may be up to
// Absolute + Relative*max(|a|, |b|); what is infinite is close to itself only. The zero value demands equal numbers.
type Tolerance struct{ Absolute, Relative float64 }

func (t Tolerance) allows(a, b float64) bool {
	if a == b {
		// Zeros of different signs are different numbers, unless some are allowed.
		return a != 0 || math.Signbit(a) == math.Signbit(b) || t != Tolerance{}
	}
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return false
	}
	return math.Abs(a-b) <= t.Absolute+t.Relative*max(math.Abs(a), math.Abs(b))
}

// Difference tells how a value differs from the one it should be, or "". What
// should be undefined may be anything; all NaNs are the same; a tensor may be the
// contents of a memref.
func Difference(want, got Value, tol Tolerance) string {
	if (want.Tensor == nil) != (got.Tensor == nil) {
		return fmt.Sprintf("a value of type '%s' is one of type '%s'", want.Type, got.Type)
	}
	if want.Tensor == nil {
		if same(want.Type, numberOf(want), numberOf(got), tol) {
			return ""
		}
		return fmt.Sprintf("%s is %s", want.Text(), got.Text())
	}
	x, y := want.Tensor, got.Tensor
	// The types may be of different contexts.
	if x.Elem.Type.String() != y.Elem.Type.String() {
		return fmt.Sprintf("elements of type '%s' have type '%s'", x.Elem.Type, y.Elem.Type)
	}
	if want.Shape() != got.Shape() {
		return fmt.Sprintf("a value of size %s has size %s", want.Shape(), got.Shape())
	}
	for i := range x.Elements() {
		v, ok := x.Element(i)
		if !ok {
			continue
		}
		w, ok := y.Element(i)
		if ok && same(x.Elem.Type, v, w, tol) {
			continue
		}
		return fmt.Sprintf("element %s, %s, is %s", position(x.Sizes, i), ElementText(x, i), ElementText(y, i))
	}
	return ""
}

// position returns the indices of element i in row-major order as "[1, 2]".
func position(sizes []int64, i int64) string {
	idx := make([]int64, len(sizes))
	for d := len(sizes) - 1; d >= 0; d-- {
		idx[d] = i % sizes[d]
		i /= sizes[d]
	}
	text := "["
	for d, x := range idx {
		if d > 0 {
			text += ", "
		}
		text += fmt.Sprint(x)
	}
	return text + "]"
}

// numberOf returns the word (uint64) or object of a value that is not shaped.
func numberOf(v Value) any {
	if v.Object != nil {
		return v.Object
	}
	return v.Word
}

func same(t ir.Type, a, b any, tol Tolerance) bool {
	switch t := t.(type) {
	case *ir.FloatType:
		if a == b {
			return true
		}
		x, y := exec.Float64(t, a), exec.Float64(t, b)
		if x != x || y != y {
			return x != x && y != y
		}
		// Numbers of more than 64 bits may differ where these are equal.
		return tol.allows(x, y) && (t.Width <= 64 || tol != Tolerance{})
	case *ir.ComplexType:
		x := a.(exec.Complex)
		y, ok := b.(exec.Complex)
		return ok && same(t.Elem, x.Re, y.Re, tol) && same(t.Elem, x.Im, y.Im, tol)
	}
	switch x := a.(type) {
	case *big.Int:
		// Zero has more than one representation.
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case *exec.Tensor:
		return Difference(Value{Type: t, Tensor: x}, Value{Type: t, Tensor: b.(*exec.Tensor)}, tol) == ""
	case *exec.Function:
		f, _ := ir.SymbolName(x.Op)
		y, ok := b.(*exec.Function)
		if !ok {
			return false
		}
		g, _ := ir.SymbolName(y.Op)
		return f == g
	}
	return reflect.DeepEqual(a, b)
}

// EffectDifference tells how the effects of a program differ from what they should
// be, or "", and where.
func EffectDifference(want, got []Effect, tol Tolerance) (string, ir.Location) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("effect %d, %s, is missing", i, want[i]), want[i].Loc
		case i >= len(want):
			return fmt.Sprintf("effect %d, %s, is new", i, got[i]), got[i].Loc
		}
		a, b := want[i], got[i]
		if a.Name != b.Name || a.Name == "" && a.Text != b.Text || len(a.Args) != len(b.Args) {
			return fmt.Sprintf("effect %d, %s, is %s", i, a, b), b.Loc
		}
		for k := range a.Args {
			if d := Difference(a.Args[k], b.Args[k], tol); d != "" {
				return fmt.Sprintf("effect %d, %s: of argument %d, %s", i, a, k, d), b.Loc
			}
		}
	}
	return "", nil
}

func (e Effect) String() string {
	if e.Name == "" {
		return fmt.Sprintf("the output %q", e.Text)
	}
	return "the call of " + e.Name
}
