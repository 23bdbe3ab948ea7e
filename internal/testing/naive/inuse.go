package naive

import "freehold/ir"

// A tensor is in use from the operation that makes it until the last one of the same block that
// uses it, or in which it is used, is done; where other blocks use it, until the operation around
// them is done. Arguments of blocks without uses are in use as long as that; so is what a block's
// terminator uses, if it isn't made anew before. Constants are in use while their function is
// executed, and the arguments of the whole execution always.

// account notes which tensors are in use after an operation, and how many bytes they need while
// its operands still are.
func (f *frame) account(op *ir.Op) {
	for _, v := range op.Results().Values() {
		f.inUse[v] = true
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for _, a := range b.Args() {
				delete(f.inUse, a)
			}
			for o := range b.Ops() {
				for _, v := range o.Results().Values() {
					delete(f.inUse, v)
				}
			}
		}
	}
	f.TensorBytes = max(f.TensorBytes, f.countTensors())
	for v := range f.inUse {
		if f.isLast(v, op) {
			delete(f.inUse, v)
		}
	}
}

// isLast tells whether nothing uses the value after an operation of its block.
func (f *frame) isLast(v *ir.Value, op *ir.Op) bool {
	b := v.ParentBlock()
	if b != op.Block() || v.IsBlockArg() && (v.FirstUse() == nil || b != f.fn.BodyBlock(0)) {
		return false
	}
	for _, u := range v.Uses() {
		a := b.AncestorIn(u.Owner())
		if a == nil || op.IsBefore(a) {
			return false
		}
	}
	return true
}

// countTensors returns how many bytes the tensors need that are in use.
func (p *program) countTensors() (bytes int64) {
	seen := map[*Tensor]bool{}
	add := func(v any) {
		if t, ok := v.(*Tensor); ok && !seen[t] {
			seen[t] = true
			bytes += int64(len(t.Elems) * ((width(t.Type) + 7) / 8))
		}
	}
	for _, v := range p.given {
		add(v)
	}
	for _, f := range p.frames {
		f.fn.Walk(func(op *ir.Op) bool {
			if op.Has(ir.TraitConstantLike) && ir.IsTensor(op.Result(0).Type()) {
				add(p.constantOf(op))
			}
			return true
		})
		for v := range f.inUse {
			if ir.IsTensor(v.Type()) {
				add(f.values[v])
			}
		}
	}
	return bytes
}
