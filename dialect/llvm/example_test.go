package llvm_test

import (
	"fmt"

	"freehold/dialect/builtin"
	"freehold/dialect/llvm"
	"freehold/ir"
)

// The types of functions, pointers and structures of LLVM.
func ExampleFunction() {
	c := ir.NewContext(builtin.Dialect, llvm.Dialect)
	pointer, i64 := llvm.Pointer(c), ir.Type(c.Integer(64))
	fmt.Println(llvm.Function(c, pointer, []ir.Type{i64}, false))
	fmt.Println(llvm.Function(c, llvm.Void(c), []ir.Type{pointer}, true))
	fmt.Println(llvm.Struct(c, pointer, pointer, i64, llvm.Array(c, 2, i64)))
	// Output:
	// !llvm.func<ptr (i64)>
	// !llvm.func<void (ptr, ...)>
	// !llvm.struct<(ptr, ptr, i64, array<2 x i64>)>
}
