package emitc

import (
	"freehold/dialect/arith"
	"freehold/ir"
)

// extremeNest is a nest that finds the greatest or least of many numbers. They are compared as integers, whose order compilers may change.
type extremeNest struct {
	in      *ir.Value
	sign    string
	key, of string
	keyType string
	best    string
}

// extreme returns how the nest finds a greatest or least number, if that is all it does, in loops that don't change which element is written; else nil.
func (n *nest) extreme(sums int) *extremeNest {
	if !n.free || sums == len(n.loops) || len(n.operands) != n.inits+1 {
		return nil
	}
	body, total := n.op.BodyBlock(0), n.operands[n.inits].arg
	op := body.First()
	if total == nil || op == nil || op.Next() != body.Last() || op.NumResults() != 1 || body.Last().OnlyOperand() != op.Result(0) {
		return nil
	}
	kinds := map[*ir.OpID]struct {
		sign   string
		number bool
	}{arith.MaximumF: {">", false}, arith.MinimumF: {"<", false}, arith.MaxNumF: {">", true}, arith.MinNumF: {"<", true}}
	kind, ok := kinds[op.ID()]
	t, float := op.Result(0).Type().(*ir.FloatType)
	if !ok || !float || !isNative(t) {
		return nil
	}
	in := arith.BinaryOp{Op: op}.LHS()
	if in == total {
		in = arith.BinaryOp{Op: op}.RHS()
	} else if (arith.BinaryOp{Op: op}).RHS() != total {
		return nil
	}
	if in == total || in.ArgOwner() != body {
		return nil
	}
	e := &extremeNest{in: in, sign: kind.sign, keyType: "int32_t"}
	if t == ir.F64 {
		e.keyType = "int64_t"
	}
	e.key, e.of = n.f.m.orderKeys(t, (kind.sign == ">") != kind.number)
	return e
}

// begin declares the variable for the integer of the best number so far, which is total.
func (e *extremeNest) begin(f *function, total string) {
	e.best = f.variable("best", e.keyType, e.key+"("+total+")")
}

// combine compares with the next number.
func (e *extremeNest) combine(f *function) {
	k := f.define("key", e.keyType, e.key+"("+f.value(e.in)+")")
	f.assign(e.best, k+" "+e.sign+" "+e.best+" ? "+k+" : "+e.best)
}
