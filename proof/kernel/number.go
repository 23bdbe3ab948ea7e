package kernel

import (
	"slices"
	"strconv"

	"freehold/ir"
)

// chosen is a number that is then where a condition holds, else els: both are known numbers, or
// chosen.
type chosen struct {
	cond      Lit
	then, els Value
	leaves    int
}

// maxLeaves limits the known numbers that one is chosen of.
const maxLeaves = 8

// chosenAs returns how a number is chosen of known ones, if it is.
func (v *Machine) chosenAs(x Value) (chosen, bool) {
	if x.Kind != Number {
		return chosen{}, false
	}
	c, ok := v.chosen[x.Number]
	return c, ok
}

// Leaves returns how many known numbers a value may be; 0 if it may be others.
func (v *Machine) Leaves(x Value) int {
	if x.Kind == Integer || v.literals[x] != nil {
		return 1
	}
	c, _ := v.chosenAs(x)
	return c.leaves
}

// chooseNumber returns the number that is x where c holds, else y.
func (v *Machine) chooseNumber(c Lit, x, y Value) Value {
	m, n := v.Leaves(x), v.Leaves(y)
	choice := chosen{c, x, y, m + n}
	if out, known := v.joined[choice]; known {
		return out
	}
	out := v.Fresh(Number)
	v.joined[choice] = out
	if m > 0 && n > 0 && m+n <= maxLeaves {
		v.chosen[out.Number] = choice
	}
	v.Joined(out, c, x, y)
	return out
}

// known returns the value of a constant, if that is a number or boolean. A floating-point number is the same value as others with its bits.
func (v *Machine) known(attr ir.Attribute, t ir.Type) (Value, bool) {
	n, ok := attr.(*ir.IntegerAttr)
	switch f, float := attr.(*ir.FloatAttr); {
	case float:
		return v.SameFor("constant "+f.String(), func() Value {
			x := v.Fresh(Number)
			v.literals[x] = f
			return x
		}), true
	case !ok || n.Big != nil:
		return Value{}, false
	case t == ir.Type(ir.I1):
		return TruthOf(LitOf(n.Value != 0)), true
	}
	return Constant(n.Value), true
}

// Known returns the value of a constant, or of an operation on known numbers and booleans, or on
// what is chosen of them.
func (v *Machine) Known(fr *Frame, op *ir.Op, r *ir.Value) (Value, bool) {
	if attr := ir.ConstantOf(r); attr != nil {
		return v.known(attr, r.Type())
	}
	if op.Def().Fold == nil || op.NumResults() != 1 || op.NumOperands() == 0 {
		return Value{}, false
	}
	return v.fold(op, v.GetAll(fr, op.Operands()), r.Type(), 1)
}

// fold returns what an operation returns for operands of which each is a known number or boolean,
// or is chosen of such ones; false if it isn't known. times is how many choices were made already.
func (v *Machine) fold(op *ir.Op, operands []Value, t ir.Type, times int) (Value, bool) {
	constants := make([]ir.Attribute, len(operands))
	for i, x := range operands {
		c, ok := v.chosenAs(x)
		switch literal := v.literals[x]; {
		case literal != nil:
			constants[i] = literal
			continue
		case x.Kind == Integer:
			constants[i] = op.Context().IntegerAttr(op.Operand(i).Type(), x.Number)
			continue
		case x.Kind == Boolean && x.Truth <= Yes:
			constants[i] = op.Context().Bool(x.Truth == Yes)
			continue
		case x.Kind == Boolean:
			c = chosen{x.Truth, TruthOf(Yes), TruthOf(No), 2}
		case !ok:
			return Value{}, false
		}
		if times *= 2; times > maxLeaves {
			return Value{}, false
		}
		with := func(y Value) (Value, bool) {
			all := slices.Clone(operands)
			all[i] = y
			return v.fold(op, all, t, times)
		}
		then, ok := with(c.then)
		els, ok2 := with(c.els)
		if !ok || !ok2 {
			return Value{}, false
		}
		return v.Choose(c.cond, then, els), true
	}
	if out := ir.Evaluate(op, constants); len(out) == 1 {
		return v.known(out[0], t)
	}
	return Value{}, false
}

// Identity returns a text that is the same for values that are the same numbers; none for
// addresses.
func Identity(x Value) string {
	switch x.Kind {
	case Boolean:
		return " b" + strconv.Itoa(int(x.Truth))
	case Integer:
		return " i" + strconv.FormatInt(x.Number, 10)
	case Number, Derived:
		return " o" + strconv.FormatInt(x.Number, 10)
	}
	return ""
}

// SameFor returns the value of a computation that was done before, or else the one that build makes.
func (v *Machine) SameFor(key string, build func() Value) Value {
	x, ok := v.numbered[key]
	if !ok {
		x = build()
		v.numbered[key] = x
	}
	return x
}
