package models_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// A buffer is freed twice. What must not hold, and where, is told to whoever runs the machine.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, memref.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f() {
  %m = memref.alloc() : memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := kernel.NewMachine(kernel.NewFormulas(), &models.Dialects)
	m.Demand = func(_ *kernel.Frame, op *ir.Op, d kernel.Demand, _ int, bad kernel.Lit) {
		if bad != kernel.No {
			fmt.Printf("%s: %s\n", op.Loc(), d)
		}
	}
	fn := module.BodyBlock(0).First()
	frame := &kernel.Frame{Fn: fn, Values: map[*ir.Value]kernel.Value{}, Cond: kernel.Yes, Base: kernel.Yes}
	for op := range funcd.Body(fn).Entry().Ops() {
		if !m.Apply(frame, op) {
			m.Access(frame, op)
		}
	}
	// Output: loc("f.mlir":4:3): double free
}
