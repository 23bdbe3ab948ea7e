package difftest

import (
	"fmt"
	"slices"

	"freehold/exec/interp"
)

// droppedDifference compares the results of a function with those of one that doesn't return the results any more that are
// arguments, or earlier results: what is left are some of them, in order, and each of the others is what an argument, or one before it, is
// in the end. It returns "" if there is a way to see it like that. It takes time in the product of the numbers of results.
func droppedDifference(want, got *interp.Result, args []interp.Value, tol interp.Tolerance) string {
	same := func(v, w interp.Value) bool {
		if v.Tensor == nil && w.Tensor == nil && v.Type.String() != w.Type.String() {
			return false
		}
		return interp.Difference(v, w, tol) == ""
	}
	isArgument := func(v interp.Value) bool {
		for i, a := range args {
			if v.Tensor != nil && i < len(got.Buffers) && got.Buffers[i].Tensor != nil {
				a = got.Buffers[i]
			}
			if same(v, a) {
				return true
			}
		}
		return false
	}
	// fits[j] tells whether the results before i can be j that are left and arguments.
	fits := make([]bool, len(got.Values)+1)
	fits[0] = true
	for i, v := range want.Values {
		dropped, some := isArgument(v) || slices.ContainsFunc(want.Values[:i], func(w interp.Value) bool { return same(v, w) }), false
		for j := len(got.Values); j >= 0; j-- {
			fits[j] = fits[j] && dropped || j > 0 && fits[j-1] && same(v, got.Values[j-1])
			some = some || fits[j]
		}
		if !some {
			return fmt.Sprintf("result %d, %s, is neither returned nor an argument", i, v.Text())
		}
	}
	if !fits[len(got.Values)] {
		return "other results are returned than before"
	}
	return ""
}
