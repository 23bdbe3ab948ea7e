package cf

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// condBranchDealloc frees before a conditional branch, once for each
// successor under the condition that it is taken, and passes the ownerships of the
// operands along.
type condBranchDealloc struct{}

func (condBranchDealloc) Deallocate(op *ir.Op, s interfaces.DeallocationState) error {
	b, block := s.Builder(), op.Block()
	memrefs, conditions, err := s.ToDeallocate(block, op.Loc())
	if err != nil {
		return err
	}
	m, _ := interfaces.Branch.Of(op)
	taken := CondBranchOp{op}.Condition()
	edge := func(i int, condition func(c *ir.Value) *ir.Value) (retained []*ir.Value, owned map[*ir.Value]*ir.Value) {
		start, n, _ := m.SuccessorOperands(op, i)
		operands := op.Operands()[start : start+n].Values()
		retained = s.ToRetain(block, op.Successor(i), operands)
		adapted := make([]*ir.Value, len(conditions))
		for j, c := range conditions {
			adapted[j] = condition(c)
		}
		updated := s.Dealloc(block, op.Loc(), memrefs, adapted, retained)
		owned = map[*ir.Value]*ir.Value{}
		for j, v := range retained {
			owned[v] = updated[j]
		}
		for _, v := range operands[:n:n] {
			if ir.IsMemRef(v.Type()) {
				operands = append(operands, owned[v])
			}
		}
		m.SetSuccessorOperands(op, i, operands)
		return retained, owned
	}
	_, thenOwned := edge(0, func(c *ir.Value) *ir.Value {
		return arith.New(b, arith.AndI, c, taken)
	})
	elseRetained, elseOwned := edge(1, func(c *ir.Value) *ir.Value {
		not := arith.New(b, arith.XOrI, arith.ConstantBool(b, true), taken)
		return arith.New(b, arith.AndI, c, not)
	})
	// What both edges retain is owned as the edge that is taken says.
	done := map[*ir.Value]bool{}
	for _, v := range elseRetained {
		if thenOwned[v] == nil || done[v] {
			continue
		}
		done[v] = true
		s.Reset(v, block)
		s.Join(v, block, interfaces.UniqueOwnership(arith.NewSelect(b, taken, thenOwned[v], elseOwned[v])))
	}
	return nil
}
