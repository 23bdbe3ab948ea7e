package order

import "slices"

// cuts returns the items that every other one comes before or after, in order.
func (r *reduced) cuts() (out []int) {
	n := len(r.items)
	prefix, first := make([]bool, n), make([]bool, n)
	open := 0
	for v := range n {
		open++
		for _, p := range r.before[v] {
			if !first[p] {
				first[p] = true
				open--
			}
		}
		prefix[v] = open == 1
	}
	clear(first)
	open = 0
	for v := n - 1; v >= 0; v-- {
		open++
		for _, s := range r.after[v] {
			if !first[s] {
				first[s] = true
				open--
			}
		}
		if open == 1 && prefix[v] {
			out = append(out, v)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// part returns the graph of some items, in an order in which they can be done, when others are done and live is alive. Those before one, which
// aren't among them, are known to be done, so that nothing is asked of them: a buffer may have many users.
func (r *reduced) part(list []int32, before int32, done func(item int32) bool, live int64) *reduced {
	p := &reduced{start: live, items: make([]item, len(list)), before: make([][]int32, len(list)), after: make([][]int32, len(list))}
	item := make(map[int32]int32, len(list))
	for k, i := range list {
		item[i] = int32(k)
	}
	last := slices.Max(list)
	buffer := map[int32]int32{}
	local := func(b int32) int32 {
		n, known := buffer[b]
		if !known {
			n = int32(len(p.size))
			buffer[b] = n
			p.size, p.by, p.outside = append(p.size, r.size[b]), append(p.by, nil), append(p.outside, r.outside[b])
			first, _ := slices.BinarySearch(r.by[b], before)
			for _, i := range r.by[b][first:] {
				if i > last && p.outside[n] {
					break
				}
				if k, inside := item[i]; inside {
					p.by[n] = append(p.by[n], k)
				} else if !done(i) {
					p.outside[n] = true
				}
			}
		}
		return n
	}
	for k, i := range list {
		for _, q := range r.before[i] {
			if j, inside := item[q]; inside {
				p.before[k] = append(p.before[k], j)
				p.after[j] = append(p.after[j], int32(k))
			}
		}
		x := &p.items[k]
		x.moves = make([]move, len(r.items[i].moves))
		for j, m := range r.items[i].moves {
			to := &x.moves[j]
			to.born, to.extra = m.born, m.extra
			for _, b := range m.made {
				to.made = append(to.made, local(b))
			}
			for _, b := range m.ends {
				to.ends = append(to.ends, local(b))
			}
			for _, pair := range m.pairs {
				to.pairs = append(to.pairs, [2]int{int(local(int32(pair[0]))), int(local(int32(pair[1])))})
			}
		}
	}
	return p
}

// profile returns what is alive while each item of an order is done, and the largest of that.
func (r *reduced) profile(order []int32) (peaks []int64, most int64) {
	done := make([]bool, len(r.items))
	is := func(i int32) bool { return done[i] }
	live := r.start
	peaks = make([]int64, len(order))
	for i, k := range order {
		peaks[i], live = r.do(k, live, is)
		done[k] = true
		most = max(most, peaks[i])
	}
	return peaks, most
}
