package twin

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/scf"
	"freehold/ir"
)

// forToWhile writes loops that count as loops with a condition.
func forToWhile(module *ir.Op, choose func(n int) int) (n int) {
	// Inner loops come first, before they are copied with outer ones.
	for _, op := range slices.Backward(each(module, func(op *ir.Op) bool { return op.Is(scf.For) })) {
		if choose(4) == 0 {
			continue
		}
		toWhile(scf.ForOp{Op: op})
		n++
	}
	return n
}

func toWhile(o scf.ForOp) {
	b := ir.NewBuilder(o.Context())
	b.Loc = o.Loc()
	b.SetBefore(o.Op)
	lower, upper, step := o.LowerBound(), o.UpperBound(), o.Step()
	inits := append([]*ir.Value{lower}, o.Operands().Values()[3:]...)
	types := ir.TypesOf(inits)
	w := scf.NewWhile(b, types, inits)
	b.SetEnd(w.Before())
	order := arith.SLT
	if o.Unsigned() {
		order = arith.ULT
	}
	less := arith.NewCmpI(b, order, w.Before().Arg(0), upper)
	scf.NewCondition(b, less, w.Before().Args()...)
	b.SetEnd(w.After())
	m := ir.NewMapping()
	for i, v := range o.Body().Args() {
		m.Map(v, w.After().Arg(i))
	}
	for op := range o.Body().Ops() {
		if op != o.Yield() {
			b.Clone(op, m)
		}
	}
	yielded := []*ir.Value{arith.New(b, arith.AddI, w.After().Arg(0), step)}
	for _, v := range o.Yield().Operands().Values() {
		yielded = append(yielded, m.Value(v))
	}
	scf.NewYield(b, yielded...)
	o.ReplaceAllUsesWith(w.Results().Values()[1:])
	o.Erase()
}
