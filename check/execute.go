package check

import (
	"fmt"
	"strings"

	"freehold/iface"
	"freehold/ir"
)

// execute updates the state for an operation that is not a terminator.
func (a *analysis) execute(fr *frame, op *ir.Op) {
	a.steps++
	if do, ok := semantics[op.ID()]; ok {
		if do(a, fr, op) {
			return
		}
	}
	if m, ok := iface.Call.Of(op); ok {
		a.call(fr, op, m)
		return
	}
	if m, ok := iface.RegionBranch.Of(op); ok {
		a.regionFlow(fr, op, m)
		return
	}
	if a.hides(op) {
		a.cannotJudge(op, "nothing is known about the buffers that its regions get or that it returns")
		a.giveUp(fr, op)
		return
	}
	a.anyTimes(fr, op)
	effects, known := iface.EffectsOf(op)
	if !known {
		if _, view := iface.ViewLike.Of(op); !view && a.touchesMemory(fr, op) {
			a.cannotJudge(op, "nothing is known about what it does with memory")
			a.giveUp(fr, op)
			return
		}
	}
	a.effects(fr, op, effects)
	a.resultsOf(fr, op, effects)
}

// touchesMemory tells whether the operation gets hold of buffers or addresses, or
// makes buffers.
func (a *analysis) touchesMemory(fr *frame, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if v := op.Operand(i); ir.IsMemRef(v.Type()) || a.get(fr, v).kind == pointer {
			return true
		}
	}
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			return true
		}
	}
	return false
}

// giveUp forgets everything about the buffers that an operation gets hold of, and
// about its results.
func (a *analysis) giveUp(fr *frame, op *ir.Op) {
	a.lose(fr, op)
	for i := range op.NumResults() {
		a.set(fr, op.Result(i), a.fresh(fr, op.Result(i)))
	}
}

// lose forgets everything about the buffers that an operation gets hold of.
func (a *analysis) lose(fr *frame, op *ir.Op) {
	op.Walk(func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			v := o.Operand(i)
			if o != op && op.IsAncestorOf(v.ParentBlock().ParentOp()) {
				continue
			}
			for _, t := range a.get(fr, v).targets {
				a.objects[t.object].lost = true
				a.forget(fr, t.object)
			}
		}
		return true
	})
}

// forget forgets the contents of an object.
func (a *analysis) forget(fr *frame, o int) {
	x := a.objects[o]
	for i := range x.size {
		fr.st.memory = fr.st.memory.set(x.cells+i, nil)
	}
}

// hides tells whether buffers may get out of sight in the operation: as arguments of
// its regions or results of an operation with regions, of which nothing is known, or
// as results that stand for a buffer without being one.
func (a *analysis) hides(op *ir.Op) bool {
	if !op.Has(ir.TraitIsolatedFromAbove) {
		for _, r := range op.Regions() {
			if r.Empty() {
				continue
			}
			for _, v := range r.Entry().Args() {
				if ir.IsMemRef(v.Type()) {
					return true
				}
			}
		}
	}
	buffers := false
	for i := range op.NumOperands() {
		buffers = buffers || ir.IsMemRef(op.Operand(i).Type())
	}
	for i := range op.NumResults() {
		switch t := op.Result(i).Type(); {
		case ir.IsMemRef(t):
			if op.NumRegions() > 0 {
				return true
			}
		case !buffers, ir.IsIntOrIndex(t), ir.IsFloat(t), ir.IsVector(t):
		default:
			if _, complex := t.(*ir.ComplexType); !complex {
				return true
			}
		}
	}
	return false
}

// written forgets the contents of what v points to.
func (a *analysis) written(fr *frame, v value) {
	for _, t := range v.targets {
		a.forget(fr, t.object)
	}
}

// effects checks and applies what the operation does with memory: reads and writes,
// then frees. New allocations are its results.
func (a *analysis) effects(fr *frame, op *ir.Op, effects []iface.Effect) {
	for _, e := range effects {
		on := e.Value(op)
		switch {
		case on == nil:
			switch e.Kind {
			case iface.Free, iface.Allocate:
				a.cannotJudge(op, "it allocates or frees something, but not one of its operands or results")
			case iface.Write:
				if e.On() == iface.DefaultResource {
					fr.st.memory = persistent[*value]{} // it may write anywhere
				}
			}
		case !ir.IsMemRef(on.Type()) || e.IsOnResult():
		case e.Kind == iface.Read:
			a.use(fr, op, a.get(fr, on))
		case e.Kind == iface.Write:
			v := a.get(fr, on)
			a.use(fr, op, v)
			a.written(fr, v)
			if ir.IsMemRef(ir.ElementType(on.Type())) {
				a.cannotJudge(op, "it stores a buffer in memory")
				a.lose(fr, op)
			}
		}
	}
	for _, e := range effects {
		if on := e.Value(op); e.Kind == iface.Free && on != nil && ir.IsMemRef(on.Type()) {
			a.free(fr, op, a.get(fr, on), yes)
		}
	}
}

// resultsOf gives the results of an operation their values.
func (a *analysis) resultsOf(fr *frame, op *ir.Op, effects []iface.Effect) {
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			a.set(fr, r, a.scalar(fr, op, r))
			continue
		}
		if made, stackMade := allocates(op, effects, r); made {
			if stackMade {
				o := a.once(fr, op, stack)
				fr.st.live = fr.st.live.set(o, yes)
				a.set(fr, r, a.pointTo(o))
				continue
			}
			a.set(fr, r, a.pointTo(a.allocate(fr, op, r.Type(), heap)))
			continue
		}
		a.set(fr, r, a.derived(fr, op, r, effects))
	}
}

// allocates tells whether op, with the effects, allocates the result, and
// whether it is on the stack.
func allocates(op *ir.Op, effects []iface.Effect, r *ir.Value) (made, onStack bool) {
	for _, e := range effects {
		if e.Kind == iface.Allocate && e.Value(op) == r {
			return true, e.On() == iface.AutomaticAllocationScopeResource
		}
	}
	return false, false
}

// derived returns what a result may point to that the operation doesn't allocate.
func (a *analysis) derived(fr *frame, op *ir.Op, r *ir.Value, effects []iface.Effect) value {
	if m, ok := iface.ViewLike.Of(op); ok && ir.IsMemRef(m(op).Type()) {
		v := a.get(fr, m(op))
		v.whole = v.whole && iface.IsCast(op)
		if narrows(op) {
			v.part = yes
		}
		return v
	}
	if len(effects) > 0 {
		// Such as a load of a buffer.
		a.cannotJudge(op, "it makes a buffer of which nothing is known")
		return a.foreign(fr, r)
	}
	var from []value
	for i := range op.NumOperands() {
		if v := a.get(fr, op.Operand(i)); v.kind == pointer {
			from = append(from, v)
		}
	}
	if len(from) == 0 {
		return a.foreign(fr, r)
	}
	out := from[len(from)-1]
	if len(from) > 1 {
		for i, c := range a.anyOf(len(from))[:len(from)-1] {
			out = a.choose(c, from[i], out)
		}
	}
	out.whole = false
	return out
}

// scalar returns the value of a result that is no buffer. What is computed twice
// from the same operands is the same.
func (a *analysis) scalar(fr *frame, op *ir.Op, r *ir.Value) value {
	t := r.Type()
	isTruth := t == ir.Type(ir.I1)
	if !isTruth && !ir.IsIntOrIndex(t) {
		return value{number: a.unknown().number}
	}
	if v, ok := a.folded(fr, op, r); ok {
		return v
	}
	if op.NumRegions() > 0 || op.NumResults() > 1 || !iface.IsMemoryEffectFree(op) || op.NumOperands() == 0 || op.NumOperands() > 4 {
		return a.fresh(fr, r)
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%s %s", op.Name(), t)
	for _, at := range op.AllAttrs() {
		fmt.Fprintf(&key, " %s=%s", at.Name, at.Value)
	}
	for i := range op.NumOperands() {
		id := identity(a.get(fr, op.Operand(i)))
		if id == "" {
			return a.fresh(fr, r)
		}
		key.WriteString(id)
	}
	return a.sameFor(key.String(), func() value { return a.fresh(fr, r) })
}

// identity returns a text that is the same for values that are known to be the
// same; none for pointers.
func identity(v value) string {
	switch v.kind {
	case pointer:
		return ""
	case boolean:
		return fmt.Sprintf(" b%d", v.truth)
	case integer:
		return fmt.Sprintf(" i%d", v.number)
	}
	return fmt.Sprintf(" o%d", v.number)
}

// sameFor returns the value of a computation that was done before, or else the one
// that build makes.
func (a *analysis) sameFor(key string, build func() value) value {
	v, ok := a.numbered[key]
	if !ok {
		v = build()
		a.numbered[key] = v
	}
	return v
}

// folded returns the value of a constant, or of an operation on constants.
func (a *analysis) folded(fr *frame, op *ir.Op, r *ir.Value) (value, bool) {
	attr := iface.Constant(r)
	if attr == nil {
		attr = a.computed(fr, op)
	}
	n, ok := attr.(*ir.IntegerAttr)
	switch {
	case !ok || n.Big != nil:
		return value{}, false
	case r.Type() == ir.Type(ir.I1):
		if n.Value != 0 {
			return truthOf(yes), true
		}
		return truthOf(no), true
	}
	return constant(n.Value), true
}

// computed returns the result of an operation whose operands are all known numbers, or
// nil.
func (a *analysis) computed(fr *frame, op *ir.Op) ir.Attribute {
	if op.Def().Fold == nil || op.NumResults() != 1 || op.NumOperands() == 0 {
		return nil
	}
	operands := make([]ir.Attribute, op.NumOperands())
	for i := range operands {
		v := op.Operand(i)
		x := a.get(fr, v)
		switch {
		case x.kind == integer:
			operands[i] = op.Context().IntegerAttr(v.Type(), x.number)
		case x.kind == boolean && x.truth <= yes:
			operands[i] = op.Context().Bool(x.truth == yes)
		default:
			return nil
		}
	}
	if out := op.Def().Fold(op, operands); len(out) == 1 {
		return out[0].Attr
	}
	return nil
}

// terminatorEffects applies the effects of a terminator without successors.
func (a *analysis) terminatorEffects(fr *frame, t *ir.Op) {
	a.steps++
	if a.hides(t) {
		a.cannotJudge(t, "nothing is known about the buffers that its regions get")
		a.giveUp(fr, t)
		return
	}
	a.anyTimes(fr, t)
	effects, known := iface.EffectsOf(t)
	if !known && !iface.IsRegionTerminator(t) && a.touchesMemory(fr, t) {
		a.cannotJudge(t, "nothing is known about what it does with memory")
		a.giveUp(fr, t)
		return
	}
	a.effects(fr, t, effects)
}
