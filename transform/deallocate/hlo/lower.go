package hlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/deallocation"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// toSCF are the patterns of the pass hlo-deallocation-to-scf: a retain of one buffer, or of
// one owner, becomes comparisons of each buffer with each owner; one of no owners, null. The others, whose
// code would be as large as the product of the two, stay.
var toSCF = []rewrite.Pattern{{Name: "RetainToSCF", Root: deallocation.Retain, Rewrite: lowerRetain}}

func lowerRetain(r *rewrite.Rewriter, op *ir.Op) bool {
	o := deallocation.RetainOp{Op: op}
	if len(o.Owners()) == 0 {
		r.Replace(op, slices.Repeat([]*ir.Value{deallocation.NewNull(r.Builder)}, op.NumResults())...)
		return true
	}
	if len(o.Retained()) != 1 && len(o.Owners()) != 1 {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	owners := o.Owners().Values()
	buffers := make([]*ir.Value, len(owners))
	for i, v := range owners {
		buffers[i] = deallocation.NewGetBuffer(b, v)
	}
	null := deallocation.NewNull(b)
	zero := arith.ConstantIndex(b, 0)
	types := []ir.Type{null.Type(), zero.Type(), null.Type()}
	results := make([]*ir.Value, op.NumResults())
	for i := range results {
		results[i] = null
		if !o.Counts(i) {
			continue
		}
		buffer := deallocation.NewGetBuffer(b, o.Retained().At(i))
		for j := range owners {
			same := arith.NewCmpI(b, arith.EQ, buffer, buffers[j])
			found := scf.NewIf(b, same, types,
				func(*ir.Builder) []*ir.Value { return []*ir.Value{null, zero, owners[j]} },
				func(*ir.Builder) []*ir.Value { return []*ir.Value{owners[j], buffers[j], results[i]} })
			owners[j], buffers[j], results[i] = found.Result(0), found.Result(1), found.Result(2)
		}
	}
	for j, v := range owners {
		left := arith.NewCmpI(b, arith.NE, buffers[j], zero)
		scf.NewIf(b, left, nil, func(b *ir.Builder) []*ir.Value {
			deallocation.NewFree(b, v)
			return nil
		}, nil)
	}
	r.Replace(op, results...)
	return true
}
