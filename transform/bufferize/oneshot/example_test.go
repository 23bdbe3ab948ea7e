package oneshot_test

import (
	"fmt"

	"freehold/dialect"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/bufferize/oneshot"
)

// A compiler for a machine with a scratchpad puts tensors there, allocates with an
// alignment of its own, and wants to know which copies are made.
func Example() {
	ctx := ir.NewContext(dialect.All()...)
	module, err := asm.Parse(ctx, []byte(`
func.func @update(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %old = tensor.extract %t[%i] : tensor<4xf32>
  return %new, %old : tensor<4xf32>, f32
}`), "update.mlir", asm.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}

	options := oneshot.DefaultOptions()
	options.BufferizeFunctionBoundaries = true
	options.FunctionBoundary = oneshot.IdentityLayout
	options.MemorySpace = func(ir.Type) (ir.Attribute, bool) { return ctx.StringAttr("scratchpad"), true }
	options.Alloc = func(b *ir.Builder, t *ir.MemRefType, sizes []*ir.Value) (*ir.Value, error) {
		return memref.NewAlloc(b, t, sizes, 256), nil
	}

	plan, err := oneshot.Analyze(module, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for d := range plan.OutOfPlace() {
		fmt.Printf("%s works in a copy: %s, for %s\n", d.Use.Owner().Name(), d.Reason.Rule, d.Reason.Read.Owner().Name())
	}
	if err := oneshot.Rewrite(module, plan, options); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", asm.Print(module, asm.PrintOptions{}))
	// Output:
	// tensor.insert works in a copy: read after write, for tensor.extract
	// module {
	//   func.func @update(%arg0: memref<4xf32, "scratchpad">, %arg1: f32, %arg2: index) -> (memref<4xf32, "scratchpad">, f32) {
	//     %alloc = memref.alloc() {alignment = 256 : i64} : memref<4xf32, "scratchpad">
	//     memref.copy %arg0, %alloc : memref<4xf32, "scratchpad"> to memref<4xf32, "scratchpad">
	//     memref.store %arg1, %alloc[%arg2] : memref<4xf32, "scratchpad">
	//     %0 = memref.load %arg0[%arg2] : memref<4xf32, "scratchpad">
	//     return %alloc, %0 : memref<4xf32, "scratchpad">, f32
	//   }
	// }
}
