package conversion

import (
	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// state is a conversion that is under way: the transaction of its rewriter. All that
// was done can be undone until commit.
type state struct {
	ctx      *ir.Context
	rewriter *rewrite.Rewriter
	types    *TypeConverter // of the pattern that runs, or nil
	log      []change
	one      map[*ir.Value]*ir.Value   // replacements of values by a single value
	many     map[*ir.Value][]*ir.Value // and by several, or none
	regions  map[*ir.Region]*TypeConverter
	casts    []materialization
	removed  []*ir.Block // blocks that were erased
	erasures uint32
	// unreplaced is set once an operation with results was erased.
	unreplaced bool
	emit       func(*ir.Diagnostic)
}

// materialization is a cast that stands for one.
type materialization struct {
	op    *ir.Op
	kind  MaterializationKind
	types *TypeConverter // may be nil
	of    *ir.Value      // what the op stands for, if that is the result of an operation; else nil
}

func newState(ctx *ir.Context, c Config) *state {
	s := &state{ctx: ctx, one: map[*ir.Value]*ir.Value{}, emit: c.Report}
	s.rewriter = rewrite.NewTransactionRewriter(ir.NewBuilderIn(ctx, c.Arena), s)
	return s
}

// reset makes the state ready for another conversion.
func (s *state) reset() {
	clear(s.log)
	clear(s.one)
	clear(s.casts)
	clear(s.removed)
	*s = state{ctx: s.ctx, rewriter: s.rewriter, emit: s.emit, one: s.one, log: s.log[:0], casts: s.casts[:0], removed: s.removed[:0]}
}

// stateOf returns the conversion that a rewriter belongs to, or nil.
func stateOf(r *rewrite.Rewriter) *state {
	s, _ := r.Transaction().(*state)
	return s
}

func (s *state) record(c change) { s.log = slab.Append(s.log, c) }

// rollback undoes all changes but the first n.
func (s *state) rollback(n int) {
	for i := len(s.log) - 1; i >= n; i-- {
		s.log[i].undo(s)
		s.log[i] = nil
		s.log = s.log[:i]
	}
}

// ignored tells whether an operation is to be erased.
func ignored(op *ir.Op) bool { return op.Mark() != 0 }

// leaf returns the latest replacement of v: itself, or what [state.many] may know.
func (s *state) leaf(v *ir.Value) *ir.Value {
	for {
		w := s.one[v]
		if w == nil {
			return v
		}
		v = w
	}
}

// leafOf returns the latest replacement of v that has the type t, or else the latest.
func (s *state) leafOf(v *ir.Value, t ir.Type) *ir.Value {
	var found *ir.Value
	for {
		if v.Type() == t {
			found = v
		}
		w := s.one[v]
		if w == nil {
			break
		}
		v = w
	}
	if found != nil {
		return found
	}
	return v
}

// adapt returns the operands of op after conversion, and false if the type of one
// can't be converted.
func (s *state) adapt(op *ir.Op) (Adaptor, bool) {
	a := Adaptor{op: op, values: make([]*ir.Value, op.NumOperands())}
	for i := range a.values {
		list, ok := s.convertOperand(op, op.Operand(i))
		switch {
		case !ok:
			return a, false
		case len(list) == 1:
			a.values[i] = list[0]
		default:
			if a.lists == nil {
				a.lists = map[int][]*ir.Value{}
			}
			a.values[i], a.lists[i] = op.Operand(i), list
		}
	}
	return a, true
}

// convertOperand returns the values that an operand became, in the types that the
// running pattern asks for.
func (s *state) convertOperand(op *ir.Op, v *ir.Value) ([]*ir.Value, bool) {
	if s.types == nil {
		w := s.leaf(v)
		if list, ok := s.many[w]; ok {
			return list, true
		}
		return []*ir.Value{w}, true
	}
	types, ok := s.types.Convert(v.Type())
	if !ok {
		return nil, false
	}
	if len(types) == 1 {
		w := s.leafOf(v, types[0])
		if _, split := s.many[w]; split || w.Type() != types[0] {
			w = s.convertTo(v, w, types[0], op.Loc())
		}
		return []*ir.Value{w}, true
	}
	w := s.leaf(v)
	if list, ok := s.many[w]; ok && sameTypes(list, types) {
		return list, true
	}
	c := s.materialize(TargetMaterialization, s.types, []*ir.Value{w}, types, op.Loc())
	return c.Results().Values(), true
}

// convertTo casts w, the latest replacement of v, to a type, and makes that the latest
// one.
func (s *state) convertTo(v, w *ir.Value, t ir.Type, loc ir.Location) *ir.Value {
	if list, ok := s.many[w]; ok {
		return s.materialize(TargetMaterialization, s.types, list, []ir.Type{t}, loc).Result(0)
	}
	c := s.materialize(TargetMaterialization, s.types, []*ir.Value{w}, []ir.Type{t}, loc).Result(0)
	s.record(&mapped{value: w, old: s.one[w], types: s.types, lookup: true})
	s.one[w] = c
	return c
}

func sameTypes(values []*ir.Value, types []ir.Type) bool {
	if len(values) != len(types) {
		return false
	}
	for i, v := range values {
		if v.Type() != types[i] {
			return false
		}
	}
	return true
}

// materialize puts a cast after the definition of the last input, or, if there are
// none, at the rewriter's insertion point.
func (s *state) materialize(k MaterializationKind, types *TypeConverter, inputs []*ir.Value, to []ir.Type, loc ir.Location) *ir.Op {
	at := s.rewriter.InsertionPoint()
	defer s.rewriter.SetInsertionPoint(at)
	if len(inputs) > 0 {
		s.rewriter.SetAfterValue(last(inputs))
	}
	// Casts are not for patterns to legalize, so they are recorded as such and not as
	// created operations.
	s.rewriter.Listener = nil
	op := s.rewriter.Create(ir.OpState{Name: castOpName(s.ctx), Loc: loc, Operands: inputs, Types: to})
	s.rewriter.Listener = s
	s.casts = append(s.casts, materialization{op: op, kind: k, types: types})
	s.record(&castCreated{op})
	return op
}

// last returns the input whose definition comes last. Inputs of a materialization are
// arguments of one block or results of one operation, or, else, in order.
func last(inputs []*ir.Value) *ir.Value {
	v := inputs[0]
	for _, w := range inputs[1:] {
		switch {
		case v.ParentBlock() != w.ParentBlock() || w.DefiningOp() == nil:
		case v.DefiningOp() == nil || v.DefiningOp().IsBefore(w.DefiningOp()):
			v = w
		}
	}
	return v
}

func castOpName(c *ir.Context) *ir.OpName {
	if n := c.OpName(ir.CastName); n != nil {
		return n
	}
	return c.UnregisteredOpName(ir.CastName)
}

// OpInserted implements [rewrite.Transaction].
func (s *state) OpInserted(op *ir.Op) { s.record(created{op}) }

// Replace implements [rewrite.Transaction].
func (s *state) Replace(op *ir.Op, values []*ir.Value) {
	for i, v := range values {
		s.mapValue(op.Result(i), v)
	}
	s.markErased(op)
}

// mapValue makes w the replacement of v.
func (s *state) mapValue(v, w *ir.Value) {
	if v == w || w == nil {
		return
	}
	s.record(&mapped{value: v, old: s.one[v], types: s.types})
	s.one[v] = w
}

// mapList makes several values, or none, the replacement of v.
func (s *state) mapList(v *ir.Value, list []*ir.Value) {
	if len(list) == 1 {
		s.mapValue(v, list[0])
		return
	}
	if s.many == nil {
		s.many = map[*ir.Value][]*ir.Value{}
	}
	s.many[v] = list
	s.record(&mapped{value: v, types: s.types})
}

// Erase implements [rewrite.Transaction].
func (s *state) Erase(op *ir.Op) {
	if op.NumResults() > 0 {
		s.unreplaced = true
	}
	s.markErased(op)
}

func (s *state) markErased(op *ir.Op) {
	if ignored(op) {
		return
	}
	s.erasures++
	mark := s.erasures
	op.Walk(func(o *ir.Op) bool {
		if ignored(o) {
			return false
		}
		o.SetMark(mark)
		return true
	})
	s.record(&erased{op, mark, s.types})
}

// ReplaceUses implements [rewrite.Transaction].
func (s *state) ReplaceUses(v, w *ir.Value) { s.mapValue(v, w) }

// Modifying implements [rewrite.Transaction].
func (s *state) Modifying(op *ir.Op) { s.record(snapshot(op)) }

// Moving implements [rewrite.Transaction].
func (s *state) Moving(op *ir.Op) { s.record(&moved{op, op.Block(), op.Next()}) }

// Splitting implements [rewrite.Transaction].
func (s *state) Splitting(b, added *ir.Block) { s.record(&split{b, added}) }

// HeadSplit implements [rewrite.Transaction].
func (s *state) HeadSplit(b, head *ir.Block) { s.record(&headSplit{b, head}) }

// Merging implements [rewrite.Transaction].
func (s *state) Merging(src *ir.Block) {
	if !src.Empty() {
		s.record(&merged{src, src.First(), src.Last()})
	}
}

// BlockCreated implements [rewrite.Transaction].
func (s *state) BlockCreated(b *ir.Block) { s.record(blockCreated{b}) }

// BlockMoving implements [rewrite.Transaction].
func (s *state) BlockMoving(b *ir.Block) {
	s.record(&blockMoved{block: b, next: b.Next(), region: b.Region()})
}

// EraseBlock implements [rewrite.Transaction].
func (s *state) EraseBlock(b *ir.Block) {
	for op := range b.Ops() {
		s.Erase(op)
	}
	s.record(&blockMoved{block: b, next: b.Next(), region: b.Region(), removed: true})
	s.removed = append(s.removed, b)
	b.Remove()
}
