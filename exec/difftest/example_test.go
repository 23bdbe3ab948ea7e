package difftest_test

import (
	"fmt"

	"freehold/driver"
	"freehold/exec/difftest"
)

// Two functions that differ for some inputs.
func ExampleRun() {
	parse := func(op string) *driver.Program {
		p, err := driver.Freehold().NewSession().Parse([]byte("func.func @f(%x: i32, %y: i32) -> i32 {\n  %z = "+op+" %x, %y : i32\n  return %z : i32\n}"), "f.mlir")
		if err != nil {
			panic(err)
		}
		return p
	}
	for _, op := range []string{"arith.maxsi", "arith.maxui"} {
		report := difftest.Run(parse("arith.maxsi").Module, parse(op).Module, difftest.Options{Inputs: 32})
		fmt.Println(op, "differs:", report.Mismatches > 0)
	}
	// Output:
	// arith.maxsi differs: false
	// arith.maxui differs: true
}
