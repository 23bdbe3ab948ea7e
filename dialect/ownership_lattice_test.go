package dialect_test

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Join is the least upper bound of a lattice: uninitialized below all unique
// ownerships, and those below unknown.
func TestOwnershipJoin(t *testing.T) {
	elements := []interfaces.Ownership{{}, {State: interfaces.Unknown}}
	for range 3 {
		elements = append(elements, interfaces.UniqueOwnership(&ir.Value{}))
	}
	any := rapid.SampledFrom(elements)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := any.Draw(t, "a"), any.Draw(t, "b"), any.Draw(t, "c")
		j := a.Join(b)
		switch {
		case j != b.Join(a):
			t.Error("not commutative")
		case j.Join(c) != a.Join(b.Join(c)):
			t.Error("not associative")
		case a.Join(a) != a:
			t.Error("not idempotent")
		case a.Join(j) != j || b.Join(j) != j:
			t.Error("not an upper bound")
		case a.Join(interfaces.Ownership{}) != a:
			t.Error("uninitialized is not the least element")
		case a.State == interfaces.Unique && b.State == interfaces.Unique && a != b && j.State != interfaces.Unknown:
			t.Error("two owners, but not unknown")
		}
	})
}
