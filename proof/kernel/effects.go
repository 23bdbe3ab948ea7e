package kernel

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/semantics"
)

// OutOfScope tells whether nothing is known about values of the type.
func (v *Machine) OutOfScope(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType, *ir.IndexType, *ir.NoneType, *ir.ComplexType, *ir.FunctionType:
		return false
	case *ir.VectorType, *ir.MemRefType, *ir.UnrankedMemRefType:
		elem := ir.ElementType(t)
		return v.OutOfScope(elem) || v.Models.IsOwner(elem)
	}
	return !ir.IsFloat(t) && !v.Models.IsOwner(t) && !v.Models.IsNumber(t)
}

// InScope tells whether the types of all values that op touches are known; else the
// certificate is refused.
func (v *Machine) InScope(op *ir.Op) bool {
	types := slices.Concat(op.Operands().Types(), op.Results().Types())
	for _, r := range op.Regions() {
		for i := 0; !r.Empty() && i < r.Entry().NumArgs(); i++ {
			types = append(types, r.Entry().Arg(i).Type())
		}
	}
	if slices.ContainsFunc(types, v.OutOfScope) {
		v.Refuse(op, "it has values of a type that nothing is known about")
		return false
	}
	return true
}

// Apply executes an operation for which there is a rule. It returns false if there is none.
func (v *Machine) Apply(fr *Frame, op *ir.Op) bool {
	rule := v.Models.Rules[op.OpName().ID()]
	return rule != nil && rule(v, fr, op)
}

// access is an operation that is executed by its effects.
type access struct {
	*Machine
	fr      *Frame
	op      *ir.Op
	effects []interfaces.Effect
	// stated tells that it states a rule as well, asks that its results say nothing about contents.
	stated, asks bool
	// buffers tells that it gets or makes some, addresses that it gets some that aren't memrefs.
	buffers, addresses bool
	// allocates and reserves tell that its first result is a new buffer.
	allocates, reserves bool
}

// Access executes an operation by its effects: it uses what it reads and writes, and makes a
// buffer, a view, or numbers.
func (v *Machine) Access(fr *Frame, op *ir.Op) {
	stated, states := semantics.Stated.Of(op)
	if states && !v.agrees(op, stated) {
		return
	}
	a := &access{Machine: v, fr: fr, op: op, stated: states, asks: states && stated.Does == semantics.Asks || v.Models.Is(op, Asks)}
	known := v.Models.Is(op, TouchesNothing)
	if !known {
		a.effects, known = interfaces.EffectsOf(op)
	}
	isBuffer := func(x *ir.Value) bool { return ir.IsMemRef(x.Type()) }
	for _, x := range op.Operands().Values() {
		a.addresses = a.addresses || v.Get(fr, x).Carries(x.Type())
		a.buffers = a.buffers || isBuffer(x)
	}
	a.buffers = a.buffers || slices.ContainsFunc(op.Results().Values(), isBuffer)
	switch structured := interfaces.DestinationStyle.Has(op) || v.Models.Is(op, AnyTimes); {
	case op.NumRegions() > 0 && !structured, a.buffers && !known:
		v.Refuse(op, "there is no rule for what it does with buffers")
		return
	case a.addresses && (a.buffers || op.NumRegions() > 0 || !interfaces.IsMemoryEffectFree(op)):
		v.Refuse(op, "an address gets out of sight")
		return
	}
	for _, e := range a.effects {
		if a.buffers {
			a.effect(e)
		}
	}
	if op.NumRegions() > 0 {
		v.Regions(fr, op)
	}
	for i := range op.NumResults() {
		a.result(i)
	}
}

// effect does what follows from one of the effects.
func (a *access) effect(e interfaces.Effect) {
	stack, x := e.On() == interfaces.AutomaticAllocationScopeResource, e.Value(a.op)
	switch {
	case x == nil && e.Kind <= interfaces.Write && e.On() != interfaces.DefaultResource && !stack:
		// no memory that buffers are in
	case e.Kind == interfaces.Allocate && x == a.op.Result(0):
		a.allocates, a.reserves = !stack, stack
	case e.Kind <= interfaces.Write && e.IsOnResult():
	case e.Kind == interfaces.Free && e.IsOn(0) && a.stated:
		a.FreeTargets(a.fr, a.op, a.Get(a.fr, a.op.Operands().At(0)), Yes)
	case e.Kind <= interfaces.Write && x != nil && ir.IsMemRef(x.Type()):
		p := a.Get(a.fr, x)
		a.Use(a.fr, a.op, p)
		if a.HoldsAddresses(a.fr.St, p) || e.Kind == interfaces.Write && ir.IsMemRef(ir.ElementType(x.Type())) {
			a.Refuse(a.op, "an address gets out of sight")
		}
		if e.Kind == interfaces.Write {
			a.Written(a.fr, p)
		}
	default:
		a.Refuse(a.op, "there is no rule for one of its effects")
	}
}

// result makes result i.
func (a *access) result(i int) {
	r, first := a.op.Result(i), i == 0
	viewed := viewed(a.op)
	switch isBuffer := ir.IsMemRef(r.Type()); {
	case !isBuffer && a.addresses && r.Type() != ir.Type(ir.I1):
		a.Assign(a.fr, r, a.Fresh(Derived))
	case !isBuffer && (!a.buffers || len(a.effects) > 0 || a.asks):
		a.Assign(a.fr, r, a.scalar(a.fr, a.op, r))
	case first && a.reserves:
		a.Assign(a.fr, r, a.NewBuffer(a.fr, a.op, a.reserve(a.fr, a.op)))
	case first && a.allocates:
		a.Assign(a.fr, r, a.NewBuffer(a.fr, a.op, a.Allocate(a.fr, a.op, Heap, r.Type())))
	case first && isBuffer && viewed != nil && ir.IsMemRef(viewed.Type()):
		a.Assign(a.fr, r, a.View(a.fr, a.op, a.Get(a.fr, viewed)))
	default:
		a.Refuse(a.op, "there is no rule for what it returns")
	}
}

// viewed returns what the first result of an operation is a view of; nil if it is none.
func viewed(op *ir.Op) *ir.Value {
	if view, ok := interfaces.ViewLike.Of(op); ok {
		return view(op)
	}
	if view, ok := interfaces.OtherView.Of(op); ok {
		return view(op)
	}
	return nil
}

// agrees tells whether the rule that an operation states says what its effects do, by which it is executed; else the certificate
// is refused.
func (v *Machine) agrees(op *ir.Op, stated semantics.Rule) bool {
	why := stated.Contradiction(op)
	if slices.ContainsFunc(op.Operands().Types(), v.Models.IsOwner) || slices.ContainsFunc(op.Results().Types(), v.Models.IsOwner) {
		why = "it says nothing about owners"
	}
	if why != "" {
		v.Refuse(op, "the rule that it states can't be right: %s", why)
	}
	return why == ""
}

// scalar returns the value of a result that is a number. What is computed twice from the
// same operands, without reading memory, is the same.
func (v *Machine) scalar(fr *Frame, op *ir.Op, r *ir.Value) Value {
	kind := Number
	if r.Type() == ir.Type(ir.I1) {
		kind = Boolean
	}
	key := op.Name() + " " + r.Type().String()
	same := op.NumRegions() == 0 && op.NumResults() == 1 && op.NumOperands() > 0 && interfaces.IsMemoryEffectFree(op)
	for _, x := range op.Operands().Values() {
		id := Identity(v.Get(fr, x))
		same = same && id != ""
		key += id + " " + x.Type().String()
	}
	if same || op.NumOperands() == 0 {
		if x, ok := v.Known(fr, op, r); ok {
			return x
		}
		if x, ok := v.Sum(fr, op); ok {
			return x
		}
	}
	// Of other operations it isn't known that they do the same each time.
	if !same || !v.Models.IsFunctional(op) {
		return v.Fresh(kind)
	}
	for _, a := range op.AllAttrs() {
		key += " " + a.Name + "=" + a.Value.String()
	}
	return v.SameFor(key, func() Value { return v.Fresh(kind) })
}
