package analysis_test

import (
	"testing"

	"freehold/ir"
	"freehold/ir/analysis"
)

// What a loop carries comes from where it starts and from what it yields; its counter comes from nowhere.
func TestPassedTo(t *testing.T) {
	m, _ := load(t, `func.func @f(%t: tensor<4xf32>, %n: index, %c: i1) -> tensor<4xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %t) -> tensor<4xf32> {
    %y = scf.if %c -> tensor<4xf32> {
      scf.yield %x : tensor<4xf32>
    } else {
      scf.yield %t : tensor<4xf32>
    }
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}`)
	loops := 0
	m.Walk(func(op *ir.Op) bool {
		switch op.Name() {
		case "scf.for":
			loops++
			start, yielded := op.Operand(3), op.BodyBlock(0).Last().Operand(0)
			for _, v := range []*ir.Value{op.Result(0), op.BodyBlock(0).Arg(1)} {
				if from, ok := analysis.PassedTo(v); !ok || len(from) != 2 || from[0] != start || from[1] != yielded {
					t.Errorf("%d values, known: %v", len(from), ok)
				}
			}
			if _, ok := analysis.PassedTo(op.BodyBlock(0).Arg(0)); ok {
				t.Error("something is passed to the counter")
			}
			if _, ok := analysis.PassedTo(start); ok {
				t.Error("something is passed to an argument of the function")
			}
		case "scf.if":
			loops++
			if from, ok := analysis.PassedTo(op.Result(0)); !ok || len(from) != 2 {
				t.Errorf("%d values, known: %v", len(from), ok)
			}
		}
		return true
	})
	if loops != 2 {
		t.Errorf("%d operations", loops)
	}
}
