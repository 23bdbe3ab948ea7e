package kernel

// Near returns about as many nodes as size, those nearest to l: from conjunctions to operands, and from operands whose value isn't known to what
// they are operands of, if that is no more than an eighth of size; all tells that there are no others. What a question is about is near it, in
// a long function as in a short one. Any choice of nodes is sound: propagation through fewer finds out less. The result is valid until
// the next question.
func (f *Formulas) Near(size int, l Lit) (nodes []int32, all bool) {
	f.link()
	f.epoch++
	f.scope, all = f.scope[:0], true
	f.visit(l.Node())
	for i := 0; i < len(f.scope); i++ {
		if i == size {
			return f.scope, false
		}
		n := f.scope[i]
		if a, b, ok := f.Operands(n); ok {
			f.visit(a.Node())
			f.visit(b.Node())
		}
		switch {
		case f.values[n] != 0:
		case len(f.users[n]) > size/8:
			all = false
		default:
			for _, u := range f.users[n] {
				f.visit(u)
			}
		}
	}
	return f.scope, all
}

func (f *Formulas) visit(n int32) {
	if f.marks[n] != f.epoch {
		f.marks[n] = f.epoch
		f.scope = append(f.scope, n)
	}
}

// enter takes a node into the scope of propagation, if that is limited.
func (f *Formulas) enter(n int32) {
	if len(f.scope) > 0 {
		f.visit(n)
	}
}

// outside tells whether a node isn't in the scope of propagation.
func (f *Formulas) outside(n int32) bool { return len(f.scope) > 0 && f.marks[n] != f.epoch }
