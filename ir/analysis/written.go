package analysis

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// WrittenArguments know which arguments functions write to, themselves or by functions that they call. They don't see later changes.
type WrittenArguments struct {
	tables  *ir.SymbolTables
	known   map[*ir.Value]bool
	buffers map[*ir.Op]*Buffers
}

// NewWrittenArguments knows of no function yet; each is analysed when it is asked about, in near-linear time.
func NewWrittenArguments() *WrittenArguments {
	return &WrittenArguments{ir.NewSymbolTables(), map[*ir.Value]bool{}, map[*ir.Op]*Buffers{}}
}

// Has tells whether a function, or one that it calls, may write to the buffer of its argument. It takes time linear in the uses of the buffer.
func (x *WrittenArguments) Has(arg *ir.Value) bool {
	if known, ok := x.known[arg]; ok || !ir.IsMemRef(arg.Type()) {
		return known
	}
	x.known[arg] = false // while functions that call each other are looked at
	fn := arg.ArgOwner().ParentOp()
	b := x.buffers[fn]
	if b == nil {
		b = NewBuffers(fn, BufferOptions{})
		x.buffers[fn] = b
	}
	writes := false
	b.Uses(arg, func(u *ir.Use) { writes = writes || x.writes(u) })
	x.known[arg] = writes
	return writes
}

// writes tells whether an operation may write to an operand.
func (x *WrittenArguments) writes(u *ir.Use) bool {
	op := u.Owner()
	m, ok := interfaces.Call.Of(op)
	if !ok {
		effects, _ := interfaces.EffectsOf(op)
		return slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == interfaces.Write && e.IsOn(u.Index()) })
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return false
	}
	start, _ := m.Args(op)
	callee := x.tables.Lookup(op, ref)
	return callee != nil && callee.BodyBlock(0) != nil && u.Index() >= start && u.Index()-start < callee.BodyBlock(0).NumArgs() &&
		x.Has(callee.BodyBlock(0).Arg(u.Index()-start))
}
