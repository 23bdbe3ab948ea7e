package trace_test

import (
	"fmt"
	"io"

	"freehold/memory/trace"
)

// Two pieces of memory, of which both are alive for a while.
func ExampleTrace() {
	t := trace.Trace{Function: "f", Events: []trace.Event{
		{Time: 0, ID: 1, Bytes: 100, Place: trace.Place{Name: "memref.alloc", File: "f.mlir", Line: 2}},
		{Time: 1, ID: 2, Bytes: 50, Place: trace.Place{Name: "memref.alloc", File: "f.mlir", Line: 3}},
		{Time: 2, ID: 1, Bytes: 100, Free: true},
		{Time: 3, ID: 2, Bytes: 50, Free: true},
	}}
	peak, alive := t.AtPeak()
	fmt.Println(peak, "bytes in", len(alive), "pieces")
	for _, a := range alive {
		fmt.Println(a.Bytes, a.Name, a.Line)
	}
	for _, format := range trace.Formats {
		if err := t.Write(io.Discard, format); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 150 bytes in 2 pieces
	// 100 memref.alloc 2
	// 50 memref.alloc 3
}
