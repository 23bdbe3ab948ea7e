package explain_test

import (
	"testing"

	"freehold/dialect"
	"freehold/explain"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/pass"
	"freehold/transform"
)

// turned is an operation that, on buffers, allocates its result itself.
var turned = ir.NewOpID("ring.turned")

type turnedBufferize struct{ iface.BufferizeDefaults }

func (turnedBufferize) Reads(*ir.Use, iface.AnalysisState) bool { return true }
func (turnedBufferize) Allocates(*ir.Value) bool                { return true }

func (turnedBufferize) Bufferize(op *ir.Op, b iface.Bufferizer) error {
	buffer, err := b.Buffer(op.Operand(0))
	if err != nil {
		return err
	}
	t := ir.Type(op.Context().MemRef([]int64{4}, ir.F32))
	b.Replace(op, b.Builder().CreateOp(turned, []ir.Type{t}, []*ir.Value{buffer}).Result(0))
	return nil
}

// What an operation of somebody's own dialect allocates is counted, and explained.
func TestOwnAllocations(t *testing.T) {
	def := &ir.OpDef{
		ID:       turned,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyType)},
		Results:  ir.SingleResult("result", constraint.AnyType),
		Models: []ir.Model{
			iface.Bufferizable.Model(turnedBufferize{}),
			iface.FixedEffects(iface.OnOperand(iface.Read, 0), iface.OnResult(iface.Allocate, 0)),
		},
	}
	ctx := ir.NewContext(append(dialect.All(), &ir.Dialect{Name: "ring", Ops: []*ir.OpDef{def}})...)
	m, err := asm.Parse(ctx, []byte(`func.func @f(%t: tensor<4xf32>, %i: index) -> f32 {
  %0 = "ring.turned"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}`), "own.mlir", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var registry pass.Registry
	transform.Register(&registry)
	pipeline, err := registry.ParsePipeline("builtin.module(one-shot-bufferize{bufferize-function-boundaries})")
	if err != nil {
		t.Fatal(err)
	}
	e, err := explain.Module(m, pipeline, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Items) != 1 {
		t.Fatalf("%d items, want 1", len(e.Items))
	}
	i := e.Items[0]
	if i.Op != "ring.turned" || i.Allocations != 1 || i.Copies != 0 || i.Cause != explain.Result || i.Headline() != "allocation of 16 B" {
		t.Errorf("got %s by %s: %s (%s)", i.Headline(), i.Op, i.Title, i.Cause)
	}
}
