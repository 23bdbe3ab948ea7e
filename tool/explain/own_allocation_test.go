package explain_test

import (
	"testing"

	"freehold/dialect"
	"freehold/internal/testing/ring"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/tool/explain"
	"freehold/transform"
)

// What an operation of somebody's own dialect allocates is counted, and explained.
func TestOwnAllocations(t *testing.T) {
	ctx := ir.NewContext(append(dialect.All(), ring.Dialect)...)
	m, err := asm.Parse(ctx, []byte(`func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = "ring.turned"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}`), "own.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var registry pass.Registry
	transform.Register(&registry)
	pipeline, err := registry.ParsePipeline("builtin.module(one-shot-bufferize{bufferize-function-boundaries})")
	if err != nil {
		t.Fatal(err)
	}
	e, err := explain.Module(m, pipeline, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Items) != 1 {
		t.Fatalf("%d items, want 1", len(e.Items))
	}
	i := e.Items[0]
	if i.Op != "ring.turned" || i.Allocations != 1 || i.Copies != 0 || i.Cause != explain.Result || i.Headline() != "allocation of 16 B" {
		t.Errorf("got %s by %s: %s (%s)", i.Headline(), i.Op, i.Title, i.Cause)
	}
}

// A pipeline without passes leaves the buffers that a program has: they remain, and nothing has removed them.
func TestAllocationsWithoutPasses(t *testing.T) {
	ctx := ir.NewContext(append(dialect.All(), ring.Dialect)...)
	m, err := asm.Parse(ctx, []byte(`func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}`), "given.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var registry pass.Registry
	transform.Register(&registry)
	pipeline, err := registry.ParsePipeline("builtin.module()")
	if err != nil {
		t.Fatal(err)
	}
	e, err := explain.Module(m, pipeline, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Items) != 1 || !e.Items[0].Remains() || e.Items[0].Headline() != "allocation of 16 B" {
		t.Errorf("got %d items: %v", len(e.Items), e.Items)
	}
}
