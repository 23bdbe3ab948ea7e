package prepare

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/scf"
	"freehold/ir"
)

// A handover has what the end of a region passes on computed into an argument of the function.
type handover struct {
	b   *ir.Builder
	arg *ir.Value
	// there are the results of branches that these put into the argument.
	there map[*ir.Value]bool
}

// put has an operand of the end of a region computed into the argument. What branches make is put there by each of them, so that one that hands on the argument itself has nothing to do, unless
// something is read from the argument after the branches. It takes the
// time of the argument's uses for each operation with branches.
func (h *handover) put(end *ir.Op, operand int) {
	v := h.branched(end.Operand(operand))
	if ends := h.branches(v); ends != nil {
		if v.HasOneUse() && v.DefiningOp().Block() == end.Block() && h.isAlone(v) && h.isLast(h.arg, v.DefiningOp()) {
			h.there[v] = true
			for _, e := range ends {
				h.put(e, v.Index())
			}
			return
		}
		h.own(v.DefiningOp(), ends)
	}
	h.b.SetBefore(end)
	h.b.Loc = end.Loc()
	end.SetOperand(operand, bufferization.NewMaterializeInDestination(h.b, v, h.arg).Result(0))
}

// leave has another operand of the end of the function computed elsewhere, if it may be the argument.
func (h *handover) leave(end *ir.Op, operand int) {
	v := end.Operand(operand)
	switch ends := h.branches(v); {
	case !h.mayBe(v):
	case ends != nil:
		h.own(v.DefiningOp(), ends)
	default:
		h.copy(end, operand)
	}
}

// copy has the end of a region pass on a copy of an operand.
func (h *handover) copy(end *ir.Op, operand int) {
	v := end.Operand(operand)
	h.b.SetBefore(end)
	h.b.Loc = end.Loc()
	end.SetOperand(operand, bufferization.NewAllocTensor(h.b, v.Type(), nil, v, nil))
}

// separate has the results of other branches that may be the argument in buffers of their own: what a case of scf.index_switch hands on can't be copied by bufferization, as that of scf.if can, which
// becomes a selection.
func (h *handover) separate(fn *ir.Op) {
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(scf.IndexSwitch) && op.NumResults() > 0 {
			h.own(op, endsOf(op))
		}
		return true
	})
}

// branched makes branches of a selection between the argument and another tensor, as nothing has to be done for one of the two; and returns their result, or the value as it is.
func (h *handover) branched(v *ir.Value) *ir.Value {
	op := v.DefiningOp()
	if op == nil || !op.Is(arith.Select) || ir.IsShaped(arith.SelectOp{Op: op}.Condition().Type()) || !v.HasOneUse() || !h.mayBe(v) || !h.isLast(h.arg, op) {
		return v
	}
	s := arith.SelectOp{Op: op}
	h.b.SetBefore(op)
	h.b.Loc = op.Loc()
	one := func(v *ir.Value) func(*ir.Builder) []*ir.Value {
		return func(*ir.Builder) []*ir.Value { return []*ir.Value{v} }
	}
	made := scf.NewIf(h.b, s.Condition(), []ir.Type{v.Type()}, one(s.TrueValue()), one(s.FalseValue())).Result(0)
	v.ReplaceAllUsesWith(made)
	op.Erase()
	return made
}

// branches returns the ends of the branches that make a value, of which one or more may hand on the argument; nil if there are none.
func (h *handover) branches(v *ir.Value) []*ir.Op {
	if op := v.DefiningOp(); op != nil {
		return endsOf(op)
	}
	return nil
}

// isAlone tells whether none of the other results of branches is in the argument's buffer.
func (h *handover) isAlone(v *ir.Value) bool {
	return !slices.ContainsFunc(v.DefiningOp().Results().Values(), func(r *ir.Value) bool { return r != v && h.mayBe(r) })
}

func (h *handover) mayBe(v *ir.Value) bool { return mayBe(v, h.arg) }

// isLast tells whether nothing reads a tensor, or a part of it, after an operation in a block: it is used by this operation, or by structured operations and views before.
func (h *handover) isLast(v *ir.Value, op *ir.Op) bool {
	for _, u := range v.Uses() {
		user := op.Block().AncestorIn(u.Owner())
		switch {
		case user == nil, user == op:
		case !user.IsBefore(op):
			return false
		case user != u.Owner():
			if user.NumResults() > 0 {
				return false
			}
		case !isOnlyRead(u, func(part *ir.Value) bool { return h.isLast(part, op) }):
			return false
		}
	}
	return true
}

// own gives branches that may hand on the argument copies of all arguments and constants that they hand on. It can't be told which of these buffers a result is in, so that the argument
// could neither be written nor kept for results that are wanted besides.
func (h *handover) own(branch *ir.Op, ends []*ir.Op) {
	for i, r := range branch.Results().Values() {
		if !ir.IsTensor(r.Type()) || h.there[r] || !h.mayBe(r) {
			continue
		}
		for _, end := range ends {
			v := end.Operand(i)
			if inner := h.branches(v); inner != nil {
				h.own(v.DefiningOp(), inner)
			} else if h.isGiven(v) {
				h.copy(end, i)
			}
		}
	}
}

// isGiven tells whether a value may be an argument of the function, or is a constant.
func (h *handover) isGiven(v *ir.Value) bool {
	op := v.DefiningOp()
	return op != nil && op.Has(ir.TraitConstantLike) ||
		mayBeOne(v, func(v *ir.Value) bool { return v.IsBlockArg() && v.ParentBlock() == h.arg.ParentBlock() })
}
