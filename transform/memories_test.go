package transform_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/memory/footprint"
	"freehold/proof/check"
)

// With several memories, programs compute the same and do nothing wrong with memory; what an execution has in each memory at a time keeps within it, and within what is known
// without executing.
func TestMemoriesKeepCapacities(t *testing.T) {
	moved, transferred, refused := 0, 0, 0
	for seed := range *programs {
		rnd := rand.New(rand.NewPCG(seed, 29))
		for _, g := range irgen.Generators {
			if g.Idle || g.Mutants || g.Odd {
				continue
			}
			src := g.Generate(rnd.IntN, 25)
			before := deallocated
			if strings.Contains(src, "tensor<") {
				before = fromTensors + deallocated
			}
			m := parse(t, src)
			if run(m, before+",elide-copies,reuse-buffers,free-after-last-use") != nil {
				continue // what bufferization and deallocation don't take
			}
			for range 2 {
				capacities := []int64{1 << 20, int64(rnd.IntN(200)), int64(rnd.IntN(100))}
				if rnd.IntN(3) == 0 {
					capacities[0] = int64(rnd.IntN(400))
				}
				pipeline := fmt.Sprintf("plan-memory{memories=c:%d:2:%d,b:%d:1:%d,a:%d:0:%d}", capacities[2], rnd.IntN(3), capacities[1], rnd.IntN(3), capacities[0], rnd.IntN(3))
				planned := ir.CloneDetached(m)
				if run(planned, pipeline) != nil {
					refused++
					continue
				}
				text := string(asm.Print(planned, asm.PrintOptions{}))
				fail := func(format string, args ...any) {
					t.Helper()
					t.Fatalf("%s %d: %s: %s\n%s\n%s", g.Name, seed, pipeline, fmt.Sprintf(format, args...), asm.Print(m, asm.PrintOptions{}), text)
				}
				if strings.Contains(text, ", 1>") {
					moved++
				}
				if strings.Count(text, "memref.copy") > strings.Count(string(asm.Print(m, asm.PrintOptions{})), "memref.copy") {
					transferred++
				}
				want, got := execute(t, m, g), executeTraced(t, planned, g)
				if len(got.Findings) > 0 {
					fail("%v", got.Findings[0].Diagnostic)
				}
				if !interp.Equal(want.Values, got.Values) {
					fail("it computes something else")
				}
				if r := check.Module(planned, check.Options{}); len(r.Findings) > len(check.Module(m, check.Options{}).Findings) {
					fail("%v", r.Findings[0])
				}
				for k, n := range mostInSpaces(got.trace, len(capacities)) {
					var space ir.Attribute
					if k > 0 {
						space = context().I64Attr(int64(k))
					}
					if bound := footprint.InSpace(planned, space); n > capacities[k] || !bound.IsStatic() || n > bound.Bytes {
						fail("%d bytes in memory space %d, which may be %s, of %d", n, k, bound, capacities[k])
					}
				}
			}
		}
	}
	if t.Logf("%d programs with buffers in another memory, %d with transfers, %d refused", moved, transferred, refused); moved == 0 || transferred == 0 || refused == 0 {
		t.Error("nothing is in another memory, or transferred, or nothing is refused")
	}
}

// traced is what came of an execution, and what it did with memory.
type traced struct {
	*interp.Result
	trace *interp.MemoryTrace
}

// mostInSpaces returns the most that was allocated on heap and stack at a time in the memory spaces from 0 on.
func mostInSpaces(trace *interp.MemoryTrace, spaces int) []int64 {
	most, now := make([]int64, spaces), make([]int64, spaces)
	for _, e := range trace.Events {
		space := 0
		for k := 1; k < spaces; k++ {
			if strings.HasSuffix(e.Type, fmt.Sprintf(", %d>", k)) {
				space = k
			}
		}
		switch {
		case e.Origin != "heap" && e.Origin != "stack":
		case e.Event == "alloc":
			now[space] += e.Bytes
			most[space] = max(most[space], now[space])
		case e.Event == "free":
			now[space] -= e.Bytes
		}
	}
	return most
}
