package emitc

import (
	"math"

	"freehold/dialect/linalg"
	"freehold/ir"
)

func linalgEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		linalg.Index:   func(f *function, op *ir.Op) { f.scalars[op.Result(0)] = f.nest[linalg.IndexOp{Op: op}.Dim()] },
		linalg.Softmax: emitSoftmax,
	}
}

// emitSoftmax computes exp(x - max) divided by the sum of these along a dimension, each step rounded to the type of the elements.
func emitSoftmax(f *function, op *ir.Op) {
	o := linalg.SoftmaxOp{Op: op}
	if ir.IsTensor(o.Input().Type()) {
		f.fail(op, "%s", whyNot(op))
	}
	in, out := f.memref(o.Input()), f.memref(o.Output())
	t, ok := in.elem.(*ir.FloatType)
	if !ok || in.elem != out.elem {
		f.fail(op, "it is written for floating-point numbers of one type")
	}
	dim, c := int(o.Dimension()), f.ctype(op, t)
	idx := make([]string, len(in.sizes))
	for d, s := range in.sizes {
		if d != dim {
			idx[d] = f.count(s)
		}
	}
	at := func(r *ref, i string) string {
		idx[dim] = i
		return r.element(idx)
	}
	compute := func(s scalar, args ...string) string {
		x := &element{f: f, op: op, in: make([]ir.Type, len(args)), out: t, args: args}
		for i := range x.in {
			x.in[i] = t
		}
		return s(x)
	}
	greatest := f.variable("greatest", c, f.literal(op, t, op.Context().FloatAttr(t, math.Inf(-1))))
	i := f.count(in.sizes[dim])
	f.linef("%s = %s;", greatest, compute(floatExtreme(">", false), greatest, at(in, i)))
	f.close()
	total := f.variable("total", c, f.literal(op, t, op.Context().FloatAttr(t, 0)))
	i = f.count(in.sizes[dim])
	x := f.define("x", c, compute(floatBinary("-"), at(in, i), greatest))
	x = f.define("x", c, compute(approximated("exp"), x))
	f.linef("%s = %s;", at(out, i), x)
	f.linef("%s = %s;", total, compute(floatBinary("+"), total, x))
	f.close()
	i = f.count(in.sizes[dim])
	f.linef("%s = %s;", at(out, i), compute(floatBinary("/"), at(out, i), total))
	f.close()
	f.closeAll(len(in.sizes) - 1)
}
