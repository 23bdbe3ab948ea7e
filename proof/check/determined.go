package check

import (
	"strings"

	"freehold/ir"
)

// A finding is a path that executions can take, if numbers may be anything. What a program
// reads from memory that it wrote itself, and what it makes of several numbers that are known, may not: where the
// analysis doesn't follow it, the value is determined, but unknown. A path that depends on such values is no finding.

// determine notes that a value is determined, by what op does.
func (a *analysis) determine(v value, op *ir.Op) value {
	if id := identity(v); id != "" && v.kind != integer && (v.kind != boolean || v.truth > yes) {
		a.determined[id] = op
	}
	return v
}

// determinedBy returns the operation because of which v is determined; nil if it may be anything.
func (a *analysis) determinedBy(v value) *ir.Op {
	if _, ok := a.chosenAs(v); ok {
		return a.fn
	}
	return a.determined[identity(v)]
}

// choice returns the number that is v or w, of which only that is known.
func (a *analysis) choice(v, w value) value {
	out := a.unknown()
	for _, x := range []value{v, w} {
		if op := a.determinedBy(x); op != nil || x.kind == integer || x.kind == boolean {
			if op == nil {
				op = a.fn
			}
			return a.determine(out, op)
		}
	}
	return out
}

// computedFrom notes that v is determined, as a result of op, if that computes it of something known, or determined.
func (a *analysis) computedFrom(fr *frame, op *ir.Op, v value) value {
	for i := range op.NumOperands() {
		if by := a.determinedBy(a.get(fr, op.Operand(i))); by != nil {
			return a.determine(v, by)
		}
	}
	return v
}

// comparedTo notes that the boolean x is determined, which says something about the numbers v and w: if one of them is read from
// memory, or both are known, or determined. What is one of several known numbers may be anything beside one that may be anything.
func (a *analysis) comparedTo(x value, v, w string) value {
	for _, pair := range [][2]string{{v, w}, {w, v}} {
		by, other := a.determined[pair[0]], pair[1]
		if by != nil && (by != a.fn || a.determined[other] != nil || !strings.HasPrefix(other, " o")) {
			a.determine(x, by)
		}
	}
	return x
}

// inform notes that the contents of what v points to may depend on something known.
func (a *analysis) inform(v value) {
	for _, t := range v.targets {
		a.informed[t.object] = true
	}
}

// isInformed tells whether the contents of what v points to may depend on something known.
func (a *analysis) isInformed(v value) bool {
	for _, t := range v.targets {
		if a.informed[t.object] {
			return true
		}
	}
	return false
}

// storesKnown tells whether what an operation writes may be something known, or determined: other than
// what it computes.
func (a *analysis) storesKnown(fr *frame, op *ir.Op, reads []int) bool {
	for _, i := range reads {
		if a.isInformed(a.get(fr, op.Operand(i))) {
			return true
		}
	}
	known := func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			x := a.get(fr, o.Operand(i))
			if x.kind == boolean || x.kind == integer && o.Operand(i).Type() != ir.Type(ir.Index) || a.determinedBy(x) != nil {
				return true
			}
		}
		return false
	}
	if known(op) {
		return true
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if t := b.Terminator(); t != nil && known(t) {
				return true
			}
		}
	}
	return false
}

// loaded notes that v is determined, if op read it from memory with contents that may depend on something known.
func (a *analysis) loaded(fr *frame, op *ir.Op, reads []int, v value) value {
	for _, i := range reads {
		if a.isInformed(a.get(fr, op.Operand(i))) {
			return a.determine(v, op)
		}
	}
	return v
}

// certainly returns a model in which a formula holds, whatever the values are that are determined; nil if none is found. by is then
// what determines a value of which it depends.
func (a *analysis) certainly(l lit) (m model, by *ir.Op) {
	goals := []lit{l}
	for range maxRefined {
		m, ok := a.satisfy(nil, goals...)
		if m == nil || !ok {
			return nil, by
		}
		var free []int32
		against := []lit{l.not()}
		for _, n := range a.f.variables(goals...) {
			v := lit(n) << 1
			if op := a.determined[identity(truthOf(v))]; op != nil {
				free, by = append(free, n), op
				continue
			}
			if !m[n] {
				v = v.not()
			}
			against = append(against, v)
		}
		if len(free) == 0 {
			return m, nil
		}
		other, ok := a.satisfy(nil, against...)
		if !ok {
			return nil, by
		}
		if other == nil {
			return m, nil
		}
		at := map[int32]lit{}
		for _, n := range free {
			at[n] = boolLit(other[n])
		}
		goals = append(goals, a.f.substitute(l, at))
	}
	return nil, by
}

// maxRefined limits how often certainly tries.
const maxRefined = 16
