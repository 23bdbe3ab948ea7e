package footprint_test

import (
	"fmt"

	"freehold/driver"
	"freehold/memory/footprint"
)

// The peak of a function, without executing it.
func ExampleAnalyze() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f() {
  %a = memref.alloc() : memref<256xf32>
  memref.dealloc %a : memref<256xf32>
  %b = memref.alloc() : memref<64xf64>
  memref.dealloc %b : memref<64xf64>
  return
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range footprint.Analyze(p.Module).Functions {
		fmt.Println(f.Name, "needs", f.Peak())
		for _, alive := range f.At(f.Peaks[0].Time) {
			fmt.Println("  ", alive.Size, alive.Op.Name())
		}
	}
	// Output:
	// f needs 1.0 KiB
	//    1.0 KiB memref.alloc
}
