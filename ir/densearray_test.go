package ir

import "testing"

func TestPrefixSum(t *testing.T) {
	c := testContext()
	for _, a := range []*DenseArrayAttr{c.DenseI32Array(3, 0, -1, 5), c.DenseI64Array(3, 0, -1, 5)} {
		for range 2 { // the second time from what the first one kept
			for i, want := range []int64{0, 3, 3, 2, 7} {
				if got := a.PrefixSum(i); got != want {
					t.Errorf("%v: PrefixSum(%d) = %d, want %d", a, i, got, want)
				}
			}
		}
	}
	if got := c.DenseI32Array().PrefixSum(0); got != 0 {
		t.Errorf("sum of nothing is %d", got)
	}
}
