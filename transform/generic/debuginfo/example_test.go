package debuginfo_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/transform/generic/debuginfo"
)

// Locations are forgotten.
func ExampleStrip() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f() {
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	debuginfo.Strip(p.Module)
	fmt.Println(p.Module.Loc())
	os.Stdout.Write(asm.Print(p.Module, asm.PrintOptions{}))
	// Output:
	// loc(unknown)
	// module {
	//   func.func @f() {
	//     return
	//   }
	// }
}
