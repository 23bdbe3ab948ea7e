package kernel

import "freehold/ir"

// shape is what sizes a memref has: those of a choice of two shapes; or constants, where a type has them, and numbers that are given, or
// found out when somebody asks. They belong to the value, not to its memory.
type shape struct {
	cond      Lit
	then, els int32
	of        *ir.MemRefType // nil if that has no sizes
}

// dimension is one of a shape, by a number that may not be known.
type dimension struct {
	shape int32
	at    Value
}

// newShape returns the number of a shape; 0 is that of which nothing is known, and which may be another one each time.
func (v *Machine) newShape(s shape) int32 {
	v.shapes = append(v.shapes, s)
	return int32(len(v.shapes))
}

// AnyShape returns a pointer that has other sizes, of which nothing is known.
func (v *Machine) AnyShape(x Value) Value {
	x.Shape = v.newShape(shape{})
	return x
}

// sameShape returns the number of a shape that is the same one each time.
func (v *Machine) sameShape(s shape) int32 {
	n, ok := v.shapeOf[s]
	if !ok {
		n = v.newShape(s)
		v.shapeOf[s] = n
	}
	return n
}

// Sized returns a pointer that is the first result of an operation, with the sizes that the operation gives it.
func (v *Machine) Sized(fr *Frame, op *ir.Op, x Value) Value {
	m, ok := op.Result(0).Type().(*ir.MemRefType)
	if !ok {
		return v.AnyShape(x)
	}
	if ir.IsStaticShape(m.Shape) {
		x.Shape = v.sameShape(shape{of: m})
		return x
	}
	x.Shape = v.newShape(shape{of: m})
	for i, n := range m.Shape {
		if n == ir.Dynamic {
			if s, ok := v.Models.SizeOf(v, fr, op, i); ok {
				v.sizes[dimension{x.Shape, Constant(int64(i))}] = s
			}
		}
	}
	return x
}

// NewBuffer returns a pointer to a new object, the first result of an operation, with its sizes. Control goes on only where these are sizes, as otherwise
// it is undefined what happens: that is assumed where control gets in any case. Elsewhere it would be a condition more in formulas of what branches do.
func (v *Machine) NewBuffer(fr *Frame, op *ir.Op, o int) Value {
	x := v.Sized(fr, op, v.PointTo(o))
	if fr.Cond == Yes {
		fr.Base = v.F.And(fr.Base, v.AreSizes(op, x))
	}
	return x
}

// AreSizes returns the condition that the sizes of a pointer that an operation returns aren't negative.
func (v *Machine) AreSizes(op *ir.Op, x Value) Lit {
	all := Yes
	if m, ok := op.Result(0).Type().(*ir.MemRefType); ok {
		for i, n := range m.Shape {
			if n == ir.Dynamic {
				all = v.F.And(all, v.Compare(Signed, Equal|Greater, v.Size(x, Constant(int64(i))), Constant(0)))
			}
		}
	}
	return all
}

// castSizes does what follows from a cast to a type that has sizes which that of its operand doesn't have: control goes on only where they are those
// of x, as otherwise it is undefined what happens.
func (v *Machine) castSizes(fr *Frame, op *ir.Op, x Value) {
	to, ok := op.Result(0).Type().(*ir.MemRefType)
	from, _ := op.OnlyOperand().Type().(*ir.MemRefType)
	for i := 0; ok && i < len(to.Shape); i++ {
		at := Constant(int64(i))
		if _, known := StaticSize(from, at); !known && to.Shape[i] != ir.Dynamic {
			fr.Cond = v.F.And(fr.Cond, v.Compare(Signed, Equal, v.Size(x, at), Constant(to.Shape[i])))
		}
	}
}

// StaticSize returns the size of a dimension that a type has; false if it has none there.
func StaticSize(m *ir.MemRefType, at Value) (Value, bool) {
	if m == nil || at.Kind != Integer || at.Number < 0 || at.Number >= int64(len(m.Shape)) || m.Shape[at.Number] == ir.Dynamic {
		return Value{}, false
	}
	return Constant(m.Shape[at.Number]), true
}

// Size returns the size of a dimension of a memref: the same one each time, and not negative.
func (v *Machine) Size(x, at Value) Value {
	if x.Shape == 0 || Identity(at) == "" {
		return v.size()
	}
	k := dimension{x.Shape, at}
	n, ok := v.sizes[k]
	if ok {
		return n
	}
	s := v.shapes[x.Shape-1]
	if n, ok = StaticSize(s.of, at); s.then != 0 {
		n = v.Choose(s.cond, v.Size(Value{Shape: s.then}, at), v.Size(Value{Shape: s.els}, at))
	} else if !ok {
		n = v.size()
	}
	v.sizes[k] = n
	return n
}

// size returns a number that isn't negative.
func (v *Machine) size() Value {
	n := v.Fresh(Number)
	v.thresholds[n] = []threshold{{0, No}}
	return n
}

// IsSize tells whether a number is known not to be negative.
func (v *Machine) IsSize(x Value) bool {
	all := v.thresholds[x]
	return len(all) > 0 && all[0] == threshold{0, No}
}
