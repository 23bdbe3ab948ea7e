package pass_test

import (
	"fmt"

	"freehold/driver"
	"freehold/ir"
	"freehold/pass"
)

// A pass with an option, and a pipeline that runs it on each function.
func ExampleNew() {
	type options struct{ most int }
	count := pass.New(pass.Info{Name: "count-operations", Summary: "Count operations"},
		func(o *options, d *pass.Decl) { d.Int(&o.most, "most", 3, "how many are fine") },
		pass.OnFunction(func(c *pass.Context, o *options, fn *ir.Op) error {
			n := 0
			for range fn.RegionAt(0).Entry().Ops() {
				n++
			}
			fmt.Printf("%d operations, fine: %v\n", n, n <= o.most)
			c.Unchanged()
			return nil
		}))
	session := driver.Freehold().NewSession()
	session.Passes.Register(count)
	p, err := session.Parse([]byte("func.func @f(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}"), "f.mlir")
	if err == nil {
		err = p.Run("builtin.module(func.func(count-operations{most=1}))")
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output: 2 operations, fine: false
}
