package reuse

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// range_ returns the times from the first use of the arena to the last: of the function's
// block, or if it has several, all.
func (f *functionPlanner) range_() (from, to int64) {
	first, last := f.firstAndLast()
	if first == nil {
		return 0, f.times.End()
	}
	from, _ = f.times.Of(first)
	_, to = f.times.Of(last)
	return from, to + 1
}

// firstAndLast returns the operations of the function's only block between which the arena
// is in use; nil if it has several blocks.
func (f *functionPlanner) firstAndLast() (first, last *ir.Op) {
	if f.fn.RegionAt(0).NumBlocks() > 1 {
		return nil, nil
	}
	entry := f.fn.BodyBlock(0)
	note := func(op *ir.Op) {
		op = entry.AncestorIn(op)
		if first == nil || op.IsBefore(first) {
			first = op
		}
		if last == nil || last.IsBefore(op) {
			last = op
		}
	}
	all := f.parts
	for _, h := range f.hosts {
		all = append(slices.Clip(all), h.guests...)
	}
	for _, x := range all {
		if x.call != nil {
			note(x.call)
			continue
		}
		if x.transfer != nil {
			note(x.transfer.first)
			note(x.transfer.last)
			continue
		}
		note(x.alloc)
		// The last use is a free, or if another buffer shares that, what uses this one afterwards.
		if n := len(x.live); n > 0 {
			if op := f.times.At(x.live[n-1].Upper - 1); entry.AncestorIn(op) != entry.Last() {
				note(op)
			}
		}
	}
	return first, last
}

// rewriteAll makes the parts of all arenas views. First all arenas get their places, since next to them may be what goes.
func (f *functionPlanner) rewriteAll() {
	buffers := make([]*ir.Value, len(f.planned))
	for i := range f.planned {
		buffers[i] = f.place(&f.planned[i])
	}
	for i := range f.planned {
		a := &f.planned[i]
		f.rewriteHosts(buffers[i], a.hosts)
		f.rewrite(buffers[i], a)
		f.out.Arenas = append(f.out.Arenas, a.Arena)
	}
	for _, x := range f.alone {
		f.bringAlone(x)
	}
	for _, call := range f.calling {
		if arenas := f.brought[call]; arenas != nil {
			m, _ := interfaces.Call.Of(call)
			start, n := m.Args(call)
			call.InsertOperands(start+n, arenas...)
		}
	}
	if f.entry != nil {
		f.entry.dropUnused()
	}
}

// place makes the buffer that is an arena, and what frees it.
func (f *functionPlanner) place(a *plannedArena) *ir.Value {
	b := ir.NewBuilder(f.fn.Context())
	size := a.Solution.Peak
	t := f.fn.Context().MemRefOf([]int64{size}, ir.I8, nil, a.Space)
	var sizes []*ir.Value
	if a.dynamic != nil {
		t, sizes = f.fn.Context().MemRefOf([]int64{ir.Dynamic}, ir.I8, nil, a.Space), []*ir.Value{a.dynamic.bytes}
	}
	start := func() {
		if a.first != nil {
			b.SetBefore(a.first)
		} else {
			b.SetStart(f.fn.BodyBlock(0))
		}
	}
	switch a.kind {
	case ArenaArgument:
		n := f.needs[f.fn]
		brought := broughtArena{space: a.Space, size: size, alignment: a.Alignment}
		if a.dynamic != nil {
			brought.sizeFunction = f.addSizeFunction(a.dynamic)
		}
		n.arenas = append(n.arenas, brought)
		arena := f.addArgument(t, a.Alignment)
		if brought.sizeFunction != nil {
			name, _ := ir.SymbolName(brought.sizeFunction)
			interfaces.SetArgAttr(f.fn, arena.Index(), memref.ArenaSizeAttr, f.fn.Context().SymbolRef(name))
		}
		return arena
	case ArenaGlobal:
		name := f.addGlobal(t, a.Alignment)
		start()
		b.Loc = f.fn.Loc()
		return memref.NewGetGlobal(b, t, name)
	}
	start()
	if b.Loc = f.fn.Loc(); a.parts[0].alloc != nil {
		b.Loc = a.parts[0].alloc.Loc()
	}
	arena := memref.NewAlloc(b, t, sizes, a.Alignment)
	arena.DefiningOp().SetAttr(memref.ArenaAttr, ir.Unit)
	if a.last != nil {
		// Right after it, so that an arena whose first use comes next isn't there yet.
		b.SetAfter(a.last)
		memref.NewDealloc(b, arena)
		return arena
	}
	for block := range f.fn.RegionAt(0).Blocks() {
		if t := block.Last(); t != nil && t.NumSuccessors() == 0 {
			b.SetBefore(t)
			memref.NewDealloc(b, arena)
		}
	}
	return arena
}

// rewrite makes the parts views of an arena.
func (f *functionPlanner) rewrite(arena *ir.Value, a *plannedArena) {
	c := f.fn.Context()
	b := ir.NewBuilder(c)
	for i := range a.parts {
		x := &a.parts[i]
		offset := func() *ir.Value {
			if a.dynamic != nil {
				return a.dynamic.offsets[i]
			}
			return arith.ConstantIndex(b, a.Solution.Offsets[i])
		}
		if x.call != nil {
			b.SetBefore(x.call)
			b.Loc = x.call.Loc()
			f.bring(x, memref.NewView(b, x.broughtType(c), arena, offset(), x.broughtSizes()...))
			a.Parts = append(a.Parts, nil)
			continue
		}
		if x.transfer != nil {
			a.Parts = append(a.Parts, x.transfer.carryOut(b, func(t *ir.MemRefType) *ir.Value { return memref.NewView(b, t, arena, offset()) }, x.space))
			continue
		}
		b.SetBefore(x.alloc)
		b.Loc = x.alloc.Loc()
		v := x.alloc.Result(0)
		view := memref.NewView(b, v.Type().(*ir.MemRefType), arena, offset(), x.sizes...)
		f.replace(x, view)
		a.Parts = append(a.Parts, view)
	}
}

// replace puts another buffer, which need not be freed, in place of one.
func (f *functionPlanner) replace(x *part, v *ir.Value) {
	for _, free := range x.freed.frees {
		free.Erase()
	}
	x.freed.frees = nil
	x.alloc.Result(0).ReplaceAllUsesWith(v)
	x.alloc.Erase()
}

// promote puts a buffer on the stack. It is allocated when the function begins, so that
// loops don't do it again and again.
func (f *functionPlanner) promote(x part) {
	b := ir.NewBuilder(f.fn.Context())
	b.SetStart(f.fn.BodyBlock(0))
	b.Loc = x.alloc.Loc()
	f.replace(&x, memref.NewAlloca(b, x.alloc.Result(0).Type().(*ir.MemRefType), nil, x.alignment))
}

// bring notes the arena that is passed to a call.
func (f *functionPlanner) bring(x *part, arena *ir.Value) {
	if f.brought == nil {
		f.brought = map[*ir.Op][]*ir.Value{}
	}
	if f.brought[x.call] == nil {
		f.brought[x.call] = make([]*ir.Value, len(f.needs[f.callee(x.call)].arenas))
	}
	f.brought[x.call][x.position] = arena
}

// broughtType returns the type of the arena that a call needs.
func (x *part) broughtType(c *ir.Context) *ir.MemRefType {
	n := x.size
	if x.bytes != nil {
		n = ir.Dynamic
	}
	return c.MemRefOf([]int64{n}, ir.I8, nil, x.space)
}

// broughtSizes returns the dynamic sizes of the arena that a call needs.
func (x *part) broughtSizes() []*ir.Value {
	if x.bytes == nil {
		return nil
	}
	return []*ir.Value{x.bytes}
}

// bringAlone allocates what a call needs around the call.
func (f *functionPlanner) bringAlone(x part) {
	b := ir.NewBuilder(f.fn.Context())
	b.Loc = x.call.Loc()
	b.SetBefore(x.call)
	if size := f.needs[f.callee(x.call)].arenas[x.position].sizeFunction; size != nil {
		x.bytes = inlineSize(b, size, x.call)
	}
	arena := memref.NewAlloc(b, x.broughtType(f.fn.Context()), x.broughtSizes(), x.alignment)
	f.bring(&x, arena)
	b.SetAfter(x.call)
	memref.NewDealloc(b, arena)
}

// addArgument adds the arena as the last argument of the function.
func (f *functionPlanner) addArgument(t *ir.MemRefType, alignment int64) *ir.Value {
	c := f.fn.Context()
	v := f.fn.BodyBlock(0).AddArg(t, f.fn.Loc())
	m, _ := interfaces.Function.Of(f.fn)
	old := m.Type(f.fn)
	m.SetType(f.fn, c.Function(append(slices.Clip(old.Inputs), t), old.Results))
	interfaces.SetArgAttr(f.fn, v.Index(), memref.ArenaAttr, c.I64Attr(alignment))
	return v
}

// addGlobal adds the arena as a global before the function, and returns its name.
func (f *functionPlanner) addGlobal(t *ir.MemRefType, alignment int64) string {
	b := ir.NewBuilder(f.fn.Context())
	b.SetBefore(f.fn)
	b.Loc = f.fn.Loc()
	name, _ := ir.SymbolName(f.fn)
	g := memref.NewGlobal(b, name+"_arena", "private", t, ir.Unit, false, alignment)
	g.SetAttr(memref.ArenaAttr, ir.Unit)
	return f.tables.Table(f.fn.Parent()).Insert(g, nil)
}

// buffers returns the number of buffers in an arena.
func (a *Arena) buffers() (n int) {
	for _, v := range a.Parts {
		if v != nil {
			n++
		}
	}
	return n
}

// spaceName returns a memory space as it is written in the type of a buffer.
func spaceName(space ir.Attribute) string { return strings.TrimSuffix(space.String(), " : i64") }

// report tells how large an arena is, and what is where, the lowest first.
func (a *Arena) report() []byte {
	name, _ := ir.SymbolName(a.Function)
	var out bytes.Buffer
	s := a.Solution
	order := make([]int, len(a.Parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.Offsets[i], s.Offsets[j]) })
	if a.dynamic != nil {
		return a.reportOfDynamic(name, order)
	}
	how := "the least possible"
	if !s.Optimal() {
		how = fmt.Sprintf("%.2f %% above the lower bound %d", 100*(float64(s.Peak)/float64(s.LowerBound)-1), s.LowerBound)
	}
	space := ""
	if a.Space != nil {
		space = " in memory space " + spaceName(a.Space)
	}
	fmt.Fprintf(&out, "@%s: an arena of %d bytes%s, %s\n%14s %14s %6s  %s\n", name, s.Peak, space, how, "offset", "size", "line", "what")
	for _, i := range order {
		line, what := "", "what a call needs"
		if v := a.Parts[i]; v != nil {
			what = v.Type().String()
			if p, ok := ir.SourcePos(v.Loc()); ok {
				line = fmt.Sprint(p.Line)
			}
		}
		fmt.Fprintf(&out, "%14d %14d %6s  %s\n", s.Offsets[i], a.Problem.Buffers[i].Size, line, what)
	}
	return out.Bytes()
}
