package kernel

// link makes room for what is known of nodes that were made since, and notes what they are operands of.
func (f *Formulas) link() {
	for n := int32(len(f.users)); int(n) < len(f.gates); n++ {
		f.users, f.values = append(f.users, nil), append(f.values, 0)
		if a, b, ok := f.Operands(n); ok {
			f.users[a.Node()] = append(f.users[a.Node()], n)
			f.users[b.Node()] = append(f.users[b.Node()], n)
		}
	}
	f.values[0] = -1
}

// Users returns the conjunctions that a node is an operand of, the newest last.
func (f *Formulas) Users(node int32) []int32 {
	f.link()
	return f.users[node]
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
	return f.propagate(l, len(f.gates))
}

// propagate assigns l, and by unit propagation from node to node what follows from about as many nodes as limit, through the newest users of
// those that have many: so what is shown by what is near takes no longer in a long function than in a short one. To find out less is sound.
func (f *Formulas) propagate(l Lit, limit int) bool {
	at := len(f.trail)
	return f.assign(l) && f.settle(at, limit)
}

// settle propagates what was assigned since the trail was as long as at.
func (f *Formulas) settle(at, limit int) bool {
	for last := at + limit; at < min(len(f.trail), last); at++ {
		n := f.trail[at]
		if !f.infer(n) {
			return false
		}
		users := f.users[n]
		for _, u := range users[max(0, len(users)-limit):] {
			if !f.infer(u) {
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
// of Unsatisfiability for CNF Formulas", 2003), which stops at a limit. A lemma is a disjunction; literals are
// numbers of nodes, negative if negated.
func (f *Formulas) Refutes(limit int, l Lit, lemmas [][]int) bool {
	f.link()
	end, mark := len(f.gates), len(f.trail)
	defer func() {
		f.undo(mark)
		for n := len(f.users) - 1; n >= end; n-- {
			for _, o := range []Lit{f.gates[n].a, f.gates[n].b} {
				f.users[o.Node()] = f.users[o.Node()][:len(f.users[o.Node()])-1]
			}
		}
		f.gates, f.users, f.values = f.gates[:end], f.users[:end], f.values[:end]
	}()
	if !f.propagate(l, limit) {
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
			open = open && f.propagate(not, limit)
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
			if !f.infer(int32(n)) {
				return true
			}
		}
		if !f.assign(none.Not()) || !f.settle(before, limit) {
			return true
		}
	}
	return false
}
