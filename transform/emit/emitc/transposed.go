package emitc

// transposes returns the dimension along which an operand that is read walks along memory while the innermost loop, along which the result does, moves it
// far; -1 if there is none, or not all iterations write different elements.
func (n *nest) transposes() int {
	if !n.free || n.indexed || len(n.loops) < 2 || len(n.operands) != n.inits+1 || n.hoists() {
		return -1
	}
	inner, found := n.loops[len(n.loops)-1], -1
	for _, o := range n.operands {
		if o.arg == nil {
			return -1
		}
	}
	if n.operands[n.inits].strides[inner] != "1" || n.isFew(inner, stripWidth) {
		return -1
	}
	for _, d := range n.loops {
		if !n.writesApart(d) {
			return -1
		}
		for _, o := range n.operands[:n.inits] {
			if d != inner && o.r != nil && o.strides[d] == "1" && o.strides[inner] != "0" && !n.isFew(d, stripWidth) {
				found = d
			}
		}
	}
	return found
}

// stripWidth is how many elements of a row are moved before the next row: so many that most of what is loaded with them is used, and so few that the rows of the
// result that they go to stay in the cache.
const stripWidth = 8

// writeStrips writes the nest so that of the given dimension some elements are moved before the innermost loop goes on.
func (n *nest) writeStrips(across int) {
	f, inner := n.f, n.loops[len(n.loops)-1]
	for _, o := range n.operands {
		n.pin(o)
	}
	outer := n.countOthers(across, inner)
	n.steps(across, stripWidth, func(first string, width int64) {
		n.count(inner)
		n.vars[across] = first
		if width > 1 {
			n.vars[across] = sum(first, f.count(constant(width)))
		}
		for _, o := range n.operands[:n.inits] {
			switch {
			case o.r == nil:
				f.alias(o.arg, o.v)
			case o.arg.HasUses():
				f.bind(o.arg, f.define("in", f.ctype(n.op, o.r.elem), n.element(o)))
			}
		}
		n.body(make([]string, len(n.operands)))
		if width > 1 {
			f.close()
		}
		f.close()
	})
	f.closeAll(outer)
}

// countOthers opens the loops of all dimensions but two, and returns how many these are.
func (n *nest) countOthers(across, inner int) (outer int) {
	for _, d := range n.loops {
		if d != across && d != inner {
			n.count(d)
			outer++
		}
	}
	return outer
}
