// Package sat is a dialect outside of freehold: saturating arithmetic on tensors and
// buffers of i32. It shows all that the definition of an operation can say.
package sat

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/proof/semantics"
)

// Dialect is the sat dialect.
var Dialect = &ir.Dialect{
	Name: "sat",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{clampDef(), clampBufferDef()}
	},
}

// Clamp is sat.clamp, a tensor whose elements are those of another, but at most a limit.
var Clamp = ir.NewOpID("sat.clamp")

func clampDef() *ir.OpDef {
	return &ir.OpDef{
		ID: Clamp,
		Operands: []ir.OperandDef{
			{Name: "operand", Type: constraint.TensorOf(constraint.I32)},
			{Name: "limit", Type: constraint.I32},
		},
		Results:   []ir.ResultDef{{Name: "result", Type: constraint.TensorOf(constraint.I32)}},
		Traits:    ir.TraitPure,
		TypeRules: []ir.TypeRule{{Same: []string{"operand", "result"}, Summary: "operand and result have the same type"}},
		Format:    "$operand `,` $limit attr-dict `:` type($operand)",
		Verify:    verifyClamp,
		Fold:      foldClamp,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "ClampOfClamp", Rewrite: clampOfClamp}),
			interfaces.Bufferizable.Model(clampBufferize{}),
			exec.Executable.Model(executeClamp),
		},
	}
}

// ClampBuffer is sat.clamp_buffer, which clamps the elements of a buffer in place.
var ClampBuffer = ir.NewOpID("sat.clamp_buffer")

func clampBufferDef() *ir.OpDef {
	return &ir.OpDef{
		ID: ClampBuffer,
		Operands: []ir.OperandDef{
			{Name: "buffer", Type: constraint.MemRefOf(constraint.I32)},
			{Name: "limit", Type: constraint.I32},
		},
		Format: "$buffer `,` $limit attr-dict `:` type($buffer)",
		Models: []ir.Model{
			interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0), interfaces.OnOperand(interfaces.Write, 0)),
			semantics.Stated.Model(semantics.Rule{Does: semantics.Accesses, Reads: []int{0}, Writes: []int{0}}),
			exec.Executable.Model(executeClampBuffer),
		},
	}
}

// ClampOp is a sat.clamp or sat.clamp_buffer.
type ClampOp struct{ *ir.Op }

// Source returns the tensor, or buffer.
func (o ClampOp) Source() *ir.Value { return o.Operand(0) }

// Limit returns the largest element that there is afterwards.
func (o ClampOp) Limit() *ir.Value { return o.Operand(1) }

// verifyClamp rejects tensors of rank 0, for which there are scalars.
func verifyClamp(op *ir.Op) error {
	if shape, ranked := ir.ShapeOf(ClampOp{op}.Source().Type()); ranked && len(shape) == 0 {
		return op.Errorf("expects a tensor with dimensions")
	}
	return nil
}

// maxI32 is the limit that changes nothing.
const maxI32 = 1<<31 - 1

func foldClamp(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if limit, ok := operands[1].(*ir.IntegerAttr); ok && limit.Value == maxI32 {
		return ir.FoldValue(ClampOp{op}.Source())
	}
	return nil
}

// clampOfClamp drops the second of two clamps with the same limit.
func clampOfClamp(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := ClampOp{op}.Source().DefiningOp()
	if inner == nil || !inner.Is(Clamp) || (ClampOp{inner}).Limit() != (ClampOp{op}).Limit() {
		return false
	}
	r.Replace(op, inner.Result(0))
	return true
}

// clampBufferize lets sat.clamp work in the buffer of its operand.
type clampBufferize struct{ interfaces.BufferizeDefaults }

func (clampBufferize) Reads(*ir.Use, interfaces.AnalysisState) bool  { return true }
func (clampBufferize) Writes(*ir.Use, interfaces.AnalysisState) bool { return true }

func (clampBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	return []interfaces.AliasingValue{{Value: u.Owner().Result(0), Relation: interfaces.Equivalent, Definite: true}}
}

func (clampBufferize) Bufferize(op *ir.Op, b interfaces.Bufferizer) error {
	o := ClampOp{op}
	buffer, err := b.Buffer(o.Source())
	if err != nil {
		return err
	}
	b.Builder().CreateOp(ClampBuffer, nil, []*ir.Value{buffer, o.Limit()})
	b.Replace(op, buffer)
	return nil
}
