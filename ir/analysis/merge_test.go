package analysis_test

import (
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

// What an allocation flows into is known by the name that takes its place, whatever was asked before.
func TestMerge(t *testing.T) {
	m, _ := load(t, `func.func @f(%c: i1) {
		%a = memref.alloc() : memref<2xi8>
		%b = memref.alloc() : memref<2xi8>
		%d = memref.alloc() : memref<2xi8>
		cf.cond_br %c, ^x(%b : memref<2xi8>), ^x(%d : memref<2xi8>)
	^x(%m: memref<2xi8>):
		%p = memref.extract_aligned_pointer_as_index %b : memref<2xi8> -> index
		"t.unknown"(%b) : (memref<2xi8>) -> ()
		return
	}`)
	v := valuesOf(t, m, "a", "b", "d")
	fn := v["a"].DefiningOp().Parent()
	v["m"] = fn.RegionAt(0).Entry().Next().Arg(0)
	b := analysis.NewBuffers(fn, analysis.BufferOptions{})
	alias := func(x, y string, want analysis.Alias) {
		t.Helper()
		if got := b.Query(v[x], v[y]); got != want {
			t.Errorf("%s and %s: %v, not %v", x, y, got, want)
		}
	}
	alias("a", "m", analysis.NeverAlias)
	alias("b", "m", analysis.MayAlias)
	if b.HasAddress(v["a"]) || !b.HasAddress(v["m"]) || b.Escapes(v["a"]) != 0 || !b.IsLocal(v["a"]) {
		t.Error("nothing is done with the first allocation yet")
	}
	b.Merge(v["b"], v["a"])
	alias("a", "m", analysis.MayAlias)
	alias("a", "b", analysis.MustAlias)
	alias("a", "d", analysis.NeverAlias)
	if !b.HasAddress(v["a"]) || !b.Escapes(v["a"]).Has(analysis.Passed) || b.IsLocal(v["a"]) || !b.IsLocal(v["d"]) {
		t.Error("the first allocation has the uses of the second now")
	}
	uses := map[*ir.Op]bool{}
	b.Uses(v["a"], func(u *ir.Use) { uses[u.Owner()] = true })
	if len(uses) != 3 {
		t.Errorf("the first allocation has %d users, not the branch and two more", len(uses))
	}
	flows := 0
	b.Flows(v["a"], func(*ir.Value) { flows++ })
	if flows != 1 {
		t.Errorf("the first allocation flows into %d values", flows)
	}
}
