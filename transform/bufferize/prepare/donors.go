package prepare

import (
	"slices"

	"freehold/dialect/bufferization"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// matchDonors finds a result for each argument of a function whose buffer the caller gives away for anything: the first one of its type that is computed in this buffer anyway, or can be as soon as nothing
// reads the argument any more. It says so by the attribute that names a result. It takes the time of the uses of these arguments for each result.
func matchDonors(fn *ir.Op) {
	end := interfaces.UniqueTerminator(fn.RegionAt(0), func(op *ir.Op) bool { return op.Has(ir.TraitReturnLike) })
	if end == nil {
		return
	}
	taken := map[int]bool{}
	entry := fn.RegionAt(0).Entry()
	for i := range entry.Args() {
		if r, ok := ResultInto(fn, i); ok {
			taken[r] = true
		}
	}
	for i, arg := range entry.Args() {
		if _, named := ResultInto(fn, i); named || !isTrue(interfaces.ArgAttr(fn, i, donorAttr)) || interfaces.ArgAttr(fn, i, bufferization.WritableAttr) != nil {
			continue
		}
		for r, v := range end.Operands().Values() {
			if !taken[r] && v.Type() == arg.Type() && canTake(v, arg, end) {
				taken[r] = true
				interfaces.EditArgAttrs(fn, func(at int, attrs []ir.NamedAttr) []ir.NamedAttr {
					if at != i {
						return attrs
					}
					return append(slices.Clip(attrs), ir.NamedAttr{Name: aliasingAttr, Value: fn.Context().I32Attr(int64(r))})
				})
				break
			}
		}
	}
}

// canTake tells whether a result can be computed in the buffer of an argument without a copy.
func canTake(v, arg *ir.Value, end *ir.Op) bool {
	if mayBe(v, arg) {
		return true
	}
	op := v.DefiningOp()
	if op == nil || op.Block() != end.Block() {
		return false
	}
	first := firstWriter(v)
	return first != nil && isReadBefore(arg, op, first)
}

// firstWriter returns the first of the operations that write, one after the other, into what was an empty tensor, until that is a value; nil if it wasn't.
func firstWriter(v *ir.Value) (first *ir.Op) {
	for {
		into := interfaces.TiedInit(v)
		if into == nil || v.DefiningOp().Block() != into.Value().ParentBlock() {
			return nil
		}
		first, v = v.DefiningOp(), into.Value()
		switch def := v.DefiningOp(); {
		case def == nil:
			return nil
		case def.Is(tensor.Empty):
			return first
		case !v.HasOneUse():
			return nil
		}
	}
}

// isReadBefore tells whether all that read a tensor, or a part of it, come before an operation that writes, or are that one, which reads each element where it writes the result.
func isReadBefore(v *ir.Value, result, first *ir.Op) bool {
	for _, u := range v.Uses() {
		op := u.Owner()
		switch {
		case op == first && op == result && readsWhereItWrites(op, u):
		case op.Block() != first.Block() || !op.IsBefore(first),
			!isOnlyRead(u, func(part *ir.Value) bool { return isReadBefore(part, result, first) }):
			return false
		}
	}
	return true
}

// isOnlyRead tells whether an operation does nothing with a tensor but read it, or make a part of it of which a function tells that it is only read.
func isOnlyRead(u *ir.Use, isRead func(part *ir.Value) bool) bool {
	switch op := u.Owner(); {
	case op.Is(tensor.ExtractSlice), op.Is(tensor.CollapseShape), op.Is(tensor.ExpandShape), op.Is(tensor.Cast):
		return isRead(op.Result(0))
	case op.Is(tensor.Extract), op.Is(tensor.Dim):
		return true
	default:
		return interfaces.Structured.Has(op) && !interfaces.IsInit(u)
	}
}

// readsWhereItWrites tells whether a structured operation reads each element of an operand when it writes that of its only result.
func readsWhereItWrites(op *ir.Op, u *ir.Use) bool {
	inits := interfaces.DpsInits(op)
	if !interfaces.Structured.Has(op) || len(inits) != 1 || !interfaces.AllParallel(op) {
		return false
	}
	maps := interfaces.IndexingMaps(op)
	return u.Index() < len(maps) && maps[u.Index()] == maps[inits[0].Index()] && maps[u.Index()].IsPermutation()
}
