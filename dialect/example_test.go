package dialect_test

import (
	"fmt"

	"freehold/dialect"
	"freehold/ir"
)

// A context that knows all dialects; one that needs only some is made of theirs.
func ExampleAll() {
	c := ir.NewContext(dialect.All()...)
	for _, name := range []string{"memref.alloc", "linalg.matmul", "memref.nothing"} {
		fmt.Println(name, c.OpName(name) != nil)
	}
	// Output:
	// memref.alloc true
	// linalg.matmul true
	// memref.nothing false
}
