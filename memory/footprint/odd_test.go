package footprint_test

import (
	"os"
	"testing"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/check"
)

// Programs by hand: the peak is what the worst execution needs, or above it where a path is taken for possible that isn't.
func TestOddPrograms(t *testing.T) {
	src, err := os.ReadFile("testdata/odd.mlir")
	if err != nil {
		t.Fatal(err)
	}
	m := parse(t, string(src))
	p := check.Footprint(m, 1)
	for fn := range m.BodyBlock(0).Ops() {
		name, _ := ir.SymbolName(fn)
		if f, ok := interfaces.Function.Of(fn); !ok || len(f.Type(fn).Inputs) != 3 {
			continue
		}
		f := p.Of(fn)
		need := most(t, m, fn)
		number := func(name string) int64 {
			if a, ok := fn.Attr(name).(*ir.IntegerAttr); ok {
				return a.Value
			}
			return 0
		}
		exact, atMost := number("exact"), number("most")
		switch peak := f.Peak(); {
		case !peak.IsStatic() || f.Unknown:
			t.Errorf("@%s: the peak is %v", name, peak)
		case peak.Bytes != max(exact, atMost) || peak.Bytes < need || atMost == 0 && need != exact:
			t.Errorf("@%s: the peak is %v, and an execution needs %d", name, peak, need)
		}
	}
}
