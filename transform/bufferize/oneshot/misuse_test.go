package oneshot_test

import (
	"testing"

	"freehold/dialect"
	"freehold/dialect/memref"
	"freehold/internal/testing/ring"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/bufferize/oneshot"
)

// What a program that uses the package does wrong is an error that says what, with a position.
func TestMisuse(t *testing.T) {
	rewrite := func(use func(m *ir.Op) oneshot.Decision) func(m *ir.Op) error {
		return func(m *ir.Op) error {
			p := oneshot.NewPlan()
			p.Set(use(m))
			return oneshot.Rewrite(m, p, boundaries())
		}
	}
	with := func(set func(o *oneshot.Options)) func(m *ir.Op) error {
		return func(m *ir.Op) error {
			o := boundaries()
			set(o)
			return oneshot.Run(m, o)
		}
	}
	insert := func(m *ir.Op) *ir.Op { return find(m, "tensor.insert")[0] }
	for _, c := range []struct {
		name, want string
		do         func(m *ir.Op) error
	}{
		{"no options", "test.mlir: there are no options for bufferization; DefaultOptions returns those of the pass",
			func(m *ir.Op) error { return oneshot.Run(m, nil) }},
		{"no options for rewriting", "test.mlir: there are no options for bufferization; DefaultOptions returns those of the pass",
			func(m *ir.Op) error { return oneshot.Rewrite(m, oneshot.NewPlan(), nil) }},
		{"no plan", "test.mlir: there is no plan to carry out; NewPlan returns one by which everything is in place",
			func(m *ir.Op) error { return oneshot.Rewrite(m, nil, boundaries()) }},
		{"no plan of an analysis", "test.mlir: Options.Analysis returned no plan, and no error",
			with(func(o *oneshot.Options) {
				o.Analysis = func(*ir.Op, *oneshot.Options) (*oneshot.Plan, error) { return nil, nil }
			})},
		{"no buffer", "test.mlir:3:8: Options.Alloc returned no buffer of type 'memref<4xf32>', and no error\ntest.mlir:3:8: failed to bufferize op",
			with(func(o *oneshot.Options) {
				o.CopyBeforeWrite = true
				o.Alloc = func(*ir.Builder, *ir.MemRefType, []*ir.Value) (*ir.Value, error) { return nil, nil }
			})},
		{"a plan carried out twice", "test.mlir: the plan was carried out already; a program that was changed needs a new one",
			func(m *ir.Op) error {
				p, err := oneshot.Analyze(m, boundaries())
				if err == nil {
					err = oneshot.Rewrite(m, p, boundaries())
				}
				if err != nil {
					return err
				}
				return oneshot.Rewrite(m, p, boundaries())
			}},
		{"no tensor", "test.mlir:3:8: 'tensor.insert' op the plan decides about operand #0, which is no tensor but 'f32'",
			rewrite(func(m *ir.Op) oneshot.Decision { return oneshot.Decision{Use: insert(m).OperandUse(0)} })},
		{"another program", "test.mlir: the plan decides about an operand of 'tensor.insert', which is not in this program",
			rewrite(func(*ir.Op) oneshot.Decision {
				return oneshot.Decision{Use: insert(parse(t, insertTwice)).OperandUse(1)}
			})},
		{"an operation that is gone", "test.mlir: the plan decides about an operand of 'tensor.insert', which is not in this program",
			rewrite(func(m *ir.Op) oneshot.Decision {
				op := find(m, "tensor.insert")[1]
				u := op.OperandUse(1)
				op.Result(0).ReplaceAllUsesWith(op.Operand(1))
				op.Erase()
				return oneshot.Decision{Use: u}
			})},
		{"the result of another operation", "test.mlir:3:8: 'tensor.insert' op the plan copies a value instead of operand #1 that is no result of the operation",
			rewrite(func(m *ir.Op) oneshot.Decision {
				return oneshot.Decision{Use: insert(m).OperandUse(1), Result: find(m, "tensor.insert")[1].Result(0)}
			})},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.do(parse(t, insertTwice))
			if err == nil {
				t.Fatal("there is no error")
			}
			if err.Error() != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}

// Buffers that operations of a model allocate are told of like those that Alloc makes.
func TestMadeByModels(t *testing.T) {
	ctx := ir.NewContext(append(dialect.All(), ring.Dialect)...)
	m, err := asm.Parse(ctx, []byte(`
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "ring.turned"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}`), "test.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := boundaries()
	o.FunctionBoundary = oneshot.IdentityLayout
	made := map[*ir.OpID]int{}
	o.Made = func(op *ir.Op, from oneshot.Origin) {
		made[op.OpName().ID()]++
		if from.Op == nil {
			t.Errorf("%s is made for nothing", op.Name())
		}
	}
	if err := oneshot.Run(m, o); err != nil {
		t.Fatal(err)
	}
	if made[ring.Turned] != 1 || made[memref.Alloc] != 1 || made[memref.Copy] != 1 {
		t.Errorf("told of %v", made)
	}
}
