package bytecode

import "freehold/ir"

// numberedOrder is the order of the uses of a result or block argument: for each use, from
// the last one in the text to the first, its place. pairs says that only those are told
// that are at another place, with their number before it.
type numberedOrder struct {
	value  int
	offset int
	places []uint32
	pairs  bool
}

// useOrder is the order that the uses of a value are to have.
type useOrder struct {
	value *ir.Value
	numberedOrder
}

// readOrders reads the orders of uses of some of n values.
func readOrders(c *cursor, n int) []numberedOrder {
	count := 1
	if n != 1 {
		count = c.count("orders of uses", 2)
	}
	out := make([]numberedOrder, 0, count)
	var seen map[int]bool
	for range count {
		o := numberedOrder{offset: c.pos}
		if n != 1 {
			o.value = c.index("value", n)
		}
		k, pairs := c.flagged()
		o.pairs = pairs
		o.places = make([]uint32, c.checkCount(o.offset, k, "uses", 1))
		for i := range o.places {
			o.places[i] = uint32(c.varint())
		}
		if seen[o.value] {
			c.failAt(o.offset, "the order of the uses of a value is told twice")
		}
		if !c.ok() {
			return nil
		}
		if seen == nil && count > 1 {
			seen = map[int]bool{}
		}
		if seen != nil {
			seen[o.value] = true
		}
		out = append(out, o)
	}
	return out
}

// apply gives the uses of the value their order. They stand in the opposite order of the
// text, as they were made in its order.
func (o *useOrder) apply(c *cursor) {
	places := o.places
	if o.pairs {
		n := 0
		for u := o.value.FirstUse(); u != nil; u = u.Next() {
			n++
		}
		places = make([]uint32, n)
		for i := range places {
			places[i] = uint32(i)
		}
		for i := 0; i+1 < len(o.places); i += 2 {
			if o.places[i] >= uint32(n) {
				c.failAt(o.offset, "the order of the uses of a value has a use %d of %d", o.places[i], n)
				return
			}
			places[o.places[i]] = o.places[i+1]
		}
	}
	if len(o.places)%2 != 0 && o.pairs || !o.value.OrderUses(places) {
		c.failAt(o.offset, "the order of the uses of a value isn't one")
	}
}
