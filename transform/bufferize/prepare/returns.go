package prepare

import (
	"freehold/dialect/arith"
	"freehold/dialect/cf"
	funcd "freehold/dialect/funcd"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// JoinReturns gives the regions of functions, and of other operations in op that bufferize
// and may have several blocks, a single return: each of the others branches to a new last
// block, whose arguments are what was returned. Blocks that control never reaches are erased: what they return says nothing, and values may be made of themselves there. A function that never
// returns gets a return that can't be reached. It returns how many regions it changed. Linear time.
func JoinReturns(op *ir.Op) (changed int) {
	b, r := ir.NewBuilder(op.Context()), rewrite.NewRewriter(op.Context())
	op.WalkPostOrder(func(op *ir.Op) {
		if !interfaces.Bufferizable.Has(op) {
			return
		}
		erased := rewrite.EraseUnreachableBlocks(r, op.Regions())
		for _, reg := range op.Regions() {
			if joinReturns(b, reg) || erased {
				changed++
			}
		}
	})
	return changed
}

// joinReturns does it for one region.
func joinReturns(b *ir.Builder, r *ir.Region) bool {
	op := r.Op()
	var returns []*ir.Op
	for blk := range r.Blocks() {
		if t := blk.Last(); t != nil && t.Has(ir.TraitReturnLike) {
			returns = append(returns, t)
		}
	}
	b.Loc = op.Loc()
	if len(returns) == 0 {
		return neverReturns(b, op, r)
	}
	if len(returns) == 1 {
		return false
	}
	types := returns[0].Operands().Types()
	last := r.AddBlock()
	for i, t := range types {
		last.AddArg(t, returns[0].Operand(i).Loc())
	}
	var locs []ir.Location
	for _, t := range returns {
		locs = append(locs, t.Loc())
	}
	for i, t := range returns {
		values := t.Operands().Values()
		b.SetBefore(t)
		b.Loc = t.Loc()
		cf.NewBranch(b, last, values...)
		if i > 0 {
			t.Erase()
			continue
		}
		t.Remove()
		t.SetOperands(last.Args())
		t.SetLoc(op.Context().FusedLoc(locs, nil))
		last.Append(t)
	}
	return true
}

// neverReturns adds an unreachable return to a region that has none, such as an infinite
// loop: bufferization takes the types of results from what is returned.
func neverReturns(b *ir.Builder, op *ir.Op, r *ir.Region) bool {
	if r.Empty() {
		return false
	}
	var id *ir.OpID
	var types []ir.Type
	switch {
	case op.Is(funcd.Func):
		id, types = funcd.Return, funcd.Type(op).Results
	case op.Is(scf.ExecuteRegion):
		id, types = scf.Yield, op.Results().Types()
	default:
		return false
	}
	b.SetEnd(r.AddBlock())
	var values []*ir.Value
	for _, t := range types {
		values = append(values, anyValue(b, t))
	}
	b.CreateOp(id, nil, values)
	return true
}

// anyValue creates a value of a type; nothing is known about its contents. Dynamic
// dimensions of tensors get the size 0.
func anyValue(b *ir.Builder, t ir.Type) *ir.Value {
	ranked, ok := t.(*ir.RankedTensorType)
	if !ok {
		if u, unranked := t.(*ir.UnrankedTensorType); unranked {
			return tensor.NewCast(b, t, tensor.NewEmpty(b, nil, u.Elem, nil))
		}
		return b.CreateOp(ub.Poison, []ir.Type{t}, nil).Result(0)
	}
	var sizes []*ir.Value
	for _, n := range ranked.Shape {
		if n == ir.Dynamic {
			sizes = append(sizes, arith.ConstantIndex(b, 0))
		}
	}
	return tensor.NewEmptyOf(b, ranked, sizes)
}
