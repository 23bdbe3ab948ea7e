package constraint_test

import (
	"testing"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Which types constraints accept. The class of a constraint, by which assembly formats refuse a type where it is spelled, accepts no less.
func TestTypes(t *testing.T) {
	c := ir.NewContext()
	constraints := []ir.TypeConstraint{
		constraint.AnyType, constraint.I1, constraint.Index, constraint.AnyFloat, constraint.SignlessIntegerLike, constraint.FloatLike,
		constraint.AnyTensor, constraint.AnyMemRef, constraint.TensorOf(constraint.AnyFloat), constraint.RankedTensorOf(constraint.AnyFloat),
		constraint.RankOf("1D", "memref", 1, constraint.AnyFloat), constraint.ComplexOf(constraint.AnyFloat), constraint.Or(constraint.Index, constraint.AnyVector),
	}
	for _, x := range []struct{ text, accepted string }{
		// AnyType I1 Index AnyFloat | SignlessIntegerLike FloatLike | AnyTensor AnyMemRef TensorOf RankedTensorOf | RankOf ComplexOf Or
		{"i1", "xx..x........"},
		{"ui8", "x............"},
		{"index", "x.x.x.......x"},
		{"bf16", "x..x.x......."},
		{"tensor<4xf32>", "x....xx.xx..."},
		{"tensor<*xf32>", "x....xx.x...."},
		{"tensor<4xi8>", "x...x.x......"},
		{"memref<4xf32>", "x......x..x.."},
		{"memref<f32>", "x......x....."},
		{"memref<*xf32>", "x............"},
		{"vector<4xi1>", "x...x.......x"},
		{"complex<f32>", "x..........x."},
		{"complex<i32>", "x............"},
		{"() -> f32", "x............"},
	} {
		typ, err := asm.ParseType(c, x.text)
		if err != nil {
			t.Fatal(err)
		}
		accepted := ""
		for _, k := range constraints {
			mark := "."
			if k.Match == nil || k.Match(typ) {
				mark = "x"
				if !k.Class.Has(typ) {
					t.Errorf("the class of %q refuses %s", k.Summary, x.text)
				}
			}
			accepted += mark
		}
		if accepted != x.accepted {
			t.Errorf("%-14s %s, not %s", x.text, accepted, x.accepted)
		}
	}
}

// Summaries become the verifier's messages.
func TestSummaries(t *testing.T) {
	for _, x := range []struct {
		k    ir.TypeConstraint
		want string
	}{
		{constraint.TensorOf(constraint.AnyFloat), "tensor of floating-point values"},
		{constraint.RankOf("1D", "memref", 1, constraint.Index), "1D memref of index values"},
		{constraint.Or(constraint.Index, constraint.TensorOf(constraint.Index)), "index or tensor of index values"},
	} {
		if x.k.Summary != x.want {
			t.Errorf("%q, not %q", x.k.Summary, x.want)
		}
	}
}
