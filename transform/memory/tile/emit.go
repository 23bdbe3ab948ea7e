package tile

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// emitter writes the steps of a group as operations.
type emitter struct {
	*group
	b *ir.Builder
	// step is the number of the step. In a loop, it is the first one, and iteration is how many there were before.
	step      int
	iteration *ir.Value
	// tiles have the window of each operation; kept are what is left from the step before; whole are results that are needed afterwards.
	tiles, kept, whole []*ir.Value
	positions          map[[2]int64]*ir.Value
}

// emit writes the steps behind the last operation of the group, and lets what used the results use what is put together instead. Steps that do the
// same become a loop.
func (g *group) emit() {
	op := g.b.Ops[g.last]
	e := &emitter{group: g, b: ir.NewBuilder(op.Context())}
	n := len(g.places)
	e.tiles, e.kept, e.whole = make([]*ir.Value, n), make([]*ir.Value, n), make([]*ir.Value, n)
	e.b.SetAfter(op)
	for k, at := range g.places {
		if m := g.member[at]; m.output {
			e.b.Loc = m.op.Loc()
			e.whole[k] = e.start(m)
		}
	}
	from, to := g.repeats()
	if to-from < 3 {
		from, to = 0, 0
	}
	for i := 0; i < len(g.steps); {
		if i == from && to > from {
			e.loop(from, to)
			i = to
			continue
		}
		e.step, e.iteration, e.positions = i, nil, nil
		e.emitStep()
		i++
	}
	e.moveLate()
	e.replace()
}

// start returns what a result that is needed afterwards is at the start.
func (e *emitter) start(m *member) *ir.Value {
	if !m.accumulates() {
		return tensor.NewEmptyOf(e.b, m.op.Result(0).Type(), nil)
	}
	init := interfaces.DpsInits(m.op)[0]
	if i := init.Index(); m.place[i] {
		return e.place(m.fill[i], m.op.Result(0).Type(), nil)
	}
	return init.Value()
}

// moveLate moves what is executed behind the last step there.
func (e *emitter) moveLate() {
	for _, at := range slices.Backward(e.grown.late) {
		op := e.group.b.Ops[at]
		op.Remove()
		e.b.Insert(op)
	}
}

// replace lets all that used the results use the new ones, and erases what nobody uses any more.
func (e *emitter) replace() {
	for k, at := range e.places {
		m := e.member[at]
		if m.output {
			m.op.Result(0).ReplaceUsesIf(e.whole[k], func(u *ir.Use) bool {
				x := e.group.b.Block.AncestorIn(u.Owner())
				i, here := e.group.b.at[x]
				return !here || i > e.last || e.grown.isLater[i]
			})
		}
	}
	for k := len(e.places) - 1; k >= 0; k-- {
		if op := e.member[e.places[k]].op; op.Block() != nil && !op.HasUses() {
			inits := op.Operands().Values()
			op.Erase()
			eraseUnused(inits)
		}
	}
}

// eraseUnused erases destinations, and views of such, that nobody uses.
func eraseUnused(values []*ir.Value) {
	for _, v := range values {
		op := v.DefiningOp()
		if op != nil && op.Block() != nil && !op.HasUses() && (op.Is(tensor.Empty) || op.Is(tensor.ExtractSlice) || op.Is(linalg.Fill) && isPlace(v)) {
			inner := op.Operands().Values()
			op.Erase()
			eraseUnused(inner)
		}
	}
}

// loop writes steps that do the same.
func (e *emitter) loop(from, to int) {
	b := e.b
	b.Loc = e.member[e.last].op.Loc()
	var inits []*ir.Value
	e.widen(from)
	carried := e.carried(from)
	for _, p := range carried {
		inits = append(inits, *p)
	}
	zero, one := arith.ConstantInt(b, ir.Index, 0), arith.ConstantInt(b, ir.Index, 1)
	end := arith.ConstantInt(b, ir.Index, int64(to-from))
	loop := scf.NewFor(b, zero, end, one, inits, func(b *ir.Builder, iv *ir.Value, args []*ir.Value) (out []*ir.Value) {
		e.step, e.iteration, e.positions = from, iv, map[[2]int64]*ir.Value{}
		for i, p := range carried {
			*p = args[i]
		}
		e.emitStep()
		for _, p := range carried {
			out = append(out, *p)
		}
		return out
	})
	for i, p := range carried {
		*p = loop.Result(i)
	}
}

// carried returns what goes from one step to the next.
func (e *emitter) carried(from int) (out []**ir.Value) {
	for k, at := range e.places {
		switch m := e.member[at]; {
		case m.output:
			out = append(out, &e.whole[k])
		case !e.before(from, k).empty():
			out = append(out, &e.kept[k])
		}
	}
	return out
}

// emitStep writes a step.
func (e *emitter) emitStep() {
	for k, at := range e.places {
		m, p := e.member[at], e.steps[e.step][k]
		e.b.Loc = m.op.Loc()
		switch {
		case m.accumulates():
			if !p.rows.empty() {
				e.whole[k] = e.accumulate(k)
			}
		case m.output:
			if !p.rows.empty() {
				at := e.rows(m.op.Result(0).Type(), m.dim, e.position(func(s step) int64 { return s[k].rows.lo }), p.rows.size())
				e.whole[k] = tensor.NewInsertSlice(e.b, e.compute(k, tensor.NewExtractSlice(e.b, nil, e.whole[k], at)), e.whole[k], at)
			}
		case !m.once:
			e.tiles[k] = nil
			if !p.rows.empty() {
				e.tiles[k] = e.compute(k, nil)
			}
		case m.inPlace:
			e.moveRows(k)
		default:
			e.window(k)
			e.keepRows(k)
		}
	}
}

// moveRows moves rows that are kept to the start of where they are, and computes the new ones behind them.
func (e *emitter) moveRows(k int) {
	m, p, before := e.member[e.places[k]], e.steps[e.step][k], e.before(e.step, k)
	if p.rows.empty() {
		if e.tiles[k] = e.kept[k]; e.kept[k] != nil && !p.window.empty() {
			e.tiles[k] = e.tail(e.kept[k], m.dim, p.window.size())
		}
	} else {
		w := e.room(k)
		at := e.rows(e.typeOf(m, p.window.size()), m.dim, shapes.ConstSize(before.size()), p.rows.size())
		if before.empty() {
			w = e.compute(k, w)
		} else {
			w = tensor.NewInsertSlice(e.b, e.compute(k, tensor.NewExtractSlice(e.b, nil, w, at)), w, at)
		}
		e.tiles[k], e.kept[k] = w, w
	}
	if p.kept.empty() {
		e.kept[k] = nil
	}
}

// room returns where the window of a step goes, with the rows that are kept from before at the start: where they were if that is as large. Nil
// stands for a new tensor.
func (e *emitter) room(k int) *ir.Value {
	m, p, before := e.member[e.places[k]], e.steps[e.step][k], e.before(e.step, k)
	if before.empty() {
		return nil
	}
	rows, to := e.tail(e.kept[k], m.dim, before.size()), e.kept[k]
	if shape, _ := ir.ShapeOf(to.Type()); shape[m.dim] == p.window.size() {
		rows = linalg.NewCopy(e.b, rows, tensor.NewEmptyOf(e.b, e.typeOf(m, before.size()), nil)).Result(0)
	} else {
		to = tensor.NewEmptyOf(e.b, e.typeOf(m, p.window.size()), nil)
	}
	return tensor.NewInsertSlice(e.b, rows, to, e.rows(to.Type(), m.dim, shapes.ConstSize(0), before.size()))
}

// tail returns the last rows of a tensor.
func (e *emitter) tail(v *ir.Value, dim int, n int64) *ir.Value {
	shape, _ := ir.ShapeOf(v.Type())
	return e.part(v, dim, shape[dim]-n, n)
}

// widen gives what is kept in place at the start of a loop the size that it has in it.
func (e *emitter) widen(from int) {
	for k, at := range e.places {
		m, size := e.member[at], e.steps[from][k].window.size()
		if before := e.before(from, k).size(); m.inPlace && before > 0 {
			if shape, _ := ir.ShapeOf(e.kept[k].Type()); shape[m.dim] != size {
				rows, to := e.tail(e.kept[k], m.dim, before), tensor.NewEmptyOf(e.b, e.typeOf(m, size), nil)
				e.kept[k] = tensor.NewInsertSlice(e.b, rows, to, e.rows(to.Type(), m.dim, shapes.ConstSize(size-before), before))
			}
		}
	}
}

// window computes the new rows of an operation behind those that are kept from before.
func (e *emitter) window(k int) {
	m, p, before := e.member[e.places[k]], e.steps[e.step][k], e.before(e.step, k)
	switch {
	case p.rows.empty():
		e.tiles[k] = e.kept[k]
	case before.empty():
		e.tiles[k] = e.compute(k, nil)
	default:
		w := tensor.NewEmptyOf(e.b, e.typeOf(m, p.window.size()), nil)
		w = tensor.NewInsertSlice(e.b, e.kept[k], w, e.rows(w.Type(), m.dim, shapes.ConstSize(0), before.size()))
		at := e.rows(w.Type(), m.dim, shapes.ConstSize(p.rows.lo-p.window.lo), p.rows.size())
		e.tiles[k] = tensor.NewInsertSlice(e.b, e.compute(k, tensor.NewExtractSlice(e.b, nil, w, at)), w, at)
	}
}

// keepRows copies the rows that a later step needs.
func (e *emitter) keepRows(k int) {
	m, p, before := e.member[e.places[k]], e.steps[e.step][k], e.before(e.step, k)
	switch {
	case p.kept.empty():
		e.kept[k] = nil
	case p.rows.empty() && p.kept == before:
	case e.iteration == nil && p.kept == p.window:
		e.kept[k] = e.tiles[k]
	default:
		rows := e.part(e.tiles[k], m.dim, p.kept.lo-p.window.lo, p.kept.size())
		to := e.kept[k]
		if to == nil || before.size() != p.kept.size() {
			to = tensor.NewEmptyOf(e.b, e.typeOf(m, p.kept.size()), nil)
		}
		e.kept[k] = linalg.NewCopy(e.b, rows, to).Result(0)
	}
}

// position returns where rows are in a step, as an index of the whole tensor.
func (e *emitter) position(of func(s step) int64) shapes.OpFoldResult {
	at := of(e.steps[e.step])
	if e.iteration == nil {
		return shapes.ConstSize(at)
	}
	by := of(e.steps[e.step+1]) - at
	if by == 0 {
		return shapes.ConstSize(at)
	}
	key := [2]int64{at, by}
	if v := e.positions[key]; v != nil {
		return shapes.SizeOf(v)
	}
	v := e.iteration
	if by != 1 {
		v = arith.New(e.b, arith.MulI, v, arith.ConstantInt(e.b, ir.Index, by))
	}
	if at != 0 {
		v = arith.New(e.b, arith.AddI, v, arith.ConstantInt(e.b, ir.Index, at))
	}
	e.positions[key] = v
	return shapes.SizeOf(v)
}

// typeOf returns the type of some rows of a result.
func (e *emitter) typeOf(m *member, rows int64) *ir.RankedTensorType {
	return rowsOf(m.op.Context(), m.op.Result(0).Type(), m.dim, rows)
}

func rowsOf(c *ir.Context, t ir.Type, dim int, rows int64) *ir.RankedTensorType {
	r := t.(*ir.RankedTensorType)
	shape := append([]int64(nil), r.Shape...)
	shape[dim] = rows
	return c.RankedTensorOf(shape, r.Elem, r.Encoding)
}

// rows returns the slice of a tensor that has some rows.
func (e *emitter) rows(t ir.Type, dim int, from shapes.OpFoldResult, n int64) shapes.Slice {
	shape, _ := ir.ShapeOf(t)
	var s shapes.Slice
	for i, d := range shape {
		offset, size := shapes.ConstSize(0), shapes.ConstSize(d)
		if i == dim {
			offset, size = from, shapes.ConstSize(n)
		}
		s.Offsets, s.Sizes, s.Strides = append(s.Offsets, offset), append(s.Sizes, size), append(s.Strides, shapes.ConstSize(1))
	}
	return s
}

// part returns some rows of a tile.
func (e *emitter) part(v *ir.Value, dim int, from, n int64) *ir.Value {
	if shape, _ := ir.ShapeOf(v.Type()); from == 0 && shape[dim] == n {
		return v
	}
	return tensor.NewExtractSlice(e.b, nil, v, e.rows(v.Type(), dim, shapes.ConstSize(from), n))
}

// source returns the rows that an operation reads, as far as there are such.
func (e *emitter) source(k int, r read) *ir.Value {
	shape, _ := ir.ShapeOf(r.value.Type())
	n := shape[r.dim]
	in := func(s step) span { return r.of(s[k].rows).within(n) }
	rows := in(e.steps[e.step])
	p := e.index(r)
	switch {
	case rows.empty():
		return tensor.NewEmptyOf(e.b, rowsOf(e.b.Context(), r.value.Type(), r.dim, 0), nil)
	case p >= 0 && !e.member[e.places[p]].output:
		return e.part(e.tiles[p], r.dim, rows.lo-e.steps[e.step][p].window.lo, rows.size())
	}
	v := r.value
	if p >= 0 {
		v = e.whole[p]
	}
	if rows.size() == n {
		return v
	}
	return tensor.NewExtractSlice(e.b, nil, v, e.rows(v.Type(), r.dim, e.position(func(s step) int64 { return in(s).lo }), rows.size()))
}
