package oneshot

import (
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// What is said of all that may have written a value is what is found by looking at each: of values that may be one of several, in loops, and in
// blocks that nothing reaches, where they are made of themselves.
func TestSince(t *testing.T) {
	const src = `
func.func @f(%c: i1, %d: i1, %n: index, %x: f32, %t: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.insert %x into %t[%n] : tensor<8xf32>
  %p = arith.select %c, %a, %u : tensor<8xf32>
  %b = tensor.insert %x into %p[%n] : tensor<8xf32>
  %q = arith.select %d, %b, %p : tensor<8xf32>
  %r = arith.select %c, %q, %p : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %s = arith.select %c, %e, %e : tensor<8xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%k = %r) -> tensor<8xf32> {
    %w = tensor.insert %x into %k[%i] : tensor<8xf32>
    %y = arith.select %c, %w, %r : tensor<8xf32>
    %z = arith.select %d, %y, %s : tensor<8xf32>
    scf.yield %z : tensor<8xf32>
  }
  return %l : tensor<8xf32>
}
func.func @g(%c: i1, %t: tensor<8xf32>) -> tensor<8xf32> {
  return %t : tensor<8xf32>
^dead:
  %a = arith.select %c, %b, %t : tensor<8xf32>
  %b = arith.select %c, %a, %a : tensor<8xf32>
  cf.br ^dead
}`
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "since.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	several := 0
	m.Walk(func(fn *ir.Op) bool {
		if !interfaces.Function.Has(fn) {
			return true
		}
		a := newAnalysis(NewPlan(), o)
		a.prepare(fn)
		fn.Walk(func(op *ir.Op) bool {
			for _, v := range op.Operands().Values() {
				if !interfaces.IsTensorLike(v.Type()) {
					continue
				}
				var want since
				definitions := a.findDefinitions(v)
				for _, d := range definitions {
					one := a.groups.written(d)
					want.join(&one)
				}
				if len(definitions) > 1 {
					several++
				}
				got := a.groups.sinceOf(v)
				if got.state = sinceUnknown; got != want {
					t.Errorf("%s: %+v, want %+v", op.Name(), got, want)
				}
			}
			return true
		})
		return false
	})
	if several < 5 {
		t.Errorf("only %d values may be one of several", several)
	}
}
