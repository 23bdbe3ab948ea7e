package tensor

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Concat joins tensors along a dimension.
var Concat = ir.NewOpID("tensor.concat")

func concatDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Concat,
		Operands: []ir.OperandDef{{Name: "inputs", Type: constraint.AnyRankedTensor, Arity: ir.Variadic}},
		Results:  ir.SingleResult("result", constraint.AnyRankedTensor),
		Attrs:    []ir.AttrDef{{Name: "dim", Type: constraint.I64Attr}},
		Traits:   ir.TraitPure,
		Format:   "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)",
		Verify:   verifyConcat,
		Models: []ir.Model{
			named("concat"),
			interfaces.ReifyShapes.Model(reifyConcat),
			rewrite.Patterns(concatPatterns()...),
			exec.Executable.Model(executeConcat),
			interfaces.Bufferizable.Model(concatBufferize{}),
			interfaces.BufferizableSince.Model(21),
		},
		Fold: foldConcat,
	}
}

// ConcatOp is a tensor.concat.
type ConcatOp struct{ *ir.Op }

// Inputs returns the tensors.
func (o ConcatOp) Inputs() ir.Operands { return o.Operands() }

// Dim returns the dimension along which the tensors are joined.
func (o ConcatOp) Dim() int64 { return o.Attr("dim").(*ir.IntegerAttr).Value }

// Type returns the type of the result.
func (o ConcatOp) Type() *ir.RankedTensorType { return ranked(o.Result(0).Type()) }

// concatShape returns the static sizes of the joined tensors, and the number of a
// dimension in which they differ, or -1.
func concatShape(inputs []ir.Type, dim int64) (shape []int64, mismatch int) {
	shape = make([]int64, len(ranked(inputs[0]).Shape))
	for i := range shape {
		size := ir.Dynamic
		if int64(i) == dim {
			size = 0
		}
		for _, t := range inputs {
			d := ranked(t).Shape[i]
			switch {
			case int64(i) == dim && (d == ir.Dynamic || size == ir.Dynamic):
				size = ir.Dynamic
			case int64(i) == dim:
				size += d
			case size == ir.Dynamic:
				size = d
			case d != ir.Dynamic && d != size:
				return nil, i
			}
		}
		shape[i] = size
	}
	return shape, -1
}

func verifyConcat(op *ir.Op) error {
	o := ConcatOp{op}
	if len(o.Inputs()) < 1 {
		return op.Errorf("requires at least one input")
	}
	types, res := o.Inputs().Types(), o.Type()
	for _, t := range types {
		if len(ranked(t).Shape) != len(res.Shape) {
			return op.Errorf("rank of concatenated inputs must match result rank")
		}
	}
	for _, t := range types {
		if ranked(t).Elem != res.Elem {
			return op.Errorf("inputs and result element type must match")
		}
	}
	if o.Dim() >= int64(len(res.Shape)) || o.Dim() < 0 {
		return op.Errorf("concatenation dim must be less than the tensor rank")
	}
	shape, bad := concatShape(types, o.Dim())
	if bad >= 0 {
		return op.Errorf("static concatenation size mismatch along non-concatenated dimension %d", bad)
	}
	for i, d := range shape {
		if d != res.Shape[i] && d != ir.Dynamic && res.Shape[i] != ir.Dynamic {
			return op.Errorf("result type '%s'does not match inferred shape '%s' static sizes", res,
				op.Context().RankedTensor(shape, ranked(types[0]).Elem))
		}
	}
	return nil
}

// staticConcatInputs casts the tensors that are joined to the sizes that others of them have.
func staticConcatInputs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ConcatOp{op}
	shape, bad := concatShape(o.Inputs().Types(), o.Dim())
	if bad >= 0 {
		return false
	}
	changed := false
	for i, v := range o.Inputs().Values() {
		t := ranked(v.Type())
		want := slices.Clone(shape)
		want[o.Dim()] = t.Shape[o.Dim()]
		if slices.Equal(want, t.Shape) {
			continue
		}
		to := op.Context().RankedTensorOf(want, t.Elem, t.Encoding)
		v = NewCast(r.At(op), to, v)
		r.Modify(op, func() { op.SetOperand(i, v) })
		changed = true
	}
	return changed
}

// staticConcatResult gives the result the sizes that follow from those of the tensors, if its type says less.
func staticConcatResult(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ConcatOp{op}
	shape, bad := concatShape(o.Inputs().Types(), o.Dim())
	if bad >= 0 {
		return false
	}
	t := o.Type()
	to := op.Context().RankedTensorOf(shape, t.Elem, t.Encoding)
	if PreservesStatic(to, t) {
		return false
	}
	b := r.At(op)
	s := b.State(Concat)
	s.Operands, s.Types = o.Inputs().Values(), []ir.Type{to}
	s.SetAttr("dim", op.Attr("dim"))
	r.Replace(op, NewCast(b, t, b.Create(s).Result(0)))
	return true
}
