package native_test

import (
	"context"
	"fmt"

	"freehold/driver"
	"freehold/exec/interp"
	"freehold/exec/native"
)

// Without a compiler, nothing can be executed.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte("func.func @main(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}"), "f.mlir")
	if err != nil {
		panic(err)
	}
	fn, _ := interp.Entry(p.Module, "")
	args, _ := interp.Texts{Values: []string{"21"}, Limit: 1 << 20}.Arguments(fn)
	_, err = native.Run(context.Background(), p.Module, fn, args, native.Options{Compiler: "no-such-cc -O2"})
	fmt.Println(err)
	// Output:
	// there is no C compiler: the command no-such-cc is not found
}
