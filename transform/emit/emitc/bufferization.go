package emitc

import (
	"fmt"

	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/testd"
	"freehold/dialect/ub"
	"freehold/ir"
)

func bufferizationEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		bufferization.Clone: emitClone,
	}
}

// emitClone makes a copy, which is in row-major order.
func emitClone(f *function, op *ir.Op) {
	t, ok := op.Result(0).Type().(*ir.MemRefType)
	if !ok {
		f.cloneUnranked(op)
		return
	}
	from := f.memref(bufferization.CloneOp{Op: op}.Input())
	r := &ref{elem: t.Elem, offset: "0", sizes: append([]string(nil), from.sizes...), kind: allocated, root: op.Result(0)}
	r.strides = rowMajorOf(r.sizes)
	count := "1"
	for _, s := range r.sizes {
		count = mul(count, s)
	}
	f.m.helper("fh_alloc")
	r.data = f.define(nameOf(op.Result(0)), pointerTo(f.ctype(op, t.Elem)), fmt.Sprintf("fh_alloc(%s, 16)", f.bytes(op, count, t.Elem)))
	r.allocated = r.data
	f.view(op.Result(0), r)
	f.copyRef(op, from, r)
}

// cloneUnranked makes a copy of a memref of unknown rank.
func (f *function) cloneUnranked(op *ir.Op) {
	from, elem := f.value(bufferization.CloneOp{Op: op}.Input()), f.ctype(op, ir.ElementType(bufferization.CloneOp{Op: op}.Input().Type()))
	memory := fmt.Sprintf("%s((size_t)%s(%s) * sizeof(%s), 16)", f.m.helper("fh_alloc"), f.m.helper("fh_count"), from, elem)
	name := f.names.fresh(nameOf(op.Result(0)))
	f.linef("%s = %s(%s, %s);", declaration("const "+f.m.types.unranked(), name), f.m.helper("fh_row_major"), from, memory)
	f.linef("%s(%s, %s, sizeof(%s));", f.m.helper("fh_copy"), from, name, elem)
	f.scalars[op.Result(0)] = name
}

func otherEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		// What these compute is not known; package exec copies.
		testd.BufferBased: func(f *function, op *ir.Op) {
			f.copy(op, testd.BufferBasedOp{Op: op}.Input(), testd.BufferBasedOp{Op: op}.Output())
		},
		testd.RegionBufferBased: func(f *function, op *ir.Op) {
			f.copy(op, testd.RegionBufferBasedOp{Op: op}.Input(), testd.RegionBufferBasedOp{Op: op}.Output())
		},
		ub.Poison: func(f *function, op *ir.Op) {
			// It is nobody's concern what it is.
			v := op.Result(0)
			c := f.ctype(op, v.Type())
			name := f.names.fresh("poison")
			f.add(&line{kind: definition, name: name, text: "static const " + declaration(c, name) + ";"})
			f.bind(v, name)
		},
		builtin.UnrealizedConversionCast: func(f *function, op *ir.Op) {
			if in := op.OnlyOperand(); in == nil || op.NumResults() != 1 || in.Type() != op.Result(0).Type() {
				f.fail(op, "it is written for one value of one type")
			}
			f.alias(op.Result(0), op.OnlyOperand())
		},
	}
}
