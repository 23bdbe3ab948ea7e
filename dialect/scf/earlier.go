package scf

import "freehold/ir"

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
