package dialect_test

import (
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
)

// FuzzParse checks that no input makes the syntax or the verifier of any dialect
// panic, and that what is printed of a valid program can be read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`func.func private @f(%a: tensor<?xf32> {x.y}, index) -> (i32, f32) attributes {a.b = 1}`,
		`func.func @f(%m: memref<4xf32, strided<[?], offset: 1>>, %i: index) {
  %c = arith.constant 1 : index
  %x = memref.load %m[%i] : memref<4xf32, strided<[?], offset: 1>>
  scf.for %j = %c to %i step %c { memref.store %x, %m[%j] : memref<4xf32, strided<[?], offset: 1>> }
  return
}`,
		`func.func @g(%c: i1, %t: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = scf.if %c -> tensor<?x4xf32> { scf.yield %t : tensor<?x4xf32> } else { scf.yield %t : tensor<?x4xf32> }
  %s = tensor.extract_slice %r[0, 0] [2, 2] [1, 1] : tensor<?x4xf32> to tensor<2x2xf32>
  cf.cond_br %c, ^a, ^b(%c : i1)
^a:
  cf.br ^b(%c : i1)
^b(%d: i1):
  return %r : tensor<?x4xf32>
}`,
		`#map = affine_map<(d0) -> (d0)>
func.func @h(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.addf %x, %y fastmath<nnan> : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ctx := ir.NewContext(dialect.All()...)
		ctx.AllowUnregistered = true
		d, err := asm.ParseDocument(ctx, src, "f", asm.ParseOptions{})
		if err != nil || ir.Verify(d.Module) != nil {
			return
		}
		out := asm.PrintDocument(d, asm.PrintOptions{})
		if _, err := asm.ParseDocument(ctx, out, "printed", asm.ParseOptions{}); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}
