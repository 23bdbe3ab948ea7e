package tile

import "slices"

// Memo keeps which groups of operations were chosen in the blocks of a program, for other copies of it, as finding them takes most of the time. The zero value has none.
type Memo struct{ found []remembered }

// remembered are the groups that were chosen in a block.
type remembered struct {
	limit   int64
	search  int
	margin  int
	ops     []string // what they are called, and the types of their results
	profile []int64
	choices []choice
	peak    int64
}

// choose returns the groups of a block that is like one for which they are known, or chooses them. A group that can't be computed in tiles after all isn't.
func (m *Memo) choose(b *block, o Options) ([]choice, int64) {
	if m == nil {
		return b.choose(o)
	}
	ops := make([]string, len(b.Ops))
	for i, op := range b.Ops {
		ops[i] = op.Name()
		for _, r := range op.Results().Values() {
			ops[i] += " " + r.Type().String()
		}
	}
	for _, x := range m.found {
		// All limits that can't be kept lead to the same.
		if (x.limit == o.Limit || max(x.limit, o.Limit) < x.peak) && x.search == o.search() && x.margin == o.Margin && slices.Equal(x.profile, b.profile) && slices.Equal(x.ops, ops) {
			return x.choices, x.peak
		}
	}
	choices, peak := b.choose(o)
	m.found = append(m.found, remembered{o.Limit, o.search(), o.Margin, ops, b.profile, choices, peak})
	return choices, peak
}
