package bytecode_test

import (
	"bytes"
	"fmt"

	"freehold/driver"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// A program becomes bytes, and a program again.
func Example() {
	d, err := asm.ParseDocument(driver.Freehold().NewContext(), []byte("func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}"), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	if err := bytecode.Write(&b, d, bytecode.Options{Version: bytecode.Version}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytecode.Is(b.Bytes()))
	again, err := bytecode.Read(driver.Freehold().NewContext(), b.Bytes(), "f.mlirbc", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.PrintDocument(again, asm.PrintOptions{}))
	// Output:
	// true
	// module {
	//   func.func @f(%arg0: f32) -> f32 {
	//     return %arg0 : f32
	//   }
	// }
}
