package ir

// Divide lists the isolated operations that make up op, in the order of the program:
// op itself, or, where its regions hold nothing but symbols that keeps accepts, those
// among them that have regions, divided in turn. Operations without anything in their
// regions are left out. Whoever leaves the operations that keeps accepts where and as
// they are can work on the listed ones one by one.
func Divide(op *Op, keeps func(*Op) bool) []*Op { return divide(nil, op, keeps) }

func divide(list []*Op, op *Op, keeps func(*Op) bool) []*Op {
	if !divisible(op, keeps) {
		return append(list, op)
	}
	for _, r := range op.Regions() {
		if r.first == nil {
			continue
		}
		for o := r.first.first; o != nil; o = o.next {
			if o.NumRegions() > 0 {
				list = divide(list, o, keeps)
			}
		}
	}
	return list
}

func divisible(op *Op, keeps func(*Op) bool) bool {
	for _, r := range op.Regions() {
		if r.first == nil {
			continue
		}
		if r.size > 1 || len(r.first.args) > 0 {
			return false
		}
		for o := r.first.first; o != nil; o = o.next {
			if !o.Registered() || o.name.def.Traits&(TraitSymbol|TraitOptionalSymbol) == 0 || o.NumOperands() > 0 || o.NumResults() > 0 ||
				o.NumRegions() > 0 && !o.Has(TraitIsolatedFromAbove) || !keeps(o) {
				return false
			}
		}
	}
	return true
}
