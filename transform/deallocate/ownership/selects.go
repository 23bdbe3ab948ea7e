package ownership

import (
	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
)

// choicesOfSelects makes arith.select of buffers results of scf.if: of one with the same condition in the same block, if there is one
// that can have them. So the branches can get the ownership of both buffers. Canonicalization had made it of that, and does so
// again where nothing came of it.
func choicesOfSelects(fn *ir.Op, b *ir.Builder) {
	var selects []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(arith.Select) && isMemRef(op.Result(0)) && (arith.SelectOp{Op: op}).Condition().Type() == ir.Type(ir.I1) {
			selects = append(selects, op)
		}
		return true
	})
	for _, op := range selects {
		v := op.Result(0)
		if choice := choiceFor(op); choice != nil {
			v.ReplaceAllUsesWith(withResult(b, choice, arith.SelectOp{Op: op}.TrueValue(), arith.SelectOp{Op: op}.FalseValue()))
			op.Erase()
		}
	}
}

// choiceFor returns the scf.if that can have a select's result as one of its own; nil if there is none.
func choiceFor(op *ir.Op) *ir.Op {
	for u := (arith.SelectOp{Op: op}).Condition().FirstUse(); u != nil; u = u.Next() {
		x := u.Owner()
		if x.Is(scf.If) && x.Block() == op.Block() && x.NumResults() > 0 && (op.IsBefore(x) && usedAfter(op, x) || x.IsBefore(op) && isThere(arith.SelectOp{Op: op}.TrueValue(), x) && isThere(arith.SelectOp{Op: op}.FalseValue(), x)) {
			return x
		}
	}
	return nil
}

// usedAfter tells whether all uses of what an operation computes are after another one of its block.
func usedAfter(op, other *ir.Op) bool {
	for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
		if user := op.Block().AncestorIn(u.Owner()); user != nil && !other.IsBefore(user) {
			return false
		}
	}
	return true
}

// isThere tells whether a value that an operation of the same block, or of one inside of that of the value, uses, is also there at another one.
func isThere(v *ir.Value, at *ir.Op) bool {
	def := v.DefiningOp()
	return def == nil || def.Block() != at.Block() || def.IsBefore(at)
}

// withResult replaces an scf.if by one with a further result, and returns that.
func withResult(b *ir.Builder, op *ir.Op, yes, no *ir.Value) *ir.Value {
	b.SetBefore(op)
	n := op.NumResults()
	s := ir.OpState{Name: op.OpName(), Loc: op.Loc(), Operands: op.Operands().Values(), Types: append(op.Results().Types(), yes.Type()),
		Props: append([]ir.Attribute(nil), op.Props()...), Attrs: append([]ir.NamedAttr(nil), op.DiscardableAttrs()...)}
	for range op.Regions() {
		s.AddRegion()
	}
	next := b.Create(s)
	for i, v := range []*ir.Value{yes, no} {
		r := next.RegionAt(i)
		r.TakeBody(op.RegionAt(i))
		last := r.Entry().Last()
		last.InsertOperands(last.NumOperands(), v)
	}
	for i := range n {
		op.Result(i).ReplaceAllUsesWith(next.Result(i))
	}
	op.Erase()
	return next.Result(n)
}
