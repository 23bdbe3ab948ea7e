package check

import (
	"slices"

	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// place is where control brings values: to the results of an operation, or, with a block, to that
// block's arguments.
type place struct {
	op    *ir.Op
	block *ir.Block
	node  int // the block's number
}

// maxOthers limits the values that are gathered with those that control brings to a place: each is
// compared with each.
const maxOthers = 8

// gather gives the allocations that pointers point to new names, but for those from before the
// innermost loop, if there are so many, or so many pointers to them, that to follow each further takes long, and nothing
// but these pointers, and others of the same block, which are gathered with them, needs the old names:
// object k is what pointer k points to, unless an earlier one does. By its old name an allocation is
// as if it were freed. It returns the values as they are then.
func (a *analysis) gather(fr *frame, at place, values []value) []value {
	if a.unroll || a.each || fr.outer != nil || a.allLost {
		return values
	}
	others, ok := a.gatherable(fr, at, values)
	given := len(values)
	for _, v := range others {
		values = append(values, a.get(fr, v))
	}
	parts := make([][]target, len(values))
	for k, v := range values {
		for _, t := range v.targets {
			if a.gathers(t.object) {
				parts[k] = append(parts[k], t)
			}
		}
	}
	apart := ok && a.apartHere(fr, parts)
	if !ok || !apart && len(others) > 0 {
		a.notes.notGathered(fr, at)
		return values[:given]
	}
	a.gathered = true
	a.notes.gather(fr, at, others, apart)
	live := fr.st.live
	for _, p := range parts {
		for _, t := range p {
			live = live.set(t.object, a.f.and(live.get(t.object), t.guard.not()))
		}
	}
	out, names := slices.Clone(values), make([]value, len(values))
	for k, v := range values {
		if len(parts[k]) == 0 {
			continue
		}
		any := a.where(v.choice, a.gathers)
		o := a.newObject(object{kind: heap, op: at.op, loc: at.op.Loc(), born: live})
		a.notes.gatheredAs(fr, at, k, o)
		names[k] = a.pointTo(o)
		first, x := any, names[k]
		for j := k - 1; j >= 0; j-- {
			if same := a.equalTargets(parts[j], parts[k]); !apart && same != no {
				first, x = a.f.and(first, same.not()), a.choose(same, names[j], x)
			}
		}
		live = live.set(o, first)
		if other, ok := a.without(v.choice, a.gathers); ok {
			x = a.choose(any, x, a.pointer(other))
		}
		x.window, x.part, x.shift = anyWindow, v.part, v.shift
		out[k] = x
	}
	fr.st.live = live
	for i, v := range others {
		a.set(fr, v, out[given+i])
	}
	return out[:given]
}

// apartHere tells whether no two pointers point to the same object, as far as that is easily seen.
func (a *analysis) apartHere(fr *frame, parts [][]target) bool {
	for k := range parts {
		for j := range k {
			if !a.f.impossible(a.f.and(a.here(fr), a.equalTargets(parts[j], parts[k]))) {
				return false
			}
		}
	}
	return true
}

// gathers tells whether an object is an allocation of the innermost loop.
func (a *analysis) gathers(o int) bool {
	return a.objects[o].kind == heap && (a.within == nil || o >= a.within.first)
}

// gatherable tells whether pointers are to be gathered: all of them, which must be seen to live. Others
// are the values of the same block, if the place isn't a block itself, that need the old names; there
// are at least twice as many objects.
func (a *analysis) gatherable(fr *frame, at place, values []value) (others []*ir.Value, ok bool) {
	objects, order := map[int]bool{}, []int{}
	include := func(v value) bool {
		for _, t := range v.targets {
			switch x := a.objects[t.object]; {
			case !a.gathers(t.object) || objects[t.object]:
				continue
			case x.given || x.size > 0 || a.lost.get(t.object) || a.by.get(t.object) != nil:
				return false
			}
			objects[t.object], order = true, append(order, t.object)
		}
		return true
	}
	alive := func(v value) bool {
		for _, t := range v.targets {
			if objects[t.object] && !a.f.impossible(a.f.and(a.here(fr), a.f.and(t.guard, fr.st.live.get(t.object).not()))) {
				return false
			}
		}
		return true
	}
	targets := 0
	for _, v := range values {
		if !include(v) {
			return nil, false
		}
		for _, t := range v.targets {
			if objects[t.object] {
				targets++
			}
		}
	}
	if len(objects) < a.opts.MaxTargets && targets < 2*a.opts.MaxTargets || slices.ContainsFunc(values, func(v value) bool { return !alive(v) }) {
		return nil, false
	}
	for i := 0; i < len(order); i++ {
		holders := a.objects[order[i]].holders
		for k, v := range holders {
			if slices.Contains(others, v) || !a.neededAfter(v, at) {
				continue
			}
			here := at.block == nil && v.ParentBlock() == at.op.Block() && len(others) < maxOthers
			if x := fr.values[v]; !here || !include(x) || !alive(x) {
				holders[0], holders[k] = v, holders[0] // to be asked first the next time
				return nil, false
			}
			others = append(others, v)
		}
	}
	pointers := len(others)
	for _, v := range values {
		if slices.ContainsFunc(v.targets, func(t target) bool { return objects[t.object] }) {
			pointers++
		}
	}
	return others, len(others) == 0 || len(objects) >= 2*pointers
}

// neededAfter tells whether a value may be used when control has come to a place, other than by
// what it brings there.
func (a *analysis) neededAfter(v *ir.Value, at place) bool {
	if a.liveness == nil {
		a.liveness = iranalysis.NewLiveness(a.fn)
	}
	def, op := v.ParentBlock(), at.op
	if at.block != nil {
		switch {
		case def == at.block:
			return false
		case a.liveness.IsLiveIn(v, at.block):
			return true
		case def.Region() == at.block.Region():
			return false
		}
	}
	for inside := at.block != nil; op != a.fn && !op.IsAncestorOf(def.ParentOp()) && v.DefiningOp() != op; op, inside = op.Parent(), true {
		if interfaces.LoopLike.Has(op) && inside {
			for u := v.FirstUse(); u != nil; u = u.Next() {
				if op.IsProperAncestorOf(u.Owner()) {
					return true
				}
			}
		}
		if !a.liveness.IsDeadAfter(v, op) {
			return true
		}
	}
	return false
}

// where returns the condition that a pointer points to one of some objects.
func (a *analysis) where(tree int32, some func(object int) bool) lit {
	return overTree(a, tree, func(_ int32, d decision) (lit, bool) { return boolLit(d.leaf && some(d.object)), d.leaf }, a.f.ite)
}

// without returns the pointer that a tree is where it points to none of some objects; false if it
// always points to one.
func (a *analysis) without(tree int32, some func(object int) bool) (int32, bool) {
	const never = -1
	out := overTree(a, tree, func(n int32, d decision) (int32, bool) {
		if d.leaf && some(d.object) {
			return never, true
		}
		return n, d.leaf
	}, func(cond lit, then, els int32) int32 {
		switch {
		case then == never:
			return els
		case els == never:
			return then
		}
		return a.decide(cond, then, els)
	})
	return out, out != never
}
