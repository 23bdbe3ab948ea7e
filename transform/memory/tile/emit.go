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
	"freehold/transform/bufferize/normalize"
)

// emitter writes the steps of a group as operations.
type emitter struct {
	*group
	b *ir.Builder
	// step is the number of the step. In a loop, it is one of the first iteration, each of which has a period of steps, and iteration is how many there were before.
	step, period int
	iteration    *ir.Value
	// tiles have the window of each operation; kept are what is left from the step before; whole are results that are needed afterwards.
	tiles, kept, whole []*ir.Value
	positions          map[[2]int64]*ir.Value
	sizes              *sizes
}

// emit writes the steps behind the last operation of the group, and lets what used the results use what is put together instead. Steps that do the
// same become a loop.
func (g *group) emit() {
	op := g.b.Ops[g.last]
	e := &emitter{group: g, b: ir.NewBuilder(op.Context())}
	n := len(g.places)
	e.tiles, e.kept, e.whole = make([]*ir.Value, n), make([]*ir.Value, n), make([]*ir.Value, n)
	e.sizes = &sizes{after: op, of: map[dimension]*ir.Op{}}
	e.b.SetAfter(op)
	for k, at := range g.places {
		if m := g.member[at]; m.output {
			e.b.Loc = m.op.Loc()
			e.whole[k] = e.start(m)
		}
	}
	if g.isUncounted() {
		e.uncounted()
	} else {
		e.counted()
	}
	e.moveLate()
	e.sizes.resolve(g.b, g.places[0])
	e.replace()
}

// counted writes as many steps as there are.
func (e *emitter) counted() {
	r := e.repeats()
	for i := 0; i < len(e.steps); {
		if i == r.from && r.times > 0 {
			e.b.Loc = e.member[e.last].op.Loc()
			e.period = r.period
			e.widen(r)
			zero, one := arith.ConstantInt(e.b, ir.Index, 0), arith.ConstantInt(e.b, ir.Index, 1)
			e.loop(i, zero, arith.ConstantInt(e.b, ir.Index, int64(r.times)), one)
			i += r.period * r.times
			continue
		}
		e.step, e.iteration, e.positions = i, nil, nil
		e.emitStep()
		i++
	}
}

// uncounted writes a loop of steps of which only an execution knows how many there are, and one for the rows that are left then.
func (e *emitter) uncounted() {
	e.b.Loc = e.member[e.last].op.Loc()
	e.period = 1
	n := e.sizes.value(e.count())
	done, one := arith.ConstantInt(e.b, ir.Index, 0), arith.ConstantInt(e.b, ir.Index, 1)
	if e.single != nil {
		rows := arith.ConstantInt(e.b, ir.Index, e.group.rows)
		steps := arith.New(e.b, arith.DivUI, n, rows)
		e.loop(0, done, steps, one)
		done = arith.New(e.b, arith.MulI, steps, rows)
		e.group = e.single
	}
	e.loop(0, done, n, one)
}

// count returns the size that says how many rows there are.
func (e *emitter) count() dimension {
	m := e.member[e.last]
	if m.accumulates() {
		return dimension{m.reads[0].value, m.reads[0].dim}
	}
	return dimension{m.op.Result(0), m.dim}
}

// start returns what a result that is needed afterwards is at the start.
func (e *emitter) start(m *member) *ir.Value {
	if m.over != nil {
		return m.over
	}
	if !m.accumulates() {
		return e.empty(m.op.Result(0), m.op.Result(0).Type())
	}
	init := interfaces.DpsInits(m.op)[0]
	if i := init.Index(); m.place[i] {
		return e.place(m, i, m.op.Result(0).Type(), nil)
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
	var gone []*ir.Value
	for k := len(e.places) - 1; k >= 0; k-- {
		if op := e.member[e.places[k]].op; op.Block() != nil && !op.HasUses() {
			inits := op.Operands().Values()
			op.Erase()
			eraseUnused(inits)
			gone = append(gone, inits...)
		}
	}
	for _, v := range gone {
		// A destination that is put together from tiles now is nowhere else: those that write into slices of it get tensors of their own.
		if whole := v.DefinedBy(tensor.Empty); whole != nil && whole.Block() != nil {
			normalize.ShrinkEmpty(e.b, whole)
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

// loop writes steps that do the same as a loop from one to another number of steps behind one of them.
func (e *emitter) loop(from int, lower, upper, one *ir.Value) {
	var inits []*ir.Value
	carried := e.carried(from)
	for _, p := range carried {
		inits = append(inits, *p)
	}
	e.b.Loc = e.member[e.last].op.Loc()
	loop := scf.NewFor(e.b, lower, upper, one, inits, func(b *ir.Builder, iv *ir.Value, args []*ir.Value) (out []*ir.Value) {
		e.step, e.iteration, e.positions = from, iv, map[[2]int64]*ir.Value{}
		for i, p := range carried {
			*p = args[i]
		}
		for range e.period {
			e.emitStep()
			e.step++
		}
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
				at := e.rows(m.op.Result(0), m.dim, e.position(func(s step) int64 { return s[k].rows.lo }), p.rows.size())
				var dest *ir.Value
				if m.over == nil {
					dest = tensor.NewExtractSlice(e.b, nil, e.whole[k], at)
				}
				e.whole[k] = tensor.NewInsertSlice(e.b, e.compute(k, dest), e.whole[k], at)
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
			e.tiles[k] = e.tail(m, e.kept[k], p.window.size())
		}
	} else {
		w := e.room(k)
		at := e.rows(m.op.Result(0), m.dim, shapes.ConstSize(before.size()), p.rows.size())
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
	rows, to := e.tail(m, e.kept[k], before.size()), e.kept[k]
	if shape, _ := ir.ShapeOf(to.Type()); shape[m.dim] == p.window.size() {
		rows = linalg.NewCopy(e.b, rows, e.newRows(m, before.size())).Result(0)
	} else {
		to = e.newRows(m, p.window.size())
	}
	return tensor.NewInsertSlice(e.b, rows, to, e.rows(m.op.Result(0), m.dim, shapes.ConstSize(0), before.size()))
}

// tail returns the last rows of some of a result.
func (e *emitter) tail(m *member, v *ir.Value, n int64) *ir.Value {
	shape, _ := ir.ShapeOf(v.Type())
	return e.part(v, m.op.Result(0), m.dim, shape[m.dim]-n, n)
}

// widen gives what is kept in place at the start of a loop the size that an iteration leaves it with.
func (e *emitter) widen(r repetition) {
	for k, at := range e.places {
		m, before := e.member[at], e.before(r.from, k).size()
		if !m.inPlace || before == 0 {
			continue
		}
		shape, _ := ir.ShapeOf(e.kept[k].Type())
		size := shape[m.dim]
		for _, s := range e.steps[r.from : r.from+r.period] {
			if !s[k].rows.empty() {
				size = s[k].window.size()
			}
		}
		if shape[m.dim] != size {
			rows, to := e.tail(m, e.kept[k], before), e.newRows(m, size)
			e.kept[k] = tensor.NewInsertSlice(e.b, rows, to, e.rows(m.op.Result(0), m.dim, shapes.ConstSize(size-before), before))
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
		w := e.newRows(m, p.window.size())
		w = tensor.NewInsertSlice(e.b, e.kept[k], w, e.rows(m.op.Result(0), m.dim, shapes.ConstSize(0), before.size()))
		at := e.rows(m.op.Result(0), m.dim, shapes.ConstSize(p.rows.lo-p.window.lo), p.rows.size())
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
		rows := e.part(e.tiles[k], m.op.Result(0), m.dim, p.kept.lo-p.window.lo, p.kept.size())
		to := e.kept[k]
		if to == nil || before.size() != p.kept.size() {
			to = e.newRows(m, p.kept.size())
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
	by := of(e.steps[e.step+e.period]) - at
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

// newRows returns a new tensor for some rows of a result.
func (e *emitter) newRows(m *member, rows int64) *ir.Value {
	return e.empty(m.op.Result(0), e.typeOf(m, rows))
}

// empty returns a new tensor of a type, whose sizes that aren't known are those of another one.
func (e *emitter) empty(like *ir.Value, t ir.Type) *ir.Value {
	shape, _ := ir.ShapeOf(t)
	var dynamic []*ir.Value
	for i, d := range shape {
		if d == ir.Dynamic {
			dynamic = append(dynamic, e.sizes.value(dimension{like, i}))
		}
	}
	return tensor.NewEmptyOf(e.b, t, dynamic)
}

// rows returns the slice that has some rows of what is like a tensor but for how many there are.
func (e *emitter) rows(like *ir.Value, dim int, from shapes.OpFoldResult, n int64) shapes.Slice {
	shape, _ := ir.ShapeOf(like.Type())
	var s shapes.Slice
	for i := range shape {
		offset, size := from, shapes.ConstSize(n)
		if i != dim {
			offset, size = shapes.ConstSize(0), e.sizes.size(dimension{like, i})
		}
		s.Offsets, s.Sizes, s.Strides = append(s.Offsets, offset), append(s.Sizes, size), append(s.Strides, shapes.ConstSize(1))
	}
	return s
}

// part returns some rows of a tile of what is like a tensor.
func (e *emitter) part(v, like *ir.Value, dim int, from, n int64) *ir.Value {
	if shape, _ := ir.ShapeOf(v.Type()); from == 0 && shape[dim] == n {
		return v
	}
	return tensor.NewExtractSlice(e.b, nil, v, e.rows(like, dim, shapes.ConstSize(from), n))
}

// overlying returns the place in the group of the operation whose result lies over a tensor; -1 if there is none.
func (e *emitter) overlying(v *ir.Value) int {
	return slices.IndexFunc(e.places, func(at int) bool { return e.member[at].over == v })
}

// source returns the rows that an operation reads, as far as there are such.
func (e *emitter) source(k int, r read) *ir.Value {
	in := func(s step) span { return r.of(s[k].rows).within(r.size) }
	rows := in(e.steps[e.step])
	p := e.index(r)
	switch {
	case rows.empty():
		return e.empty(r.value, rowsOf(e.b.Context(), r.value.Type(), r.dim, 0))
	case p >= 0 && !e.member[e.places[p]].output:
		return e.part(e.tiles[p], r.value, r.dim, rows.lo-e.steps[e.step][p].window.lo, rows.size())
	}
	v := r.value
	if p >= 0 {
		v = e.whole[p]
	} else if k := e.overlying(v); k >= 0 {
		v = e.whole[k]
	}
	if rows.size() == r.size {
		return v
	}
	return tensor.NewExtractSlice(e.b, nil, v, e.rows(r.value, r.dim, e.position(func(s step) int64 { return in(s).lo }), rows.size()))
}
