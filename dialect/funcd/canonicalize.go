package funcd

import (
	"freehold/ir"
	"freehold/ir/rewrite"
)

// callConstant calls a function that is known directly.
func callConstant(r *rewrite.Rewriter, op *ir.Op) bool {
	fn := CallIndirectOp{op}.Callee().DefiningOp()
	if fn == nil || !fn.Is(Constant) {
		return false
	}
	r.SetBefore(op)
	r.Loc = op.Loc()
	s := r.State(Call)
	s.SetAttr("callee", fn.Prop(0))
	s.Operands, s.Types = op.Operands()[1:].Values(), op.Results().Types()
	s.Attrs = append(s.Attrs, op.DiscardableAttrs()...) // what passes have noted about the call
	r.Replace(op, r.Create(s).Results().Values()...)
	return true
}
