package driver_test

import (
	"fmt"
	"os"

	"freehold/driver"
	"freehold/ir/asm"
)

// A Go program that bufferizes a function.
func ExampleSession() {
	s := driver.Freehold().NewSession()
	p, err := s.Parse([]byte(`func.func @first(%t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %t[%c0] : tensor<4xf32>
  return %e : f32
}`), "first.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Run("builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map})"); err != nil {
		fmt.Println(err)
		return
	}
	text, _ := p.Text(asm.PrintOptions{})
	os.Stdout.Write(text)
	// Output:
	// module {
	//   func.func @first(%arg0: memref<4xf32>) -> f32 {
	//     %c0 = arith.constant 0 : index
	//     %0 = memref.load %arg0[%c0] : memref<4xf32>
	//     return %0 : f32
	//   }
	// }
}

// What is wrong with a program has a position.
func ExampleSession_Parse() {
	_, err := driver.Freehold().NewSession().Parse([]byte("func.func @f() {\n  %x = arith.addi %y, %y : i32\n  return\n}"), "bad.mlir")
	fmt.Println(err)
	// Output: bad.mlir:2:19: use of undeclared SSA value name
}
