package plan

// contention returns, for each buffer, the most that is alive while it is, as a share of the most that is alive at any time. It takes n log n.
func contention(m *model) []float64 {
	leaves := 1
	for leaves < m.points {
		leaves *= 2
	}
	// A tree of the largest sums over points: node k has children 2k and 2k+1.
	tree := make([]int64, 2*leaves)
	for i, ss := range m.spans {
		for _, s := range ss {
			tree[leaves+int(s.lo)] += m.size[i]
			if int(s.hi) < leaves {
				tree[leaves+int(s.hi)] -= m.size[i]
			}
		}
	}
	for k := leaves + 1; k < 2*leaves; k++ {
		tree[k] += tree[k-1]
	}
	for k := leaves - 1; k > 0; k-- {
		tree[k] = max(tree[2*k], tree[2*k+1])
	}
	out := make([]float64, len(m.size))
	for i, ss := range m.spans {
		var most int64
		for _, s := range ss {
			for lo, hi := leaves+int(s.lo), leaves+int(s.hi); lo < hi; lo, hi = lo/2, hi/2 {
				if lo%2 == 1 {
					most = max(most, tree[lo])
					lo++
				}
				if hi%2 == 1 {
					hi--
					most = max(most, tree[hi])
				}
			}
		}
		out[i] = float64(most) / float64(max(1, tree[1]))
	}
	return out
}
