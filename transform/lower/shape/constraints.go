package shape

import (
	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/shape"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// What is asserted in place of a witness.
const (
	broadcastableMessage = "required broadcastable shapes"
	equalMessage         = "required equal shapes"
)

// ConstraintPatterns returns the patterns that replace witnesses by assertions.
func ConstraintPatterns() []rewrite.Pattern {
	condition := func(id *ir.OpID, message string) func(*rewrite.Rewriter, *ir.Op) bool {
		return func(r *rewrite.Rewriter, op *ir.Op) bool {
			r.Loc = op.Loc()
			holds := r.CreateOp(id, []ir.Type{ir.I1}, op.Operands().Values()).Result(0)
			return assertInstead(r, op, holds, r.Context().StringAttr(message))
		}
	}
	return []rewrite.Pattern{
		{Name: "ConvertCstrBroadcastable", Root: shape.CstrBroadcastable, Rewrite: condition(shape.IsBroadcastable, broadcastableMessage)},
		{Name: "ConvertCstrEq", Root: shape.CstrEq, Rewrite: condition(shape.ShapeEq, equalMessage)},
		{Name: "ConvertCstrRequireOp", Root: shape.CstrRequire, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			r.Loc = op.Loc()
			return assertInstead(r, op, shape.CstrRequireOp{Op: op}.Pred(), op.Attr("msg"))
		}},
	}
}

func assertInstead(r *rewrite.Rewriter, op *ir.Op, holds *ir.Value, message ir.Attribute) bool {
	r.CreateOp(cf.Assert, nil, []*ir.Value{holds}, ir.NamedAttr{Name: "msg", Value: message})
	r.Replace(op, trueWitness(r, op))
	return true
}

// RemovalPatterns returns the patterns that replace witnesses of comparisons by one that
// always holds.
func RemovalPatterns() []rewrite.Pattern {
	remove := func(r *rewrite.Rewriter, op *ir.Op) bool {
		r.Loc = op.Loc()
		r.Replace(op, trueWitness(r, op))
		return true
	}
	return []rewrite.Pattern{
		{Name: "RemoveCstrBroadcastableOp", Root: shape.CstrBroadcastable, Rewrite: remove},
		{Name: "RemoveCstrEqOp", Root: shape.CstrEq, Rewrite: remove},
	}
}

func trueWitness(r *rewrite.Rewriter, op *ir.Op) *ir.Value {
	return r.CreateOp(shape.ConstWitness, op.Results().Types(), nil, ir.NamedAttr{Name: "passing", Value: r.Context().Bool(true)}).Result(0)
}

// SimplerPatterns returns the pattern that replaces shape.num_elements by a reduction.
func SimplerPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "NumElementsOpConverter", Root: shape.NumElements, Rewrite: NumElementsToReduce}}
}

// NumElementsToReduce replaces a shape.num_elements by the product of the extents.
func NumElementsToReduce(r *rewrite.Rewriter, op *ir.Op) bool {
	r.Loc = op.Loc()
	t := op.Result(0).Type()
	one := r.Context().IndexAttr(1)
	var init *ir.Value
	if t == ir.Type(ir.Index) {
		init = arith.NewConstant(r.Builder, one).Result(0)
	} else {
		init = r.CreateOp(shape.ConstSize, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: one}).Result(0)
	}
	s := r.State(shape.Reduce)
	s.Operands, s.Types = []*ir.Value{shape.NumElementsOp{Op: op}.Shape(), init}, []ir.Type{t}
	body := s.AddRegion().AddBlock(ir.Index, t, t)
	reduce := r.Create(s)
	r.SetEnd(body)
	product := r.CreateOp(shape.Mul, []ir.Type{t}, body.Args()[1:])
	r.CreateOp(shape.Yield, nil, product.Results().Values())
	r.SetBefore(op)
	r.Replace(op, reduce.Result(0))
	return true
}
