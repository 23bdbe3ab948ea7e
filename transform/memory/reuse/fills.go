package reuse

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// filler makes fills of copies of constants.
type filler struct {
	tables    *ir.SymbolTables
	fn        *ir.Op
	constants map[ir.Attribute]*ir.Value // at the start of the function
}

// fill replaces a copy of a constant of one value, and tells whether it is one.
func (f *filler) fill(op *ir.Op) bool {
	m, _ := copyOf(op)
	def := analysis.ViewBase(m.source).DefiningOp()
	if def == nil {
		return false
	}
	g, ok := interfaces.GlobalBuffer.Of(def)
	if !ok {
		return false
	}
	global := f.tables.Lookup(def, g(def))
	if global == nil {
		return false
	}
	contents, ok := interfaces.GlobalContents.Of(global)
	if !ok {
		return false
	}
	dense, ok := contents(global).(*ir.DenseElementsAttr)
	elem := ir.ElementType(m.target.Type())
	if !ok || !dense.Splat || !ir.IsFloat(elem) && !ir.IsIntOrIndex(elem) {
		return false
	}
	if _, ranked := m.target.Type().(*ir.MemRefType); !ranked {
		return false
	}
	b := ir.NewBuilder(op.Context())
	b.Loc = op.Loc()
	value := dense.Elem(op.Context(), 0)
	v := f.constants[value]
	if v == nil {
		b.SetStart(f.fn.BodyBlock(0))
		v = arith.NewConstant(b, value).Result(0)
		f.constants[value] = v
	}
	b.SetBefore(op)
	linalg.NewFill(b, v, m.target)
	op.Erase()
	return true
}

// fillAgain replaces copies of buffers that hold what they were filled with by fills. It
// returns how many.
func (f *filler) fillAgain(buffers *analysis.Buffers, blocks []*ir.Block) (n int) {
	sources := map[*ir.Value]bool{}
	// What is filled now may be what another copy takes it from.
	for round := 0; round < 4; round++ {
		known := map[*ir.Value]*writes{}
		var copies, fills []*ir.Op
		for _, b := range blocks {
			for op := range b.Ops() {
				m, ok := copyOf(op)
				if !ok {
					continue
				}
				source, only := buffers.Only(m.source)
				if _, ranked := m.target.Type().(*ir.MemRefType); !only || !ranked || !buffers.IsLocal(m.source) || allocation(source) == nil {
					continue
				}
				if ir.ElementType(source.Type()) != ir.ElementType(m.target.Type()) {
					continue // a memref.view makes other elements of what was filled
				}
				w := known[source]
				if w == nil {
					w = writesOf(buffers, source)
					known[source] = w
				}
				if fill := w.fillAt(op); fill != nil {
					sources[source] = true
					copies, fills = append(copies, op), append(fills, fill)
				}
			}
		}
		for i, op := range copies {
			m, _ := copyOf(op)
			b := ir.NewBuilder(op.Context())
			b.Loc = op.Loc()
			b.SetBefore(op)
			linalg.NewFill(b, linalg.FillOp{Op: fills[i]}.Value(), m.target)
			op.Erase()
		}
		n += len(copies)
		if len(copies) == 0 {
			break
		}
	}
	for source := range sources {
		eraseUnread(source)
	}
	return n
}

// writes are what may write to a buffer: operations that write the same value to all of it,
// and others. If that can't be seen, any is set.
type writes struct {
	fills, others []*ir.Op
	any           bool
}

func writesOf(buffers *analysis.Buffers, terminal *ir.Value) *writes {
	w := &writes{any: buffers.Escapes(terminal).Has(analysis.Kept)}
	for _, u := range usesOf(buffers, terminal) {
		op := u.Owner()
		_, view := interfaces.ViewLike.Of(op)
		_, other := interfaces.OtherView.Of(op)
		switch {
		case op.Is(linalg.Fill) && op.NumResults() == 0 && u.Index() == 1 && u.Value() == terminal:
			w.fills = append(w.fills, op)
		case !ir.IsMemRef(u.Value().Type()):
			w.any = true
		case view || other || interfaces.IsShapeOnly(op) || op.Has(ir.TraitReturnLike) || reads(op, u.Index()) || analysis.FreesOnly(op, u.Value()):
		default:
			w.others = append(w.others, op)
		}
	}
	return w
}

// fillAt returns the fill that wrote all that the buffer holds before an operation; nil if
// there is none. All other writes are executed before that fill, or after the operation and not
// before it again without the fill in between.
func (w *writes) fillAt(op *ir.Op) *ir.Op {
	if w.any {
		return nil
	}
	for _, fill := range w.fills {
		x := fill.Block().AncestorIn(op)
		if !comesBefore(fill, op) {
			continue
		}
		ok := true
		for _, list := range [][]*ir.Op{w.fills, w.others} {
			for _, other := range list {
				y := fill.Block().AncestorIn(other)
				ok = ok && (other == fill || y != nil && y != x && (y.IsBefore(fill) || x.IsBefore(y)))
			}
		}
		if ok {
			return fill
		}
	}
	return nil
}

// comesBefore tells whether an operation is executed whenever a later one is, before that: it
// stands before it in the same block, or in one around it.
func comesBefore(op, later *ir.Op) bool {
	x := op.Block().AncestorIn(later)
	return x != nil && x != op && op.IsBefore(x)
}

// eraseUnread erases a buffer that is only filled and freed.
func eraseUnread(terminal *ir.Value) {
	for u := terminal.FirstUse(); u != nil; u = u.Next() {
		if op := u.Owner(); !(op.Is(linalg.Fill) && u.Index() == 1) && !(op.NumResults() == 0 && op.NumOperands() == 1 && analysis.FreesOnly(op, terminal)) {
			return
		}
	}
	for u := terminal.FirstUse(); u != nil; u = terminal.FirstUse() {
		u.Owner().Erase()
	}
	terminal.DefiningOp().Erase()
}
