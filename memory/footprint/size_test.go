package footprint_test

import (
	"fmt"
	"math"
	"testing"

	"freehold/driver"
	"freehold/memory/footprint"
)

func TestSizes(t *testing.T) {
	bytes := func(n int64) footprint.Size { return footprint.Size{Bytes: n} }
	n := footprint.Size{Bytes: 4, Terms: []footprint.Term{{Bytes: 8, Sizes: []string{"n"}}}}
	m := footprint.Size{Bytes: 16, Terms: []footprint.Term{{Bytes: 2, Sizes: []string{"m", "n"}}, {Bytes: 1, Sizes: []string{"n"}}}}
	for _, x := range []struct {
		got  footprint.Size
		want string
	}{
		{bytes(0), "0 B"},
		{bytes(1023), "1023 B"},
		{bytes(1536), "1.5 KiB"},
		{bytes(1<<20 - 1), "1.0 MiB"},
		{bytes(math.MaxInt64).Plus(bytes(7)), "8 EiB or more"},
		{n.Plus(m), "2*m*n + 9*n + 20 B"},
		{n.Max(m), "2*m*n + 8*n + 16 B"},
	} {
		if got := x.got.String(); got != x.want {
			t.Errorf("%q, not %q", got, x.want)
		}
	}
	if n.AtLeast(m) || m.AtLeast(n) || !n.Max(m).AtLeast(n) || !n.AtLeast(bytes(4)) || n.AtLeast(bytes(5)) {
		t.Error("sizes are compared wrong")
	}
}

// The size of a buffer is the product of those of its dimensions, of which some may be unknown, one none, and all together too large.
func TestSizesOfBuffers(t *testing.T) {
	for alloc, want := range map[string]string{
		"memref.alloc(%n) : memref<?x0xi8>":                                   "0 B",
		"memref.alloc(%n) : memref<?xi8>":                                     "arg0",
		"memref.alloc(%n, %m) : memref<?x?xi8>":                               "arg0*arg1",
		"memref.alloc(%n, %m) : memref<?x3x?xi16>":                            "6*arg0*arg1",
		"memref.alloc(%n) : memref<9223372036854775807x?x2xi8>":               "9223372036854775807*arg0",
		"memref.alloc() : memref<9223372036854775807x2xi8>":                   "8 EiB or more",
		"memref.alloc() : memref<4x4xf32, strided<[8, 1], offset: 2>>":        "120 B",
		"memref.alloc() : memref<4611686018427387904x2xf32, strided<[9, 1]>>": "8 EiB or more",
	} {
		p, err := driver.Freehold().NewSession().Parse(fmt.Appendf(nil, "func.func @f(%%n: index, %%m: index) {\n  %%a = %s\n  return\n}", alloc), "f.mlir")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range footprint.Analyze(p.Module).Functions {
			if got := f.Peak().String(); got != want {
				t.Errorf("%s: %q, not %q", alloc, got, want)
			}
		}
	}
}
