package linalg_test

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/asm"
)

// Named operations and linalg.generic are structured alike: loops, of which maps say
// what the operands' indices are.
func ExampleAsStructured() {
	c := ir.NewContext(arith.Dialect, builtin.Dialect, funcd.Dialect, linalg.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%a: memref<4x16xf32>, %b: memref<16x8xf32>, %c: memref<4x8xf32>) {
  linalg.matmul ins(%a, %b : memref<4x16xf32>, memref<16x8xf32>) outs(%c : memref<4x8xf32>)
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if s, ok := linalg.AsStructured(op); ok {
			sizes, _ := s.StaticLoopRanges()
			fmt.Println(op.Name(), s.Iterators(), sizes)
			for i, m := range s.IndexingMaps() {
				fmt.Println(i, c.AffineMapAttr(m), s.ReadsInit(op.OperandUse(i)))
			}
		}
		return true
	})
	// Output:
	// linalg.matmul [parallel parallel reduction] [4 8 16]
	// 0 affine_map<(d0, d1, d2) -> (d0, d2)> true
	// 1 affine_map<(d0, d1, d2) -> (d2, d1)> true
	// 2 affine_map<(d0, d1, d2) -> (d0, d1)> true
}
