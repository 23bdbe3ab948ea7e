package deallocation_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/deallocation"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
)

// An owner is taken of a new buffer, and frees it at the end, where nothing is retained.
func ExampleNewOwn() {
	c := ir.NewContext(builtin.Dialect, deallocation.Dialect, funcd.Dialect, memref.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f() {
  %m = memref.alloc() : memref<8xf32>
  return
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := ir.NewBuilder(c)
	var owners []*ir.Value
	module.Walk(func(op *ir.Op) bool {
		switch {
		case op.Is(memref.Alloc):
			b.SetAfter(op)
			owners = append(owners, deallocation.NewOwn(b, op.Result(0)))
		case op.Is(funcd.Return):
			b.SetBefore(op)
			deallocation.NewRetain(b, nil, owners)
		}
		return true
	})
	fmt.Printf("%s", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f() {
	//     %alloc = memref.alloc() : memref<8xf32>
	//     %0 = deallocation.own %alloc : memref<8xf32>
	//     deallocation.retain() of(%0) : (!deallocation.ownership) -> ()
	//     return
	//   }
	// }
}
