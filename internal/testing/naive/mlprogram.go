package naive

import "freehold/ir"

// programOperations are those of ml_program, whose globals hold tensors.
func programOperations() map[string]func(f *frame, op *ir.Op) {
	return map[string]func(f *frame, op *ir.Op){
		"ml_program.global":            func(*frame, *ir.Op) {},
		"ml_program.global_load":       loadGlobal,
		"ml_program.global_load_const": loadGlobal,
		"ml_program.global_store": func(f *frame, op *ir.Op) {
			f.globals[programGlobal(op)] = NewMemRef(f.tensor(op, 0))
		},
	}
}

func programGlobal(op *ir.Op) *ir.Op {
	return ir.LookupSymbol(op, op.Attr("global").(*ir.SymbolRefAttr))
}

func loadGlobal(f *frame, op *ir.Op) {
	global := programGlobal(op)
	m := f.globals[global]
	if m == nil {
		m = NewMemRef(tensorOf(global.Attr("value").(*ir.DenseElementsAttr)))
		f.globals[global] = m
	}
	f.set(op, 0, f.contents(op, m))
}
