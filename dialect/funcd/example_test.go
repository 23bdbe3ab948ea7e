package funcd_test

import (
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/asm"
)

// Two functions are made, of which one, whose body is elsewhere, is called by the other.
func ExampleNew() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect)
	b := ir.NewBuilder(c)
	module := builtin.NewModule(b)
	t := c.Function([]ir.Type{ir.F32}, []ir.Type{ir.F32})
	b.SetEnd(module.BodyBlock(0))
	work := b.Insert(funcd.New(b, "work", t))
	work.SetAttr("sym_visibility", c.StringAttr("private"))
	entry := funcd.AddEntryBlock(b.Insert(funcd.New(b, "main", t)))
	b.SetEnd(entry)
	call := funcd.NewCall(b, "work", t.Results, entry.Arg(0))
	funcd.NewReturn(b, call.Result(0))
	fmt.Println(funcd.Callee(call), funcd.Type(work))
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// @work (f32) -> f32
	// module {
	//   func.func private @work(f32) -> f32
	//   func.func @main(%arg0: f32) -> f32 {
	//     %0 = call @work(%arg0) : (f32) -> f32
	//     return %0 : f32
	//   }
	// }
}
