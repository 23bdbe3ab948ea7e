package transform_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/footprint"
	"freehold/pass"
	"freehold/transform"
)

// However many branches follow each other that make a buffer or pass one on, two are there at a time.
func TestChainOfBranches(t *testing.T) {
	const branches = 300
	var b strings.Builder
	b.WriteString(`func.func @f(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %b0 = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%b0 : memref<4xf32>)
`)
	for i := range branches {
		fmt.Fprintf(&b, `  %%b%d = scf.if %%c -> (memref<4xf32>) {
    %%a = memref.alloc() : memref<4xf32>
    linalg.exp ins(%%b%d : memref<4xf32>) outs(%%a : memref<4xf32>)
    scf.yield %%a : memref<4xf32>
  } else {
    scf.yield %%b%d : memref<4xf32>
  }
`, i+1, i, i)
	}
	fmt.Fprintf(&b, "  return %%b%d : memref<4xf32>\n}\n", branches)
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
	if err := (&pass.Runner{}).Run(pipeline, m); err != nil {
		t.Fatal(err)
	}
	if peak := footprint.Analyze(m).Of(m.BodyBlock(0).First()).Peak().Bytes; peak != 32 {
		t.Errorf("peak %d", peak)
	}
}
