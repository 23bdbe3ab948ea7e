package reuse

import (
	"slices"

	"freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// addSizeFunction adds a function next to the one that is planned, which takes the same arguments and returns how large the arena has to be for them.
func (f *functionPlanner) addSizeFunction(d *dynamicArena) *ir.Op {
	c := f.fn.Context()
	b := ir.NewBuilder(c)
	b.Loc = f.fn.Loc()
	old := funcd.Type(f.fn)
	name, _ := ir.SymbolName(f.fn)
	size := funcd.New(b, name+"_arena_size", c.Function(old.Inputs, []ir.Type{ir.Index}))
	entry := funcd.AddEntryBlock(size)
	m := ir.NewMapping()
	for i, a := range f.fn.BodyBlock(0).Args() {
		m.Map(a, entry.Arg(i))
	}
	b.SetEnd(entry)
	for _, op := range d.entry.neededFor(d.bytes) {
		b.Clone(op, m)
	}
	funcd.NewReturn(b, m.Value(d.bytes))
	f.tables.Table(f.fn.Parent()).Insert(size, f.fn.Next())
	return size
}

// neededFor returns, in order, what computes a number.
func (e *entrySizes) neededFor(v *ir.Value) (ops []*ir.Op) {
	need := map[*ir.Value]bool{v: true}
	for _, op := range slices.Backward(e.made) {
		if need[op.Result(0)] {
			ops = append(ops, op)
			for _, x := range op.Operands().Values() {
				need[x] = true
			}
		}
	}
	slices.Reverse(ops)
	return ops
}

// called returns what a size function returns for the arguments of a call; nil if that can't be known when the function begins.
func (e *entrySizes) called(size, call *ir.Op) *ir.Value {
	m, _ := interfaces.Call.Of(call)
	start, _ := m.Args(call)
	values := map[*ir.Value]*ir.Value{}
	entry := size.BodyBlock(0)
	for op := range entry.Ops() {
		if op == entry.Last() {
			return values[op.OnlyOperand()]
		}
		w := e.calledOp(op, values, func(i int) *ir.Value { return call.Operand(start + i) })
		if w == nil {
			return nil
		}
		values[op.Result(0)] = w
	}
	return nil
}

// calledOp returns what an operation of a size function computes where argument returns the arguments.
func (e *entrySizes) calledOp(op *ir.Op, values map[*ir.Value]*ir.Value, argument func(i int) *ir.Value) *ir.Value {
	if shaped, i, ok := interfaces.ConstantDim(op); ok {
		return e.dim(argument(shaped.Index()), i)
	}
	m := ir.NewMapping()
	for _, x := range op.Operands().Values() {
		w := values[x]
		if x.IsBlockArg() {
			w = e.number(argument(x.Index()))
		}
		if w == nil {
			return nil
		}
		m.Map(x, w)
	}
	return e.once(e.b.Clone(op, m).Result(0))
}

// inlineSize computes what a size function returns for the arguments of a call.
func inlineSize(b *ir.Builder, size, call *ir.Op) *ir.Value {
	c, _ := interfaces.Call.Of(call)
	start, _ := c.Args(call)
	m := ir.NewMapping()
	entry := size.BodyBlock(0)
	for i, a := range entry.Args() {
		m.Map(a, call.Operand(start+i))
	}
	for op := range entry.Ops() {
		if op == entry.Last() {
			return m.Value(op.OnlyOperand())
		}
		b.Clone(op, m)
	}
	return nil
}
