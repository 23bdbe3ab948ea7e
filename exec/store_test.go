package exec

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
)

// TestStoreKnowsWhatWasWritten compares a store's knowledge with a list of flags.
func TestStoreKnowsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 200).Draw(t, "bytes")
		s := NewStore(ElemOf(ir.I8), n, rapid.Bool().Draw(t, "zeroed"))
		known := make([]bool, n)
		for i := range known {
			known[i] = s.Initialized()
		}
		for range rapid.IntRange(0, 60).Draw(t, "accesses") {
			size := rapid.SampledFrom([]int64{1, 2, 4, 8}).Draw(t, "size")
			p := rapid.Int64Range(0, n-1).Draw(t, "at") / size * size
			if !s.inside(p, size) {
				continue
			}
			written := rapid.Bool().Draw(t, "written")
			if written {
				s.wrote(p, size)
			} else {
				s.forget(p, size)
			}
			for i := range size {
				known[p+i] = written
			}
		}
		all := true
		for i, k := range known {
			all = all && k
			if s.has(int64(i), 1) != k {
				t.Fatalf("byte %d: got %v, not %v", i, !k, k)
			}
		}
		if all != s.Initialized() {
			t.Fatalf("initialized is %v, not %v", s.Initialized(), all)
		}
	})
}

// TestCopyView compares a copy between strided views with a plain loop.
func TestCopyView(t *testing.T) {
	e := ElemOf(ir.I32)
	rapid.Check(t, func(t *rapid.T) {
		rank := rapid.IntRange(0, 3).Draw(t, "rank")
		sizes := make([]int64, rank)
		for i := range sizes {
			sizes[i] = rapid.Int64Range(0, 4).Draw(t, "size")
		}
		view := func() View {
			v := View{Elem: e, Sizes: sizes, Strides: make([]int64, rank)}
			n := int64(1)
			for _, d := range rapid.Permutation(indices(rank)).Draw(t, "order") {
				v.Strides[d] = n * rapid.Int64Range(1, 2).Draw(t, "gap")
				n = v.Strides[d] * max(sizes[d], 1)
			}
			v.Start = 4 * rapid.Int64Range(0, 3).Draw(t, "start")
			v.Store = NewStore(e, n+4, rapid.Bool().Draw(t, "zeroed"))
			for i := range n + 4 {
				if rapid.Bool().Draw(t, "written") {
					v.Store.store(4*i, 4, uint64(rapid.Uint32().Draw(t, "value")))
					v.Store.wrote(4*i, 4)
				}
			}
			return v
		}
		dst, src := view(), view()
		type cell struct {
			word uint64
			ok   bool
		}
		var want []cell
		src.each(func(p int64) { want = append(want, cell{src.Store.load(p, 4), src.Store.has(p, 4)}) })
		if err := CopyView(&ir.Op{}, dst, src); err != nil {
			t.Fatal(err)
		}
		i := 0
		dst.each(func(p int64) {
			got := cell{dst.Store.load(p, 4), dst.Store.has(p, 4)}
			if got.ok != want[i].ok || got.ok && got.word != want[i].word {
				t.Fatalf("element %d: got %v, not %v", i, got, want[i])
			}
			i++
		})
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
