package rematerialize_test

import (
	"fmt"
	"strings"
	"testing"

	"freehold/driver"
	"freehold/ir"
	"freehold/transform/memory/rematerialize"
)

// peaks has n peaks of the same height, each of which goes if a tensor is computed again.
func peaks(n int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%x: tensor<64xf32>, %i: index) -> f32 {\n  %r0 = tensor.extract %x[%i] : tensor<64xf32>\n")
	for k := range n {
		fmt.Fprintf(&b, `  %%s%[1]d = tensor.splat %%r%[1]d : tensor<64xf32>
  %%e%[1]d = tensor.empty() : tensor<64xf32>
  %%a%[1]d = linalg.exp ins(%%s%[1]d : tensor<64xf32>) outs(%%e%[1]d : tensor<64xf32>) -> tensor<64xf32>
  %%p%[1]d = tensor.extract %%a%[1]d[%%i] : tensor<64xf32>
  %%b%[1]d = tensor.splat %%p%[1]d : tensor<256xf32>
  %%q%[1]d = tensor.extract %%b%[1]d[%%i] : tensor<256xf32>
  %%f%[1]d = tensor.extract %%a%[1]d[%%i] : tensor<64xf32>
  %%r%[2]d = arith.addf %%q%[1]d, %%f%[1]d : f32
`, k, k+1)
	}
	fmt.Fprintf(&b, "  return %%r%d : f32\n}", n)
	return b.String()
}

// Where there are more peaks of the same height than tensors may be computed again, that is seen before hundreds are in vain.
func TestTooManyPeaks(t *testing.T) {
	again := func(n int) (changed int, allocations float64) {
		p, err := driver.Freehold().NewSession().Parse([]byte(peaks(n)), "peaks.mlir")
		if err != nil {
			t.Fatal(err)
		}
		allocations = testing.AllocsPerRun(1, func() {
			copied := ir.CloneDetached(p.Module)
			result, err := rematerialize.Run(copied, rematerialize.Options{ExtraWork: 1})
			if err != nil {
				t.Fatal(err)
			}
			changed = 0
			for _, b := range result.Blocks {
				changed += b.Again
			}
		})
		return changed, allocations
	}
	few, some := again(20)
	if few == 0 {
		t.Error("nothing is computed again for 20 peaks")
	}
	many, more := again(400)
	if many != 0 || more > 100*some {
		t.Errorf("%d operations are computed again for 400 peaks, with %.0f allocations; %.0f for 20 peaks", many, more, some)
	}
}
