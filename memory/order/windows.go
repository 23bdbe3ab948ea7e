package order

// windows improves the order of a segment: the items around the place where most is alive are put into the best order while all others stay where
// they are, as long as that helps.
func (x *segment) windows(bound int64, b *budget) {
	for x.peak > bound && !b.over {
		better := false
		for _, size := range []int{12, 24, 40} {
			if better = x.window(size, bound, b); better || size >= len(x.list) {
				break
			}
		}
		if !better {
			return
		}
	}
}

// window improves windows of a size that have the first peak in them, and tells whether the peak there got smaller.
func (x *segment) window(size int, bound int64, b *budget) bool {
	peaks, most := x.profile(x.order)
	at := 0
	for peaks[at] < most {
		at++
	}
	for _, back := range []int{size / 2, size / 4, 3 * size / 4} {
		from := max(at-back, 0)
		to := min(from+size, len(x.order))
		floor := bound
		var most int64
		for i := range peaks {
			if i < from || i >= to {
				continue
			}
			most = max(most, peaks[i])
		}
		done := newBitset(len(x.order))
		live := x.start
		is := func(i int32) bool { return done.has(i) }
		for _, k := range x.order[:from] {
			_, live = x.do(k, live, is)
			done.set(k)
		}
		list := append([]int32{}, x.order[from:to]...)
		part := b.share(20000)
		found := x.part(list, is, live).optimum(floor, most, part)
		b.charge(part)
		if found.order != nil {
			for i, k := range found.order {
				x.order[from+i] = list[k]
			}
			_, x.peak = x.profile(x.order)
			return true
		}
	}
	return false
}
