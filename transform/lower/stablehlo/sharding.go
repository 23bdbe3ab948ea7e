package stablehlo

import (
	"slices"

	"freehold/dialect/sdy"
	"freehold/ir"
)

// handOn is the operand of operations that say how it is divided among devices. There is one device here, which has all of it.
func (l *lowering) handOn(op *ir.Op) ([]*ir.Value, error) { return op.Operands().Values(), nil }

// annotation is an operation without results that only says how things are divided.
func annotation(*lowering, *ir.Op) ([]*ir.Value, error) { return nil, nil }

// computation puts a body where it is executed.
func (l *lowering) computation(op *ir.Op) ([]*ir.Value, error) {
	body := op.RegionAt(0).Entry()
	end := body.Last()
	if !end.Is(sdy.Return) || !slices.Equal(ir.TypesOf(body.Args()), op.Operands().Types()) || !slices.Equal(end.Operands().Types(), op.Results().Types()) {
		return nil, errorf("its body is for several devices, each of which has a part of the operands, and there is one here")
	}
	return l.inlined(op), nil
}

// inlined moves the body of an operation, whose arguments are the operation's, before the operation, and returns what it hands back.
func (l *lowering) inlined(op *ir.Op) []*ir.Value {
	body := op.RegionAt(0).Entry()
	end := body.Last()
	for i, a := range body.Args() {
		a.ReplaceAllUsesWith(op.Operand(i))
	}
	results := end.Operands().Values()
	end.Erase()
	for inner := body.First(); inner != nil; {
		next := inner.Next()
		inner.MoveBefore(op)
		inner = next
	}
	return results
}
