package reduce

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// topLevel lists the operations of the module's body.
func topLevel(m *ir.Op) []*ir.Op {
	var out []*ir.Op
	if b := m.BodyBlock(0); b != nil {
		for op := range b.Ops() {
			out = append(out, op)
		}
	}
	return out
}

func countSymbols(m *ir.Op) int { return len(topLevel(m)) }

// eraseSymbols erases operations of the module, such as functions.
func eraseSymbols(m *ir.Op, chosen func(i int) bool) bool {
	changed := false
	for i, op := range topLevel(m) {
		if chosen(i) && !op.HasUses() {
			op.Erase()
			changed = true
		}
	}
	return changed
}

// emptyFunctions makes functions declarations.
func emptyFunctions(m *ir.Op, chosen func(i int) bool) bool {
	changed := false
	for i, op := range topLevel(m) {
		if !interfaces.Function.Has(op) || !chosen(i) || op.RegionAt(0).Empty() {
			continue
		}
		for b := op.RegionAt(0).Last(); b != nil; b = op.RegionAt(0).Last() {
			dropBlock(b)
		}
		op.SetAttr(ir.SymbolVisibilityAttr, op.Context().StringAttr("private"))
		changed = true
	}
	return changed
}

// dropBlock erases a block with its operations, whose uses may only be in blocks
// that go, too.
func dropBlock(b *ir.Block) {
	for op := b.Last(); op != nil; op = b.Last() {
		for i := range op.NumResults() {
			dropUses(op.Result(i))
		}
		op.Erase()
	}
	for _, a := range b.Args() {
		dropUses(a)
	}
	for u := b.FirstPred(); u != nil; u = b.FirstPred() {
		dropOp(u.Owner())
	}
	b.Erase()
}

func dropUses(v *ir.Value) {
	for u := v.FirstUse(); u != nil; u = v.FirstUse() {
		dropOp(u.Owner())
	}
}

func dropOp(op *ir.Op) {
	for i := range op.NumResults() {
		dropUses(op.Result(i))
	}
	op.Erase()
}

// shortenSignatures drops the last result, or argument, of functions that nothing
// calls.
func shortenSignatures(m *ir.Op, chosen func(i int) bool) bool {
	called := map[string]bool{}
	ir.SymbolUses(m, func(_ *ir.Op, ref *ir.SymbolRefAttr) { called[ref.Root] = true })
	changed := false
	for i, op := range opsOf(m) {
		f, ok := interfaces.Function.Of(op)
		name, _ := ir.SymbolName(op)
		if !ok || !chosen(i) || called[name] || op.RegionAt(0).Empty() {
			continue
		}
		changed = shorten(op, f) || changed
	}
	return changed
}

func shorten(fn *ir.Op, f interfaces.FunctionModel) bool {
	t, c := f.Type(fn), fn.Context()
	entry := fn.RegionAt(0).Entry()
	inputs, results := t.Inputs, t.Results
	for i := len(inputs) - 1; i >= 0; i-- {
		if !entry.Arg(i).HasUses() {
			entry.EraseArg(i)
			inputs = append(append([]ir.Type(nil), inputs[:i]...), inputs[i+1:]...)
		}
	}
	if n := len(results); n > 0 {
		for b := range fn.RegionAt(0).Blocks() {
			if last := b.Last(); last != nil && last.Has(ir.TraitReturnLike) && last.NumOperands() == n {
				last.SetOperands(last.Operands()[:n-1].Values())
			}
		}
		results = results[:n-1]
	}
	if len(inputs) == len(t.Inputs) && len(results) == len(t.Results) {
		return false
	}
	f.SetType(fn, c.Function(inputs, results))
	fn.SetAttr(interfaces.ArgAttrs, nil)
	fn.SetAttr(interfaces.ResAttrs, nil)
	return true
}
