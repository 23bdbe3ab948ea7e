package check_test

import (
	"fmt"

	"freehold/driver"
	"freehold/proof/check"
)

// A function that frees on one path only.
func ExampleModule() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %flag {
    memref.dealloc %a : memref<4xf32>
  }
  return
}`), "leak.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	report := check.Module(p.Module, check.Options{})
	fmt.Println("safe:", report.Safe())
	for _, f := range report.Findings {
		fmt.Println(f.Diagnostic)
		for _, n := range f.Diagnostic.Notes {
			fmt.Println("  ", n)
		}
	}
	// Output:
	// safe: false
	// leak.mlir:2:8: leak: the buffer allocated here is not freed
	//    leak.mlir:2:8: allocated here
	//    leak.mlir:3:3: the condition doesn't hold
	//    leak.mlir:6:3: the function ends here, and nothing frees the buffer
}
