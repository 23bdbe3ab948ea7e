package analysis

import "freehold/ir"

// AliasTable is a collection of buffers that can be asked which of them may alias
// another one, faster than by one query each.
type AliasTable struct {
	o     *Origins
	n     int                       // how many members there are
	kinds [unseenOrigin + 1][]int32 // members by kind
	one   map[int][]int32           // those with that terminal alone
	many  map[*intSet][]int32       // those with several terminals
	few   setIndex                  // of those sets that are small
	large []*intSet                 // and the other ones
}

// NewAliasTable returns an empty table.
func (o *Origins) NewAliasTable() *AliasTable {
	return &AliasTable{o: o, one: map[int][]int32{}, many: map[*intSet][]int32{}, few: setIndex{}}
}

// Add adds a buffer. The first one has number 0.
func (x *AliasTable) Add(v *ir.Value) {
	i := int32(x.n)
	x.n++
	c := x.o.setOf(v)
	x.kinds[c.kind] = append(x.kinds[c.kind], i)
	if t, ok := c.terminals.only(); ok {
		x.one[t] = append(x.one[t], i)
	} else if c.terminals != nil {
		list, known := x.many[c.terminals]
		switch {
		case known:
		case c.terminals.isSmall():
			x.few.add(c.terminals)
		default:
			x.large = append(x.large, c.terminals)
		}
		x.many[c.terminals] = append(list, i)
	}
}

// Candidates calls fn, until it returns false, with the numbers of members: of all that may come from the same allocation as v, as
// [Origins.Query] says, and of few others. Members come in any order, and some more than once. It takes as many steps as v has terminals, as
// there are different large sets of terminals, or sets of several if v has many, and as there are candidates.
func (x *AliasTable) Candidates(v *ir.Value, fn func(i int) bool) {
	c := x.o.setOf(v)
	more := true
	visit := func(list []int32) {
		for k := 0; more && k < len(list); k++ {
			more = fn(int(list[k]))
		}
	}
	if c.terminals.fewerThan(len(x.one)) {
		c.terminals.each(func(t int) { visit(x.one[t]) })
	} else {
		for t, list := range x.one {
			if c.terminals.has(t) {
				visit(list)
			}
		}
	}
	for k, list := range x.kinds {
		if c.kind.mayMeet(originKind(k)) {
			visit(list)
		}
	}
	if !c.terminals.isSmall() {
		for s, list := range x.many {
			if more && c.terminals.intersects(s) {
				visit(list)
			}
		}
		return
	}
	c.terminals.each(func(t int) {
		for _, s := range x.few[t] {
			visit(x.many[s])
		}
	})
	for _, s := range x.large {
		if more && c.terminals.intersects(s) {
			visit(x.many[s])
		}
	}
}
