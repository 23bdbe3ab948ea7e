package footprint

import (
	"math"
	"testing"
)

func TestSizes(t *testing.T) {
	n := Size{Bytes: 4, Terms: []Term{{8, []string{"n"}}}}
	m := Size{Bytes: 16, Terms: []Term{{2, []string{"m", "n"}}, {1, []string{"n"}}}}
	for _, x := range []struct {
		got  Size
		want string
	}{
		{bytes(0), "0 B"},
		{bytes(1023), "1023 B"},
		{bytes(1536), "1.5 KiB"},
		{bytes(1<<20 - 1), "1.0 MiB"},
		{bytes(math.MaxInt64).Plus(bytes(7)), "8 EiB or more"},
		{n.Plus(m), "2*m*n + 9*n + 20 B"},
		{n.max(m), "2*m*n + 8*n + 16 B"},
		{product([]factor{{number: 0}, {name: "n"}}), "0 B"},
		{product([]factor{{number: math.MaxInt64}, {number: 2}}), "8 EiB or more"},
		{product([]factor{{number: 1}, {name: "n"}, {name: "m"}}), "m*n"},
	} {
		if got := x.got.String(); got != x.want {
			t.Errorf("%q, not %q", got, x.want)
		}
	}
	if n.AtLeast(m) || m.AtLeast(n) || !n.max(m).AtLeast(n) || !n.AtLeast(bytes(4)) || n.AtLeast(bytes(5)) {
		t.Error("sizes are compared wrong")
	}
}
