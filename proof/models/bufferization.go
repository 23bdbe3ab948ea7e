package models

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/proof/kernel"
)

// deallocUnlessRetained frees each buffer of which a condition holds, unless it is retained.
// The results tell of which retained buffers a condition holds. Buffers are the same that
// have the same base address: one that is seen at two addresses is two of them.
func deallocUnlessRetained(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	d := bufferization.DeallocOp{Op: op}
	type seen struct {
		object int
		shift  int64
	}
	pointer := func(k seen) kernel.Value {
		x := v.PointTo(k.object)
		x.Shift = k.shift
		return x
	}
	var order []seen
	wanted, parts, kept := map[seen]kernel.Lit{}, map[seen]kernel.Lit{}, map[seen]kernel.Lit{}
	for i, m := range d.MemRefs().Values() {
		c, x := v.Truth(fr, d.Conditions().At(i)), v.Get(fr, m)
		for _, t := range v.Targets(x) {
			g, k := v.F.And(c, t.Guard), seen{t.Object, x.Shift}
			if g == kernel.No {
				continue
			}
			if _, ok := wanted[k]; !ok {
				order = append(order, k)
			}
			wanted[k] = v.F.Or(wanted[k], g)
			parts[k] = v.F.Or(parts[k], v.F.And(g, x.Part))
		}
	}
	for i, m := range d.Retained().Values() {
		owned, x := kernel.No, v.Get(fr, m)
		for _, t := range v.Targets(x) {
			for _, k := range order {
				same := v.F.And(v.SameAddress(pointer(k), pointer(seen{t.Object, x.Shift})), t.Guard)
				owned = v.F.Or(owned, v.F.And(same, wanted[k]))
				kept[k] = v.F.Or(kept[k], same)
			}
		}
		v.Assign(fr, op.Result(i), kernel.TruthOf(owned))
	}
	for n, k := range order {
		c := v.F.And(wanted[k], kept[k].Not())
		for _, before := range order[:n] {
			// The address may be that of one that is freed already.
			if before.shift != k.shift || k.shift == kernel.AnyShift {
				c = v.F.And(c, v.F.And(wanted[before], v.F.Variable()).Not())
			}
		}
		v.Free(fr, op, k.object, c, v.F.And(parts[k], kept[k].Not()))
	}
	if v.Spared == nil {
		return true
	}
	for _, m := range d.MemRefs().Values() {
		x := v.Get(fr, m)
		for _, t := range v.Targets(x) {
			k := seen{t.Object, x.Shift}
			v.Spared(fr, op, t.Object, v.F.And(t.Guard, v.F.And(wanted[k], kept[k].Not()).Not()))
		}
	}
	return true
}
