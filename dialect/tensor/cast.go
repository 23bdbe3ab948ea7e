package tensor

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Cast changes what is statically known about a tensor's shape.
var Cast = ir.NewOpID("tensor.cast")

func castDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          Cast,
		Operands:    []ir.OperandDef{ir.Operand("source", constraint.AnyTensor)},
		Results:     ir.SingleResult("dest", constraint.AnyTensor),
		Traits:      ir.TraitPure,
		Format:      "$source attr-dict `:` type($source) `to` type($dest)",
		Verify:      func(op *ir.Op) error { return verifyCast(op, CastCompatible) },
		VerifyAlone: true,
		Models: []ir.Model{
			interfaces.Bufferizable.Model(castBufferize{viewBufferize{relation: interfaces.Equivalent}}),
			named("cast"),
			interfaces.Cast.Model(struct{}{}),
			rewrite.Patterns(castPatterns()...),
			exec.Executable.Model(executeCast),
		},
		Fold: foldCast,
	}
}

// CastOp is a tensor.cast.
type CastOp struct{ *ir.Op }

// Source returns the tensor that is cast.
func (o CastOp) Source() *ir.Value { return o.Operand(0) }

// NewCast casts v to the type t.
func NewCast(b *ir.Builder, t ir.Type, v *ir.Value) *ir.Value {
	return b.CreateOp(Cast, []ir.Type{t}, []*ir.Value{v}).Result(0)
}

// Bitcast reads the elements of a tensor as another type of the same width.
var Bitcast = ir.NewOpID("tensor.bitcast")

func bitcastDef() *ir.OpDef {
	return &ir.OpDef{
		ID:          Bitcast,
		Operands:    []ir.OperandDef{ir.Operand("source", constraint.AnyTensor)},
		Results:     ir.SingleResult("dest", constraint.AnyTensor),
		Traits:      ir.TraitPure,
		Format:      "$source attr-dict `:` type($source) `to` type($dest)",
		Verify:      func(op *ir.Op) error { return verifyCast(op, bitcastCompatible) },
		VerifyAlone: true,
		Models: []ir.Model{
			rewrite.Patterns(bitcastPatterns()...),
			exec.Executable.Model(executeBitcast),
		},
		Fold: foldCast,
	}
}

// BitcastOp is a tensor.bitcast.
type BitcastOp struct{ *ir.Op }

// Source returns the tensor that is cast.
func (o BitcastOp) Source() *ir.Value { return o.Operand(0) }

func verifyCast(op *ir.Op, compatible func(from, to ir.Type) bool) error {
	from, to := CastOp{op}.Source().Type(), op.Result(0).Type()
	if !compatible(from, to) {
		return op.Errorf("operand type '%s' and result type '%s' are cast incompatible", from, to)
	}
	return nil
}

// CastCompatible tells whether tensor.cast can turn one type into the other: the
// element types are the same, and no dimension has two different static sizes.
func CastCompatible(from, to ir.Type) bool {
	return ir.IsTensor(from) && ir.IsTensor(to) && ir.ElementType(from) == ir.ElementType(to) && compatibleShapes(from, to)
}

func bitcastCompatible(from, to ir.Type) bool {
	if !ir.IsTensor(from) || !ir.IsTensor(to) {
		return false
	}
	wf, okf := scalarWidth(ir.ElementType(from))
	wt, okt := scalarWidth(ir.ElementType(to))
	return okf && okt && wf == wt && compatibleShapes(from, to)
}

func scalarWidth(t ir.Type) (int, bool) {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width, true
	case *ir.FloatType:
		return t.Width, true
	}
	return 0, false
}

// compatibleShapes tells whether two tensor types may be types of the same
// tensor, as far as the shape says.
func compatibleShapes(a, b ir.Type) bool {
	sa, oka := ir.ShapeOf(a)
	sb, okb := ir.ShapeOf(b)
	if !oka || !okb {
		return true
	}
	if len(sa) != len(sb) {
		return false
	}
	for i := range sa {
		if sa[i] != sb[i] && sa[i] != ir.Dynamic && sb[i] != ir.Dynamic {
			return false
		}
	}
	return true
}
