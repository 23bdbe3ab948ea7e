package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// eraseNeverOwned erases the arguments by which functions would get ownerships that no call gives
// them, also where recursion passes them on. Those that all calls give stay: that a function frees
// what it is given is seen from its type. It takes time linear in the functions.
func (m *module) eraseNeverOwned(root *ir.Op, functions []*ir.Op, o Options) {
	m.findCalls(root, functions) // those that return ownerships are new
	p := newPassed()
	for _, fn := range functions {
		p.addEdges(fn)
		if owned := m.ownedArguments(fn, o); len(owned) > 0 {
			for _, call := range m.callers.Calls(fn) {
				p.pass(call.Operands()[operandFor(call, owned[0]):], owned)
			}
		}
	}
	never := p.always(false)
	for _, fn := range functions {
		m.eraseArguments(fn, m.ownedArguments(fn, o), never)
	}
}

// ownedArguments returns the arguments by which a function gets ownerships, if it does. They are its last ones.
func (m *module) ownedArguments(fn *ir.Op, o Options) []*ir.Value {
	if !m.takesOwnership(fn, o) {
		return nil
	}
	args := fn.BodyBlock(0).Args()
	return args[len(args)-countMemRefs(args):]
}

// operandFor returns the number of the operand of a call that is an argument of the callee.
func operandFor(call *ir.Op, arg *ir.Value) int {
	c, _ := interfaces.Call.Of(call)
	start, _ := c.Args(call)
	return start + arg.Index()
}

// eraseArguments erases those of a function's last arguments, owned, that are never true.
func (m *module) eraseArguments(fn *ir.Op, owned []*ir.Value, never map[*ir.Value]bool) {
	owned = slices.DeleteFunc(slices.Clone(owned), func(v *ir.Value) bool { return !never[v] })
	if len(owned) == 0 {
		return
	}
	entry := fn.BodyBlock(0)
	b := ir.NewBuilder(fn.Context())
	b.SetStart(entry)
	b.Loc = fn.Loc()
	no := arith.ConstantBool(b, false)
	for _, v := range slices.Backward(owned) {
		for _, call := range m.callers.Calls(fn) {
			call.EraseOperands(operandFor(call, v), 1)
		}
		v.ReplaceAllUsesWith(no)
		entry.EraseArg(v.Index())
	}
	f, _ := interfaces.Function.Of(fn)
	f.SetType(fn, fn.Context().Function(ir.TypesOf(entry.Args()), f.Type(fn).Results))
	fitDicts(fn, interfaces.ArgAttrs, entry.NumArgs())
}
