package conversion

import "freehold/ir"

// CastInputs returns the values that the results of an unrealized conversion cast are
// equal to: its operands, if it casts them to their own types; else the operands of the
// closest cast that it undoes, by itself or together with the casts between. It returns
// nil if there are none. Linear in the number of casts between.
func CastInputs(op *ir.Op) []*ir.Value {
	types := op.Results().Types()
	for c := op; c != nil; c = castBefore(c) {
		if ins := c.Operands().Values(); len(ins) > 0 && sameTypes(ins, types) {
			return ins
		}
	}
	return nil
}

// castBefore returns the cast whose results are all the operands of a cast, in order,
// or nil.
func castBefore(op *ir.Op) *ir.Op {
	if op.NumOperands() == 0 {
		return nil
	}
	def := op.Operand(0).DefiningOp()
	if def == nil || def == op || def.Name() != ir.CastName || def.NumResults() != op.NumOperands() {
		return nil
	}
	for i := range op.NumOperands() {
		if op.Operand(i) != def.Result(i) {
			return nil
		}
	}
	return def
}

// ReconcileCasts removes the unrealized conversion casts in root that undo each other,
// and those that nothing uses then. Linear time, but for chains of casts of which none
// undoes another.
func ReconcileCasts(root *ir.Op) {
	var casts []*ir.Op
	root.Walk(func(o *ir.Op) bool {
		if o.Name() == ir.CastName {
			casts = append(casts, o)
		}
		return true
	})
	// Later casts come first: they look at the whole chain before them.
	for i := len(casts) - 1; i >= 0; i-- {
		if ins := CastInputs(casts[i]); ins != nil {
			casts[i].ReplaceAllUsesWith(ins)
		}
	}
	for i := len(casts) - 1; i >= 0; i-- {
		if !casts[i].HasUses() {
			casts[i].Erase()
		}
	}
}
