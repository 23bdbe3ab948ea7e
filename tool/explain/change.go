package explain

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// change is how an advice is followed in the program as it was given. Operations and values are known by where they are, as passes have
// worked on another copy.
type change struct {
	kind changeKind
	// op is the operation that is changed, and other one that it is moved before, or that makes a value.
	op, other ir.Location
	// value is the name of the value, and index the number of an argument, which may be given away for a result.
	value         string
	index, result int
	// promise tells that it is right only if something is so that the program doesn't say.
	promise bool
}

type changeKind uint8

const (
	noChange         changeKind = iota
	moveBefore                  // op before other
	writeInto                   // what op makes is the value instead
	makeAnew                    // what op uses of the value is a copy of what makes it
	dropRead                    // op reads something else than the value
	setAccess                   // the argument of a function is only read
	setWritable                 // the argument of a function may be written
	donate                      // callers give the argument of a function away for a result
	markRestrict                // nothing else uses the buffer that op makes a tensor of
	markWritable                // the buffer that op makes a tensor of may be written
	computeThere                // what op inserts is computed where it belongs
	otherDestination            // op computes into a new tensor instead of the value
	passOn                      // the loop around op passes on each tensor in its own place
)

// keepsMeaning tells whether a program that is changed so surely does what it did.
func (c change) keepsMeaning() bool {
	switch c.kind {
	case moveBefore, writeInto, makeAnew, computeThere:
		return !c.promise
	}
	return false
}

// editor changes a program.
type editor struct {
	module *ir.Op
	names  *asm.SourceNames
}

// apply makes a change, and tells whether it found what to change. The program is to be verified afterwards.
func (e *editor) apply(c change) bool {
	found := false
	for _, op := range e.at(c.op) {
		switch c.kind {
		case moveBefore:
			for _, other := range e.at(c.other) {
				if op != other && movable(op, other) {
					op.MoveBefore(other)
					found = true
				}
			}
		case writeInto:
			if v := e.value(c); v != nil && isEmpty(op) && v.Type() == op.Result(0).Type() {
				op.Result(0).ReplaceAllUsesWith(v)
				found = true
			}
		case makeAnew:
			found = e.makeAnew(op, c) || found
		case dropRead:
			found = e.dropRead(op, c) || found
		case setAccess, setWritable, donate:
			found = setArgument(op, c) || found
		case markRestrict, markWritable:
			if op.Is(bufferization.ToTensor) {
				op.SetAttr(bufferization.RestrictAttr, ir.Unit)
				if c.kind == markWritable {
					op.SetAttr(bufferization.WritableFlag, ir.Unit)
				}
				found = true
			}
		case computeThere:
			found = computeInPlace(op) || found
		case otherDestination:
			found = e.otherDestination(op, c) || found
		case passOn:
			for _, r := range op.Parent().Regions() {
				found = r.Entry() != nil && passOnInPlace(r.Entry().Terminator()) || found
			}
		}
	}
	return found
}

// at returns the operations at a place.
func (e *editor) at(l ir.Location) (found []*ir.Op) {
	want, ok := ir.SourcePos(orUnknown(l))
	if !ok {
		return nil
	}
	e.module.Walk(func(op *ir.Op) bool {
		if pos, ok := ir.SourcePos(op.Loc()); ok && pos.Line == want.Line && pos.Col == want.Col && op.Parent() != nil {
			found = append(found, op)
		}
		return true
	})
	return found
}

func orUnknown(l ir.Location) ir.Location {
	if l == nil {
		return ir.Unknown
	}
	return l
}

// value returns the value that a change names; nil if it isn't there.
func (e *editor) value(c change) (found *ir.Value) {
	want, ok := ir.SourcePos(orUnknown(c.other))
	if !ok {
		return nil
	}
	take := func(v *ir.Value) {
		if pos, ok := ir.SourcePos(v.Loc()); ok && pos.Line == want.Line && pos.Col == want.Col && e.isNamed(v, c.value) {
			found = v
		}
	}
	e.module.Walk(func(op *ir.Op) bool {
		for _, v := range op.Results().Values() {
			take(v)
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					take(v)
				}
			}
		}
		return found == nil
	})
	return found
}

// isNamed tells whether a value has the name that a note gives it.
func (e *editor) isNamed(v *ir.Value, name string) bool { return placeOf(e.names, v).Name == name }

// makeAnew lets an operation use a copy of what makes a value.
func (e *editor) makeAnew(op *ir.Op, c change) bool {
	v := e.value(c)
	if v == nil || v.DefiningOp() == nil || !cheap(v.DefiningOp()) {
		return false
	}
	found := false
	for i := range op.NumOperands() {
		if op.Operand(i) != v {
			continue
		}
		made := ir.CloneDetached(v.DefiningOp())
		op.Block().InsertBefore(made, op)
		for k := range made.NumOperands() {
			// What it is made in is made anew as well.
			if def := made.Operand(k).DefiningOp(); def != nil && isEmpty(def) {
				room := ir.CloneDetached(def)
				op.Block().InsertBefore(room, made)
				made.SetOperand(k, room.Result(0))
			}
		}
		op.SetOperand(i, made.Result(v.Index()))
		found = true
	}
	return found
}

// dropRead lets an operation read something else than a value.
func (e *editor) dropRead(op *ir.Op, c change) bool {
	found := false
	for i := range op.NumOperands() {
		v := op.Operand(i)
		t, ok := v.Type().(*ir.RankedTensorType)
		if !ok || !e.isNamed(v, c.value) || interfaces.IsInit(op.OperandUse(i)) && !isReturn(op) {
			continue
		}
		op.SetOperand(i, newTensor(op, t, v))
		found = true
	}
	return found
}

// newTensor makes a tensor of the sizes of another one before an operation.
func newTensor(op *ir.Op, t *ir.RankedTensorType, like *ir.Value) *ir.Value {
	b := ir.NewBuilder(op.Context())
	b.SetBefore(op)
	var sizes []*ir.Value
	for k, d := range t.Shape {
		if d == ir.Dynamic {
			sizes = append(sizes, tensor.NewDim(b, like, int64(k)))
		}
	}
	return bufferization.NewAllocTensor(b, t, sizes, nil, nil)
}

// otherDestination lets an operation compute into a new tensor instead of a value.
func (e *editor) otherDestination(op *ir.Op, c change) bool {
	found := false
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if t, ok := v.Type().(*ir.RankedTensorType); ok && interfaces.IsInit(op.OperandUse(i)) && e.isNamed(v, c.value) {
			op.SetOperand(i, newTensor(op, t, v))
			found = true
		}
	}
	return found
}

// passOnInPlace lets a terminator pass on, in each place, what is made of what it got there.
func passOnInPlace(op *ir.Op) bool {
	b := op.Block()
	if b.NumArgs() == 0 {
		return false
	}
	own := map[int]*ir.Value{}
	shift := op.NumOperands() - b.NumArgs() // a condition comes before, or the counter of a loop is among the arguments
	for k, v := range op.Operands().Values() {
		n := k - shift
		if n < 0 || n >= b.NumArgs() || b.Arg(n).Type() != v.Type() || !ir.IsTensor(v.Type()) {
			continue
		}
		own[k] = b.Arg(n)
		for _, o := range op.Operands().Values() {
			if startsFrom(o, b.Arg(n)) {
				own[k] = o
			}
		}
	}
	found := false
	for k, v := range own {
		found = found || op.Operand(k) != v
		op.SetOperand(k, v)
	}
	return found
}

// startsFrom tells whether a tensor is made of another one by operations that overwrite it.
func startsFrom(v, start *ir.Value) bool {
	for v != start {
		if v.IsBlockArg() {
			return false
		}
		u := interfaces.TiedInit(v)
		if u == nil {
			return false
		}
		v = u.Value()
	}
	return true
}

// setArgument says of an argument of a function that it is only read, or may be written.
func setArgument(fn *ir.Op, c change) bool {
	if !interfaces.Function.Has(fn) {
		return false
	}
	attr := ir.NamedAttr{Name: bufferization.WritableAttr, Value: fn.Context().Bool(true)}
	switch c.kind {
	case setAccess:
		attr = ir.NamedAttr{Name: bufferization.AccessAttr, Value: fn.Context().StringAttr("read")}
	case donate:
		attr = ir.NamedAttr{Name: "tf.aliasing_output", Value: fn.Context().I32Attr(int64(c.result))}
	}
	found := false
	interfaces.EditArgAttrs(fn, func(i int, attrs []ir.NamedAttr) []ir.NamedAttr {
		if i != c.index {
			return attrs
		}
		found = true
		out := []ir.NamedAttr{attr}
		for _, a := range attrs {
			if a.Name != attr.Name {
				out = append(out, a)
			}
		}
		return out
	})
	return found
}

// computeInPlace lets what is inserted be computed in the part of the destination that it is inserted into.
func computeInPlace(op *ir.Op) bool {
	m, ok := interfaces.SubsetInsertion.Of(op)
	if !ok {
		return false
	}
	room := writtenInto(m.Source(op).Value(), (*ir.Value).HasOneUse)
	if room == nil || room.Block() != op.Block() {
		return false
	}
	b := ir.NewBuilder(op.Context())
	b.SetBefore(room)
	v := m.BuildExtraction(b, op)
	if v == nil || v.Type() != room.Result(0).Type() {
		return false
	}
	room.Result(0).ReplaceAllUsesWith(v)
	return true
}
