package kernel

import (
	"fmt"
	"slices"

	"freehold/ir"
	"freehold/proof/certificate"
)

// Gather gives the buffers on the heap that values point to, which must live, new names, but for
// those whose objects have lower numbers than first: an object for each value, which is what the
// value points to, unless an earlier one does. By its old name a buffer is as if it were freed: it
// can't be used, and anything may have its address. With the values others of b, the block in which
// that happens, may be gathered: nobody uses them who doesn't come here.
func (v *Machine) Gather(fr *Frame, op *ir.Op, b *ir.Block, place string, g certificate.Gathering, first int, values []Value) []Value {
	all := slices.Clone(values)
	for _, name := range g.Others {
		x := v.named(fr, name)
		if x == nil || x.ParentBlock() != b {
			v.Refuse(op, "it gathers %s, which isn't of its block", name)
			return values
		}
		all = append(all, v.Get(fr, x))
	}
	v.rename(fr, op, place, first, all, g.Apart)
	for i, name := range g.Others {
		fr.Values[v.named(fr, name)] = all[len(values)+i]
	}
	return all[:len(values)]
}

// rename gives the buffers that values point to new names; apart tells that these are to be
// different buffers.
func (v *Machine) rename(fr *Frame, op *ir.Op, place string, first int, values []Value, apart bool) {
	some := func(o int) bool { return o >= first && v.Objects[o].Kind == Heap }
	old, names := make([][]Target, len(values)), make([]Value, len(values))
	live := fr.St.Live
	for k, x := range values {
		for _, t := range v.Targets(x) {
			if !some(t.Object) {
				continue
			}
			if v.Objects[t.Object].Size > 0 {
				v.Refuse(op, "it gathers a buffer whose contents are followed")
			}
			v.Require(fr, op, v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not()), "it gathers a buffer that was freed")
			live = live.Set(t.Object, v.F.And(live.Get(t.Object), t.Guard.Not()))
			old[k] = append(old[k], t)
		}
	}
	for k, x := range values {
		if len(old[k]) == 0 {
			continue
		}
		any := v.Where(x.Tree, func(n int32) (bool, bool) {
			c := v.Choices[n]
			return c.Leaf, c.Leaf && some(c.Object)
		})
		o := v.NewObject(fmt.Sprintf("at%s:%d", place, k), Object{Kind: Heap, Op: op, Born: live})
		names[k] = v.PointTo(o)
		mine, y := any, names[k]
		for j := k - 1; j >= 0; j-- {
			same := No
			for _, s := range old[j] {
				for _, t := range old[k] {
					if s.Object == t.Object && apart {
						v.Require(fr, op, v.F.And(s.Guard, t.Guard), "it gathers values %d and %d apart", j, k)
					} else if s.Object == t.Object {
						same = v.F.Or(same, v.F.And(s.Guard, t.Guard))
					}
				}
			}
			if same != No {
				mine, y = v.F.And(mine, same.Not()), v.Choose(same, names[j], y)
			}
		}
		live = live.Set(o, mine)
		if other, ok := v.Without(x.Tree, some); ok {
			y = v.Choose(any, y, Value{Kind: Pointer, Tree: other})
		}
		values[k].Tree, values[k].Window = y.Tree, AnyWindow
	}
	fr.St.Live = live
}
