package emitc

import (
	"fmt"

	"freehold/dialect/affine"
	"freehold/dialect/memref"
	"freehold/ir"
)

// Transfers are over as soon as they start.
func dmaEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		memref.DmaStart: emitDMA,
		memref.DmaWait:  func(*function, *ir.Op) {},
		affine.DmaStart: emitAffineDMA,
		affine.DmaWait:  func(*function, *ir.Op) {},
	}
}

// side is a buffer of a transfer with the indices of its first element.
type side struct {
	v   *ir.Value
	idx []string
}

func emitDMA(f *function, op *ir.Op) {
	at := 0
	next := func() side {
		v := op.Operand(at)
		rank := len(v.Type().(*ir.MemRefType).Shape)
		s := side{v, f.values(op.Operands()[at+1 : at+1+rank].Values())}
		at += 1 + rank
		return s
	}
	src, dst := next(), next()
	count := f.value(op.Operand(at))
	at++
	next() // the tag
	f.dma(op, src, dst, append([]string{count}, f.values(op.Operands()[at:].Values())...))
}

func emitAffineDMA(f *function, op *ir.Op) {
	sides, rest, ok := affine.DmaSides(op, affine.SrcMapAttr, affine.DstMapAttr, affine.TagMapAttr)
	if !ok {
		f.fail(op, "its operands don't fit its maps")
	}
	of := func(s affine.DmaSide) side { return side{s.MemRef, f.mapped(op, s.Map, s.Operands)} }
	f.dma(op, of(sides[0]), of(sides[1]), f.values(rest.Values()))
}

// dma copies elements that follow each other in memory. counts are their number, or also a stride and the number of elements per stride: then those in
// the memory space of the lower number come in runs of so many, a stride apart.
func (f *function) dma(op *ir.Op, src, dst side, counts []string) {
	i := f.count(counts[0])
	strided, slow := i, spaceOf(src.v.Type()) <= spaceOf(dst.v.Type())
	if len(counts) == 3 {
		strided = fmt.Sprintf("%s / %s * %s + %s %% %s", i, counts[2], counts[1], i, counts[2])
	}
	element := func(s side, by string) string {
		r := f.memref(s.v)
		p := r.offset
		for d, x := range s.idx {
			p = sum(p, mul(x, r.strides[d]))
		}
		return r.data + "[" + sum(p, by) + "]"
	}
	from, to := i, i
	if slow {
		from = strided
	} else {
		to = strided
	}
	f.linef("%s = %s;", element(dst, to), element(src, from))
	f.close()
}

// spaceOf returns the number of a memory space; 0 if it has none.
func spaceOf(t ir.Type) int64 {
	if i, ok := ir.MemorySpaceOf(t).(*ir.IntegerAttr); ok {
		return i.Value
	}
	return 0
}
