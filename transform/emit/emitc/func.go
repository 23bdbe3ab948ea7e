package emitc

import (
	"strconv"
	"strings"

	"freehold/dialect/funcd"
	"freehold/ir"
)

func funcEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		funcd.Call: emitCall,
		funcd.CallIndirect: func(f *function, op *ir.Op) {
			t := funcd.CallIndirectOp{Op: op}.Callee().Type().(*ir.FunctionType)
			f.call(op, f.value(funcd.CallIndirectOp{Op: op}.Callee()), f.returned(op, t), op.Operands()[1:].Values())
		},
		funcd.Constant: func(f *function, op *ir.Op) { f.scalars[op.Result(0)] = f.callee(op).Name },
	}
}

func emitCall(f *function, op *ir.Op) {
	callee := f.callee(op)
	f.call(op, callee.Name, callee.Returns, op.Operands().Values())
}

// callee returns the function that a call or a constant names.
func (f *function) callee(op *ir.Op) *function {
	callee, err := f.m.callee(op, funcd.Callee(op))
	if err != nil {
		panic(refused{err})
	}
	return callee
}

// returned returns the C type of what functions of a type return.
func (f *function) returned(op *ir.Op, t *ir.FunctionType) string {
	c, err := f.m.types.returned(t.Results)
	if err != nil {
		f.fail(op, "%v", err)
	}
	return c
}

// call writes a call of a function, which is an expression, and binds the results of the operation to what it returns.
func (f *function) call(op *ir.Op, callee, returns string, operands []*ir.Value) {
	args := make([]string, len(operands))
	for i, v := range operands {
		args[i] = f.passed(op, v)
	}
	call := callee + "(" + strings.Join(args, ", ") + ")"
	if !op.HasUses() {
		f.line(call + ";")
		return
	}
	base := "called"
	if op.NumResults() == 1 {
		base = nameOf(op.Result(0))
	}
	// Not a definition: the call does more.
	name := f.names.fresh(base)
	f.linef("%s = %s;", declaration(returns, name), call)
	f.linef("(void)%s;", name)
	for i, r := range op.Results().Values() {
		member := name
		if op.NumResults() > 1 {
			member += ".r" + strconv.Itoa(i)
		}
		f.bindCalled(r, member)
	}
}

// bindCalled makes a value a result of a call.
func (f *function) bindCalled(v *ir.Value, expr string) {
	if isAtom(expr) {
		f.bind(v, expr)
		return
	}
	op := v.DefiningOp()
	f.bind(v, f.define(nameOf(v), f.ctype(op, v.Type()), expr))
}
