package difftest

import (
	"testing"

	"freehold/exec/interp"
	"freehold/ir"
)

func TestDroppedDifference(t *testing.T) {
	values := func(ns ...uint64) *interp.Result {
		r := &interp.Result{}
		for _, n := range ns {
			r.Values = append(r.Values, interp.Value{Type: ir.I64, Word: n})
		}
		return r
	}
	for _, test := range []struct {
		name            string
		want, got, args []uint64
		same            bool
	}{
		{"all are arguments", []uint64{1, 2}, nil, []uint64{2, 1}, true},
		{"the second is left", []uint64{1, 7}, []uint64{7}, []uint64{1}, true},
		{"the first is left, although it is an argument's value", []uint64{1, 2}, []uint64{1}, []uint64{1, 2}, true},
		{"the last is the first", []uint64{7, 8, 7}, []uint64{7, 8}, nil, true},
		{"neither returned nor an argument", []uint64{1, 7}, []uint64{1}, []uint64{1}, false},
		{"out of order", []uint64{7, 8, 1}, []uint64{8, 7}, []uint64{1}, false},
		{"another is returned", []uint64{1, 2}, []uint64{3}, []uint64{1, 2}, false},
	} {
		d := droppedDifference(values(test.want...), values(test.got...), values(test.args...).Values, interp.Tolerance{})
		if (d == "") != test.same {
			t.Errorf("%s: %q", test.name, d)
		}
	}
}
