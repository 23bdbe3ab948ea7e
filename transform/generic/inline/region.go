package inline

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// legal tells whether the dialects allow the body of callee at the place of call.
func legal(call, callee *ir.Op) bool {
	m, ok := interfaces.Inliner.OfDialect(call.Dialect())
	if !ok || !m.LegalCall(call, callee) {
		return false
	}
	if into, ok := interfaces.InlinerIntoRegion.OfDialect(call.Parent().Dialect()); ok && !into(call, callee.RegionAt(0)) {
		return false
	}
	return legalOps(callee.RegionAt(0), call.Region())
}

func legalOps(body, dest *ir.Region) bool {
	for b := range body.Blocks() {
		for op := range b.Ops() {
			m, ok := interfaces.Inliner.OfDialect(op.Dialect())
			if !ok || !m.LegalOp(op, dest) {
				return false
			}
			for _, r := range op.Regions() {
				if !legalOps(r, dest) {
					return false
				}
			}
		}
	}
	return true
}

// body replaces the call by the body of callee, of which it uses a copy, or, if
// move is set, the body itself. The call stays, without uses, and has to be erased.
// It calls visit with what it brings in, before that is taken apart. Time is linear in the size
// of the body, and, if that has several blocks, of what follows the call in its
// block.
func body(b *ir.Builder, call *ir.Op, args ir.Operands, callee *ir.Op, move bool, visit func(r *ir.Region)) {
	from := callee.RegionAt(0)
	if !move {
		m := ir.NewMapping()
		for i, a := range from.Entry().Args() {
			m.Map(a, args.At(i))
		}
		copied := &ir.Region{}
		b.CloneRegion(from, copied, nil, m)
		from = copied
	} else {
		for i, a := range from.Entry().Args() {
			a.ReplaceAllUsesWith(args.At(i))
		}
	}
	loc := call.Loc()
	for x := range from.Blocks() {
		for op := range x.Ops() {
			op.Walk(func(o *ir.Op) bool {
				o.SetLoc(o.Context().CallSiteLoc(o.Loc(), loc))
				return true
			})
		}
	}
	visit(from)
	first, results := from.Entry(), call.Results().Values()
	if from.NumBlocks() == 1 {
		if t := first.Last(); t != nil {
			terminator(b, t, nil, results)
			t.Erase()
		}
		for op := first.First(); op != nil; op = first.First() {
			op.MoveBefore(call)
		}
		first.Erase()
		return
	}
	block := call.Block()
	after := block.Split(call)
	for _, r := range results {
		r.ReplaceAllUsesWith(after.AddArg(r.Type(), r.Loc()))
	}
	for x := range from.Blocks() {
		terminator(b, x.Last(), after, nil)
	}
	block.TakeOps(first, first.First())
	first.Erase()
	for x := from.Entry(); x != nil; x = from.Entry() {
		x.Remove()
		block.Region().InsertBefore(x, after)
	}
}

func terminator(b *ir.Builder, op *ir.Op, dest *ir.Block, values []*ir.Value) {
	if op == nil {
		return
	}
	if m, ok := interfaces.Inliner.OfDialect(op.Dialect()); ok {
		b.SetBefore(op)
		b.Loc = op.Loc()
		m.Terminator(b, op, dest, values)
	}
}
