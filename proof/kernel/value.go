package kernel

import (
	"freehold/ir"
)

// ValueKind tells what is known about a value.
type ValueKind uint8

// The kinds of values.
const (
	Number  ValueKind = iota // nothing but its identity
	Boolean                  // the condition that an i1 is
	Integer                  // a constant
	Pointer                  // which objects a memref, or the address of one, points to
	Derived                  // computed from addresses, and may be one
)

// Value is what is known about an SSA value. Equal values are the same.
type Value struct {
	Kind   ValueKind
	Truth  Lit   // of a boolean
	Number int64 // a constant, or the identity
	// Tree is where a pointer points to. Where Part holds, it may be less than its object, which can't be freed by it.
	Tree int32
	Part Lit
	// Window is the type by which it sees the first elements of an object that is followed, in the order of memory; nil if it may see others.
	Window *ir.MemRefType
	// Shift is the distance of a pointer's base address from its object's: 0, or the number
	// of one that isn't known, or AnyShift; or Allocation.
	Shift int64
	// Shape is the number of what sizes a memref has; 0 if nobody knows, and of others.
	Shape int32
}

// AnyShift is a shift of which nothing is known, and which may be another one each time.
const AnyShift = -1

// Address tells whether a value may be an address.
func (x Value) Address() bool { return x.Kind == Pointer || x.Kind == Derived }

// Carries tells whether a value of the type may be an address, and is no memref.
func (x Value) Carries(t ir.Type) bool {
	return x.Kind == Derived || x.Kind == Pointer && !ir.IsMemRef(t)
}

// TruthOf returns a boolean.
func TruthOf(l Lit) Value { return Value{Kind: Boolean, Truth: l} }

// Constant returns a number that is known.
func Constant(n int64) Value { return Value{Kind: Integer, Number: n} }

// LitOf returns yes or no.
func LitOf(b bool) Lit {
	if b {
		return Yes
	}
	return No
}

// Fresh returns a new value of a kind, of which nothing is known.
func (v *Machine) Fresh(k ValueKind) Value {
	if k == Boolean {
		return TruthOf(v.F.Variable())
	}
	v.identities++
	return Value{Kind: k, Number: v.identities}
}

// Choose returns the value that is x where c holds, else y.
func (v *Machine) Choose(c Lit, x, y Value) Value {
	x, y = v.OrNull(x, y), v.OrNull(y, x)
	switch {
	case c == Yes || x == y:
		return x
	case c == No:
		return y
	case x.Kind == Boolean && y.Kind == Boolean:
		return TruthOf(v.F.Choose(c, x.Truth, y.Truth))
	case x.Kind == Pointer && y.Kind == Pointer:
		out := Value{Kind: Pointer, Tree: v.Decide(c, x.Tree, y.Tree), Window: x.Window, Part: v.F.Choose(c, x.Part, y.Part), Shift: x.Shift, Shape: min(x.Shape, y.Shape)}
		if x.Shape != y.Shape && out.Shape > 0 {
			out.Shape = v.sameShape(shape{cond: c, then: x.Shape, els: y.Shape})
		}
		if x.Shift != y.Shift {
			out.Shift = AnyShift
		}
		if x.Window != y.Window {
			out.Window = nil
		}
		if v.Eager {
			v.targets(out.Tree)
		}
		return out
	case x.Address() || y.Address():
		return v.Fresh(Derived)
	}
	return v.chooseNumber(c, x, y)
}
