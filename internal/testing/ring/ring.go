// Package ring is a dialect as it may be somebody else's, for tests: bufferization has its
// operation make the result's buffer itself.
package ring

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Turned is ring.turned, which makes a tensor of four f32 of another, and on buffers
// allocates it.
var Turned = ir.NewOpID("ring.turned")

// Dialect has the operation.
var Dialect = &ir.Dialect{Name: "ring", Ops: func() []*ir.OpDef {
	return []*ir.OpDef{{
		ID:       Turned,
		Operands: []ir.OperandDef{ir.Operand("source", constraint.AnyType)},
		Results:  ir.SingleResult("result", constraint.AnyType),
		Models: []ir.Model{
			interfaces.Bufferizable.Model(turnedBufferize{}),
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0), interfaces.OnResult(interfaces.Allocate, 0)),
		},
	}}
}}

type turnedBufferize struct{ interfaces.BufferizeDefaults }

func (turnedBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool { return true }
func (turnedBufferize) Allocates(*ir.Value) bool                     { return true }

func (turnedBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	buffer, err := b.Buffer(op.Operand(0))
	if err != nil {
		return err
	}
	t := ir.Type(op.Context().MemRef([]int64{4}, ir.F32))
	b.Replace(op, b.Builder().CreateOp(Turned, []ir.Type{t}, []*ir.Value{buffer}).Result(0))
	return nil
}
