package verify_test

import (
	"fmt"

	"freehold/driver"
	"freehold/proof/check"
	"freehold/proof/verify"
)

// A proof is about one program: for another, it is refused.
func ExampleProgram() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, proof, err := check.Certify(p.Module, check.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("this program:", verify.Program(p.Module, proof, 1) == nil)
	if err := p.Run("builtin.module(canonicalize)"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("another program:", verify.Program(p.Module, proof, 1) == nil)
	// Output:
	// this program: true
	// another program: false
}
