package analysis

import "freehold/ir"

// AliasIndex is a collection of buffers that can be asked whether any of them may
// alias another one, faster than by one query each.
type AliasIndex struct {
	o     *Origins
	kinds [unseenOrigin + 1]int // numbers of members by kind
	many  map[*intSet]int       // members with several terminals, by these
	one   map[int]int           // members with that terminal alone
	ones  *intSet               // the keys of one; changed in place, for nothing else has it
}

// NewIndex returns an empty index.
func (o *Origins) NewIndex() *AliasIndex {
	return &AliasIndex{o: o, many: map[*intSet]int{}, one: map[int]int{}}
}

// Add adds a buffer.
func (x *AliasIndex) Add(v *ir.Value) { x.add(v, 1) }

// Remove removes a buffer that was added.
func (x *AliasIndex) Remove(v *ir.Value) { x.add(v, -1) }

func (x *AliasIndex) add(v *ir.Value, n int) {
	c := x.o.setOf(v)
	x.kinds[c.kind] += n
	if t, ok := c.terminals.only(); ok {
		switch x.one[t] += n; {
		case x.one[t] == 0:
			delete(x.one, t)
			x.ones = x.ones.remove(t)
		case n > 0:
			x.ones = x.ones.add(t)
		}
	} else if c.terminals != nil {
		if x.many[c.terminals] += n; x.many[c.terminals] == 0 {
			delete(x.many, c.terminals)
		}
	}
}

// MayAlias tells whether a member may come from the same allocation as v. It
// takes as many steps as there are different sets of several origins.
func (x *AliasIndex) MayAlias(v *ir.Value) bool {
	c := x.o.setOf(v)
	for k, n := range x.kinds {
		if n > 0 && c.kind.mayMeet(originKind(k)) {
			return true
		}
	}
	if c.terminals.intersects(x.ones) {
		return true
	}
	for m := range x.many {
		if c.terminals.intersects(m) {
			return true
		}
	}
	return false
}
