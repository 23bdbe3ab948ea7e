package memtrace_test

import (
	"fmt"
	"io"

	"freehold/memtrace"
)

// Two pieces of memory, of which both are alive for a while.
func ExampleTrace() {
	t := memtrace.Trace{Function: "f", Events: []memtrace.Event{
		{Time: 0, ID: 1, Bytes: 100, Place: memtrace.Place{Name: "memref.alloc", File: "f.mlir", Line: 2}},
		{Time: 1, ID: 2, Bytes: 50, Place: memtrace.Place{Name: "memref.alloc", File: "f.mlir", Line: 3}},
		{Time: 2, ID: 1, Bytes: 100, Free: true},
		{Time: 3, ID: 2, Bytes: 50, Free: true},
	}}
	peak, alive := t.AtPeak()
	fmt.Println(peak, "bytes in", len(alive), "pieces")
	for _, a := range alive {
		fmt.Println(a.Bytes, a.Name, a.Line)
	}
	for _, format := range memtrace.Formats {
		if err := t.Write(io.Discard, format); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 150 bytes in 2 pieces
	// 100 memref.alloc 2
	// 50 memref.alloc 3
}
