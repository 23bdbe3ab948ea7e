package reduce

import (
	"freehold/dialect/cf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// eraseOps erases operations. Other values of the same types take the place of
// their results, where there are any.
func eraseOps(m *ir.Op, chosen func(i int) bool) bool {
	ops := opsOf(m)
	gone := map[*ir.Op]bool{}
	changed := false
	for i := len(ops) - 1; i >= 0; i-- {
		op := ops[i]
		if !chosen(i) || op.Has(ir.TraitTerminator) || op.Parent() == m || gone[op] {
			continue
		}
		if substitute(op) {
			op.Walk(func(x *ir.Op) bool { gone[x] = true; return true })
			op.Erase()
			changed = true
		}
	}
	return changed
}

// substitute replaces the results of an operation by values that are there before
// it.
func substitute(op *ir.Op) bool {
	with := make([]*ir.Value, op.NumResults())
	for i := range with {
		v := op.Result(i)
		if !v.HasUses() {
			continue
		}
		if with[i] = before(op, v.Type()); with[i] == nil {
			return false
		}
	}
	for i, w := range with {
		if w != nil {
			op.Result(i).ReplaceAllUsesWith(w)
		}
	}
	return true
}

// before returns the closest value of a type before op: an operand, the result of
// an operation in the block or around it, or an argument of those blocks.
func before(op *ir.Op, t ir.Type) *ir.Value {
	for i := range op.NumOperands() {
		if op.Operand(i).Type() == t {
			return op.Operand(i)
		}
	}
	for at := op; at != nil && at.Block() != nil; at = at.Parent() {
		for p := at.Prev(); p != nil; p = p.Prev() {
			for i := range p.NumResults() {
				if p.Result(i).Type() == t {
					return p.Result(i)
				}
			}
		}
		for _, a := range at.Block().Args() {
			if a.Type() == t {
				return a
			}
		}
		if p := at.Parent(); p == nil || p.Has(ir.TraitIsolatedFromAbove) {
			return nil
		}
	}
	return nil
}

// inlineRegions replaces operations by the contents of their first, or last, region
// that has one block, once through.
func inlineRegions(m *ir.Op, chosen func(i int) bool, last bool) bool {
	changed := false
	for i, op := range opsOf(m) {
		if !chosen(i) || op.Has(ir.TraitIsolatedFromAbove) || op.Has(ir.TraitTerminator) || !attached(m, op) {
			continue
		}
		for n := range op.NumRegions() {
			if last {
				n = op.NumRegions() - 1 - n
			}
			if inline(op, op.RegionAt(n)) {
				changed = true
				break
			}
		}
	}
	return changed
}

// attached tells whether an operation is still in a program: it may have gone with
// another one.
func attached(m, op *ir.Op) bool {
	for op.Parent() != nil {
		op = op.Parent()
	}
	return op == m
}

func inline(op *ir.Op, r *ir.Region) bool {
	if r.NumBlocks() != 1 {
		return false
	}
	body := r.Entry()
	term := body.Last()
	if term == nil || !interfaces.IsRegionTerminator(term) {
		return false
	}
	// Results are what the terminator passes on last, by type.
	results := make([]*ir.Value, op.NumResults())
	n := term.NumOperands()
	for i := range results {
		if !op.Result(i).HasUses() {
			continue
		}
		for j := n - 1; j >= 0; j-- {
			if v := term.Operand(j); v.Type() == op.Result(i).Type() && (results[i] == nil || n-j == op.NumResults()-i) {
				results[i] = v
			}
		}
		if results[i] == nil {
			return false
		}
	}
	args := make([]*ir.Value, body.NumArgs())
	for i, a := range body.Args() {
		if args[i] = before(op, a.Type()); args[i] == nil && a.HasUses() {
			return false
		}
	}
	for i, a := range body.Args() {
		for j := range results {
			if results[j] == a {
				results[j] = args[i]
			}
		}
		if args[i] != nil {
			a.ReplaceAllUsesWith(args[i])
		}
	}
	term.Erase()
	for x := body.First(); x != nil; x = body.First() {
		x.MoveBefore(op)
	}
	for i, v := range results {
		if v != nil {
			op.Result(i).ReplaceAllUsesWith(v)
		}
	}
	op.Erase()
	return true
}

// straightenBranches makes terminators with several successors go to one of them.
func straightenBranches(m *ir.Op, chosen func(i int) bool) bool {
	changed := false
	b := ir.NewBuilder(m.Context())
	for i, op := range opsOf(m) {
		f, ok := interfaces.Branch.Of(op)
		if !ok || !chosen(i) || op.NumSuccessors() < 2 {
			continue
		}
		start, n, produced := f.SuccessorOperands(op, 0)
		if produced > 0 {
			continue
		}
		b.SetBefore(op)
		b.Loc = op.Loc()
		cf.NewBranch(b, op.Successor(0), op.Operands()[start:start+n].Values()...)
		op.Erase()
		changed = true
	}
	if changed {
		rewrite.EraseUnreachableBlocks(rewrite.NewRewriter(m.Context()), m.Regions())
	}
	return changed
}

// mergeBlocks appends blocks to the only ones that lead to them.
func mergeBlocks(m *ir.Op, chosen func(i int) bool) bool {
	changed := false
	for i, op := range opsOf(m) {
		f, ok := interfaces.Branch.Of(op)
		if !ok || !chosen(i) || op.NumSuccessors() != 1 {
			continue
		}
		from, to := op.Block(), op.Successor(0)
		start, n, produced := f.SuccessorOperands(op, 0)
		if to.SinglePred() != from || to == from || to.IsEntry() || produced > 0 || n != to.NumArgs() {
			continue
		}
		for j, a := range to.Args() {
			a.ReplaceAllUsesWith(op.Operand(start + j))
		}
		op.Erase()
		for x := to.First(); x != nil; x = to.First() {
			x.MoveToEnd(from)
		}
		to.Erase()
		changed = true
	}
	return changed
}

// reuseOperands makes operands the first values of their types, so that others get
// unused.
func reuseOperands(m *ir.Op, chosen func(i int) bool) bool {
	changed := false
	for i, op := range opsOf(m) {
		if !chosen(i) {
			continue
		}
		for j := range op.NumOperands() {
			v := op.Operand(j)
			if w := first(op, v.Type()); w != nil && w != v {
				op.SetOperand(j, w)
				changed = true
			}
		}
	}
	return changed
}

// first returns the outermost, first value of a type that op can use.
func first(op *ir.Op, t ir.Type) *ir.Value {
	var found *ir.Value
	for at := op; at != nil && at.Block() != nil; at = at.Parent() {
		b := at.Block()
		in := func() *ir.Value {
			for _, a := range b.Args() {
				if a.Type() == t {
					return a
				}
			}
			for p := b.First(); p != nil && p != at; p = p.Next() {
				for i := range p.NumResults() {
					if p.Result(i).Type() == t {
						return p.Result(i)
					}
				}
			}
			return nil
		}()
		if in != nil {
			found = in
		}
		if p := at.Parent(); p == nil || p.Has(ir.TraitIsolatedFromAbove) {
			break
		}
	}
	return found
}

// dropAttributes drops the attributes that operations need not have.
func dropAttributes(m *ir.Op, chosen func(i int) bool) bool {
	changed := false
	for i, op := range opsOf(m) {
		if !chosen(i) {
			continue
		}
		for _, a := range append([]ir.NamedAttr(nil), op.DiscardableAttrs()...) {
			op.SetAttr(a.Name, nil)
			changed = true
		}
	}
	return changed
}
