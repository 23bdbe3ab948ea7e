package check

import (
	"slices"

	"freehold/iface"
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
)

// place is where control brings values: to the results of an operation, or, with a block, to that
// block's arguments.
type place struct {
	op    *ir.Op
	block *ir.Block
	node  int // the block's number
}

// gather gives the allocations that pointers point to new names, but for those from before the
// innermost loop, if there are so many that to follow each of them further takes long, and nothing
// but these pointers needs the old names: object k is what pointer k points to, unless an earlier
// one does. By its old name an allocation is as if it were freed. It returns the values as they are
// then.
func (a *analysis) gather(fr *frame, at place, values []value) []value {
	if a.unroll || a.each || fr.outer != nil || a.allLost {
		return values
	}
	gathered := a.gatherable(fr, at, values)
	if a.notes.gather(fr, at, gathered); !gathered {
		return values
	}
	a.gathered = true
	parts := make([][]target, len(values))
	live := fr.st.live
	for k, v := range values {
		for _, t := range v.targets {
			if a.gathers(t.object) {
				parts[k] = append(parts[k], t)
				live = live.set(t.object, a.f.and(live.get(t.object), t.guard.not()))
			}
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
			if same := a.equalTargets(parts[j], parts[k]); same != no {
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
	return out
}

// gathers tells whether an object is an allocation of the innermost loop.
func (a *analysis) gathers(o int) bool {
	return a.objects[o].kind == heap && (a.within == nil || o >= a.within.first)
}

// gatherable tells whether pointers are to be gathered: all of them, which must be seen to live.
func (a *analysis) gatherable(fr *frame, at place, values []value) bool {
	objects := map[int]bool{}
	for _, v := range values {
		for _, t := range v.targets {
			switch x := a.objects[t.object]; {
			case !a.gathers(t.object):
				continue
			case x.given || x.size > 0 || a.lost.get(t.object) || a.by.get(t.object) != nil:
				return false
			}
			objects[t.object] = true
		}
	}
	if len(objects) < a.opts.MaxTargets {
		return false
	}
	for _, v := range values {
		for _, t := range v.targets {
			if objects[t.object] && !a.f.impossible(a.f.and(a.here(fr), a.f.and(t.guard, fr.st.live.get(t.object).not()))) {
				return false
			}
		}
	}
	for _, o := range sortedKeys(objects) {
		holders := a.objects[o].holders
		for i, v := range holders {
			if a.neededAfter(v, at) {
				holders[0], holders[i] = v, holders[0] // to be asked first the next time
				return false
			}
		}
	}
	return true
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
		if _, loop := iface.LoopLike.Of(op); loop && inside {
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
