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
	if g.replaceable {
		for _, m := range g.results {
			for _, v := range g.read {
				if g.mayOverlay(m, v, from) {
					m.over = v
					break
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

// mostSaved returns how much less might be alive.
func (g *growth) mostSaved() (bytes int64) {
	if !g.replaceable {
		return 0
	}
	for _, m := range g.results {
		if slices.ContainsFunc(g.read, func(v *ir.Value) bool { return v.Type() == m.op.Result(0).Type() }) {
			bytes += g.b.Buffers[g.b.made[m.at][0]].Size
		}
	}
	return bytes
}

// mayOverlay tells whether a result may lie over a tensor.
func (g *growth) mayOverlay(m *member, v *ir.Value, from int) bool {
	if v.Type() != m.op.Result(0).Type() || slices.ContainsFunc(g.results, func(other *member) bool { return other.over == v }) {
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

// readsReplaceable notes what a node reads that is in a buffer that nothing needs behind the group, and tells whether a result of the group might lie over that.
func (g *growth) readsReplaceable(n *node) (found bool) {
	for _, r := range n.reads {
		if r.maker < 0 || !g.isReplaceable(r.value) {
			continue
		}
		if !slices.Contains(g.read, r.value) {
			g.read = append(g.read, r.value)
		}
		found = found || slices.ContainsFunc(g.results, func(m *member) bool { return m.dim == r.dim && m.op.Result(0).Type() == r.value.Type() })
	}
	return found
}

// isMade notes that an operation is in the group, so that no result lies over what it makes.
func (g *growth) isMade(op *ir.Op) {
	g.read = slices.DeleteFunc(g.read, func(v *ir.Value) bool { return v.DefiningOp() == op })
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
