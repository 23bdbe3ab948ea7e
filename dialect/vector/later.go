package vector

import (
	"freehold/dialect/arith"
	"freehold/ir"
)

// replaceExtractElement makes vector.extract of an operation that LLVM 22 doesn't have.
func replaceExtractElement(b *ir.Builder, op *ir.Op) {
	s := b.State(Extract)
	s.Operands, s.Types = []*ir.Value{ExtractElementOp{op}.Vector()}, op.Results().Types()
	setElement(b, &s, op.OperandGroup(1).Values())
	op.Result(0).ReplaceAllUsesWith(b.Create(s).Result(0))
	op.Erase()
}

// replaceInsertElement makes vector.insert of an operation that LLVM 22 doesn't have.
func replaceInsertElement(b *ir.Builder, op *ir.Op) {
	s := b.State(Insert)
	s.Operands, s.Types = []*ir.Value{InsertElementOp{op}.Source(), InsertElementOp{op}.Dest()}, op.Results().Types()
	setElement(b, &s, op.OperandGroup(2).Values())
	op.Result(0).ReplaceAllUsesWith(b.Create(s).Result(0))
	op.Erase()
}

// setElement sets the position of an element, a number of any integer type, if the vector
// has dimensions.
func setElement(b *ir.Builder, s *ir.OpState, position []*ir.Value) {
	var static []int64
	for _, v := range position {
		static = append(static, ir.Dynamic)
		if v.Type() != ir.Type(ir.Index) {
			v = b.CreateOp(arith.IndexCastUI, []ir.Type{ir.Index}, []*ir.Value{v}).Result(0)
		}
		s.Operands = append(s.Operands, v)
	}
	s.SetAttr(staticPosition, b.Context().DenseI64Array(static...))
}

// renameYield makes the terminator of a region that only one thread executes another one: it
// is gpu.yield from LLVM 20 on.
func renameYield(b *ir.Builder, end *ir.Op, from, to *ir.OpID) {
	if end == nil || !end.Is(from) {
		return
	}
	at := b.InsertionPoint()
	b.SetBefore(end)
	b.CreateOp(to, nil, end.Operands().Values(), end.DiscardableAttrs()...)
	b.SetInsertionPoint(at)
	end.Erase()
}
