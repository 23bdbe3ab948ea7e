package tile

import (
	"slices"

	"freehold/ir"
)

// A result that is needed afterwards may lie where a tensor of its type lies that dies in the group, as in a chain of residual blocks: each of its rows is written once all
// rows of that one which were there have been read. Rows that are read again, such as those that a padding goes to for each tile, are read once instead, and kept.

// overlay finds such results, if operations from a place on are in the group, by what a step in the middle reads and writes.
func (g *growth) overlay(from int) {
	for _, m := range g.results {
		m.over = nil
	}
	for _, m := range g.results {
		for _, x := range g.order {
			for _, r := range x.reads {
				if m.over == nil && g.mayOverlay(m, r.value, from) {
					m.over = r.value
				}
			}
		}
	}
	g.countOverlaid()
}

// countOverlaid counts how much less is alive because of results that lie over others.
func (g *growth) countOverlaid() {
	g.saved = 0
	for _, m := range g.results {
		if m.over != nil {
			g.saved += g.b.Buffers[g.b.made[m.at][0]].Size
		}
	}
}

// mayOverlay tells whether a result may lie over a tensor.
func (g *growth) mayOverlay(m *member, v *ir.Value, from int) bool {
	if v.Type() != m.op.Result(0).Type() || !g.isReplaceable(v) || slices.ContainsFunc(g.results, func(other *member) bool { return other.over == v }) {
		return false
	}
	x := &g.b.Buffers[g.b.buffer[v]]
	if x.Maker >= from && !g.early[x.Maker] {
		return false
	}
	for _, at := range x.Users {
		if at < from {
			continue
		}
		user := g.members[at]
		if user == nil || !user.readsOnlyRows(v, m.dim) {
			return false
		}
		done := m.rows.lo
		if at > m.at {
			done = m.rows.hi
		}
		for _, r := range user.reads {
			if r.value == v && r.of(user.rows).lo < done {
				return false
			}
		}
	}
	return true
}

// isReplaceable tells whether a tensor is in a buffer that nothing needs behind the group, of known size.
func (g *growth) isReplaceable(v *ir.Value) bool {
	k, ok := g.b.buffer[v]
	shape, ranked := ir.ShapeOf(v.Type())
	return ok && ranked && ir.IsStaticShape(shape) && !g.b.Buffers[k].Kept && g.b.last[k] <= g.last
}

// readsOnlyRows tells whether an operation uses a tensor by nothing but its rows along a dimension.
func (n *node) readsOnlyRows(v *ir.Value, dim int) bool {
	found := false
	for _, r := range n.reads {
		if r.value == v {
			if found = true; r.dim != dim || r.operand < 0 {
				return false
			}
		}
	}
	return found && !slices.Contains(n.rest, v)
}

// readsReplaceable tells whether a node reads what a result of the group might lie over.
func (g *growth) readsReplaceable(n *node) bool {
	return slices.ContainsFunc(n.reads, func(r read) bool {
		return r.maker >= 0 && g.isReplaceable(r.value) && slices.ContainsFunc(g.results, func(m *member) bool {
			return m.dim == r.dim && m.op.Result(0).Type() == r.value.Type()
		})
	})
}

// checkOverlays leaves those results over others for which that holds in each step.
func (g *group) checkOverlays() {
	for _, m := range g.grown.results {
		if m.over != nil && !g.mayOverlay(m) {
			m.over = nil
		}
	}
	g.grown.countOverlaid()
}

// mayOverlay tells whether no step reads rows of what a result lies over that earlier ones, or operations before, have written.
func (g *group) mayOverlay(m *member) bool {
	done := int64(0)
	for _, s := range g.steps {
		for k, at := range g.places {
			rows := s[k].rows
			if rows.empty() {
				continue
			}
			for _, r := range g.member[at].reads {
				if r.value == m.over && r.of(rows).within(r.size).lo < done {
					return false
				}
			}
			if at == m.at {
				done = rows.hi
			}
		}
	}
	return true
}
