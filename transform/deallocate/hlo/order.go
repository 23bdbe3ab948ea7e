package hlo

import "freehold/ir"

// number marks op and the operations in it with their positions in the text, from 1 on.
func number(op *ir.Op) {
	n := uint32(0)
	op.Walk(func(o *ir.Op) bool {
		n++
		o.SetMark(n)
		return true
	})
}

// unnumber removes the marks that number left.
func unnumber(op *ir.Op) {
	op.Walk(func(o *ir.Op) bool {
		o.SetMark(0)
		return true
	})
}

// place is where a value is defined in a function whose operations are numbered. The arguments of the
// function come first, then all other values by the position of the operation that has them.
type place uint64

func placeOf(v *ir.Value) place {
	if !v.IsBlockArg() {
		return place(v.DefiningOp().Mark())<<32 | place(v.Index())
	}
	if p := v.ArgOwner().ParentOp(); p.Mark() > 1 {
		return place(p.Mark())<<32 | place(v.Index())
	}
	return place(v.Index())
}
