package vhlo_test

import (
	"bytes"
	"fmt"

	"freehold/dialect/builtin"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/stablehlo"
	"freehold/dialect/vhlo"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// A program is stored for a version of StableHLO, and read from there.
func Example() {
	c := ir.NewContext(builtin.Dialect, funcd.Dialect, stablehlo.Dialect, vhlo.Dialect)
	module, err := asm.Parse(c, []byte(`func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	version, err := vhlo.ParseVersion("1.0.0")
	if err == nil {
		err = vhlo.FromStableHLO(module, version)
	}
	var file bytes.Buffer
	if err == nil {
		err = bytecode.Write(&file, &asm.Document{Module: module}, bytecode.Options{Version: version.Bytecode(), Producer: version.Producer()})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := bytecode.Read(module.Context(), file.Bytes(), "f.mlirbc", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", asm.Print(doc.Module, asm.PrintOptions{}))
	// Output:
	// module {
	//   func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = stablehlo.tanh %arg0 : tensor<4xf32>
	//     return %0 : tensor<4xf32>
	//   }
	// }
}
