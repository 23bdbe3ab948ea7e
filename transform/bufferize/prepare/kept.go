package prepare

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// returned knows which results of a function are made of its arguments by branches that put something into parts of them, or don't.
type returned struct {
	fn    *ir.Op
	known bool
	// starts lists, for each argument, the uses of it by which that begins, result by result.
	starts map[*ir.Value][][]*ir.Use
}

// forget is called where the function returns something else than before.
func (m *returned) forget() { m.known = false }

// find finds out what each result is made of. It looks once at what results are made of.
func (m *returned) find() {
	m.known, m.starts = true, map[*ir.Value][][]*ir.Use{}
	ret := interfaces.UniqueTerminator(m.fn.RegionAt(0), func(op *ir.Op) bool { return op.Has(ir.TraitReturnLike) })
	if ret == nil || ret.Block() != m.fn.RegionAt(0).Entry() {
		return
	}
	for i := range ret.NumOperands() {
		var from *ir.Value
		var starts []*ir.Use
		if madeOf(ret.OperandUse(i), &from, &starts) && len(starts) > 1 {
			m.starts[from] = append(m.starts[from], starts)
		}
	}
}

// copy copies an argument that may not be written before the branches that put something into parts of it, or don't, if the function returns what they make of it: they work in
// the copy, which is returned then. Each branch that changes the argument would need a buffer besides that of the result else, as it is known at run time only whether one does.
func (m *returned) copy(b *ir.Builder, arg *ir.Value) {
	if !m.known {
		m.find()
	}
	for _, uses := range m.starts[arg] {
		copyFor(b, arg, uses)
	}
}

// copyFor copies an argument for some of its uses.
func copyFor(b *ir.Builder, arg *ir.Value, uses []*ir.Use) {
	var first *ir.Op
	for _, u := range uses {
		if at := arg.ParentBlock().AncestorIn(u.Owner()); first == nil || at.IsBefore(first) {
			first = at
		}
	}
	b.SetBefore(first)
	b.Loc = first.Loc()
	own := bufferization.NewAllocTensor(b, arg.Type(), nil, arg, nil)
	for _, u := range uses {
		u.Set(own)
	}
}

// madeOf tells whether what an operand is given is an argument of the function in which branches, on all ways, have put something into parts of it, or nothing. It sets the
// argument, unless it is set, and adds the uses of it for that to a list.
func madeOf(u *ir.Use, arg **ir.Value, starts *[]*ir.Use) bool {
	v := u.Value()
	if v.IsBlockArg() && interfaces.Function.Has(v.ParentBlock().ParentOp()) && (*arg == nil || *arg == v) {
		*arg = v
		*starts = append(*starts, u)
		return true
	}
	op := v.DefiningOp()
	if op == nil || !v.HasOneUse() {
		return false
	}
	if into := interfaces.TiedInit(v); into != nil && op.NumRegions() == 0 {
		return madeOf(into, arg, starts)
	}
	ends := endsOf(op)
	for _, end := range ends {
		if !madeOf(end.OperandUse(v.Index()), arg, starts) {
			return false
		}
	}
	return len(ends) > 0
}

// endsOf returns what ends the branches of an operation and hands on its results, if it has nothing but branches.
func endsOf(branch *ir.Op) (ends []*ir.Op) {
	if !interfaces.RegionBranch.Has(branch) || interfaces.LoopLike.Has(branch) {
		return nil
	}
	for _, r := range branch.Regions() {
		if r.NumBlocks() != 1 || r.Entry().NumArgs() > 0 {
			return nil
		}
		end := r.Entry().Last()
		if end == nil || !end.Has(ir.TraitReturnLike) || end.NumOperands() != branch.NumResults() {
			return nil
		}
		ends = append(ends, end)
	}
	return ends
}
