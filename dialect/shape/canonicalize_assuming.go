package shape

import (
	"slices"
	"sort"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// inlineAssumingTrue replaces shape.assuming by its body if the witness is a constant. If that is
// false, nothing is said of what happens.
func inlineAssumingTrue(r *rewrite.Rewriter, op *ir.Op) bool {
	if ir.ConstantOf(AssumingOp{op}.Witness()) == nil {
		return false
	}
	body := op.BodyBlock(0)
	if body.NumArgs() > 0 {
		return false // nothing tells what they are
	}
	yield := body.Last()
	values := yield.Operands().Values()
	r.Erase(yield)
	r.InlineBlockBefore(body, op.Block(), op, nil)
	r.Replace(op, values...)
	return true
}

// removeUnusedResults drops the results that nothing uses.
func removeUnusedResults(r *rewrite.Rewriter, op *ir.Op) bool {
	yield := op.BodyBlock(0).Last()
	var used []int
	for i := range op.NumResults() {
		if op.Result(i).HasUses() {
			used = append(used, i)
		}
	}
	if len(used) == op.NumResults() {
		return false
	}
	var values []*ir.Value
	for _, i := range used {
		values = append(values, yield.Operand(i))
	}
	r.Modify(yield, func() { yield.SetOperands(values) })
	r.At(op)
	s := r.State(Assuming)
	s.Operands, s.Types = op.Operands().Values(), ir.TypesOf(values)
	s.AddRegion()
	n := r.Create(s)
	r.InlineRegionBefore(op.RegionAt(0), n.RegionAt(0), nil)
	results := make([]*ir.Value, op.NumResults())
	for j, i := range used {
		results[i] = n.Result(j)
	}
	r.Replace(op, results...)
	return true
}

// mergeAssumingAll takes the witnesses of nested conjunctions.
func mergeAssumingAll(r *rewrite.Rewriter, op *ir.Op) bool {
	var flat []*ir.Value
	for _, v := range op.Operands().Values() {
		if in := v.DefinedBy(AssumingAll); in != nil && !rewrite.LeadsBack(in, op) {
			flat = append(flat, in.Operands().Values()...)
		} else {
			flat = append(flat, v)
		}
	}
	if len(flat) == op.NumOperands() {
		return false
	}
	withOperands(r, op, flat)
	return true
}

func forwardSingleWitness(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.NumOperands() != 1 {
		return false
	}
	r.Replace(op, op.OnlyOperand())
	return true
}

// dropImpliedWitnesses drops the witnesses that shapes are broadcastable to each
// other where another witness is about more shapes. Quadratic in the number of
// witnesses.
func dropImpliedWitnesses(r *rewrite.Rewriter, op *ir.Op) bool {
	type witness struct {
		op     *ir.Op
		shapes map[*ir.Value]bool
	}
	var list []witness
	for _, v := range op.Operands().Values() {
		w := v.DefinedBy(CstrBroadcastable)
		if w == nil {
			return false
		}
		if slices.ContainsFunc(list, func(x witness) bool { return x.op == w }) {
			continue
		}
		shapes := map[*ir.Value]bool{}
		for _, s := range w.Operands().Values() {
			shapes[s] = true
		}
		list = append(list, witness{w, shapes})
	}
	if len(list) < 2 {
		return false
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].op.NumOperands() > list[j].op.NumOperands() })
	var kept []*ir.Value
	var dropped []*ir.Op
	for i, w := range list {
		implied := slices.ContainsFunc(list[:i], func(x witness) bool {
			for s := range w.shapes {
				if !x.shapes[s] {
					return false
				}
			}
			return true
		})
		if implied {
			dropped = append(dropped, w.op)
		} else {
			kept = append(kept, w.op.Result(0))
		}
	}
	if len(dropped) == 0 {
		return false
	}
	withOperands(r, op, kept)
	for _, w := range dropped {
		if !w.HasUses() {
			r.Erase(w)
		}
	}
	return true
}

// assumingAllToCstrEq makes one equality of equalities that have shapes in common.
func assumingAllToCstrEq(r *rewrite.Rewriter, op *ir.Op) bool {
	var shapes []*ir.Value
	for _, v := range op.Operands().Values() {
		eq := v.DefinedBy(CstrEq)
		if eq == nil {
			return false
		}
		own := eq.Operands().Values()
		shared := slices.ContainsFunc(own, func(s *ir.Value) bool { return slices.Contains(shapes, s) })
		if len(shapes) > 0 && len(own) > 0 && !shared {
			return false
		}
		shapes = append(shapes, own...)
	}
	r.At(op)
	eq := r.CreateOp(CstrEq, op.Results().Types(), shapes)
	r.Replace(op, eq.Result(0))
	return true
}
