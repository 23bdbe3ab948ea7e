package bytecode_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"freehold/ir/asm"
	"freehold/ir/bytecode"
)

// functions is a program of small functions, with control flow, buffers, and an affine map.
func functions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `func.func @f%d(%%c: i1, %%m: memref<?x4xf32, affine_map<(d0, d1) -> (d1, d0)>>) -> index {
  %%i = arith.constant %d : index
  %%r = scf.if %%c -> index {
    %%x = arith.addi %%i, %%i : index
    scf.yield %%x : index
  } else {
    %%a = memref.alloc(%%i) : memref<?xf32>
    memref.dealloc %%a : memref<?xf32>
    scf.yield %%i : index
  }
  return %%r : index
}
`, i, i%100)
	}
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	src := []byte(functions(2000))
	data := write(b, parse(b, string(src)), bytecode.Options{Version: bytecode.Version})
	b.Run("text", func(b *testing.B) {
		for b.Loop() {
			if _, err := asm.ParseDocument(newContext(), src, "a.mlir", asm.ParseOptions{Threads: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bytecode", func(b *testing.B) {
		for b.Loop() {
			if _, err := bytecode.Read(newContext(), data, "a.mlirbc", asm.ParseOptions{Threads: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	d := parse(b, functions(2000))
	for b.Loop() {
		var out bytes.Buffer
		if err := bytecode.Write(&out, d, bytecode.Options{Version: bytecode.Version}); err != nil {
			b.Fatal(err)
		}
	}
}
