package explain

import (
	"fmt"
	"slices"
	"strings"

	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/transform/bufferize/normalize"
	"freehold/transform/bufferize/oneshot"
)

// vacancies tells, by a plan, how long a block needs the buffers of its tensors, and which of
// them are free at a place. It is about buffers all of whose tensors are in the block, or in
// its operations.
type vacancies struct {
	t     *tracer
	plan  *oneshot.Plan
	block *ir.Block
	order map[*ir.Op]int // positions in the block, from 1 on; arguments are at 0
	of    map[*ir.Value]*occupant
	// byRoom has the buffers that may be written, by the room that the last tensor in them takes, in
	// the order in which they become free.
	byRoom map[room][]*occupant
	shapes *footprint.Shapes
	rooms  map[ir.Location]int // how many operations that make room are from a place
}

// room is the type of tensors with their sizes, of which the type knows only some.
type room struct {
	typ   ir.Type
	sizes string
}

// occupant is a buffer with its tensors.
type occupant struct {
	// last is the last operation in the block that uses it, at position until, and use its use.
	last  *ir.Op
	use   *ir.Use
	until int
	// holds is the tensor of the block that is in it last.
	holds *ir.Value
	// known tells that all of its tensors are in the block; writable, that it may be written.
	known, writable bool
	argument        bool   // it is one that the function gets
	room            *ir.Op // makes it
}

// vacancies of the blocks that make tensors just as places for others to write, added to what is
// known of the operations that do. It takes near-linear time.
func (t *tracer) vacancies(root *ir.Op, p *oneshot.Plan, o *oneshot.Options) {
	if !o.BufferizeFunctionBoundaries {
		return
	}
	called := map[string]bool{}
	var blocks []*ir.Block // in the order of the program
	seen := map[*ir.Block]bool{}
	root.Walk(func(op *ir.Op) bool {
		if m, ok := interfaces.Call.Of(op); ok {
			if ref, _ := m.Callee(op); ref != nil {
				called[ref.Leaf()] = true
			}
		}
		if b := op.Block(); isEmpty(op) && !seen[b] {
			seen[b] = true
			blocks = append(blocks, b)
		}
		return true
	})
	for _, b := range blocks {
		name, _ := ir.SymbolName(b.ParentOp())
		v := &vacancies{t: t, plan: p, block: b, order: map[*ir.Op]int{}, of: map[*ir.Value]*occupant{}, byRoom: map[room][]*occupant{}, shapes: footprint.NewShapes(), rooms: map[ir.Location]int{}}
		v.fill(!called[name] && !ir.IsPrivate(b.ParentOp()))
		for op := range b.Ops() {
			if s, ok := t.before[op]; ok && isEmpty(op) {
				v.tell(op, &s)
				t.before[op] = s
			}
		}
	}
}

// fill finds the buffers of the block. arguments tells whether those of its function may be
// written.
func (v *vacancies) fill(arguments bool) {
	for op := range v.block.Ops() {
		v.order[op] = len(v.order) + 1
		if isEmpty(op) {
			v.rooms[op.Loc()]++
		}
	}
	add := func(x *ir.Value) {
		if !ir.IsTensor(x.Type()) {
			return
		}
		if v.of[x] == nil {
			v.occupy(x, arguments)
		}
		v.of[x].holds = x // later ones come later
	}
	for _, a := range v.block.Args() {
		add(a)
	}
	for op := range v.block.Ops() {
		for _, r := range op.Results().Values() {
			add(r)
		}
	}
	seen := map[*occupant]bool{}
	for _, b := range v.of {
		if !seen[b] && b.known && b.writable && b.holds != nil {
			r := v.roomOf(b.holds)
			v.byRoom[r] = append(v.byRoom[r], b)
		}
		seen[b] = true
	}
	for _, list := range v.byRoom {
		slices.SortFunc(list, func(a, b *occupant) int {
			if a.until != b.until {
				return a.until - b.until
			}
			return v.position(a.holds) - v.position(b.holds)
		})
	}
}

// roomOf returns the room that a tensor takes.
func (v *vacancies) roomOf(x *ir.Value) room { return room{x.Type(), v.shapes.Of(x)} }

// position returns the position of the operation that makes a value of the block.
func (v *vacancies) position(x *ir.Value) int {
	if op := x.DefiningOp(); op != nil {
		return v.order[op]
	}
	return -x.ArgOwner().NumArgs() + x.Index()
}

// occupy finds out about the buffer of a tensor.
func (v *vacancies) occupy(x *ir.Value, arguments bool) {
	b := &occupant{known: true, writable: true}
	for _, y := range v.plan.Aliases(x) {
		v.of[y] = b
		if home := y.ParentBlock(); home != v.block && (home == nil || home.ParentOp() == nil || v.block.AncestorIn(home.ParentOp()) == nil) {
			b.known = false
		}
		b.argument = b.argument || isArgument(y)
		if op := y.DefiningOp(); op != nil && isEmpty(op) && op.Block() == v.block {
			b.room = op
		}
		b.writable = b.writable && mayBeWritten(y, arguments)
		for u := y.FirstUse(); u != nil; u = u.Next() {
			at := v.block.AncestorIn(u.Owner())
			if at == nil {
				b.known = false
			} else if n := v.order[at]; n > b.until {
				b.last, b.use, b.until = at, u, n
			}
		}
	}
}

// mayBeWritten tells whether nothing keeps the buffer of a tensor from being overwritten, once
// nobody reads the tensor any more.
func mayBeWritten(x *ir.Value, arguments bool) bool {
	if isArgument(x) {
		w, ok := interfaces.ArgAttr(interfaces.OwnerOf(x), x.Index(), bufferization.WritableAttr).(*ir.IntegerAttr)
		return arguments && (!ok || w.Value != 0)
	}
	op := x.DefiningOp()
	if op == nil {
		return false // what a loop passes along, or a branch
	}
	_, call := interfaces.Call.Of(op)
	_, known := interfaces.Bufferizable.Of(op)
	return !call && known && op.NumRegions() <= 1 && !op.Has(ir.TraitConstantLike) && !op.Is(bufferization.ToTensor)
}

// tell adds to what is known of an operation that makes room how long that is needed, and what
// else there is.
func (v *vacancies) tell(empty *ir.Op, s *source) {
	b := v.of[empty.Result(0)]
	first := 0
	for u := empty.Result(0).FirstUse(); u != nil; u = u.Next() {
		if at := v.block.AncestorIn(u.Owner()); at != nil && (first == 0 || v.order[at] < first) {
			first = v.order[at]
		}
	}
	if b == nil || !b.known || b.last == nil || first == 0 {
		return
	}
	name := v.t.place(b.use.Value()).Name
	text := "its buffer is needed until here, as that of " + name
	_, fn := interfaces.Function.Of(v.block.ParentOp())
	if s.returned = fn && isReturn(b.last); s.returned {
		text = "it is returned here, as " + name
	}
	s.notes = append(s.notes, Note{TheEnd, Place{b.last.Loc(), b.last.Name()}, name, text})
	s.searched = true
	shape, ranked := ir.ShapeOf(empty.Result(0).Type())
	s.static = ranked && ir.IsStaticShape(shape)
	s.whole = empty == writtenInto(b.use.Value(), func(*ir.Value) bool { return true })
	if !v.isWritten(empty.Loc(), empty.Name()) || !v.isWritten(empty.Loc(), empty.Result(0).Type().String()) {
		return // nobody wrote it
	}
	if v.rooms[empty.Loc()] > 1 { // what is written once is made several times
		s.notes = append(s.notes, Note{TheRemake, Place{empty.Loc(), empty.Name()}, "", "it is made again for each use instead of being kept, which costs no more than reading it (cost model `" + normalize.CostModel + "`)"})
		return
	}
	list := v.byRoom[v.roomOf(empty.Result(0))]
	// The one that became free last is likely to be in the cache.
	n, _ := slices.BinarySearchFunc(list, first, func(b *occupant, first int) int { return b.until - first })
	for k := n - 1; k >= 0; k-- {
		free := list[k]
		if free == b || v.position(free.holds) >= first || !v.isWrittenBefore(free.holds, empty) || free.argument == (free.room != nil) || free.argument && s.returned {
			continue // or it would be returned, though it is the caller's
		}
		p := v.t.place(free.holds)
		s.spare, s.spareLoc, s.spareArgument, s.spareRoom = p.Name, p.Loc, free.argument, free.room
		text := p.Name + " has the same type, and nobody reads it any more"
		if !s.static {
			text = p.Name + " has the same type and sizes, and nobody reads it any more"
		}
		s.notes = append(s.notes, Note{TheSpare, p, p.Name, text})
		return
	}
}

// isWritten tells whether a line of the source has a word.
func (v *vacancies) isWritten(at ir.Location, word string) bool {
	pos, ok := ir.SourcePos(at)
	return ok && strings.Contains(v.t.Line(pos.File(), pos.Line), word)
}

// isWrittenBefore tells whether a tensor comes before what is written into another one in the source, too, where operations may be in another order,
// and isn't one that is made again for each use.
func (v *vacancies) isWrittenBefore(x *ir.Value, empty *ir.Op) bool {
	if x.IsBlockArg() {
		return true
	}
	if _, cheap := normalize.CostOf(x.DefiningOp()); cheap {
		return false
	}
	at, ok := ir.SourcePos(x.DefiningOp().Loc())
	ok = ok && v.isWritten(at, x.Type().String())
	for u := empty.Result(0).FirstUse(); u != nil && ok; u = u.Next() {
		if user, known := ir.SourcePos(u.Owner().Loc()); known && (user.Line < at.Line || user.Line == at.Line && user.Col < at.Col) {
			return false
		}
	}
	return ok
}

// writtenInto returns the operation that makes the room in which a tensor is computed by nothing but
// operations that write all their results into it, and each tensor on the way may be; nil if it
// comes from elsewhere. It takes time linear in the number of those.
func writtenInto(x *ir.Value, may func(*ir.Value) bool) *ir.Op {
	for may(x) {
		if op := x.DefiningOp(); op != nil && isEmpty(op) {
			return op
		}
		init := interfaces.TiedInit(x)
		if init == nil {
			return nil
		}
		x = init.Value()
	}
	return nil
}

// vacancyTitle says why there has to be a new tensor, and whether there has.
func vacancyTitle(s source) string {
	switch {
	case s.returned && s.spare == "":
		return fmt.Sprintf("%s makes what the function returns: callers get a buffer of their own", s.called)
	case s.returned:
		return fmt.Sprintf("%s makes what the function returns in a new tensor, though the buffer of %s is free", s.called, s.spare)
	case s.spare != "":
		return fmt.Sprintf("%s makes a new tensor, though the buffer of %s is free", s.called, s.spare)
	case s.searched:
		what := "type"
		if !s.static {
			what = "type and sizes"
		}
		return fmt.Sprintf("%s makes a new tensor: no buffer of its %s is free here", s.called, what)
	}
	return fmt.Sprintf("%s makes a new tensor, and nothing that exists may be its buffer", s.called)
}

// vacancyAdvice returns what would spare a tensor that is made as room.
func vacancyAdvice(s source) (out []Advice) {
	switch {
	case s.spare != "" && s.spareArgument:
		out = append(out, Advice{Kind: "destination", Text: "write into " + s.spare + " instead, if callers don't need it any more: its buffer would be used again"})
	case s.spare != "":
		out = append(out, Advice{Kind: "destination", Text: "write into " + s.spare + " instead: its buffer would be used again"})
	}
	for k := range out {
		out[k].change = change{kind: writeInto, op: s.at.Loc, other: s.spareLoc, value: s.spare, promise: s.spareArgument}
	}
	if s.returned && s.static && s.whole {
		out = append(out, Advice{Kind: "pass", Name: "buffer-results-to-out-params{hoist-static-allocs}", After: true, Text: "right after bufferization: callers give the memory as a further argument"})
	}
	return out
}
