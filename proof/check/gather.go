package check

import (
	"slices"

	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
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
func (a *analysis) gather(fr *kernel.Frame, at place, values []kernel.Value) []kernel.Value {
	if a.unroll || a.each || fr.Outer != nil || a.allLost {
		return values
	}
	others, ok := a.gatherable(fr, at, values)
	given := len(values)
	for _, v := range others {
		values = append(values, a.Get(fr, v))
	}
	parts := make([][]kernel.Target, len(values))
	for k, v := range values {
		for _, t := range a.Targets(v) {
			if a.gathers(t.Object) {
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
	out := slices.Clone(values)
	names := a.Rename(fr, out, kernel.Renaming{Some: a.gathers, Alive: true, Op: at.op, Shared: func(_, _ int, same kernel.Lit) kernel.Lit {
		if apart {
			return kernel.No
		}
		return same
	}})
	for _, k := range sortedKeys(names) {
		out[k].Window, a.Objects[names[k]].Loc = nil, at.op.Loc()
		a.notes.gatheredAs(fr, at, k, names[k])
	}
	for i, v := range others {
		a.Assign(fr, v, out[given+i])
	}
	return out[:given]
}

// apartHere tells whether no two pointers point to the same object, as far as that is easily seen.
func (a *analysis) apartHere(fr *kernel.Frame, parts [][]kernel.Target) bool {
	for k := range parts {
		for j := range k {
			if !a.f.impossible(a.f.And(a.Here(fr), a.equalTargets(parts[j], parts[k]))) {
				return false
			}
		}
	}
	return true
}

// gathers tells whether an object is an allocation of the innermost loop.
func (a *analysis) gathers(o int) bool {
	return a.Objects[o].Kind == kernel.Heap && (a.within == nil || o >= a.within.first)
}

// gatherable tells whether pointers are to be gathered: all of them, which must be seen to live. Others
// are the values of the same block, if the place isn't a block itself, that need the old names; there
// are at least twice as many objects.
func (a *analysis) gatherable(fr *kernel.Frame, at place, values []kernel.Value) (others []*ir.Value, ok bool) {
	objects, order := map[int]bool{}, []int{}
	include := func(v kernel.Value) bool {
		for _, t := range a.Targets(v) {
			switch x := a.Objects[t.Object]; {
			case !a.gathers(t.Object) || objects[t.Object]:
				continue
			case x.Given || x.Size > 0 || a.lost.Get(t.Object) || a.by.Get(t.Object) != nil:
				return false
			}
			objects[t.Object], order = true, append(order, t.Object)
		}
		return true
	}
	alive := func(v kernel.Value) bool {
		for _, t := range a.Targets(v) {
			if objects[t.Object] && !a.f.impossible(a.f.And(a.Here(fr), a.f.And(t.Guard, fr.St.Live.Get(t.Object).Not()))) {
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
		for _, t := range a.Targets(v) {
			if objects[t.Object] {
				targets++
			}
		}
	}
	if len(objects) < a.opts.MaxTargets && targets < 2*a.opts.MaxTargets || slices.ContainsFunc(values, func(v kernel.Value) bool { return !alive(v) }) {
		return nil, false
	}
	for i := 0; i < len(order); i++ {
		var holders []*ir.Value
		if o := order[i]; o < len(a.holders) { // else no value has pointed to it: it came by another one's condition
			holders = a.holders[o]
		}
		for k, v := range holders {
			if slices.Contains(others, v) || !a.neededAfter(v, at) {
				continue
			}
			here := at.block == nil && v.ParentBlock() == at.op.Block() && len(others) < maxOthers
			if x := fr.Values[v]; !here || !include(x) || !alive(x) {
				holders[0], holders[k] = v, holders[0] // to be asked first the next time
				return nil, false
			}
			others = append(others, v)
		}
	}
	pointers := len(others)
	for _, v := range values {
		if slices.ContainsFunc(a.Targets(v), func(t kernel.Target) bool { return objects[t.Object] }) {
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
