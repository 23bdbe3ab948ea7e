package emitc

import "freehold/ir"

// functionApart returns the function of a float with which the body of a nest over short rows ends, such as the exponential of a softmax over few classes; nil if there is none. It is computed
// for all rows in one loop, of which compilers make vectors, after what is before it is written where the result goes.
func (n *nest) functionApart() *ir.Op {
	if !n.free || n.indexed || len(n.loops) < 2 || len(n.operands) != n.inits+1 || !n.isFew(n.loops[len(n.loops)-1], mostLanes) {
		return nil
	}
	init, body := n.operands[n.inits], n.op.BodyBlock(0)
	op := body.Last().OnlyOperand().DefiningOp()
	if init.arg == nil || init.arg.HasUses() || op == nil || op.Block() != body || laneFunction(op) == "" || !op.Result(0).HasOneUse() {
		return nil
	}
	before := op.OnlyOperand().DefiningOp()
	if before == nil || before.Block() != body || n.level(before.Result(0)) < len(n.loops) || op.OnlyOperand().Type() != init.r.elem {
		return nil
	}
	if _, ok := n.row(); !ok {
		return nil
	}
	return op
}

// row returns how many elements the nest writes, if they follow each other in memory.
func (n *nest) row() (string, bool) {
	count, strides := "1", n.operands[n.inits].strides
	for i := len(n.loops) - 1; i >= 0; i-- {
		d := n.loops[i]
		if _, known := number(n.sizes[d]); !known || strides[d] != count {
			return "", false
		}
		count = mul(count, n.sizes[d])
	}
	return count, true
}

// writeApart writes the nest without a function, and then the loop of that.
func (n *nest) writeApart(op *ir.Op) {
	f, init := n.f, n.operands[n.inits]
	count, _ := n.row()
	n.apart = op
	n.arrange()
	n.write()
	t := init.r.elem.(*ir.FloatType)
	place := func(i string) string { return init.r.data + "[" + sum(i, init.start) + "]" }
	if isNative(t) && !isCircular(laneFunction(op)) {
		f.m.vectorMacro()
		f.line("FH_INDEPENDENT")
		i := place(f.count(count))
		f.scalars[op.OnlyOperand()] = f.define("in", f.ctype(op, t), i)
		f.operation(op)
		f.linef("%s = %s;", i, f.value(op.Result(0)))
		f.close()
		return
	}
	row := &nest{f: f, op: n.op, sizes: []string{count}}
	row.steps(0, mostLanes, func(first string, width int64) {
		l := f.newLanes(n.op, ir.F32, width)
		l.stored = op.Result(0)
		l.values = map[*ir.Value]string{op.OnlyOperand(): l.load(t, place(first), width > 1)}
		l.store(t, place(first), l.compute(op))
	})
}
