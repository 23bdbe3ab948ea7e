package kernel

// link makes room for what is known of nodes that were made since, and notes what they are operands of.
func (f *Formulas) link() {
	for n := int32(len(f.users)); int(n) < len(f.gates); n++ {
		f.users, f.values, f.marks = append(f.users, nil), append(f.values, 0), append(f.marks, 0)
		if a, b, ok := f.Operands(n); ok {
			f.users[a.Node()] = append(f.users[a.Node()], n)
			f.users[b.Node()] = append(f.users[b.Node()], n)
		}
	}
	f.values[0] = -1
}

// assign makes l hold. It returns false if it is known not to.
func (f *Formulas) assign(l Lit) bool {
	if f.value(l) == 0 {
		f.values[l.Node()] = 1 - 2*int8(l&1)
		f.trail = append(f.trail, l.Node())
	}
	return f.value(l) > 0
}

// infer gives a conjunction or its operands the values that follow from the others'. It
// returns false if they contradict each other.
func (f *Formulas) infer(n int32) bool {
	g := f.gates[n]
	if g.a == isVariable {
		return true
	}
	a, b, l := f.value(g.a), f.value(g.b), Lit(n)<<1
	switch {
	case f.values[n] > 0:
		return f.assign(g.a) && f.assign(g.b)
	case a < 0 || b < 0:
		return f.assign(l.Not())
	case a > 0 && b > 0:
		return f.assign(l)
	case f.values[n] < 0 && a > 0:
		return f.assign(g.b.Not())
	case f.values[n] < 0 && b > 0:
		return f.assign(g.a.Not())
	}
	return true
}

// Propagate assigns l and all that follows by unit propagation. It returns false if that
// leads to a contradiction.
func (f *Formulas) Propagate(l Lit) bool {
	f.link()
	f.scope = f.scope[:0]
	return f.propagate(l)
}

func (f *Formulas) propagate(l Lit) bool {
	at := len(f.trail)
	return f.assign(l) && f.settle(at)
}

// settle propagates what was assigned since the trail was as long as at.
func (f *Formulas) settle(at int) bool {
	for ; at < len(f.trail); at++ {
		n := f.trail[at]
		if f.outside(n) {
			continue
		}
		if !f.infer(n) {
			return false
		}
		users := f.users[n]
		if len(f.scope) > 0 && len(users) > len(f.scope) {
			users = f.scope
		}
		for _, u := range users {
			if !f.outside(u) && !f.infer(u) {
				return false
			}
		}
	}
	return true
}

// undo forgets the values that were found out since the trail was as long as mark.
func (f *Formulas) undo(mark int) {
	for _, n := range f.trail[mark:] {
		f.values[n] = 0
	}
	f.trail = f.trail[:mark]
}

// Refutes tells whether l can't hold, as the lemmas show: given l and the lemmas before it,
// the negation of each lemma leads to a contradiction by unit propagation, and so does l
// given all of them (reverse unit propagation: Goldberg, Novikov: "Verification of Proofs
// of Unsatisfiability for CNF Formulas", 2003). A lemma is a disjunction; literals are
// numbers of nodes, negative if negated.
func (f *Formulas) Refutes(l Lit, lemmas [][]int) bool { return f.RefutesNear(0, l, lemmas) }

// RefutesNear is [Formulas.Refutes] by propagation through no more than the nodes that are [Formulas.Near] l, if size isn't 0.
func (f *Formulas) RefutesNear(size int, l Lit, lemmas [][]int) bool {
	f.link()
	end, mark := len(f.gates), len(f.trail)
	defer func() {
		f.undo(mark)
		for n := len(f.users) - 1; n >= end; n-- {
			for _, o := range []Lit{f.gates[n].a, f.gates[n].b} {
				f.users[o.Node()] = f.users[o.Node()][:len(f.users[o.Node()])-1]
			}
		}
		f.gates, f.users, f.values, f.marks, f.scope = f.gates[:end], f.users[:end], f.values[:end], f.marks[:end], f.scope[:0]
	}()
	if f.scope = f.scope[:0]; size > 0 {
		f.Near(size, l)
	}
	if !f.propagate(l) {
		return true
	}
	for _, lemma := range lemmas {
		before, first, open := len(f.trail), len(f.gates), true
		none := Yes // the conjunction of the negations
		for _, x := range lemma {
			n := max(x, -x)
			if n == 0 || n >= end {
				return false
			}
			not := Lit(n) << 1
			if x > 0 {
				not = not.Not()
			}
			open = open && f.propagate(not)
			if none == Yes {
				none = not
			} else {
				none = f.node(gate{none, not})
			}
		}
		if open {
			return false
		}
		f.undo(before)
		f.link()
		for n := first; n < len(f.gates); n++ {
			if f.enter(int32(n)); !f.infer(int32(n)) {
				return true
			}
		}
		if !f.assign(none.Not()) || !f.settle(before) {
			return true
		}
	}
	return false
}
