package tile

// end returns which rows an operation computes that no other one of the group needs: along the dimension by which it reads rows of what is computed in tiles. It is
// nil if there is no such dimension.
func (g *growth) end(at int) *want {
	op := g.b.Ops[at]
	if op.NumResults() != 1 {
		return nil
	}
	for _, dim := range dimensions(op) {
		n := g.b.node(at, dim)
		if n == nil || n.size == 1 {
			continue
		}
		ahead, found := g.meets(n, searched)
		if !found {
			continue
		}
		g.others[at] = ahead
		per := (n.size*g.rows + g.size() - 1) / g.size()
		return &want{dim: dim, steady: span{ahead, ahead + per}, before: ahead}
	}
	return nil
}

// size returns how many rows the last operation has.
func (g *growth) size() int64 { return g.b.node(g.last, g.wants[g.last].dim).size }

// searched bounds how many operations before an end are looked at for one that is computed in tiles.
const searched = 64

// meets tells whether a node needs rows, itself or by what it reads, of what is computed in tiles, by the same dimension; and how many rows are there ahead of
// those in a step, if it reads such itself. It looks at no more than so many operations.
func (g *growth) meets(n *node, left int) (ahead int64, found bool) {
	g.b.search++
	seen := append(g.seen[:0], n)
	n.seen = g.b.search
	defer func() { g.seen = seen }()
	for i := 0; i < len(seen); i++ {
		for _, r := range seen[i].reads {
			if r.maker < 0 || r.dim < 0 {
				continue
			}
			switch w := g.wants[r.maker]; {
			case w != nil && !w.whole && w.dim == r.dim && i > 0:
				return 0, true
			case w != nil && !w.whole && w.dim == r.dim:
				return max(floorDiv(w.before*r.div-1-r.last, r.scale)+1, 0), true
			case w == nil && !g.near && g.isNeeded(r.maker, r.dim):
				g.far = true
				return 0, true
			case w == nil && len(seen) < left:
				if by := g.b.node(r.maker, r.dim); by != nil && by.seen != g.b.search {
					by.seen = g.b.search
					seen = append(seen, by)
				}
			}
		}
	}
	return 0, false
}

// isNeeded tells whether operations of the group need rows of what an operation makes, along a dimension, if those between are computed in tiles as well. All in all, it takes
// the time of one look at each operation before the group.
func (g *growth) isNeeded(at, dim int) bool {
	for len(g.ahead) > 0 {
		r := g.ahead[len(g.ahead)-1]
		g.ahead = g.ahead[:len(g.ahead)-1]
		if r.maker < 0 || r.dim < 0 || g.needed[r.maker] != 0 {
			continue
		}
		g.needed[r.maker] = r.dim + 1
		if n := g.b.node(r.maker, r.dim); n != nil {
			g.ahead = append(g.ahead, n.reads...)
		}
	}
	return g.needed[at] == dim+1
}
