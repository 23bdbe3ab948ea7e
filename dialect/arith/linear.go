package arith

import (
	"freehold/iface"
	"freehold/ir"
)

func init() {
	for def, combine := range map[*ir.OpDef]func(l, r iface.Linear) (iface.Linear, bool){
		AddI: func(l, r iface.Linear) (iface.Linear, bool) { return l.Plus(r), true },
		SubI: func(l, r iface.Linear) (iface.Linear, bool) { return l.Minus(r), true },
		MulI: func(l, r iface.Linear) (iface.Linear, bool) { return l.Product(r) },
	} {
		def.Models = append(def.Models, iface.LinearValue.Model(func(op *ir.Op, of func(*ir.Value) iface.Linear) (iface.Linear, bool) {
			// Other integers wrap around where sizes of tensors don't.
			if op.Result(0).Type() != ir.Type(ir.Index) {
				return iface.Linear{}, false
			}
			return combine(of(op.Operand(0)), of(op.Operand(1)))
		}))
	}
}
