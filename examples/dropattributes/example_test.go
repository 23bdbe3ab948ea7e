package dropattributes_test

import (
	"fmt"

	"freehold/dialect"
	"freehold/examples/dropattributes"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
)

// A registry knows passes by name, a runner runs a pipeline of them.
func Example() {
	module, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(`
func.func @f(%n: index) -> index {
  %sum = arith.addi %n, %n {seen} : index
  return %sum : index
}`), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var registry pass.Registry
	dropattributes.Register(&registry)
	pipeline, err := registry.ParsePipeline("builtin.module(drop-attributes{name=seen})")
	if err != nil {
		fmt.Println(err)
		return
	}
	runner := pass.Runner{VerifyEach: true}
	if err := runner.Run(pipeline, module); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pipeline)
	fmt.Print(string(asm.Print(module, asm.PrintOptions{})))
	// Output:
	// builtin.module(drop-attributes{name=seen})
	// module {
	//   func.func @f(%arg0: index) -> index {
	//     %0 = arith.addi %arg0, %arg0 : index
	//     return %0 : index
	//   }
	// }
}

// A pipeline made by a program sets the fields of the options. One that lacks something is
// refused by the pass.
func ExamplePass() {
	pipeline := pass.NewManager("builtin.module")
	pipeline.AddNested(dropattributes.Pass.Instance())
	ctx := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(ctx, []byte("func.func private @f()"), "f.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	runner := pass.Runner{Sink: func(d *ir.Diagnostic) { fmt.Println(d.Message) }}
	fmt.Println(runner.Run(pipeline, module) == nil)
	// Output:
	// drop-attributes needs the name of an attribute
	// false
}
