package tile

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// compute writes the operation that computes the rows of a step, into a destination where it takes one; nil stands for a new one.
func (e *emitter) compute(k int, dest *ir.Value) *ir.Value {
	m, rows := e.member[e.places[k]], e.steps[e.step][k].rows
	t := e.typeOf(m, rows.size())
	sources := make([]*ir.Value, len(m.reads))
	for i, r := range m.reads {
		sources[i] = e.source(k, r)
	}
	switch op := m.op; {
	case op.Is(tensor.Pad):
		return e.pad(m, rows, t, sources[0])
	case op.Is(tensor.ExtractSlice):
		s := interfaces.SliceOf(op)
		s.Offsets[m.reads[0].dim], s.Sizes[m.reads[0].dim] = shapes.ConstSize(0), shapes.ConstSize(rows.size())
		return tensor.NewExtractSlice(e.b, t, sources[0], s)
	case op.Is(tensor.InsertSlice):
		to := sources[len(sources)-1]
		if m.place[1] {
			to = e.place(m, 1, t, dest)
		}
		return e.insert(m, rows, sources[0], to)
	case op.Is(tensor.CollapseShape):
		r := m.reads[0]
		v := tensor.NewCollapseShape(e.b, sources[0], interfaces.Reassociation(op))
		return e.part(v, op.Result(0), m.dim, rows.lo-r.of(rows).lo*r.div, rows.size())
	case op.Is(tensor.ExpandShape):
		sizes := make([]shapes.OpFoldResult, len(t.Shape))
		for i, d := range t.Shape {
			if sizes[i] = shapes.ConstSize(d); d == ir.Dynamic {
				sizes[i] = e.sizes.size(dimension{op.Result(0), i})
			}
		}
		return tensor.NewExpandShape(e.b, t, sources[0], interfaces.Reassociation(op), sizes)
	default:
		return e.clone(k, t, sources, dest)
	}
}

// insert inserts the rows of a source that are among those of a step, if there are any. The first row that is there may lie before those of the step.
func (e *emitter) insert(m *member, rows span, source, to *ir.Value) *ir.Value {
	s, r := interfaces.SliceOf(m.op), m.reads[0]
	there := r.of(rows).within(r.size)
	in := span{floorDiv(rows.lo+r.first+r.div-1, r.div), there.hi}.within(r.size)
	if in.empty() {
		return to
	}
	source = e.part(source, r.value, r.dim, in.lo-there.lo, in.size())
	s.Offsets[m.dim], s.Sizes[m.dim] = shapes.ConstSize(in.lo*r.div-r.first-rows.lo), shapes.ConstSize(in.size())
	return tensor.NewInsertSlice(e.b, source, to, s)
}

// clone writes an operation on rows of its operands.
func (e *emitter) clone(k int, t ir.Type, sources []*ir.Value, dest *ir.Value) *ir.Value {
	m := e.member[e.places[k]]
	places := make([]*ir.Value, len(m.place))
	for i, place := range m.place {
		if place {
			places[i] = e.place(m, i, t, dest)
		}
	}
	op := e.b.Clone(m.op, ir.NewMapping())
	op.Result(0).SetType(t)
	for i, v := range places {
		if v != nil {
			op.SetOperand(i, v)
		}
	}
	for i, r := range m.reads {
		if r.operand >= 0 {
			op.SetOperand(r.operand, sources[i])
		}
	}
	if m.loop >= 0 {
		e.inBody(k, op, sources)
	}
	return op.Result(0)
}

// accumulate writes a reduction of rows of its operands, added to what it has.
func (e *emitter) accumulate(k int) *ir.Value {
	m := e.member[e.places[k]]
	sources := make([]*ir.Value, len(m.reads))
	for i, r := range m.reads {
		sources[i] = e.source(k, r)
	}
	op := e.b.Clone(m.op, ir.NewMapping())
	op.SetOperand(interfaces.DpsInits(op)[0].Index(), e.whole[k])
	for i, r := range m.reads {
		if r.operand >= 0 {
			op.SetOperand(r.operand, sources[i])
		}
	}
	e.inBody(k, op, sources)
	return op.Result(0)
}

// place returns the destination of a type that an operation has for an operand, filled with a number if there is one.
func (e *emitter) place(m *member, operand int, t ir.Type, dest *ir.Value) *ir.Value {
	if dest == nil {
		dest = e.empty(m.op.Result(0), t)
	}
	if number := m.fill[operand]; number != nil {
		return linalg.NewFill(e.b, number, dest).Result(0)
	}
	return dest
}

// pad pads rows, and has those that are in the border.
func (e *emitter) pad(m *member, rows span, t ir.Type, source *ir.Value) *ir.Value {
	p := tensor.PadOp{Op: m.op}
	low, high := p.Low(), p.High()
	all := m.reads[0].of(rows)
	in := all.within(m.reads[0].size)
	if in.empty() {
		in = span{all.hi, all.hi}
	}
	low[m.dim], high[m.dim] = shapes.ConstSize(in.lo-all.lo), shapes.ConstSize(all.hi-in.hi)
	value := p.ConstantPadding()
	if value.ParentBlock() == p.Body() {
		value = e.b.Clone(value.DefiningOp(), ir.NewMapping()).Result(0)
	}
	return tensor.NewPad(e.b, t, source, low, high, value, p.Nofold()).Result(0)
}

// inBody lets a body that goes by the number of the row go by that in the whole tensor, and read rows where they are now.
func (e *emitter) inBody(k int, op *ir.Op, sources []*ir.Value) {
	m := e.member[e.places[k]]
	var indices []*ir.Op
	op.Walk(func(x *ir.Op) bool {
		if x.Is(linalg.Index) && (linalg.IndexOp{Op: x}).Dim() == int64(m.loop) {
			indices = append(indices, x)
		}
		return true
	})
	if len(indices) == 0 {
		return
	}
	after := e.b.InsertionPoint()
	e.b.SetBefore(op)
	first := e.valueOf(e.position(func(s step) int64 { return s[k].rows.lo }))
	from := map[*ir.Value]int{}
	bases := make([]*ir.Value, len(m.reads))
	for i, r := range m.reads {
		if r.operand < 0 {
			from[r.value] = i
			bases[i] = e.valueOf(e.position(func(s step) int64 { return r.of(s[k].rows).within(r.size).lo }))
		}
	}
	for _, x := range indices {
		e.b.SetAfter(x)
		sum := arith.New(e.b, arith.AddI, x.Result(0), first)
		x.Result(0).ReplaceUsesIf(sum, func(u *ir.Use) bool { return u.Owner() != sum.DefiningOp() })
	}
	op.Walk(func(x *ir.Op) bool {
		if x == op || !x.Is(tensor.Extract) {
			return true
		}
		if i, rows := from[tensor.ExtractOp{Op: x}.Tensor()]; rows {
			r := m.reads[i]
			e.b.SetBefore(x)
			x.SetOperand(1+r.dim, arith.New(e.b, arith.SubI, x.Operand(1+r.dim), bases[i]))
			x.SetOperand(0, sources[i])
		}
		return true
	})
	e.b.SetInsertionPoint(after)
}

// valueOf returns a position as a value.
func (e *emitter) valueOf(p shapes.OpFoldResult) *ir.Value {
	if p.Value != nil {
		return p.Value
	}
	return arith.ConstantInt(e.b, ir.Index, p.Const)
}
