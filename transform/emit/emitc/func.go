package emitc

import (
	"strconv"
	"strings"

	"freehold/dialect/funcd"
	"freehold/ir"
)

var funcEmitters = map[*ir.OpID]emitter{
	funcd.Call: emitCall,
}

func emitCall(f *function, op *ir.Op) {
	callee, err := f.m.callee(op, funcd.Callee(op))
	if err != nil {
		panic(refused{err})
	}
	args := make([]string, op.NumOperands())
	for i := range args {
		args[i] = f.passed(op, op.Operand(i))
	}
	call := callee.Name + "(" + strings.Join(args, ", ") + ")"
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
	f.linef("%s = %s;", declaration(callee.Returns, name), call)
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
