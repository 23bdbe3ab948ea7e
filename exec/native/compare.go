package native

import (
	"fmt"
	"math"

	"freehold/exec/interp"
	"freehold/internal/lazyregexp"
	"freehold/ir"
)

// ULPs is how many units in the last place results may be off where functions of the C library are called that are not exact, see [Result.Inexact].
const ULPs = 4

// Difference tells what of a native execution differs from one in checked memory, and how: results, buffers among the arguments, of a second call
// too if there was one, and what was printed. The second result is "" if nothing does. Undefined elements may be anything, and so may the addresses of
// buffers and the contents of arenas.
func Difference(want *interp.Result, got *Result) (what, difference string) {
	if what, difference = differs(want, got); difference != "" {
		return what, difference
	}
	output := want.Output()
	if want.Again != nil && got.Again != nil && want.Again.Stopped() == nil {
		output += want.Again.Output()
		if what, difference = differs(want.Again, got.Again); difference != "" {
			return what + " of a second call", difference
		}
	} else if got.Again != nil {
		return "", ""
	}
	if without(output) != without(got.Output) && !got.Inexact {
		return "what is printed", fmt.Sprintf("%q is %q", output, got.Output)
	}
	return "", ""
}

// Exact tells whether a native execution gave the very bits of one in checked memory, from which [Difference] found no difference.
func Exact(want *interp.Result, got *Result) bool {
	exact := *got
	exact.Inexact = false
	if got.Again != nil {
		again := *got.Again
		again.Inexact = false
		exact.Again = &again
	}
	_, d := Difference(want, &exact)
	return d == ""
}

// differs compares the values of one call.
func differs(want *interp.Result, got *Result) (what, difference string) {
	for _, list := range []struct {
		what      string
		want, got []interp.Value
		skip      []bool
	}{{"result", want.Values, got.Values, nil}, {"the buffer of argument", want.Buffers, got.Buffers, got.arenas}} {
		for i, w := range list.want {
			if i < len(list.skip) && list.skip[i] || i >= len(list.got) || w.Type == nil || (w.Tensor == nil) != (list.got[i].Tensor == nil) {
				continue
			}
			tolerance := interp.Tolerance{}
			if got.Inexact {
				tolerance = toleranceOf(w.Type)
			}
			if d := interp.Difference(w, list.got[i], tolerance); d != "" {
				return fmt.Sprintf("%s %d", list.what, i), d
			}
		}
	}
	return "", ""
}

// without returns what a program printed, without the addresses of buffers.
func without(text string) string { return address().ReplaceAllString(text, "base@ =") }

var address = lazyregexp.New(`base@ = 0x[0-9a-f]+`)

// toleranceOf allows numbers of a type to be some units in the last place off.
func toleranceOf(t ir.Type) interp.Tolerance {
	elem := ir.ElementType(t)
	if c, ok := elem.(*ir.ComplexType); ok {
		elem = c.Elem
	}
	f, ok := elem.(*ir.FloatType)
	if !ok {
		return interp.Tolerance{}
	}
	unit := math.Ldexp(1, -f.Format.MantBits)
	return interp.Tolerance{Relative: ULPs * unit, Absolute: ULPs * unit * math.Ldexp(1, 1-f.Format.Bias)}
}
