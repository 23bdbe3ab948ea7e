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

// Sources are where all ways back end, each once, however many ways there are; what only comes from itself has none.
func TestSources(t *testing.T) {
	p := new([6]ir.Value)
	v := func(i int) *ir.Value { return &p[i] }
	from := map[*ir.Value][]*ir.Value{v(0): {v(1), v(2)}, v(1): {v(3), v(0)}, v(2): {v(3)}, v(4): {v(4)}}
	back := func(x *ir.Value) []*ir.Value { return from[x] }
	if got := analysis.Sources(v(0), back); len(got) != 1 || got[0] != v(3) {
		t.Errorf("of two ways to one value: %d values", len(got))
	}
	if got := analysis.Sources(v(4), back); len(got) != 0 {
		t.Errorf("of a value that comes from itself: %d values", len(got))
	}
	if got := analysis.Sources(v(5), back); len(got) != 1 || got[0] != v(5) {
		t.Errorf("of a value that comes from nothing: %d values", len(got))
	}
}
