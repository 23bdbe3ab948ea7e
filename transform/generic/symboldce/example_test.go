package symboldce_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/generic/symboldce"
)

// A private function that nobody calls is erased.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func private @unused() {
  return
}
func.func @f() {
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(symboldce.Run(p.Module), "erased")
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// 1 erased
	// module {
	//   func.func @f() {
	//     return
	//   }
	// }
}
