package interp_test

import (
	"fmt"

	"freehold/driver"
	"freehold/exec/interp"
)

// A function that uses memory after it was freed.
func ExampleRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%x: i32) -> i32 {
  %b = memref.alloc() : memref<i32>
  memref.store %x, %b[] : memref<i32>
  memref.dealloc %b : memref<i32>
  %y = memref.load %b[] : memref<i32>
  return %y : i32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	entry, err := interp.Entry(p.Module, "f")
	if err != nil {
		fmt.Println(err)
		return
	}
	fn := entry.RegionAt(0).Entry()
	x, err := interp.Parse(p.Module.Context(), "42", fn.Arg(0).Type(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := interp.Run(p.Module, entry, []interp.Value{x}, interp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range result.Findings {
		fmt.Println(f)
	}
	fmt.Println(result.Stats.Allocations, "allocation,", result.Stats.Frees, "free")
	// Output:
	// f.mlir:5:8: memory is used after it was freed
	// 1 allocation, 1 free
}
