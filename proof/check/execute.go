package check

import (
	"fmt"
	"strings"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
	"freehold/proof/models"
	"freehold/proof/semantics"
)

// execute updates the state for an operation that is not a terminator.
func (a *analysis) execute(fr *kernel.Frame, op *ir.Op) {
	a.Steps++
	if a.lower(fr, op) {
		return
	}
	r := ruleOf(op)
	if r == nil {
		a.withoutRule(fr, op)
		return
	}
	if !a.inScope(fr, op) {
		return
	}
	known := a.f.Len()
	if a.Apply(fr, op) {
		a.decidedByAddress(fr, op, known)
		return
	}
	switch r.does {
	case calls:
		if m, ok := interfaces.Call.Of(op); ok {
			a.call(fr, op, m)
			return
		}
	case passes:
		if m, ok := interfaces.RegionBranch.Of(op); ok {
			a.regionFlow(fr, op, m)
			return
		}
	case computes:
		if !interfaces.HasMemRefTypes(op) {
			a.compute(fr, op)
			return
		}
	default:
		if !a.hidesAddress(fr, op) && r.does != declares {
			a.access(fr, op, r)
		}
		return
	}
	a.cannotJudge(op, "nothing is known about what it does with buffers")
	a.giveUp(fr, op)
}

// decidedByAddress notes that a boolean which an operation computes of what is made of addresses is determined: it may be what those of
// buffers are. Its variables are those that are newer than known nodes.
func (a *analysis) decidedByAddress(fr *kernel.Frame, op *ir.Op, known int) {
	if op.NumResults() != 1 || op.Result(0).Type() != ir.Type(ir.I1) || op.NumRegions() > 0 {
		return
	}
	for i := range op.NumOperands() {
		if a.Get(fr, op.Operand(i)).Kind != kernel.Derived {
			continue
		}
		a.determineSince(known, op)
		return
	}
}

// withoutRule executes an operation that there is no rule for: nothing is known but that
// it can't do anything to buffers if it gets none, and no address.
func (a *analysis) withoutRule(fr *kernel.Frame, op *ir.Op) {
	if interfaces.HasTensorTypes(op) {
		a.tensors()
		a.giveUp(fr, op)
		return
	}
	if s, ok := semantics.Stated.Of(op); ok {
		if why := s.Contradiction(op); why != "" {
			a.cannotJudge(op, "the rule that it states can't be right: %s", why)
			a.giveUp(fr, op)
			return
		}
	}
	touches := op.NumRegions() > 0 || interfaces.HasMemRefTypes(op)
	for i := range op.NumOperands() {
		v := op.Operand(i)
		touches = touches || a.OutOfScope(v.Type()) || models.IsOwner(v.Type()) || a.Get(fr, v).Carries(v.Type())
	}
	for i := range op.NumResults() {
		touches = touches || a.OutOfScope(op.Result(i).Type()) || models.IsOwner(op.Result(i).Type())
	}
	if touches {
		a.cannotJudge(op, "there is no rule for what it does with buffers and addresses")
		a.giveUp(fr, op)
		return
	}
	a.forgetAll(fr)
	for i := range op.NumResults() {
		a.Assign(fr, op.Result(i), a.fresh(fr, op.Result(i)))
	}
}

// inScope tells whether the analysis knows about the types of all values that the
// operation touches; else the operation is given up.
func (a *analysis) inScope(fr *kernel.Frame, op *ir.Op) bool {
	ok := true
	visit := func(t ir.Type) {
		switch {
		case !a.OutOfScope(t):
			return
		case ir.IsTensor(t):
			a.tensors()
		case ok:
			a.cannotJudge(op, "nothing is known about values of type %s", t)
		}
		ok = false
	}
	for i := range op.NumOperands() {
		visit(op.Operand(i).Type())
	}
	for i := range op.NumResults() {
		visit(op.Result(i).Type())
	}
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		for _, v := range r.Entry().Args() {
			visit(v.Type())
		}
	}
	if !ok {
		a.giveUp(fr, op)
	}
	return ok
}

// tensors notes that the function has tensors.
func (a *analysis) tensors() {
	a.cannotJudge(a.fn, "it has tensors: bufferize it first")
}

// hidesAddress tells whether the operation gets an address in a way that isn't followed:
// other than by passing it on as a whole, to results, regions and blocks. Then it isn't
// judged.
func (a *analysis) hidesAddress(fr *kernel.Frame, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if v := op.Operand(i); a.Get(fr, v).Carries(v.Type()) && !forwards(op, i) {
			a.hide(fr, op)
			return true
		}
	}
	return false
}

// forwards tells whether op passes operand i on, and does nothing else with it.
func forwards(op *ir.Op, i int) bool {
	in := func(start, n int) bool { return start <= i && i < start+n }
	if m, ok := interfaces.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, _ := m.SuccessorOperands(op, s); in(start, n) {
				return true
			}
		}
		return false
	}
	parent, points, passed := op, interfaces.ParentPoint, func(to interfaces.RegionPoint) (int, int) { return 0, 0 }
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		passed = func(to interfaces.RegionPoint) (int, int) { return m.EntryOperands(op, to) }
	} else if interfaces.IsRegionTerminator(op) {
		parent, points = op.Parent(), interfaces.RegionPoint{Region: op.Region()}
		passed = func(to interfaces.RegionPoint) (int, int) { return interfaces.TerminatorOperands(op, to) }
		if interfaces.Function.Has(parent) {
			return op.Has(ir.TraitReturnLike)
		}
	}
	if m, ok := interfaces.RegionBranch.Of(parent); ok {
		for _, s := range m.Successors(parent, points) {
			if in(passed(interfaces.RegionPoint{Region: s.Region})) {
				return true
			}
		}
	}
	return false
}

// hide gives up all buffers, since the operation may do something with any of which it got
// the address.
func (a *analysis) hide(fr *kernel.Frame, op *ir.Op) {
	a.cannotJudge(op, "an address gets out of sight")
	a.allLost = true
	a.giveUp(fr, op)
}

func isFunction(op *ir.Op) bool {
	if op == nil {
		return false
	}
	return interfaces.Function.Has(op)
}

// giveUp forgets everything about the buffers that an operation gets hold of, and
// about its results.
func (a *analysis) giveUp(fr *kernel.Frame, op *ir.Op) {
	a.lose(fr, op)
	a.forgetAll(fr)
	for i := range op.NumResults() {
		a.Assign(fr, op.Result(i), a.fresh(fr, op.Result(i)))
	}
}

// lose forgets everything about the buffers that an operation gets hold of.
func (a *analysis) lose(fr *kernel.Frame, op *ir.Op) {
	op.Walk(func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			v := o.Operand(i)
			if o != op && op.IsAncestorOf(v.ParentBlock().ParentOp()) {
				continue
			}
			a.loseValue(fr, a.Get(fr, v))
		}
		return true
	})
}

// loseValue loses the objects that a value points to, and those whose addresses are in them.
func (a *analysis) loseValue(fr *kernel.Frame, v kernel.Value) {
	a.allLost = a.allLost || v.Kind == kernel.Derived
	for _, t := range a.Targets(v) {
		if a.lost.Get(t.Object) {
			continue
		}
		a.lost = a.lost.Set(t.Object, true)
		x := a.Objects[t.Object]
		for c := x.Cells; c < x.Cells+x.Size; c++ {
			if y := fr.St.Memory.Get(c); y != nil && y.Address() {
				a.loseValue(fr, *y)
			}
		}
		a.Forget(fr, t.Object)
	}
}

// forgetAll forgets the contents of all objects.
func (a *analysis) forgetAll(fr *kernel.Frame) {
	for o := range a.Objects {
		a.Forget(fr, o)
	}
}

// stored notes what an element gets. If nobody knows who reads it, a value is lost as well.
func (a *analysis) stored(fr *kernel.Frame, to kernel.Value, is *kernel.Value) {
	a.inform(to)
	if o, _ := a.Single(to); is != nil && is.Address() && a.isLost(o) {
		a.loseValue(fr, *is)
	}
}

// access executes an operation by its rule: it uses what it reads and writes, executes its
// regions, and frees or makes a buffer.
func (a *analysis) access(fr *kernel.Frame, op *ir.Op, r *opRule) {
	reads, writes := r.accessed(op)
	hidden := false
	for _, i := range reads {
		if v := op.Operand(i); ir.IsMemRef(v.Type()) {
			a.Use(fr, op, a.Get(fr, v))
			hidden = hidden || a.HoldsAddresses(fr.St, a.Get(fr, v))
		}
	}
	for _, i := range writes {
		v := op.Operand(i)
		if !ir.IsMemRef(v.Type()) {
			continue
		}
		a.Use(fr, op, a.Get(fr, v))
		a.Written(fr, a.Get(fr, v))
		if a.storesKnown(fr, op, reads) {
			a.inform(a.Get(fr, v))
		}
		if ir.IsMemRef(ir.ElementType(v.Type())) {
			a.cannotJudge(op, "it stores a buffer in memory")
			a.lose(fr, op)
		}
	}
	if hidden {
		a.hide(fr, op)
		return
	}
	if r.does == structured {
		a.anyTimes(fr, op)
	}
	if r.does == frees {
		a.FreeTargets(fr, op, a.Get(fr, op.Operands().At(0)), kernel.Yes)
	}
	for i := range op.NumResults() {
		v := op.Result(i)
		switch {
		case !ir.IsMemRef(v.Type()):
			a.Assign(fr, v, a.loaded(fr, op, reads, a.scalar(fr, op, v)))
		case r.does == allocates:
			a.Assign(fr, v, a.newBuffer(fr, op, kernel.Heap))
		case r.does == reserves:
			a.Assign(fr, v, a.newBuffer(fr, op, kernel.Stack))
		case r.does == views:
			a.Assign(fr, v, a.View(fr, op, a.Get(fr, op.Operand(0))))
		default:
			a.Assign(fr, v, a.produced(fr, op, v))
		}
	}
}

// newBuffer returns a pointer to a new buffer. No path goes on from sizes that are negative.
func (a *analysis) newBuffer(fr *kernel.Frame, op *ir.Op, k kernel.ObjectKind) kernel.Value {
	x := a.NewBuffer(fr, op, a.Allocate(fr, op, k, op.Result(0).Type()))
	if a.unroll {
		fr.Cond = a.f.And(fr.Cond, a.AreSizes(op, x))
	}
	return x
}

// compute gives the results of an operation on numbers their values.
func (a *analysis) compute(fr *kernel.Frame, op *ir.Op) {
	carries := false
	for i := range op.NumOperands() {
		v := op.Operand(i)
		carries = carries || a.Get(fr, v).Carries(v.Type())
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		switch {
		case !carries:
			a.Assign(fr, r, a.scalar(fr, op, r))
		case r.Type() == ir.Type(ir.I1):
			a.Assign(fr, r, a.fresh(fr, r))
		default:
			a.Assign(fr, r, a.Fresh(kernel.Derived))
		}
	}
}

// scalar returns the value of a result that is no buffer. What is computed twice
// from the same operands is the same.
func (a *analysis) scalar(fr *kernel.Frame, op *ir.Op, r *ir.Value) kernel.Value {
	t := r.Type()
	if v, ok := a.Known(fr, op, r); ok {
		return v
	}
	if v, ok := a.Sum(fr, op); ok {
		if _, defined := a.terms[v.Number]; !defined && a.IsSum(v) {
			a.defined(fr, op, v, t)
		}
		return a.computedFrom(fr, op, v)
	}
	if op.NumRegions() > 0 || op.NumResults() > 1 || !interfaces.IsMemoryEffectFree(op) || op.NumOperands() == 0 || op.NumOperands() > 4 {
		return a.fresh(fr, r)
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%s %s", op.Name(), t)
	for _, at := range op.AllAttrs() {
		fmt.Fprintf(&key, " %s=%s", at.Name, at.Value)
	}
	for i := range op.NumOperands() {
		id := kernel.Identity(a.Get(fr, op.Operand(i)))
		if id == "" {
			return a.fresh(fr, r)
		}
		fmt.Fprintf(&key, "%s %s", id, op.Operand(i).Type())
	}
	return a.SameFor(key.String(), func() kernel.Value { return a.defined(fr, op, a.computedFrom(fr, op, a.fresh(fr, r)), t) })
}
