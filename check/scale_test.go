package check_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/check"
)

// loopChain is a function of n loops, each of which goes on with the buffer of the one
// before.
func loopChain(n int) string {
	var b strings.Builder
	b.WriteString("func.func @f(%n: index, %a0: memref<?xf32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n")
	for i := range n {
		fmt.Fprintf(&b, `  %%a%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%x = %%a%d) -> (memref<?xf32>) {
    %%y = memref.alloc(%%n) : memref<?xf32>
    memref.copy %%x, %%y : memref<?xf32> to memref<?xf32>
    scf.yield %%y : memref<?xf32>
  }
`, i+1, i)
	}
	fmt.Fprintf(&b, "  memref.copy %%a%d, %%a0 : memref<?xf32> to memref<?xf32>\n  return\n}\n", n)
	return b.String()
}

// loopNest is a function of n loops in each other that carry one buffer, at first what an operation
// makes.
func loopNest(n int, first string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @f(%%n: index, %%a: memref<?xf32>) {\n  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%x0 = %s\n", first)
	for i := range n {
		fmt.Fprintf(&b, "  %%r%d = scf.for %%i%d = %%c0 to %%n step %%c1 iter_args(%%x%d = %%x%d) -> (memref<?xf32>) {\n", i, i, i+1, i)
	}
	fmt.Fprintf(&b, "  %%r%d = memref.alloc(%%n) : memref<?xf32>\n  memref.copy %%x%d, %%r%d : memref<?xf32> to memref<?xf32>\n", n, n, n)
	for i := n; i > 0; i-- {
		fmt.Fprintf(&b, "  scf.yield %%r%d : memref<?xf32>\n  }\n", i)
	}
	b.WriteString("  memref.copy %r0, %a : memref<?xf32> to memref<?xf32>\n  return\n}\n")
	return b.String()
}

// What deallocation makes of loops is proved without search: the steps and nodes that
// are allowed grow with the program (nodes with the square, since a loop may give any
// of the buffers before it), and none may be left to the solver.
func TestLoopsAreProvedInProportion(t *testing.T) {
	const (
		own      = "memref.alloc(%n) : memref<?xf32>"
		argument = "memref.cast %a : memref<?xf32> to memref<?xf32>"
	)
	for _, test := range []struct {
		name         string
		src          string
		steps, nodes int
	}{
		{"chain 10", loopChain(10), 10 * 100, 10 * 10 * 20},
		{"chain 100", loopChain(100), 100 * 100, 100 * 100 * 20},
		{"nest 5", loopNest(5, own), 5 * 5 * 100, 5 * 5 * 100},
		{"nest 20", loopNest(20, own), 20 * 20 * 100, 20 * 20 * 100},
		{"nest 5 of an argument", loopNest(5, argument), 5 * 5 * 100, 5 * 5 * 100},
		{"nest 20 of an argument", loopNest(20, argument), 20 * 20 * 100, 20 * 20 * 100},
	} {
		pipelines := []string{
			"ownership-based-buffer-deallocation,buffer-deallocation-simplification",
			"ownership-based-buffer-deallocation,buffer-deallocation-simplification,convert-scf-to-cf",
			"hlo-deallocate",
			"hlo-deallocate,func.func(hlo-deallocation-to-scf)",
			"hlo-deallocation-pipeline",
		}
		if strings.HasPrefix(test.name, "nest") {
			pipelines = append(pipelines, "buffer-deallocation-pipeline") // on a chain, calls its helper
		}
		for _, pipeline := range pipelines {
			m := transformed(t, load([]byte(test.src)), pipeline)
			r := check.Module(m, check.Options{Threads: 1, MaxSteps: test.steps, MaxNodes: test.nodes, MaxSolved: 1})
			if !r.Safe() {
				t.Errorf("%s, %s: not proved: %v %v", test.name, pipeline, r.Findings, r.Unjudged)
			}
		}
	}
}
