package ir

import "freehold/internal/slab"

// Most operands are defined earlier in the block of the operation that uses them:
// then there is no more to check about dominance and isolation. The verifier collects
// the others on its way, so that it need not walk the program again for them.

// collectFar notes operands of an operation, whose block is ordered, that are not
// defined earlier in the block.
func (v *verifier) collectFar(op *Op) {
	operands := op.Operands()
	for i := range operands {
		w := operands[i].value
		if w == nil {
			continue
		}
		if def := w.op(); def != nil {
			if def.block == op.block && def.order < op.order {
				continue
			}
		} else if w.block() == op.block {
			continue
		}
		v.far = slab.Append(v.far, &operands[i])
	}
}

// allInside tells whether it is certain that the operands, of what is nested in op, are
// defined in the same region of op. Where it is not, [verifyIsolation] knows.
func allInside(op *Op, operands []*Use) bool {
	for _, u := range operands {
		def := u.value.ParentRegion()
		r := u.owner.Region()
		for r != def && r.op != op {
			r = r.op.Region()
		}
		if r != def {
			return false
		}
	}
	return true
}

// allDominate tells whether it is certain that the operands are defined where they are
// used. Where it is not, [verifyDominance] knows.
func allDominate(operands []*Use) bool {
	var dom *Dominance
	for _, u := range operands {
		v := u.value
		def := v.ParentBlock()
		if def == nil || def.region == nil {
			return false
		}
		user := def.region.AncestorIn(u.owner)
		switch {
		case user == nil || user == v.op():
			return false
		case user.block == def:
			if o := v.op(); o != nil && o.order >= user.order && HasSSADominance(def.region) {
				return false
			}
		case def.IsEntry() || user.block.SinglePred() == def:
		default:
			if dom == nil {
				dom = NewDominance()
			}
			if !dom.Tree(def.region).Dominates(def, user.block) {
				return false
			}
		}
	}
	return true
}
