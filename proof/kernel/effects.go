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
	ok := true
	for i := range op.NumOperands() {
		ok = ok && !v.OutOfScope(op.Operand(i).Type())
	}
	for i := range op.NumResults() {
		ok = ok && !v.OutOfScope(op.Result(i).Type())
	}
	for _, r := range op.Regions() {
		for i := 0; !r.Empty() && i < r.Entry().NumArgs(); i++ {
			ok = ok && !v.OutOfScope(r.Entry().Arg(i).Type())
		}
	}
	if !ok {
		v.Refuse(op, "it has values of a type that nothing is known about")
	}
	return ok
}

// Apply executes an operation for which there is a rule. It returns false if there is none.
func (v *Machine) Apply(fr *Frame, op *ir.Op) bool {
	rule := v.Models.Rules[op.OpName().ID()]
	return rule != nil && rule(v, fr, op)
}

// Access executes an operation by its effects: it uses what it reads and writes, and makes a
// buffer, a view, or numbers.
func (v *Machine) Access(fr *Frame, op *ir.Op) {
	stated, states := semantics.Stated.Of(op)
	if states && !v.agrees(op, stated) {
		return
	}
	effects, known := interfaces.EffectsOf(op)
	if v.Models.Is(op, TouchesNothing) {
		effects, known = nil, true // they touch no memory
	}
	_, structured := interfaces.DestinationStyle.Of(op)
	structured = structured || v.Models.Is(op, AnyTimes)
	buffers, addresses, viewed, made := 0, false, (*ir.Value)(nil), interfaces.DefaultResource
	for i := range op.NumOperands() {
		x := op.Operand(i)
		addresses = addresses || v.Get(fr, x).Carries(x.Type())
		if ir.IsMemRef(x.Type()) {
			buffers++
		}
	}
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			buffers++
		}
	}
	switch {
	case op.NumRegions() > 0 && !structured, buffers > 0 && !known:
		v.Refuse(op, "there is no rule for what it does with buffers")
		return
	case addresses && (buffers > 0 || op.NumRegions() > 0 || !interfaces.IsMemoryEffectFree(op)):
		v.Refuse(op, "an address gets out of sight")
		return
	}
	allocates := false
	for _, e := range effects {
		x := e.Value(op)
		switch {
		case buffers == 0:
		case x == nil && e.Kind <= interfaces.Write && e.On() != interfaces.DefaultResource && e.On() != interfaces.AutomaticAllocationScopeResource:
			// no memory that buffers are in
		case e.Kind == interfaces.Allocate && x == op.Result(0):
			allocates, made = true, e.On()
		case e.Kind <= interfaces.Write && e.IsOnResult():
		case e.Kind == interfaces.Free && e.IsOn(0) && states:
			v.FreeOperand(fr, op)
		case e.Kind <= interfaces.Write && x != nil && ir.IsMemRef(x.Type()):
			p := v.Get(fr, x)
			v.Use(fr, op, p)
			if v.HoldsAddresses(fr.St, p) || e.Kind == interfaces.Write && ir.IsMemRef(ir.ElementType(x.Type())) {
				v.Refuse(op, "an address gets out of sight")
			}
			if e.Kind == interfaces.Write {
				v.Written(fr, p)
			}
		default:
			v.Refuse(op, "there is no rule for one of its effects")
		}
	}
	if op.NumRegions() > 0 {
		v.Regions(fr, op)
	}
	if view, ok := interfaces.ViewLike.Of(op); ok {
		viewed = view(op)
	} else if view, ok := interfaces.OtherView.Of(op); ok {
		viewed = view(op)
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		switch {
		case !ir.IsMemRef(r.Type()) && addresses && r.Type() != ir.Type(ir.I1):
			v.Assign(fr, r, v.Fresh(Derived))
		case !ir.IsMemRef(r.Type()) && (buffers == 0 || len(effects) > 0 || states && stated.Does == semantics.Asks || v.Models.Is(op, Asks)):
			v.Assign(fr, r, v.scalar(fr, op, r))
		case i == 0 && allocates && made == interfaces.AutomaticAllocationScopeResource:
			v.Assign(fr, r, v.PointTo(v.reserve(fr, op)))
		case i == 0 && allocates:
			v.Assign(fr, r, v.PointTo(v.Allocate(fr, op, 0, r.Type())))
		case i == 0 && viewed != nil && ir.IsMemRef(viewed.Type()) && ir.IsMemRef(r.Type()):
			v.Assign(fr, r, v.view(fr, op, v.Get(fr, viewed)))
		default:
			v.Refuse(op, "there is no rule for what it returns")
		}
	}
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
	} else if !ir.IsIntOrIndex(r.Type()) {
		return v.Fresh(Number)
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
