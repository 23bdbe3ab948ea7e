package kernel

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// Machine is the symbolic execution of one function.
type Machine struct {
	F *Formulas
	// Models are what it knows of operations and types.
	Models *Models
	Hooks
	// Naming tells to give objects names.
	Naming bool
	// Eager tells to find out what pointers point to when they are made, so that formulas are numbered in the order of execution.
	Eager bool
	// Local numbers the values that are in the locals of states.
	Local map[*ir.Value]int
	// Steps counts what was executed, and compared.
	Steps int
	// Err says why the function isn't certified.
	Err error

	Objects    []*Object
	Named      map[string]int
	again      map[string]int // how often names were given again
	sites      map[site]int   // the objects of what reserves the same memory each time
	Cells      int            // of buffers that are followed
	Choices    []Choice
	trees      map[Choice]int32
	targetsOf  [][]Target         // by tree
	compared   map[comparison]Lit // of trees
	addresses  map[comparison]Lit // of objects
	identities int64
	numbered   map[string]Value // computations
	chosen     map[int64]chosen // numbers, by their identities
	joined     map[chosen]Value
	sums       map[Value]interfaces.Linear // of terms that stand for numbers
	termOf     map[Value]*ir.Value
	terms      map[*ir.Value]Value
	literals   map[Value]*ir.FloatAttr
	thresholds map[Value][]threshold
	shifts     map[string]int64
	numbers    map[*ir.Op]*numbers
	shapes     []shape // by their numbers, from 1 on
	shapeOf    map[shape]int32
	sizes      map[dimension]Value
}

// NewMachine returns a machine that has executed nothing, and makes formulas in f, which has none yet.
func NewMachine(f *Formulas, m *Models) *Machine {
	v := &Machine{F: f, Models: m, Named: map[string]int{}, again: map[string]int{}, sites: map[site]int{}, trees: map[Choice]int32{}, compared: map[comparison]Lit{},
		addresses: map[comparison]Lit{}, numbered: map[string]Value{}, chosen: map[int64]chosen{}, sums: map[Value]interfaces.Linear{}, termOf: map[Value]*ir.Value{}, terms: map[*ir.Value]Value{}, joined: map[chosen]Value{}, literals: map[Value]*ir.FloatAttr{}, thresholds: map[Value][]threshold{},
		shifts: map[string]int64{}, Local: map[*ir.Value]int{}, numbers: map[*ir.Op]*numbers{},
		shapeOf: map[shape]int32{}, sizes: map[dimension]Value{}}
	v.Hooks = Hooks{
		Assigned: func(*ir.Value, Value) {}, Made: func(*Frame, *ir.Op, int, int) {}, Allocated: func(*Frame, *ir.Op, int, Lit) {},
		Freed: func(*Frame, *ir.Op, int, Lit) {}, Spared: func(*Frame, *ir.Op, int, Lit) {}, Stored: func(*Frame, Value, *Value) {},
		Hidden: func(_ *Frame, op *ir.Op) { v.Refuse(op, "an address gets out of sight") },
		Refused: func(op *ir.Op, why string) {
			if v.Err == nil {
				v.Err = op.Errorf("not certified: %s", why)
			}
		},
		Joined: func(Value, Lit, Value, Value) {}, Compared: func(Lit, Order, Outcomes, Value, Value) {}, Exhausted: func() bool { return false },
	}
	return v
}

// site is an operation in a frame.
type site struct {
	Path string
	op   *ir.Op
}

// state is what holds at a point of the program: under which condition each object is
// allocated and not yet freed, and what the elements of buffers that are followed hold (nil
// is unknown, but no address).
type State struct {
	Live   Table[Lit]
	Memory Table[*Value]
	// locals are values of frames that execute loops step by step, by their numbers: those that a loop defines, and that are used
	// after it. What they are differs from iteration to iteration.
	locals Table[*Value]
}

// Frame is a function at work, or the one that is called by the frame Outer; Path is that of the calls.
type Frame struct {
	Number int
	Outer  *Frame
	Fn     *ir.Op
	Path   string
	Depth  int
	Values map[*ir.Value]Value
	St     State
	// Cond is the condition of being here, relative to base.
	Cond, Base Lit
	// Unroll tells to execute loops step by step if constants tell how often they run; Stepwise that some loop is executed so.
	Unroll, Stepwise bool
}

// Here returns the condition under which control is where a frame is.
func (v *Machine) Here(fr *Frame) Lit { return v.F.And(fr.Base, fr.Cond) }

// either returns the element that is x where c holds, else y.
func (v *Machine) either(c Lit, x, y *Value) *Value {
	switch {
	case x != nil && y != nil:
		z := v.Choose(c, *x, *y)
		return &z
	case x == nil:
		x = y
	}
	return v.forgotten(x)
}

// forgotten returns what is known of an element that held x and may hold something else by
// now. That it may be an address isn't forgotten.
func (v *Machine) forgotten(x *Value) *Value {
	if x == nil || !x.Address() {
		return nil
	}
	z := v.Fresh(Derived)
	return &z
}

// AnyOf returns n conditions of which one holds, no matter which.
func (v *Machine) AnyOf(n int) []Lit {
	out, rest := make([]Lit, n), Yes
	for i := range n - 1 {
		c := v.F.Variable()
		out[i], rest = v.F.And(rest, c), v.F.And(rest, c.Not())
	}
	out[n-1] = rest
	return out
}

// Refuse notes that the certificate doesn't show that the operation is right.
func (v *Machine) Refuse(op *ir.Op, format string, args ...any) {
	v.Refused(op, fmt.Sprintf(format, args...))
}

// Get returns what is known about a value.
func (v *Machine) Get(fr *Frame, x *ir.Value) Value {
	if fr.Stepwise {
		if n, ok := v.Local[x]; ok {
			if held := fr.St.locals.Get(n); held != nil {
				return *held
			}
		}
	}
	if out, ok := fr.Values[x]; ok {
		return out
	}
	return v.Unknown(fr, x)
}

// Assign gives a value what is known about it.
func (v *Machine) Assign(fr *Frame, x *ir.Value, is Value) {
	if fr.Stepwise {
		if n, ok := v.Local[x]; ok {
			held := is // so that the value itself needs no memory
			fr.St.locals = fr.St.locals.Set(n, &held)
			return
		}
	}
	fr.Values[x] = is
	v.Assigned(x, is)
}

// GetAll returns what is known about values.
func (v *Machine) GetAll(fr *Frame, xs ir.Operands) []Value {
	out := make([]Value, len(xs))
	for i := range xs {
		out[i] = v.Get(fr, xs.At(i))
	}
	return out
}

// Truth returns the condition that an i1 is.
func (v *Machine) Truth(fr *Frame, x *ir.Value) Lit {
	if out := v.Get(fr, x); out.Kind == Boolean {
		return out.Truth
	}
	return v.F.Variable()
}

// Anything returns what is known of a number of which nothing is known.
func (v *Machine) Anything(fr *Frame, x *ir.Value) Value {
	switch t := x.Type(); {
	case ir.IsMemRef(t) || v.Models.IsOwner(t):
		v.Refuse(fr.Fn, "nothing is known about a buffer")
	case t == ir.Type(ir.I1):
		return v.Fresh(Boolean)
	}
	return v.Fresh(Number)
}

// Bind gives a value what control passes.
func (v *Machine) Bind(fr *Frame, x *ir.Value, to Value) {
	if ir.IsMemRef(x.Type()) && to.Kind != Pointer || x.Type() == ir.Type(ir.I1) && to.Kind != Boolean {
		v.Refuse(fr.Fn, "nothing is known about a buffer or boolean that is passed")
	}
	v.Assign(fr, x, to)
}
