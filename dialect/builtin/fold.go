package builtin

import "freehold/ir"

// foldCast drops casts to the operands' own types, and casts that undo the cast
// which defines their operands.
func foldCast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	ins, outs := op.Operands(), op.Results()
	if len(ins) == 0 {
		return nil
	}
	if sameTypes(ins, outs) {
		return values(ins)
	}
	def := ins.At(0).DefiningOp()
	if def == nil || !def.Is(UnrealizedConversionCast) || def == op || len(ins) != def.NumResults() {
		return nil
	}
	for i := range ins {
		if ins.At(i) != def.Result(i) {
			return nil
		}
	}
	if !sameTypes(def.Operands(), outs) {
		return nil
	}
	return values(def.Operands())
}

func sameTypes(ins ir.Operands, outs ir.Results) bool {
	if len(ins) != len(outs) {
		return false
	}
	for i := range ins {
		if ins.At(i).Type() != outs.At(i).Type() {
			return false
		}
	}
	return true
}

func values(vs ir.Operands) []ir.FoldResult {
	out := make([]ir.FoldResult, len(vs))
	for i := range vs {
		out[i].Value = vs.At(i)
	}
	return out
}
