package tflite

import (
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// write computes a step of a batch: the cells, and of them the outputs.
func (l *cells) write(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
	all := l.cellByCell
	if l.norms {
		all = l.normalized
	}
	if l.projection == nil {
		return all(s, to, place)
	}
	list := l.empty(l.ctx.RankedTensor([]int64{l.count}, to.Type().(*ir.RankedTensorType).Elem))
	inner := all(s, list, func(i *ir.Value) []*ir.Value { return []*ir.Value{i} })
	output := l.arithmetic.projected(inner)
	return l.nest([]span{l.upTo(l.outputs)}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		return tensor.NewInsert(l.b, output(i[0]), to, place(i[0])...)
	})
}

// loadCell returns the state of a cell.
func (l *cells) loadCell(s step, unit *ir.Value) *ir.Value {
	return l.arithmetic.wide(memref.NewLoad(l.b, l.state, s.batch, unit))
}

// storeCell sets the state of a cell.
func (l *cells) storeCell(s step, unit, cell *ir.Value) {
	memref.NewStore(l.b, l.arithmetic.narrow(cell), l.state, s.batch, unit)
}

// cellByCell computes the gates, the state and the output of one cell after the other.
func (l *cells) cellByCell(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
	a := l.arithmetic
	return l.nest([]span{l.upTo(l.count)}, to, func(unit []*ir.Value, to *ir.Value) *ir.Value {
		old := l.loadCell(s, unit[0])
		var value [gates]*ir.Value
		sums := a.sums(s, unit[0])
		for n, g := range l.kinds[:len(l.kinds)-1] {
			value[g] = a.function(g, a.seen(s, g, sums[n], old, unit[0]))
		}
		cell := a.update(value, old)
		l.storeCell(s, unit[0], cell)
		out := a.function(outputGate, a.seen(s, outputGate, sums[len(sums)-1], cell, unit[0]))
		return tensor.NewInsert(l.b, a.output(out, cell), to, place(unit[0])...)
	})
}

// normalized is cellByCell where the sums of a gate for all cells are normalized before its function.
func (l *cells) normalized(s step, to *ir.Value, place func(i *ir.Value) []*ir.Value) *ir.Value {
	a := l.arithmetic
	list := l.ctx.RankedTensor([]int64{l.count}, a.memory())
	inits := make([]*ir.Value, len(l.kinds))
	for n := range inits {
		inits[n] = l.empty(list)
	}
	zero, count, one := l.index(0), l.index(l.count), l.index(1)
	sums := l.loop(zero, count, one, inits, func(unit *ir.Value, c []*ir.Value) []*ir.Value {
		old := l.loadCell(s, unit)
		out := a.sums(s, unit)
		for n, g := range l.kinds {
			if g != outputGate {
				out[n] = a.seen(s, g, out[n], old, unit)
			}
			out[n] = tensor.NewInsert(l.b, a.narrow(out[n]), c[n], unit)
		}
		return out
	})
	last := len(l.kinds) - 1
	var norms [gates]func(unit *ir.Value) *ir.Value
	for n, g := range l.kinds[:last] {
		norms[g] = a.norm(g, sums[n])
	}
	ofOutput := l.loop(zero, count, one, []*ir.Value{sums[last]}, func(unit *ir.Value, c []*ir.Value) []*ir.Value {
		var value [gates]*ir.Value
		for _, g := range l.kinds[:last] {
			value[g] = a.function(g, norms[g](unit))
		}
		cell := a.update(value, l.loadCell(s, unit))
		l.storeCell(s, unit, cell)
		sum := a.seen(s, outputGate, a.wide(l.at(c[0], unit)), cell, unit)
		return []*ir.Value{tensor.NewInsert(l.b, a.narrow(sum), c[0], unit)}
	})[0]
	norm := a.norm(outputGate, ofOutput)
	return l.nest([]span{l.upTo(l.count)}, to, func(unit []*ir.Value, to *ir.Value) *ir.Value {
		cell := l.loadCell(s, unit[0])
		return tensor.NewInsert(l.b, a.output(a.function(outputGate, norm(unit[0])), cell), to, place(unit[0])...)
	})
}
