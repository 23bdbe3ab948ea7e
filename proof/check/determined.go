package check

import (
	"strings"

	"freehold/ir"
	"freehold/proof/kernel"
)

// A finding is a path that executions can take, if numbers may be anything. What a program
// reads from memory that it wrote itself, and what it makes of several numbers that are known, may not: where the
// analysis doesn't follow it, the value is determined, but unknown. A path that depends on such values is no finding.

// determine notes that a value is determined, by what op does.
func (a *analysis) determine(v kernel.Value, op *ir.Op) kernel.Value {
	if id := kernel.Identity(v); id != "" && v.Kind != kernel.Integer && (v.Kind != kernel.Boolean || v.Truth > kernel.Yes) {
		a.determined[id] = op
	}
	return v
}

// determineSince notes that an operation determines the variables that are newer than known nodes.
func (a *analysis) determineSince(known int, op *ir.Op) {
	for n := known; n < a.f.Len(); n++ {
		if l := kernel.Lit(n) << 1; a.f.IsVariable(l.Node()) {
			a.determine(kernel.TruthOf(l), op)
		}
	}
}

// determinedBy returns the operation because of which v is determined; nil if it may be anything.
func (a *analysis) determinedBy(v kernel.Value) *ir.Op {
	if a.Leaves(v) > 1 {
		return a.fn
	}
	return a.determined[kernel.Identity(v)]
}

// joined notes how a number is chosen of two; and that it is determined if one of these is known, or determined, but for a choice of known
// numbers, which formulas follow.
func (a *analysis) joined(out kernel.Value, c kernel.Lit, v, w kernel.Value) {
	a.chosen(out, c, v, w)
	if a.Leaves(out) > 1 {
		return
	}
	for _, x := range []kernel.Value{v, w} {
		if op := a.determinedBy(x); op != nil || a.Leaves(x) == 1 || x.Kind == kernel.Boolean {
			if op == nil {
				op = a.fn
			}
			a.determine(out, op)
			return
		}
	}
}

// computedFrom notes that v is determined, as a result of op, if that computes it of something known, or determined.
func (a *analysis) computedFrom(fr *kernel.Frame, op *ir.Op, v kernel.Value) kernel.Value {
	for i := range op.NumOperands() {
		if by := a.determinedBy(a.Get(fr, op.Operand(i))); by != nil {
			return a.determine(v, by)
		}
	}
	return v
}

// comparedTo notes that the boolean x is determined, which says something about the numbers v and w: if one of them is read from
// memory, or both are known, or determined. What is one of several known numbers may be anything beside one that may be anything.
func (a *analysis) comparedTo(x kernel.Value, v, w string) {
	for _, pair := range [][2]string{{v, w}, {w, v}} {
		by, other := a.determined[pair[0]], pair[1]
		if by != nil && (by != a.fn || a.determined[other] != nil || !strings.HasPrefix(other, " o")) {
			a.determine(x, by)
		}
	}
}

// inform notes that the contents of what v points to may depend on something known.
func (a *analysis) inform(v kernel.Value) {
	for _, t := range a.Targets(v) {
		a.informed[t.Object] = true
	}
}

// isInformed tells whether the contents of what v points to may depend on something known.
func (a *analysis) isInformed(v kernel.Value) bool {
	for _, t := range a.Targets(v) {
		if a.informed[t.Object] {
			return true
		}
	}
	return false
}

// storesKnown tells whether what an operation writes may be something known, or determined: other than
// what it computes.
func (a *analysis) storesKnown(fr *kernel.Frame, op *ir.Op, reads []int) bool {
	for _, i := range reads {
		if a.isInformed(a.Get(fr, op.Operand(i))) {
			return true
		}
	}
	known := func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			x := a.Get(fr, o.Operand(i))
			if x.Kind == kernel.Boolean || a.Leaves(x) == 1 && o.Operand(i).Type() != ir.Type(ir.Index) || a.determinedBy(x) != nil {
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
func (a *analysis) loaded(fr *kernel.Frame, op *ir.Op, reads []int, v kernel.Value) kernel.Value {
	for _, i := range reads {
		if a.isInformed(a.Get(fr, op.Operand(i))) {
			return a.determine(v, op)
		}
	}
	return v
}

// certainly returns a model in which a formula holds, whatever the values are that are determined; nil if none is found. by is then
// what determines a value of which it depends.
func (a *analysis) certainly(l kernel.Lit) (m model, by *ir.Op) {
	goals := []kernel.Lit{l}
	for range maxRefined {
		m, ok := a.satisfy(nil, goals...)
		if m == nil || !ok {
			return nil, by
		}
		var free []int32
		against := []kernel.Lit{l.Not()}
		for _, n := range a.f.variables(goals...) {
			v := kernel.Lit(n) << 1
			if op := a.determined[kernel.Identity(kernel.TruthOf(v))]; op != nil {
				free, by = append(free, n), op
				continue
			}
			if !m[n] {
				v = v.Not()
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
		at := map[int32]kernel.Lit{}
		for _, n := range free {
			at[n] = kernel.LitOf(other[n])
		}
		goals = append(goals, a.f.substitute(l, at))
	}
	return nil, by
}

// maxRefined limits how often certainly tries.
const maxRefined = 16
