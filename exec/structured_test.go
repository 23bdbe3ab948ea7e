package exec_test

import (
	"strings"
	"testing"

	"freehold/dialect"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
)

// A body that yields elements of another type than its destination has, which the verifier refuses, isn't executed: elements of four bytes would be
// written where there is room for one.
func TestBodyOfOtherElements(t *testing.T) {
	for body, want := range map[string]string{
		`^bb0(%x: f32, %y: i1): %e = "math.exp"(%x) : (f32) -> f32  "linalg.yield"(%e) : (f32) -> ()`: "other elements",
		`^bb0(%x: f32, %y: f32): "linalg.yield"(%y) : (f32) -> ()`:                                    "other elements",
		`^bb0(%x: f32, %y: i1): "linalg.yield"(%y) : (i1) -> ()`:                                      "",
	} {
		src := `func.func @f(%a: f32, %b: tensor<16xi1>) -> tensor<16xi1> {
  %0 = "linalg.exp"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1>}> ({ ` + body + ` }) : (f32, tensor<16xi1>) -> tensor<16xi1>
  return %0 : tensor<16xi1>
}`
		m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(src), "body.mlir", asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		fn := m.BodyBlock(0).First()
		err = exec.NewProgram(m).Function(fn).Compile()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", body, err)
		}
	}
}
