package linalg

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// ElementwisePatterns returns the pattern that replaces scalar operations on whole tensors
// by linalg.generic.
func ElementwisePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "ConvertAnyElementwiseMappableOpOnRankedTensors", Applies: isElementwise, Rewrite: elementwiseToGeneric}}
}

// ConvertElementwise replaces the scalar operations in op that work on whole ranked
// tensors by linalg.generic. It is convert-elementwise-to-linalg. Linear time.
func ConvertElementwise(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.DynamicOthers(func(op *ir.Op) conversion.Legality { return conversion.Legalized(!onRankedTensors(op)) })
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

func isElementwise(n *ir.OpName) bool {
	return n.Registered() && n.Def().Traits&ir.ElementwiseMappable == ir.ElementwiseMappable
}

// onRankedTensors tells whether a scalar operation works on the elements of tensors, and
// on nothing else.
func onRankedTensors(op *ir.Op) bool {
	if !isElementwise(op.OpName()) || op.NumOperands() == 0 {
		return false
	}
	for i := range op.NumOperands() {
		if _, ok := op.Operand(i).Type().(*ir.RankedTensorType); !ok {
			return false
		}
	}
	return true
}

// elementwiseToGeneric replaces an operation by a linalg.generic with the same operation on
// scalars in its body. The init of a result is the first operand of its type, whose
// contents don't matter, or else an empty tensor.
func elementwiseToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	if !onRankedTensors(op) {
		return false
	}
	r.Loc = op.Loc()
	c, operands := r.Context(), op.Operands().Values()
	inits := make([]*ir.Value, op.NumResults())
	for i, t := range op.Results().Types() {
		inits[i] = initFor(r.Builder, t.(*ir.RankedTensorType), operands)
	}
	rank := len(operands[0].Type().(*ir.RankedTensorType).Shape)
	maps := make([]*ir.AffineMap, len(operands)+len(inits))
	for i := range maps {
		maps[i] = c.IdentityMap(rank)
	}
	generic := linalg.NewGeneric(r.Builder, operands, inits, maps, make([]interfaces.Iterator, rank), func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		return scalarOp(b, op, args[:len(operands)]).Results().Values()
	})
	r.Replace(op, generic.Results().Values()...)
	return true
}

// initFor returns a tensor of type t, which has the sizes of the operands.
func initFor(b *ir.Builder, t *ir.RankedTensorType, operands []*ir.Value) *ir.Value {
	for _, v := range operands {
		if v.Type() == t {
			return v
		}
	}
	return tensor.NewEmpty(b, tensor.MixedSizes(b, operands[0]), t.Elem, t.Encoding)
}

// scalarOp creates what op does with the elements of its operands.
func scalarOp(b *ir.Builder, op *ir.Op, args []*ir.Value) *ir.Op {
	s := b.State(op.ID())
	s.Operands = args
	for _, t := range op.Results().Types() {
		s.Types = append(s.Types, t.(*ir.RankedTensorType).Elem)
	}
	for _, a := range op.AllAttrs() {
		s.SetAttr(a.Name, a.Value)
	}
	return b.Create(s)
}
