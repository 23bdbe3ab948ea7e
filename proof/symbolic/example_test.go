package symbolic_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/proof/logic"
	"freehold/proof/symbolic"
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
	m := symbolic.NewMachine()
	m.Require = func(_ *symbolic.Frame, op *ir.Op, bad logic.Lit, format string, args ...any) {
		if bad != logic.No {
			fmt.Printf("%s: %s\n", op.Loc(), fmt.Sprintf(format, args...))
		}
	}
	fn := module.BodyBlock(0).First()
	frame := &symbolic.Frame{Fn: fn, Values: map[*ir.Value]symbolic.Value{}, Cond: logic.Yes, Base: logic.Yes}
	for op := range funcd.Body(fn).Entry().Ops() {
		if !m.Apply(frame, op) {
			m.Access(frame, op)
		}
	}
	// Output: loc("f.mlir":4:3): double free
}
