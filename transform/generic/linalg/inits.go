package linalg

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// ReadInitsAsInputs makes inits of an operation on tensors whose elements the body reads inputs, and empty tensors the inits, if all dimensions are parallel; it tells whether it did.
func ReadInitsAsInputs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := linalg.StructuredOp{Op: op}
	if !interfaces.HasTensorSemantics(op) || !interfaces.AllParallel(op) {
		return false
	}
	inits, maps := o.Inits(), o.IndexingMaps()
	inputs := o.Inputs().Values()
	first := len(inputs)
	dests := inits.Values()
	inMaps := slices.Clone(maps[:first])
	r.Loc = op.Loc()
	var read []*ir.Value
	for i := range inits {
		if !maps[first+i].IsPermutation() {
			return false // what isn't overwritten has to be there
		}
		if arg := o.BodyArg(&inits[i]); arg != nil && arg.HasUses() {
			read = append(read, arg)
			inputs = append(inputs, dests[i])
			inMaps = append(inMaps, maps[first+i])
			r.SetAfterValue(dests[i])
			t := dests[i].Type().(*ir.RankedTensorType)
			dests[i] = tensor.NewEmpty(r.Builder, tensor.MixedSizes(r.Builder, dests[i]), t.Elem, t.Encoding)
		}
	}
	if len(read) == 0 {
		return false
	}
	r.SetBefore(op)
	n := linalg.NewGenericWithoutBody(r.Builder, inputs, dests, append(inMaps, maps[first:]...), o.Iterators())
	r.InlineRegionBefore(op.RegionAt(0), n.RegionAt(0), nil)
	body := n.BodyBlock(0)
	for i, arg := range read {
		in := body.InsertArg(first+i, arg.Type(), arg.Loc())
		r.ReplaceUses(arg, in)
	}
	r.Replace(op, n.Results().Values()...)
	return true
}
