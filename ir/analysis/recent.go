package analysis

import (
	"slices"

	"freehold/ir"
)

// recent maps keys to operations of one block, and knows which come last. Uses are mostly added in the order of the block, so that nothing is sorted.
// It is in order but for operations that were moved, which are further back than where they are in the list.
type recent[K comparable] struct {
	at    map[K]int // places in list
	list  []keyed[K]
	mixed bool // the list isn't in order
}

type keyed[K comparable] struct {
	key K
	op  *ir.Op // nil if there is a later one
}

// get returns the operation of a key, or nil.
func (r *recent[K]) get(k K) *ir.Op {
	if i, ok := r.at[k]; ok {
		return r.list[i].op
	}
	return nil
}

// put gives a key the later of its operation and another one. Constant time, amortized.
func (r *recent[K]) put(k K, op *ir.Op, u *LastUses) {
	if i, ok := r.at[k]; ok {
		if old := r.list[i].op; u.later(old, op) == old {
			return
		}
		r.list[i].op = nil
		for n := len(r.list); n > 0 && r.list[n-1].op == nil; n-- {
			r.list = r.list[:n-1]
		}
		if len(r.list) > 2*len(r.at)+16 {
			r.compact()
		}
	}
	for _, x := range slices.Backward(r.list) {
		if x.op != nil && !u.moved[x.op] {
			r.mixed = r.mixed || u.later(x.op, op) != op
			break
		}
	}
	if r.at == nil {
		r.at = map[K]int{}
	}
	r.at[k] = len(r.list)
	r.list = append(r.list, keyed[K]{k, op})
}

// compact leaves out what isn't the operation of a key any more.
func (r *recent[K]) compact() {
	r.list = slices.DeleteFunc(r.list, func(x keyed[K]) bool { return x.op == nil })
	r.index()
}

// index notes where keys are in the list.
func (r *recent[K]) index() {
	for i, x := range r.list {
		r.at[x.key] = i
	}
}

// last returns the last of an operation, which may be nil, and those of the keys for which fn is true. It asks for the keys whose operations come last first, and for
// none after the first that is meant, but for those of operations that were moved to the front.
func (r *recent[K]) last(op *ir.Op, u *LastUses, fn func(k K) bool) *ir.Op {
	if r.mixed {
		r.sort(u.later)
	}
	for _, x := range slices.Backward(r.list) {
		if x.op == nil {
			continue
		}
		switch isLater := x.op != op && u.later(op, x.op) == x.op; {
		case isLater && fn(x.key):
			if op = x.op; !u.moved[op] {
				return op
			}
		case !isLater && !u.moved[x.op]:
			return op
		}
	}
	return op
}

// sort puts the list into order.
func (r *recent[K]) sort(later func(a, b *ir.Op) *ir.Op) {
	r.list = slices.DeleteFunc(r.list, func(x keyed[K]) bool { return x.op == nil })
	slices.SortStableFunc(r.list, func(a, b keyed[K]) int {
		switch {
		case a.op == b.op:
			return 0
		case later(a.op, b.op) == b.op:
			return -1
		}
		return 1
	})
	r.index()
	r.mixed = false
}
