package kernel

import (
	"maps"
	"slices"
	"strconv"

	"freehold/ir"
	"freehold/proof/certificate"
)

// Gather gives the buffers on the heap that values point to, which must live, new names, but for
// those whose objects have lower numbers than first. With the values others of b, the block in which
// that happens, may be gathered: nobody uses them who doesn't come here. It returns what the values are then.
func (v *Machine) Gather(fr *Frame, op *ir.Op, b *ir.Block, place string, g certificate.Gathering, first int, values []Value) []Value {
	all, given := slices.Clone(values), len(values)
	for _, name := range g.Others {
		x := v.named(fr, name)
		if x == nil || x.ParentBlock() != b {
			v.Refuse(op, "it gathers %s, which isn't of its block", name)
			return values
		}
		all = append(all, v.Get(fr, x))
	}
	some := func(o int) bool { return o >= first && v.Objects[o].Kind == Heap }
	for k, x := range all {
		for _, t := range v.Targets(x) {
			if !some(t.Object) {
				continue
			}
			if all[k].Window = nil; v.Objects[t.Object].Size > 0 {
				v.Refuse(op, "it gathers a buffer whose contents are followed")
			}
			v.Require(fr, op, v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not()), "it gathers a buffer that was freed")
		}
	}
	v.Rename(fr, all, Renaming{Some: some, Alive: true, Op: op, Name: "at" + place + ":", Shared: func(j, k int, same Lit) Lit {
		if !g.Apart {
			return same
		}
		v.Require(fr, op, same, "it gathers values %d and %d apart", j, k)
		return No
	}})
	for i, name := range g.Others {
		fr.Values[v.named(fr, name)] = all[given+i]
	}
	return all[:given]
}

// Renaming tells how buffers get new names.
type Renaming struct {
	Some  func(object int) bool // which do
	Alive bool                  // all of them live
	Op    *ir.Op                // where that is so
	Name  string                // what the names begin with; nothing if they are never spoken of
	// Shared returns the condition under which value k gets the name of value j, given that under which they point to the same buffer.
	Shared func(j, k int, same Lit) Lit
}

// Rename makes an object for each of the values that point to some buffers: it is what the value points to, unless an earlier value
// does. By its old name a buffer is as if it were freed: it can't be used, and anything may have its address. It changes the values, and
// returns the objects, by value.
func (v *Machine) Rename(fr *Frame, values []Value, r Renaming) map[int]int {
	was, lived, live := slices.Clone(values), fr.St.Live, fr.St.Live
	by, names := map[int][]int{}, map[int]int{} // the values that point to each object
	for k, x := range was {
		for _, t := range v.Targets(x) {
			if r.Some(t.Object) {
				by[t.Object] = append(by[t.Object], k)
				live = live.Set(t.Object, v.F.And(live.Get(t.Object), t.Guard.Not()))
			}
		}
	}
	for k, x := range was {
		lives, same, renamed := No, map[int]Lit{}, false
		for _, t := range v.Targets(x) {
			if !r.Some(t.Object) {
				continue
			}
			renamed = true
			lives = v.F.Or(lives, v.F.And(t.Guard, lived.Get(t.Object)))
			for _, j := range by[t.Object] {
				if j < k {
					same[j] = v.F.Or(same[j], v.F.And(v.Guard(was[j], t.Object), t.Guard))
				}
			}
		}
		if !renamed {
			continue
		}
		any := v.Where(x.Tree, func(n int32) (bool, bool) {
			c := v.Choices[n]
			return c.Leaf, c.Leaf && r.Some(c.Object)
		})
		name := r.Name
		if name != "" {
			name += strconv.Itoa(k)
		}
		names[k] = v.NewObject(name, Object{Kind: Heap, Op: r.Op, Born: live})
		first, y := any, v.PointTo(names[k])
		for _, j := range slices.Backward(slices.Sorted(maps.Keys(same))) {
			if c := r.Shared(j, k, same[j]); c != No {
				first, y = v.F.And(first, c.Not()), v.Choose(c, v.PointTo(names[j]), y)
			}
		}
		if r.Alive {
			lives = Yes
		}
		live = live.Set(names[k], v.F.And(first, lives))
		if other, ok := v.Without(x.Tree, r.Some); ok {
			y = v.Choose(any, y, Value{Kind: Pointer, Tree: other})
		}
		values[k].Tree = y.Tree
	}
	fr.St.Live = live
	return names
}
