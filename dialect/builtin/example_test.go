package builtin_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/ir"
	"freehold/ir/asm"
)

// A program starts with a module; what is inserted into its block is in the program.
func ExampleNewModule() {
	c := ir.NewContext(builtin.Dialect)
	b := ir.NewBuilder(c)
	module := builtin.NewModule(b)
	b.SetEnd(module.RegionAt(0).Entry())
	inner := b.Insert(builtin.NewModule(b))
	inner.SetAttr("sym_name", c.StringAttr("inner"))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   module @inner {
	//   }
	// }
}
