package dialect_test

import (
	"fmt"

	"freehold/driver"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// What the operations of a function do with memory.
func Example_ifaceEffectsOf() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%b: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %b[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %b[%i] : memref<4xf32>
  return %y : f32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Module.Walk(func(op *ir.Op) bool {
		if op.NumRegions() > 0 {
			return true
		}
		effects, known := interfaces.EffectsOf(op)
		fmt.Println(op.Name(), len(effects), known)
		return true
	})
	// Output:
	// memref.load 1 true
	// arith.addf 0 true
	// memref.store 1 true
	// func.return 0 true
}
