package transform_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/pass"
	"freehold/transform"
)

// Loops that hand on buffers to each other need no conditions, however many there are.
func TestChainOfLoops(t *testing.T) {
	const loops = 300
	var b strings.Builder
	b.WriteString(`func.func @f(%n: index, %x: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %l0 = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%l0 : memref<4xf32>)
`)
	for i := range loops {
		fmt.Fprintf(&b, `  %%l%d = scf.for %%i = %%zero to %%n step %%one iter_args(%%p = %%l%d) -> (memref<4xf32>) {
    %%a = memref.alloc() : memref<4xf32>
    linalg.exp ins(%%p : memref<4xf32>) outs(%%a : memref<4xf32>)
    scf.yield %%a : memref<4xf32>
  }
`, i+1, i)
	}
	fmt.Fprintf(&b, "  return %%l%d : memref<4xf32>\n}\n", loops)
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(b.String()), "chain.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var reg pass.Registry
	transform.Register(&reg)
	pipeline, err := reg.ParsePipeline("builtin.module(complete-buffer-deallocation-pipeline)")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&pass.Runner{VerifyEach: true}).Run(pipeline, m); err != nil {
		t.Fatal(err)
	}
	out := string(asm.Print(m, asm.PrintOptions{}))
	if conditions, frees := strings.Count(out, "scf.if"), strings.Count(out, "memref.dealloc"); conditions != 0 || frees != loops {
		t.Errorf("%d conditions, %d frees", conditions, frees)
	}
}
