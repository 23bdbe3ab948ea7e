package shapes_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"freehold/ir"
	"freehold/ir/shapes"
)

// A slice leaves a shape where its first element does, or else where another one does: those are counted here.
func TestFindOverrun(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		rank := rnd.IntN(3)
		offsets, sizes, strides, shape := make([]int64, rank), make([]int64, rank), make([]int64, rank), make([]int64, rank)
		var want *shapes.Overrun
		for i := range rank {
			offsets[i], sizes[i], strides[i], shape[i] = rnd.Int64N(6), rnd.Int64N(5), rnd.Int64N(4), rnd.Int64N(7)
			for k := int64(0); want == nil && k < max(sizes[i], 1); k++ {
				if offsets[i]+k*strides[i] >= shape[i] {
					want = &shapes.Overrun{Dim: i, At: offsets[i] + (max(sizes[i], 1)-1)*strides[i], First: k == 0}
				}
			}
			if want != nil && want.First && want.Dim == i {
				want.At = offsets[i]
			}
		}
		got := shapes.FindOverrun(offsets, sizes, strides, shape)
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Fatalf("[%v, %v, %v] of %v: %+v, not %+v", offsets, sizes, strides, shape, got, want)
		}
	}
}

// What isn't known is no overrun, whatever the rest says.
func TestFindOverrunUnknown(t *testing.T) {
	one, far, unknown := []int64{1}, []int64{9}, []int64{ir.Dynamic}
	for _, x := range [][4][]int64{{unknown, far, one, one}, {one, unknown, one, far}, {one, far, unknown, far}, {far, far, one, unknown}} {
		if got := shapes.FindOverrun(x[0], x[1], x[2], x[3]); got != nil {
			t.Errorf("%v: %+v", x, got)
		}
	}
	if shapes.FindOverrun(far, unknown, unknown, one) == nil {
		t.Error("an offset that is outside is so whatever the size is")
	}
}

// The groups by which a shape can be collapsed to another one are found, and collapse it to that.
func TestGroupsForCollapse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 20_000 {
		shape := make([]int64, 2+rnd.IntN(4))
		var groups [][]int64
		for d := range shape {
			shape[d] = 1 + rnd.Int64N(4)
			if d == 0 || rnd.IntN(2) == 0 {
				groups = append(groups, nil)
			}
			groups[len(groups)-1] = append(groups[len(groups)-1], int64(d))
		}
		target := shapes.CollapsedShape(shape, groups)
		got, ok := shapes.GroupsForCollapse(shape, target)
		if ok != (len(target) < len(shape)) || ok && !slices.Equal(shapes.CollapsedShape(shape, got), target) {
			t.Fatalf("%v to %v: %v %v, which %v are", shape, target, got, ok, groups)
		}
		wrong := slices.Clone(target)
		wrong[rnd.IntN(len(wrong))]++
		if got, ok := shapes.GroupsForCollapse(shape, wrong); ok {
			t.Fatalf("%v to %v: %v, which have another number of elements", shape, wrong, got)
		}
	}
}

// Two reshapes one after the other do what their composition does.
func TestComposeReassociation(t *testing.T) {
	shape := []int64{2, 3, 4, 5, 6}
	first, second := [][]int64{{0, 1}, {2}, {3, 4}}, [][]int64{{0, 1}, {2}}
	both, ok := shapes.ComposeReassociation(first, second)
	if want := shapes.CollapsedShape(shapes.CollapsedShape(shape, first), second); !ok || !slices.Equal(shapes.CollapsedShape(shape, both), want) {
		t.Errorf("%v %v, which doesn't make %v", both, ok, want)
	}
	if other, ok := shapes.ComposeReassociation(second, first); !ok || !shapes.SameGroups(other, both) {
		t.Errorf("as expansions: %v %v", other, ok)
	}
	if groups, ok := shapes.ComposeReassociation(first, [][]int64{{0, 1}}); ok {
		t.Errorf("%v, where the second has fewer dimensions than the first has groups", groups)
	}
}

func TestRankReduction(t *testing.T) {
	for _, x := range []struct {
		shape, reduced []int64
		dropped        []bool
	}{
		{[]int64{1, 4, 1}, []int64{4}, []bool{true, false, true}},
		{[]int64{1, 1}, []int64{1}, []bool{false, true}}, // the first one that fits stays
		{[]int64{4}, nil, nil},
		{[]int64{1, ir.Dynamic}, []int64{ir.Dynamic}, []bool{true, false}},
		{[]int64{2, 3}, []int64{3, 2}, nil},
		{[]int64{3}, []int64{3, 1}, nil},
	} {
		got, ok := shapes.RankReduction(x.shape, x.reduced)
		if ok != (x.dropped != nil) || ok && !slices.Equal(got, x.dropped) {
			t.Errorf("%v to %v: %v %v", x.shape, x.reduced, got, ok)
		}
	}
}
