package normalize

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/generic/cse"
)

// Merge merges equal operations of a function, orders them by need, unless the order is to be kept, and makes cheap tensors again. It returns how many
// changes it made. Near-linear time.
func Merge(fn *ir.Op, keepOrder bool) int {
	from := originsIn(fn)
	s := cse.Run(fn)
	n := s.CSE + s.DCE
	if !keepOrder {
		n += OrderByNeed(fn)
	}
	return n + duplicateCheap(fn, from)
}

// origins tells for uses of cheap tensors where these were made before equal ones were merged.
type origins map[*ir.Use]*origin

// origin is where an operation was, and where what it is made of was made.
type origin struct {
	loc      ir.Location
	operands []*origin
}

// originsIn finds the origins in a function.
func originsIn(fn *ir.Op) origins {
	o := origins{}
	of := map[*ir.Op]*origin{}
	fn.Walk(func(op *ir.Op) bool {
		if _, ok := CostOf(op); ok {
			from := &origin{loc: op.Loc(), operands: make([]*origin, op.NumOperands())}
			for i, v := range op.Operands().Values() {
				if def := v.DefiningOp(); def != nil {
					from.operands[i] = of[def]
				}
			}
			of[op] = from
			for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
				o[u] = from
			}
		}
		return !interfaces.Structured.Has(op)
	})
	return o
}

// restore gives a tensor that was made for a use the location of the one that it had.
func (o origins) restore(u *ir.Use, op *ir.Op) {
	from := o[u]
	if from == nil {
		return
	}
	op.SetLoc(from.loc)
	for i, x := range from.operands {
		if x != nil && i < op.NumOperands() {
			o[op.OperandUse(i)] = x
		}
	}
}
