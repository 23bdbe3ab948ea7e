package report_test

import (
	"fmt"
	"strings"
)

// program returns a program with a chain of n buffers of different sizes.
func program(n int) string {
	var b strings.Builder
	b.WriteString("func.func @chain(%x: f32, %m: memref<16xf32>) {\n  %c0 = arith.constant 0 : index\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%b%d = memref.alloc() : memref<%dxf32>\n  memref.store %%x, %%b%d[%%c0] : memref<%dxf32>\n", i, i%97+1, i, i%97+1)
		if i >= 3 {
			fmt.Fprintf(&b, "  memref.dealloc %%b%d : memref<%dxf32>\n", i-3, (i-3)%97+1)
		}
	}
	b.WriteString("  return\n}\n")
	return b.String()
}
