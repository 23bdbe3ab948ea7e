package order

import "slices"

// row is an order of the items of a graph, with what is alive before and while each is done.
type row struct {
	*reduced
	order       []int32
	place       []int32
	lives, most []int64
}

func newRow(r *reduced, order []int32) *row {
	w := &row{reduced: r, order: slices.Clone(order), place: make([]int32, len(order)), lives: make([]int64, len(order)), most: make([]int64, len(order))}
	w.update(0, len(order), r.start)
	return w
}

// update computes anew what is alive at places from one up to another one, where only these have changed; live is what is alive before.
func (w *row) update(from, to int, live int64) {
	for i := from; i < to; i++ {
		w.place[w.order[i]] = int32(i)
	}
	for i := from; i < to; i++ {
		w.lives[i] = live
		w.most[i], live = w.do(w.order[i], live, func(k int32) bool { return int(w.place[k]) < i })
	}
}

// peak returns the largest of what is alive, and the first place where that is.
func (w *row) peak() (most int64, at int) {
	for i, n := range w.most {
		if n > most {
			most, at = n, i
		}
	}
	return most, at
}

// windows improves the order of a segment: the items around the place where most is alive are put into a better order while all others stay where
// they are, as long as that helps.
func (x *segment) windows(bound int64, b *budget) {
	if len(x.order) < 3 {
		return
	}
	w := newRow(x.reduced, x.order)
	for !b.over {
		most, at := w.peak()
		if most <= bound || !w.improve(at, bound, b) {
			break
		}
	}
	x.order, x.peak = w.order, slices.Max(w.most)
}

// windowSizes are those of the windows that are searched, and the widths of beams in those that are too large for that.
var windowSizes = []struct{ size, width int }{{12, 0}, {24, 0}, {48, 0}, {100, 16}, {300, 16}, {1000, 8}}

// improve puts items around a place into an order in which less is alive there, and tells whether there is one.
func (w *row) improve(at int, bound int64, b *budget) bool {
	for _, kind := range windowSizes {
		for _, back := range []int{kind.size / 2, kind.size / 5, kind.size * 4 / 5} {
			from := max(at-back, 0)
			to := min(from+kind.size, len(w.order))
			if w.window(from, to, kind.width, bound, b) {
				return true
			}
			if b.over {
				return false
			}
		}
		if kind.size >= len(w.order) {
			return false
		}
	}
	return false
}

// window looks for a better order of the items from one place up to another one: with a beam of a width, or, if that is 0, of all.
func (w *row) window(from, to, width int, bound int64, b *budget) bool {
	list := slices.Clone(w.order[from:to])
	part := w.part(list, 0, func(i int32) bool { return int(w.place[i]) < from }, w.lives[from])
	below := slices.Max(w.most[from:to])
	var order []int32
	if width > 0 {
		order, _ = part.beam(width, bound, below, b)
	} else {
		share := b.share(20000)
		order = part.optimum(bound, below, share).order
		b.charge(share)
	}
	if order == nil {
		return false
	}
	for i, k := range order {
		w.order[from+i] = list[k]
	}
	w.update(from, to, w.lives[from])
	return true
}
