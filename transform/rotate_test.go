package transform_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/memory/reuse"
)

// swapping is a program of loops one after the other, each of which allocates a buffer and frees that of the iteration before.
func swapping(loops int) string {
	var s strings.Builder
	s.WriteString("func.func @f(%x: memref<8xf32>, %n: index) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%r0 = memref.alloc() : memref<8xf32>\nlinalg.exp ins(%x : memref<8xf32>) outs(%r0 : memref<8xf32>)\n")
	for i := range loops {
		fmt.Fprintf(&s, `%%r%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%a = %%r%d) -> (memref<8xf32>) {
  %%y = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%%a : memref<8xf32>) outs(%%y : memref<8xf32>) {
  ^bb0(%%p: f32, %%o: f32):
    linalg.yield %%p : f32
  }
  memref.dealloc %%a : memref<8xf32>
  scf.yield %%y : memref<8xf32>
}
`, i+1, i)
	}
	fmt.Fprintf(&s, "memref.copy %%r%d, %%x : memref<8xf32> to memref<8xf32>\nmemref.dealloc %%r%d : memref<8xf32>\nreturn\n}\n", loops, loops)
	return s.String()
}

// Loops that follow each other all rotate, and are decided together: a thousand don't take a thousand analyses.
func TestManyLoopsRotate(t *testing.T) {
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(swapping(1000)), "in.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, served := reuse.ReuseBuffers(m.BodyBlock(0).First(), nil, reuse.ReuseOptions{Rotate: true}); served != 1000 {
		t.Errorf("%d buffers serve again", served)
	}
	m.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Alloc) && op.Parent().Is(scf.For) {
			t.Fatal("a loop allocates")
		}
		return true
	})
}
