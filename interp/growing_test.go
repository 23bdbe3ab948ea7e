package interp_test

import (
	"testing"

	"freehold/dialect"
	"freehold/interp"
	"freehold/ir"
	"freehold/ir/asm"
)

// TestGrowingIsLinear checks that a tensor which a loop carries through branches
// is changed in place: with a copy in each iteration the test would take minutes.
func TestGrowingIsLinear(t *testing.T) {
	src := `func.func @f(%n: index) -> index {
		%c0 = arith.constant 0 : index
		%c1 = arith.constant 1 : index
		%e = tensor.empty(%n) : tensor<?xindex>
		%z = linalg.fill ins(%c0 : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>
		%r = scf.for %i = %c1 to %n step %c1 iter_args(%t = %z) -> tensor<?xindex> {
			%x = tensor.extract %t[%i] : tensor<?xindex>
			%fresh = arith.cmpi eq, %x, %c0 : index
			%u = scf.if %fresh -> tensor<?xindex> {
				%v = tensor.insert %i into %t[%i] : tensor<?xindex>
				scf.yield %v : tensor<?xindex>
			} else {
				scf.yield %t : tensor<?xindex>
			}
			scf.yield %u : tensor<?xindex>
		}
		%last = arith.subi %n, %c1 : index
		%y = tensor.extract %r[%last] : tensor<?xindex>
		return %y : index
	}`
	ctx := ir.NewContext(dialect.All()...)
	m, err := asm.Parse(ctx, []byte(src), "test.mlir", asm.ParseOptions{})
	if err == nil {
		err = ir.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	fn, err := interp.Entry(m, "f")
	if err != nil {
		t.Fatal(err)
	}
	const n = 500_000
	res, err := interp.Run(m, fn, []interp.Value{{Type: ir.Index, Word: n}}, interp.Options{})
	if err != nil || len(res.Findings) > 0 {
		t.Fatal(err, res)
	}
	if got := res.Values[0].Word; got != n-1 {
		t.Errorf("got %d, not %d", got, n-1)
	}
}
