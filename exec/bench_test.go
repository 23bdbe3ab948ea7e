package exec

import (
	"testing"

	"freehold/ir"
)

// BenchmarkAccess compares reading and writing elements of a buffer with and
// without checks, as steps of a loop nest would do it.
func BenchmarkAccess(b *testing.B) {
	const n = 256
	e := ElemOf(ir.F32)
	m := &MemRef{Elem: e, Sizes: []int64{n, n}, Strides: []int64{n, 1}, Alloc: &Alloc{Store: NewStore(e, n*n, true)}}
	f := &Frame{W: make([]uint64, 3), O: []any{m}, P: make([]bool, 3), M: NewMachine()}
	none := func(*Frame) error { panic("the fast step is not taken") }
	sum := func(f *Frame) error {
		f.W[2] = wordOf32(wordTo32(f.W[2]) + 1)
		return nil
	}
	run := func(b *testing.B, steps ...Step) {
		for b.Loop() {
			for i := range uint64(n) {
				for j := range uint64(n) {
					f.W[0], f.W[1] = i, j
					for _, s := range steps {
						if err := s(f); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*n), "ns/element")
	}
	b.Run("checked", func(b *testing.B) {
		run(b, fastLoad(0, 2, []int{0, 1}, 4, none), sum, fastStore(0, 2, []int{0, 1}, 4, none))
	})
	at := func(f *Frame) (*Store, int64) {
		m := f.O[0].(*MemRef)
		return m.Alloc.Store, (m.Offset+int64(f.W[0])*m.Strides[0]+int64(f.W[1])*m.Strides[1])*4 + m.Shift
	}
	b.Run("unchecked", func(b *testing.B) {
		run(b, func(f *Frame) error {
			s, p := at(f)
			f.W[2] = uint64(*(*uint32)(s.pointer(p)))
			return nil
		}, sum, func(f *Frame) error {
			s, p := at(f)
			*(*uint32)(s.pointer(p)) = uint32(f.W[2])
			return nil
		})
	})
}
