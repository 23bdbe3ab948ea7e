package scf

import (
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
)

// joinReductions makes the reductions of a loop its terminator: before LLVM 19, each was an
// operation in the body, which ended with scf.yield.
func joinReductions(b *ir.Builder, s *ir.OpState) error {
	if len(s.Regions) != 1 || s.Regions[0].NumBlocks() != 1 {
		return nil
	}
	body := s.Regions[0].Entry()
	if body.Last() == nil || !body.Last().Is(Yield) || body.Last().NumOperands() > 0 {
		return nil
	}
	joined := b.State(Reduce)
	joined.Loc = body.Last().Loc()
	body.Last().Erase()
	for op := range body.Ops() {
		if !op.Is(Reduce) {
			continue
		}
		joined.Operands = append(joined.Operands, op.Operands().Values()...)
		for _, r := range op.Regions() {
			joined.AddRegion().TakeBody(r)
		}
		op.Erase()
	}
	b.SetEnd(body)
	b.Create(joined)
	return nil
}

// upgradeForeachThread makes a loop of LLVM 16 or 15 one with lower bounds, steps, and
// shared tensors. In the generic form, it only has upper bounds, which are operands. In LLVM
// 15, its body inserts into tensors from outside, of which each makes a result.
func upgradeForeachThread(_ *ir.Builder, s *ir.OpState) error {
	if len(s.Regions) != 1 || s.Regions[0].NumBlocks() != 1 {
		return nil
	}
	segments := s.Attr(ir.OperandSegmentsAttr)
	if s.Attr(StaticUpperBound) == nil && s.Attr(MappingAttr) == nil && s.Regions[0].Entry().NumArgs() == len(s.Operands) && (segments == nil || isZeros(segments)) {
		// The generic form of LLVM 15, which has only numbers of threads.
		s.SetAttr(ir.OperandSegmentsAttr, s.Name.Context().Segments(len(s.Operands), 0, 0, 0))
	}
	sizes, ok := s.Attr(ir.OperandSegmentsAttr).(*ir.DenseArrayAttr)
	if !ok || sizes.Len() != 4 {
		return nil
	}
	c, n := s.Name.Context(), sizes.Ints()
	total := int64(0)
	for _, size := range n {
		if total += size; size < 0 {
			return nil // an error of the verifier
		}
	}
	if total != int64(len(s.Operands)) {
		return nil // another one
	}
	if s.Attr(StaticUpperBound) == nil && n[2] == 0 && n[3] == 0 {
		rank := int(n[0])
		for name, v := range map[string]int64{StaticLowerBound: 0, StaticUpperBound: ir.Dynamic, StaticStep: 1} {
			s.SetAttr(name, c.DenseI64Array(slices.Repeat([]int64{v}, rank)...))
		}
		n = []int64{0, n[0], 0, n[1]}
	}
	body := s.Regions[0].Entry()
	if end := body.Last(); n[3] == 0 && len(s.Types) > 0 && end != nil && end.Is(InParallel) && end.BodyBlock(0) != nil {
		for op := range end.BodyBlock(0).Ops() {
			if !op.Is(tensor.ParallelInsertSlice) || op.NumOperands() < 2 {
				continue
			}
			dest := tensor.ParallelInsertSliceOp{Op: op}.Dest()
			s.Operands = append(s.Operands, dest)
			op.SetOperand(1, body.AddArg(dest.Type(), dest.Loc()))
			n[3]++
		}
	}
	s.SetAttr(ir.OperandSegmentsAttr, c.Segments(int(n[0]), int(n[1]), int(n[2]), int(n[3])))
	return nil
}

func isZeros(a ir.Attribute) bool {
	d, ok := a.(*ir.DenseArrayAttr)
	return ok && !slices.ContainsFunc(d.Ints(), func(n int64) bool { return n != 0 })
}
