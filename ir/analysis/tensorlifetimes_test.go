package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

// A tensor that a chain of loops may pass on is alive to the end; what is known of its gaps is limited, so
// that all that is known of n tensors grows with n.
func TestTensorsOfLongChains(t *testing.T) {
	for _, n := range []int{3, 200, 2000} {
		var s strings.Builder
		s.WriteString("func.func @f(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %r0 = math.exp %t : tensor<4xf32>\n")
		for i := range n {
			fmt.Fprintf(&s, "  %%r%d = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%x = %%r%d) -> tensor<4xf32> {\n    %%y = math.exp %%x : tensor<4xf32>\n    %%z = math.absf %%y : tensor<4xf32>\n    scf.yield %%z : tensor<4xf32>\n  }\n", i+1, i)
		}
		fmt.Fprintf(&s, "  return %%r%d : tensor<4xf32>\n}\n", n)
		m, _ := load(t, s.String())
		l := analysis.NewLifetimes(m.BodyBlock(0).First())
		tensors, _ := l.Tensors(func(*ir.Value) bool { return true }, nil)
		if len(tensors) != 2*n+1 {
			t.Fatalf("%d: %d tensors", n, len(tensors))
		}
		spans := 0
		for i, x := range tensors {
			spans += len(x.Spans)
			begin, _ := l.Of(x.Value.DefiningOp())
			first, last := x.Spans[0].Lower, x.Spans[len(x.Spans)-1].Upper
			if passed := i == 0 || i%2 == 0; passed && last < l.End()-4 || !passed && (last > begin+6 || len(x.Spans) != 1) || first > begin {
				t.Fatalf("%d: tensor %d, made at %d of %d, is alive %v", n, i, begin, l.End(), x.Spans)
			}
		}
		if spans > 600*n {
			t.Errorf("%d: %d times", n, spans)
		}
		if n == 3 && (len(tensors[0].Spans) == 1 || spans == len(tensors)) {
			t.Errorf("no gaps are known: %v", tensors[0].Spans)
		}
	}
}
