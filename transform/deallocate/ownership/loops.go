package ownership

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// mostNames limits the buffers of a block that one is compared with which a loop may take the
// ownership of.
const mostNames = 256

// giveInits returns, for each buffer among the operands of a loop from start on that enter its
// region, the ownership that the loop gets with it: what the block has, if only the loop needs
// the buffer from there on.
func (d *deallocation) giveInits(op *ir.Op, start, n int, no *ir.Value) (owned []*ir.Value) {
	_, loop := interfaces.LoopLike.Of(op)
	for i := start; i < start+n; i++ {
		v := op.Operand(i)
		if !isMemRef(v) {
			continue
		}
		o := no
		if loop && d.opts.LoopArgumentOwnership && !op.Has(ir.TraitParallelRegion) {
			if given := d.giveInit(op, v); given != nil {
				o = given
			}
		}
		owned = append(owned, o)
	}
	return owned
}

// giveInit takes the ownership of a buffer from the block of a loop, and returns it; nil if the
// buffer may still be needed there.
func (d *deallocation) giveInit(loop *ir.Op, v *ir.Value) *ir.Value {
	b := loop.Block()
	o := d.Ownership(v, b)
	if v.ParentBlock() != b || o.State != interfaces.Unique || ir.IsConstantBool(o.Indicator, false) || d.buffers.Escapes(d.original(v)).Has(analysis.Kept) ||
		!onlyFor(v, loop) {
		return nil
	}
	if def := v.DefiningOp(); def == nil || !interfaces.HasEffect(def, interfaces.Allocate, v) {
		// It may have other names, which would have to own nothing.
		if len(d.free[b]) > mostNames {
			return nil
		}
		for _, w := range d.free[b] {
			if p := d.Ownership(w, b); w != v && (p.State != interfaces.Unique || !ir.IsConstantBool(p.Indicator, false)) && d.buffers.Query(d.original(v), d.original(w)) != analysis.NeverAlias {
				return nil
			}
		}
	}
	d.Reset(v, b)
	d.b.SetBefore(loop)
	d.Join(v, b, interfaces.UniqueOwnership(d.bool(loop.Loc(), false)))
	// The block frees it no more; others needn't be compared with it.
	for i, w := range slices.Backward(d.free[b]) {
		if w == v {
			d.freesNoMore(b, i)
			break
		}
	}
	return o.Indicator
}

// onlyFor tells whether a loop that gets a buffer as one operand is the last to use it, of what
// uses it by its name and those of views of it. Linear in the number of these uses.
func onlyFor(v *ir.Value, loop *ir.Op) bool {
	operands := 0
	work := []*ir.Value{v}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for u := w.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			if op == loop && w == v {
				operands++
				continue
			}
			if !isBefore(op, loop) {
				return false
			}
			if interfaces.ViewLike.Has(op) {
				for i := range op.NumResults() {
					if !isMemRef(op.Result(i)) {
						return false
					}
					work = append(work, op.Result(i))
				}
			} else if !usesOnly(op, u) {
				return false
			}
		}
	}
	return operands == 1
}

// isBefore tells whether an operation is executed before another one in the block of that, or in
// regions there.
func isBefore(op, other *ir.Op) bool {
	user := other.Block().AncestorIn(op)
	return user != nil && user != other && user.IsBefore(other)
}

// usesOnly tells whether an operation that uses a buffer does nothing but access its memory:
// nothing else is a name of it then.
func usesOnly(op *ir.Op, u *ir.Use) bool {
	if interfaces.IsShapeOnly(op) {
		return true
	}
	effects, known := interfaces.EffectsOf(op)
	if interfaces.Call.Has(op) || !known || op.Has(ir.TraitTerminator) || op.NumSuccessors() > 0 {
		return false
	}
	for i := range op.NumResults() {
		if t := op.Result(i).Type(); ir.IsMemRef(t) || ir.IsTensor(t) {
			return false
		}
	}
	for _, e := range effects {
		if e.IsOn(u.Index()) && (e.Kind == interfaces.Read || e.Kind == interfaces.Write) {
			return true
		}
	}
	return false
}
