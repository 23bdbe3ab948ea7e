package linalg_test

import (
	"testing"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// Operations that promise to do nothing with memory but read or write each operand that is a memref list such effects, whatever their maps and bodies are.
func TestAccessesOperands(t *testing.T) {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, linalg.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: f32, %a: memref<4x4xf32>, %b: memref<4x4xf32>, %r: memref<4xf32>, %t: tensor<4x4xf32>) {
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.add ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  linalg.broadcast ins(%r : memref<4xf32>) outs(%b : memref<4x4xf32>) dimensions = [0]
  linalg.reduce ins(%a : memref<4x4xf32>) outs(%r : memref<4xf32>) dimensions = [0]
    (%in: f32, %init: f32) {
      %s = arith.addf %in, %init : f32
      linalg.yield %s : f32
    }
  linalg.map ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
    (%in: f32) {
      linalg.yield %in : f32
    }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%r, %x : memref<4xf32>, f32) outs(%a : memref<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    linalg.yield %p : f32
  }
  %m = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	module.Walk(func(op *ir.Op) bool {
		if !interfaces.AccessesOperands.Has(op) {
			return true
		}
		n++
		effects, known := interfaces.EffectsOf(op)
		accessed := map[int]bool{}
		for _, e := range effects {
			for i := range op.NumOperands() {
				if e.IsOn(i) && ir.IsMemRef(op.Operand(i).Type()) && (e.Kind == interfaces.Read || e.Kind == interfaces.Write) {
					accessed[i] = true
				}
			}
			if e.Kind != interfaces.Read && e.Kind != interfaces.Write || !e.IsOnOperand() {
				t.Errorf("%s has an effect of another kind", op.Name())
			}
		}
		for i := range op.NumOperands() {
			if ir.IsMemRef(op.Operand(i).Type()) != accessed[i] {
				t.Errorf("%s: operand %d is a memref that it doesn't access, or accesses without being one", op.Name(), i)
			}
		}
		if !known {
			t.Errorf("%s has effects that aren't known", op.Name())
		}
		return true
	})
	if n != 9 {
		t.Errorf("%d operations promise it, not 9", n)
	}
}
