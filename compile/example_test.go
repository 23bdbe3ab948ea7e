package compile_test

import (
	"fmt"

	"freehold/compile"
	"freehold/driver"
)

// A program is compiled, and proved.
func ExampleCompiler() {
	s := driver.Freehold().NewSession()
	p, err := s.Parse([]byte(`
		func.func @square(%x: tensor<16xf32>) -> tensor<16xf32> {
		  %e = tensor.empty() : tensor<16xf32>
		  %y = linalg.mul ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
		  return %y : tensor<16xf32>
		}`), "square.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := compile.Compiler{Registry: s.Passes}
	r, err := c.Compile(p.Module)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("peak", r.After.Peak, "safe", r.Check.Safe(), "certified", r.Certificate != nil)
	// Output:
	// peak 64 B safe true certified true
}

// Why a step of the pipeline is there.
func Example() {
	for _, s := range (compile.Options{Deallocation: compile.Clone, Arena: compile.NoArena}).Steps() {
		if s.Name == "copy-returned-parts" {
			fmt.Println(s.Passes)
			fmt.Println(s.Why)
		}
	}
	// Output:
	// copy-returned-parts
	// A caller that gets a part of a buffer can't free it.
}
