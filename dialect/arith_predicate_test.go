package dialect_test

import (
	"math"
	"testing"

	"freehold/dialect/arith"
	"freehold/ir"
)

// Each keyword of a floating-point predicate says for which outcomes it holds.
func TestFloatPredicates(t *testing.T) {
	nan := math.NaN()
	outcomes := []struct {
		x, y float64
		name string
	}{{1, 1, "eq"}, {2, 1, "gt"}, {1, 2, "lt"}, {1, nan, "un"}, {nan, nan, "un"}}
	base := map[string]map[string]bool{
		"eq": {"eq": true}, "gt": {"gt": true}, "ge": {"gt": true, "eq": true},
		"lt": {"lt": true}, "le": {"lt": true, "eq": true}, "ne": {"lt": true, "gt": true},
	}
	for _, c := range arith.CmpFPredicate.Cases {
		for _, o := range outcomes {
			var want bool
			switch c.Keyword {
			case "true":
				want = true
			case "false":
			case "ord":
				want = o.name != "un"
			case "uno":
				want = o.name == "un"
			default:
				want = base[c.Keyword[1:]][o.name] || c.Keyword[0] == 'u' && o.name == "un"
			}
			if got := arith.FloatPredicate(c.Value).Holds(o.x, o.y); got != want {
				t.Errorf("%s(%v, %v) = %v, want %v", c.Keyword, o.x, o.y, got, want)
			}
		}
	}
}

func TestIntPredicates(t *testing.T) {
	c := ir.NewContext()
	a, b := c.IntegerAttr(ir.I8, -1), c.IntegerAttr(ir.I8, 1)
	want := map[string]bool{"ne": true, "slt": true, "sle": true, "ugt": true, "uge": true}
	for _, k := range arith.CmpIPredicate.Cases {
		p := arith.IntPredicate(k.Value)
		if got := p.Holds(a, b); got != want[k.Keyword] {
			t.Errorf("%s(-1, 1) = %v", k.Keyword, got)
		}
		if got := p.Holds(a, a); got != p.HoldsForEqual() {
			t.Errorf("%s(-1, -1) = %v", k.Keyword, got)
		}
	}
}
