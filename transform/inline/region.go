package inline

import (
	"freehold/iface"
	"freehold/ir"
)

// legal tells whether the dialects allow the body of callee at the place of call.
func legal(call, callee *ir.Op) bool {
	m, ok := iface.Inliner.OfDialect(call.Dialect())
	if !ok || !m.LegalCall(call, callee) {
		return false
	}
	return legalOps(callee.RegionAt(0), call.Region())
}

func legalOps(body, dest *ir.Region) bool {
	for b := range body.Blocks() {
		for op := range b.Ops() {
			m, ok := iface.Inliner.OfDialect(op.Dialect())
			if !ok || !op.Registered() || !m.LegalOp(op, dest) {
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
// It calls visit for each operation that it brings in.
func body(b *ir.Builder, call *ir.Op, args ir.Operands, callee *ir.Op, move bool, visit func(o *ir.Op)) {
	block := call.Block()
	dest := block.Region()
	after := block.Split(call)
	from := callee.RegionAt(0)
	var first *ir.Block
	if move {
		first = from.Entry()
		for x := from.Entry(); x != nil; x = from.Entry() {
			x.Remove()
			dest.InsertBefore(x, after)
		}
		for i, a := range first.Args() {
			a.ReplaceAllUsesWith(args.At(i))
		}
	} else {
		m := ir.NewMapping()
		for i, a := range from.Entry().Args() {
			m.Map(a, args.At(i))
		}
		b.CloneRegion(from, dest, after, m)
		first = m.Block(from.Entry())
	}
	loc := call.Loc()
	for x := first; x != after; x = x.Next() {
		for op := range x.Ops() {
			op.Walk(func(o *ir.Op) bool {
				o.SetLoc(o.Context().CallSiteLoc(o.Loc(), loc))
				visit(o)
				return true
			})
		}
	}
	results := call.Results().Values()
	if first.Next() == after {
		if t := first.Last(); t != nil {
			terminator(b, t, nil, results)
			t.Erase()
		}
		block.TakeOps(first, first.First())
		first.Erase()
		block.TakeOps(after, after.First())
		after.ReplaceAllUsesWith(block)
		after.Erase()
		return
	}
	for _, r := range results {
		a := after.AddArg(r.Type(), r.Loc())
		r.ReplaceAllUsesWith(a)
	}
	for x := first.Next(); x != after; x = x.Next() {
		terminator(b, x.Last(), after, nil)
	}
	// The entry may have the only return.
	terminator(b, first.Last(), after, nil)
	block.TakeOps(first, first.First())
	first.Erase()
}

func terminator(b *ir.Builder, op *ir.Op, dest *ir.Block, values []*ir.Value) {
	if op == nil {
		return
	}
	if m, ok := iface.Inliner.OfDialect(op.Dialect()); ok {
		b.SetBefore(op)
		b.Loc = op.Loc()
		m.Terminator(b, op, dest, values)
	}
}
