package analysis_test

import (
	"fmt"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/asm"
)

// The operation of a block that uses a value last.
func ExampleLastUse() {
	module, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(`func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32>
  %y = math.exp %x : f32
  memref.store %y, %m[%i] : memref<4xf32>
  return %y : f32
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.Name() == "func.func" {
			body := op.RegionAt(0).Entry()
			fmt.Println(analysis.LastUse(body.Arg(0), body).Name())
		}
		return true
	})
	// Output: memref.store
}
