package ir

import (
	"testing"
	"unsafe"
)

// A program is mostly operations, uses and values: what one of them takes is what a
// million of them take a million times. Make them larger only for a reason.
func TestSizes(t *testing.T) {
	for _, s := range []struct {
		what      string
		size, max uintptr
	}{
		{"Op", unsafe.Sizeof(Op{}), 96},
		{"Value", unsafe.Sizeof(Value{}), 48},
		{"Use", unsafe.Sizeof(Use{}), 40},
	} {
		if s.size > s.max && unsafe.Sizeof(uintptr(0)) == 8 {
			t.Errorf("%s has %d bytes, at most %d are wanted", s.what, s.size, s.max)
		}
	}
}
