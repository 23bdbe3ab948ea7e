package ir

import (
	"slices"
	"testing"
)

func TestSparseElements(t *testing.T) {
	c := NewContext()
	i64 := func(v ...int64) []byte {
		var b []byte
		for _, x := range v {
			b = AppendElement(b, c.I64Attr(x))
		}
		return b
	}
	matrix := c.RankedTensor([]int64{2, 3}, I64)
	// The first of two values for a position counts.
	indices := c.DenseElements(c.RankedTensor([]int64{3, 2}, I64), i64(1, 2, 0, 1, 1, 2))
	a := c.SparseElements(matrix, indices, c.DenseElements(c.RankedTensor([]int64{3}, I64), i64(7, 8, 9)))
	want := []int64{0, 8, 0, 0, 0, 7}
	dense := a.Dense(c, 6)
	if dense == nil {
		t.Fatal("six elements are not more than six")
	}
	var elems, all []int64
	for i := range int64(6) {
		elems = append(elems, a.Elem(c, i).(*IntegerAttr).Value)
		all = append(all, dense.Elem(c, i).(*IntegerAttr).Value)
	}
	if !slices.Equal(elems, want) || !slices.Equal(all, want) {
		t.Errorf("got elements %d and %d, want %d", elems, all, want)
	}
	if a.Dense(c, 5) != nil {
		t.Error("six elements are more than five")
	}
	strings := c.SparseElements(c.RankedTensor([]int64{2, 3}, c.OpaqueTypeOf("foo", "s")), indices,
		c.DenseStringElements(c.RankedTensor([]int64{3}, c.OpaqueTypeOf("foo", "s")), []string{"a", "b", "c"}))
	if strings.Elem(c, 1) != nil || strings.Dense(c, 6) != nil {
		t.Error("strings are no numbers")
	}
}
