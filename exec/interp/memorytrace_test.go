package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/exec/interp"
)

// TestMemoryTraceOrigins checks that memory of each origin is traced, and every copy.
func TestMemoryTraceOrigins(t *testing.T) {
	trace := &interp.MemoryTrace{}
	runText(t, `memref.global @g : memref<2xf32> = dense<1.0>
	func.func @f(%a: memref<2xf32>) {
		%g = memref.get_global @g : memref<2xf32>
		memref.copy %g, %a : memref<2xf32> to memref<2xf32>
		%s = memref.alloca() : memref<3xi8>
		%m = memref.alloc() : memref<4xf32>
		%r = memref.realloc %m : memref<4xf32> to memref<2xf32>
		memref.dealloc %r : memref<2xf32>
		%t = bufferization.to_tensor %a restrict : memref<2xf32>
		%b = bufferization.to_memref %t : memref<2xf32>
		memref.copy %b, %a : memref<2xf32> to memref<2xf32>
		return
	}`, interp.Options{Memory: trace}, "zeros")
	var got strings.Builder
	for _, e := range trace.Events {
		fmt.Fprintf(&got, "%d %s %s #%d", e.Line, e.Event, e.Origin, e.ID)
		if e.From != 0 {
			fmt.Fprintf(&got, " from #%d", e.From)
		}
		fmt.Fprintf(&got, " %d of %d\n", e.Bytes, e.Live)
	}
	const want = `2 alloc argument #1 8 of 0
1 alloc global #2 8 of 0
4 copy argument #1 from #2 8 of 0
5 alloc stack #3 3 of 3
6 alloc heap #4 16 of 19
7 alloc heap #5 8 of 27
7 copy heap #5 from #4 8 of 27
7 free heap #4 16 of 11
8 free heap #5 8 of 3
10 alloc tensor #6 8 of 3
11 copy argument #1 from #6 8 of 3
2 free stack #3 3 of 0
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}
