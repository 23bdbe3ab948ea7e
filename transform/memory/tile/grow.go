package tile

import (
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
)

// want are the rows of a tensor that the operations behind it need.
type want struct {
	dim int
	// whole tells that they need all of it before the first tile.
	whole bool
	// steady is what they need for a tile in the middle, before is how far the tile before that one got. Both may be outside of the tensor, as there is no
	// border in the middle.
	steady span
	before int64
}

// growth is a group of operations that grows towards the start of a block from the one whose result is computed tile by tile.
type growth struct {
	b    *block
	last int
	rows int64 // of the last operation, in a tile
	// wants and members are by the place of operations.
	wants   []*want
	members []*member
	// order are the members, the last operation first.
	order []*member
	// early are the operations that are executed before the first tile, late those that are behind the last one, the last first. isLater tells which these are.
	early   map[int]bool
	late    []int
	isLater []bool
	// alone tells that there are no other ends than the last operation: what that doesn't need comes before the first tile.
	alone bool
	// results are the members whose results are put together from rows, and might lie over others.
	results []*member
	// read are the tensors from outside that they might lie over.
	read []*ir.Value
	// over tells that rows of what a result might lie over are read once, replaceable that there is such, and again that they would be read again.
	over, replaceable, again bool
	// others tell of the ends beside the last operation how many rows they are ahead of it, if both are as long.
	others map[int]int64
	// needed are the dimensions, counted from 1, by which operations before the group are read by what is in it, as far as that is known; ahead are reads that weren't followed yet.
	needed []int
	ahead  []read
	// seen is for searches.
	seen []*node
	// near tells that other ends than the last operation have to read what is in the group already, or what such reads; far that there is one that doesn't.
	near, far bool
	// held is the size of all of: results that are needed afterwards, and what is computed before. kept is that of the rows that one tile leaves
	// for the next; saved is how much of held lies over other tensors.
	held, kept, saved int64
}

// member is an operation of which each tile computes some rows.
type member struct {
	*node
	at int
	// once tells that no row is computed again: it takes work, or is needed as a whole afterwards.
	once, output bool
	// steady is how many rows a tile in the middle has, kept how many of them the tile before computed.
	steady, kept int64
	// rows are those that a tile in the middle computes; over is the tensor that the result lies over, or nil.
	rows span
	over *ir.Value
	// inPlace tells that the rows of a step move to where those before were, so that kept rows aren't there twice while they are used.
	inPlace bool
	// end is the last member that uses the result, if that is a buffer; dying are those whose end this one is.
	end   *member
	dying []*member
	// tile is the size of the result in a step, while that is looked at.
	tile int64
}

func (b *block) grow(c start, rows int64) *growth {
	n := len(b.Ops)
	g := &growth{b: b, last: c.last, rows: rows, alone: c.alone, near: c.near, over: c.over, wants: make([]*want, n), members: make([]*member, n), early: map[int]bool{}, isLater: make([]bool, n),
		needed: make([]int, n), others: map[int]int64{}}
	g.wants[c.last] = &want{dim: c.dim, steady: span{0, rows}}
	return g
}

// take takes an operation in, right before those that are in the group. It returns false if the group can't have it.
func (g *growth) take(at int) bool {
	w := g.wants[at]
	if g.b.Ops[at].Block() == nil {
		return true // a view that a later group wrote into, which has others
	}
	if w == nil && (g.b.place[at] || g.isReplaced(at)) {
		return true
	}
	if w == nil && !g.alone {
		switch w = g.end(at); {
		case w != nil:
			g.wants[at] = w
		case g.isLate(at):
			return g.after(at)
		}
	}
	var n *node
	if w != nil && !w.whole {
		n = g.b.node(at, w.dim)
	}
	if n == nil {
		return g.before(at)
	}
	m := &member{node: n, at: at, output: n.accumulates() || g.b.isUsedAfter(at, g.last, g.isLater)}
	m.once = n.computes || m.output
	g.isMade(n.op)
	if g.readsReplaceable(n) {
		g.replaceable, g.again = true, g.again || !m.once
		m.once = m.once || g.over
	}
	steady := w.steady
	m.steady = min(steady.size(), n.size)
	if m.once {
		if m.output {
			steady.lo = min(steady.lo, w.before)
		} else {
			m.kept = min(max(w.before-steady.lo, 0), n.size)
			g.kept += aligned(m.kept * n.bytes)
		}
		steady.lo = max(steady.lo, w.before)
	}
	m.rows = steady
	if m.output {
		g.held += g.b.result(n)
	}
	if m.output && !n.accumulates() && len(g.b.made[at]) == 1 {
		g.results = append(g.results, m)
	}
	for _, r := range n.reads {
		g.want(r, steady, w.before)
	}
	g.ahead = append(g.ahead, n.reads...)
	for _, v := range n.rest {
		g.wantWhole(v)
	}
	g.members[at], g.order = m, append(g.order, m)
	for _, k := range g.b.made[at] {
		m.end = g.members[g.lastUse(k)]
		m.end.dying = append(m.end.dying, m)
	}
	return true
}

// isReplaced tells whether an operation makes nothing but a view that operations of the group would write into, which have other destinations in tiles.
func (g *growth) isReplaced(at int) bool {
	op := g.b.Ops[at]
	if !op.Is(tensor.ExtractSlice) || !op.HasUses() {
		return false
	}
	for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
		i, here := g.b.at[u.Owner()]
		if !here || g.members[i] == nil || !g.members[i].place[u.Index()] {
			return false
		}
	}
	return true
}

// want notes the rows that an operation reads.
func (g *growth) want(r read, steady span, before int64) {
	at := r.maker
	if at < 0 {
		return
	}
	w := g.wants[at]
	if w == nil {
		w = &want{dim: r.dim, before: -1 << 60}
		g.wants[at] = w
	}
	if w.dim != r.dim || r.dim < 0 {
		w.whole = true
		return
	}
	if !steady.empty() {
		w.steady = w.steady.hull(r.of(steady))
	}
	w.before = max(w.before, r.of(span{before - 1, before}).hi)
}

func (g *growth) wantWhole(v *ir.Value) {
	at := g.b.maker(v)
	if at < 0 {
		return
	}
	if g.wants[at] == nil {
		g.wants[at] = &want{}
	}
	g.wants[at].whole = true
}

// before lets an operation be executed before the first tile.
func (g *growth) before(at int) bool {
	op := g.b.Ops[at]
	if !isMovable(op) {
		return false
	}
	g.early[at] = true
	for _, k := range g.b.made[at] {
		g.held += g.b.Buffers[k].Size
	}
	needs(op, g.wantWhole)
	return true
}

// after lets an operation be executed behind the last tile. It returns false if it can't be moved there.
func (g *growth) after(at int) bool {
	if !isMovable(g.b.Ops[at]) {
		return false
	}
	g.late, g.isLater[at] = append(g.late, at), true
	return true
}

// isLate tells whether what an operation makes is used behind the last tile only.
func (g *growth) isLate(at int) bool {
	op := g.b.Ops[at]
	return !op.Has(ir.TraitConstantLike) && g.b.isUsedOnly(op, func(user int) bool { return user > g.last || g.isLater[user] })
}

// least returns what is alive all the time if the operations from a place on are computed in tiles.
func (g *growth) least(from int) int64 { return g.whole(from) + g.kept }

// whole is what of that isn't rows that are kept.
func (g *growth) whole(from int) int64 { return g.b.across[from] + g.held - g.saved }

// peak returns what is alive at most then. It takes a few times as long as the group is.
func (g *growth) peak(from int) int64 {
	g.overlay(from)
	most := g.tiles(from)
	for range rounds {
		changed := g.keepInPlace()
		if len(changed) == 0 {
			break
		}
		if less := g.tiles(from); less < most {
			most = less
			continue
		}
		for _, m := range changed {
			g.setInPlace(m, false)
		}
		break
	}
	for at := range g.early {
		if at >= from {
			most = max(most, g.whole(from)+g.b.Steps[at].Extra)
		}
	}
	return max(most, g.behind(from))
}

// behind returns what is alive at most in the operations behind the last tile.
func (g *growth) behind(from int) (most int64) {
	if len(g.late) == 0 {
		return 0
	}
	live := g.whole(from)
	dying := make([]int64, g.last-from+1) // bytes, by the place behind from of the last use
	dies := func(k int) {
		if last := g.b.last[k]; last <= g.last && g.isLater[last] {
			dying[last-from] += g.b.Buffers[k].Size
		}
	}
	for _, m := range g.order {
		if m.output && m.over == nil {
			for _, k := range g.b.made[m.at] {
				dies(k)
			}
		}
	}
	for _, at := range slices.Backward(g.late) {
		var size int64
		for _, k := range g.b.made[at] {
			size += g.b.Buffers[k].Size
			dies(k)
		}
		live += size
		most = max(most, live+g.b.Steps[at].Extra-min(size, g.replaced(at), dying[at-from]))
		live -= dying[at-from]
	}
	return most
}

// replaced returns the size of what dies in an operation, and in the place of which it makes its results.
func (g *growth) replaced(at int) (bytes int64) {
	for _, p := range g.b.Steps[at].InPlace {
		if g.b.last[p[1]] == at {
			bytes += g.b.Buffers[p[1]].Size
		}
	}
	return bytes
}

// rounds bounds how often rows are looked for that are better kept in place.
const rounds = 3

// tiles returns what is alive at most in a step in the middle. At the start, there are steps for what has to be ahead.
func (g *growth) tiles(from int) int64 {
	steady, _ := g.walk(func(m *member) int64 { return m.steady })
	return g.least(from) + steady
}

// keepInPlace lets those keep their rows in place whose rows are there twice when most is alive, and returns them.
func (g *growth) keepInPlace() (changed []*member) {
	_, at := g.walk(func(m *member) int64 { return m.steady })
	for _, m := range g.order {
		if m.kept == 0 || m.inPlace || m.at > at || m.end == nil || m.end.at < at {
			continue
		}
		g.setInPlace(m, true)
		changed = append(changed, m)
	}
	return changed
}

func (g *growth) setInPlace(m *member, inPlace bool) {
	m.inPlace = inPlace
	more := aligned(m.steady*m.bytes) - aligned(m.kept*m.bytes)
	if !inPlace {
		more = -more
	}
	g.kept += more
}

// walk returns what is alive at most in a tile, of which each operation has so many rows, and the place of the operation where that is.
func (g *growth) walk(rows func(m *member) int64) (most int64, top int) {
	var live int64
	for i := len(g.order) - 1; i >= 0; i-- {
		m := g.order[i]
		bytes := aligned(rows(m) * m.bytes)
		var here int64 // beside what is alive
		m.tile = 0
		switch {
		case m.output && m.over != nil:
			here = bytes - g.overlaid(m, bytes)
		case m.output:
		case m.inPlace:
			here = aligned(m.kept * m.bytes)
		default:
			if m.kept == 0 {
				here = -g.overlaid(m, bytes)
			}
			if m.end != nil {
				m.tile = bytes
				live += bytes
			}
		}
		if live+here > most {
			most, top = live+here, m.at
		}
		for _, d := range m.dying {
			live -= d.tile
		}
	}
	return most, top
}

// overlaid returns how much of a tile lies where others die.
func (g *growth) overlaid(m *member, room int64) (saved int64) {
	for _, p := range g.b.Steps[m.at].InPlace {
		if x := g.members[g.b.Buffers[p[1]].Maker]; x != nil && x.end == m && room > 0 {
			n := min(x.tile, room)
			saved, room = saved+n, room-n
		}
	}
	return saved
}

// lastUse returns the last operation of the group that uses a buffer.
func (g *growth) lastUse(k int) (last int) {
	last = g.b.Buffers[k].Maker
	for _, u := range g.b.Buffers[k].Users {
		if u <= g.last && g.members[u] != nil {
			last = max(last, u)
		}
	}
	return last
}

// aligned rounds a size up to what parts of arenas are aligned to.
func aligned(n int64) int64 { return (n + 15) / 16 * 16 }
