package twin

import (
	"slices"

	"freehold/dialect/scf"
	"freehold/ir"
)

// addState has loops that count carry a tensor that nobody reads, and return it.
func addState(module *ir.Op, choose func(n int) int) (n int) {
	// Inner loops come first, before they are copied with outer ones.
	for _, op := range slices.Backward(each(module, func(op *ir.Op) bool { return op.Is(scf.For) })) {
		o := scf.ForOp{Op: op}
		carried := o.Operands().Values()[3:]
		if len(carried) == 0 || choose(4) == 0 {
			continue
		}
		k := choose(len(carried))
		b := ir.NewBuilder(o.Context())
		b.Loc = o.Loc()
		b.SetBefore(o.Op)
		loop := scf.NewFor(b, o.LowerBound(), o.UpperBound(), o.Step(), append(carried[:len(carried):len(carried)], carried[k]), func(b *ir.Builder, iv *ir.Value, args []*ir.Value) []*ir.Value {
			m := ir.NewMapping()
			m.Map(o.InductionVar(), iv)
			for i, v := range o.IterArgs() {
				m.Map(v, args[i])
			}
			for op := range o.Body().Ops() {
				if op != o.Yield() {
					b.Clone(op, m)
				}
			}
			var yielded []*ir.Value
			for _, v := range o.Yield().Operands().Values() {
				yielded = append(yielded, m.Value(v))
			}
			return append(yielded, args[len(args)-1])
		})
		o.ReplaceAllUsesWith(loop.Results().Values()[:len(carried)])
		o.Erase()
		n++
	}
	return n
}
