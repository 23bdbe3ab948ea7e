package transformd_test

import (
	"fmt"

	"freehold/dialect/builtin"
	transformd "freehold/dialect/transformd"
	"freehold/ir"
	"freehold/ir/asm"
)

// Which operations of a script invalidate the handles that they are given.
func ExampleConsumes() {
	c := ir.NewContext(builtin.Dialect, transformd.Dialect)
	module, err := asm.Parse(c, []byte(`module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"func.func">
    %after = transform.apply_registered_pass "canonicalize" to %functions : (!transform.op<"func.func">) -> !transform.any_op
    transform.yield
  }
}`), "script.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	module.Walk(func(op *ir.Op) bool {
		if op.NumResults() == 1 {
			fmt.Printf("%s: consumes %v, returns a handle to %q\n", op.Name(), transformd.Consumes(op), transformd.HandleName(op.Result(0).Type()))
		}
		return true
	})
	// Output:
	// transform.structured.match: consumes false, returns a handle to "func.func"
	// transform.apply_registered_pass: consumes true, returns a handle to ""
}
