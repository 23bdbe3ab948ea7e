package boundary

import (
	"slices"

	funcd "freehold/dialect/func"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
)

// PartOptions say which parts of buffers [CopyReturnedParts] copies.
type PartOptions struct {
	// KeepFrom lets private functions that don't call themselves return parts as they are which have, as far as sizes are static, at least so many
	// percent of the bytes of their buffers; 0 lets them return all parts so.
	KeepFrom int
}

// CopyReturnedParts lets the functions in a module return copies where they return parts of buffers that they have allocated,
// or got from calls, so that what they return is a buffer as large as it looks, which its owner can free. It returns how
// many copies it made, and how many bytes those have whose sizes are static.
//
// It doesn't copy what may be a part of an argument, of a global, or of a buffer that is still reached in another way; what
// callers see as more than the part; and what has a type that a new buffer can't be cast to. Calls are taken to
// return buffers that belong to the caller. Linear in the program, apart from
// functions that call each other, which are looked at again for each result that turns out to be a part.
func CopyReturnedParts(module *ir.Op, o PartOptions) (copies int, bytes int64) {
	p := &parts{options: o, b: ir.NewBuilder(module.Context()), tables: ir.NewSymbolTables(), returned: map[*ir.Op][]bool{}}
	module.Walk(func(op *ir.Op) bool {
		p.any = p.any || memref.Narrows(op)
		return !p.any
	})
	if !p.any {
		return 0, 0
	}
	p.values, p.summaries, p.uses = usedAsValues(module), analysis.NewCallSummaries(module), newResultUses(module, p.tables)
	graph := analysis.NewCallGraph(module)
	for _, group := range graph.BottomUp() {
		for more := true; more; {
			more = false
			for _, fn := range group {
				if fn.Is(funcd.Func) && !funcd.Body(fn).Empty() {
					recursive := len(group) > 1 || slices.Contains(graph.Callees(fn), fn)
					more = p.function(fn, p.keeps(fn, recursive)) && recursive || more
				}
			}
		}
	}
	return p.copies, p.bytes
}

// parts copies what functions return.
type parts struct {
	options   PartOptions
	b         *ir.Builder
	tables    *ir.SymbolTables
	summaries *analysis.CallSummaries
	values    map[*ir.Op]bool // functions that are used as values
	uses      *resultUses
	returned  map[*ir.Op][]bool // by function and result: that it may be a part, which the caller owns
	any       bool
	copies    int
	bytes     int64
}

// keeps tells whether a function may return large parts as they are.
func (p *parts) keeps(fn *ir.Op, recursive bool) bool {
	return ir.IsPrivate(fn) && !p.values[fn] && !recursive
}

// function copies the parts that a function returns, and tells whether it turned out that results are parts which weren't known to be.
func (p *parts) function(fn *ir.Op, keeps bool) (more bool) {
	starts := p.narrowed(fn)
	if len(starts) == 0 {
		return false
	}
	f := &partsOfFunction{parts: p, fn: fn, buffers: analysis.NewBuffers(fn, analysis.BufferOptions{Boundary: true, Calls: p.summaries})}
	f.mark(starts)
	for _, ret := range returns(fn) {
		copied := map[*ir.Value]*ir.Value{}
		for i, v := range operands(ret) {
			if !f.marked[v] {
				continue
			}
			switch {
			case keeps && f.isLarge(v):
			case copied[v] != nil:
				ret.SetOperand(i, copied[v])
				continue
			case f.copyable(ret, i) && f.copy(ret, i):
				copied[v] = ret.Operand(i)
				continue
			}
			if f.isOwn(v) || f.mayBeOwn(v) {
				more = p.setReturned(fn, i) || more
			}
		}
	}
	return more
}

// setReturned notes that a result is a part, and tells whether that wasn't known.
func (p *parts) setReturned(fn *ir.Op, i int) bool {
	list := p.returned[fn]
	if list == nil {
		list = make([]bool, len(funcd.Type(fn).Results))
		p.returned[fn] = list
	}
	if list[i] {
		return false
	}
	list[i] = true
	return true
}

// narrowed returns the values in a function that are parts of what their operations have as operands, and the results of calls that
// are parts. There are none if the function returns no buffer.
func (p *parts) narrowed(fn *ir.Op) (list []*ir.Value) {
	if !slices.ContainsFunc(funcd.Type(fn).Results, ir.IsMemRef) {
		return nil
	}
	fn.Walk(func(op *ir.Op) bool {
		if memref.Narrows(op) {
			list = append(list, op.Result(0))
		}
		if op.Is(funcd.Call) && len(p.returned) > 0 {
			for i, part := range p.returned[p.tables.Lookup(op, funcd.Callee(op))] {
				if part {
					list = append(list, op.Result(i))
				}
			}
		}
		return true
	})
	return list
}

// partsOfFunction are the parts that a function makes.
type partsOfFunction struct {
	*parts
	fn      *ir.Op
	buffers *analysis.Buffers
	marked  map[*ir.Value]bool // what may be a part of a buffer
}

// mark marks values, and all that their buffers are passed on as.
func (f *partsOfFunction) mark(work []*ir.Value) {
	f.marked = map[*ir.Value]bool{}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if !f.marked[v] {
			f.marked[v] = true
			f.buffers.Flows(v, func(to *ir.Value) { work = append(work, to) })
		}
	}
}

// isOwn tells whether all that a value may be belongs to the function, which knows all ways to it.
func (f *partsOfFunction) isOwn(v *ir.Value) bool {
	n, all := 0, true
	f.buffers.Terminals(v, func(t *ir.Value) { n, all = n+1, all && f.isOwnTerminal(t) })
	return n > 0 && all
}

// mayBeOwn tells whether some of what a value may be belongs to the function.
func (f *partsOfFunction) mayBeOwn(v *ir.Value) (some bool) {
	f.buffers.Terminals(v, func(t *ir.Value) { some = some || f.isOwnTerminal(t) })
	return some
}

func (f *partsOfFunction) isOwnTerminal(t *ir.Value) bool {
	if !ir.IsMemRef(t.Type()) {
		return true // stands for what a call returns several times
	}
	return t.DefinedBy(memref.Alloca) == nil && f.buffers.IsLocal(t)
}

// isLarge tells whether a part has so much of its buffer that a private function may return it.
func (f *partsOfFunction) isLarge(v *ir.Value) bool {
	size, large := staticBytes(v), true
	f.buffers.Terminals(v, func(t *ir.Value) {
		if !ir.IsMemRef(t.Type()) {
			return
		}
		whole := staticBytes(t)
		large = large && (f.options.KeepFrom <= 0 || size >= 0 && whole >= 0 && size*100 >= whole*int64(f.options.KeepFrom))
	})
	return large
}

// staticBytes returns the size of a buffer; -1 if it isn't known.
func staticBytes(v *ir.Value) int64 {
	n, known := ir.NumElementsOf(v.Type())
	size := ir.StorageBytes(ir.ElementType(v.Type()))
	if !known || size <= 0 || n > 1<<40 {
		return -1
	}
	return n * size
}

// copyable tells whether what a function returns may be a copy for all that use it.
func (f *partsOfFunction) copyable(ret *ir.Op, i int) bool {
	v := ret.Operand(i)
	if newBufferType(f.fn.Context(), v) == nil {
		return false
	}
	shared := false
	for _, w := range ret.Operands().Values() {
		shared = shared || w != v && ir.IsMemRef(w.Type()) && f.buffers.Query(v, w) != analysis.NeverAlias
	}
	if f.uses.of(f.fn, i, widened)&widened != 0 {
		return false
	}
	for j, w := range ret.Operands().Values() {
		if shared && ir.IsMemRef(w.Type()) && f.uses.of(f.fn, j, written)&written != 0 {
			return false
		}
	}
	return true
}

// newBufferType returns the type of a new buffer that can be cast to the type of a value; nil if there is none, or if it holds buffers.
func newBufferType(c *ir.Context, v *ir.Value) *ir.MemRefType {
	t, ok := v.Type().(*ir.MemRefType)
	if !ok || ir.IsMemRef(t.Elem) {
		return nil
	}
	if t.HasIdentityLayout() {
		return t
	}
	fresh := c.MemRefOf(t.Shape, t.Elem, nil, t.Space)
	if !memref.CastNeverFails(fresh, t) {
		return nil
	}
	return fresh
}

// copy lets an operation that passes on a part pass on a copy, and tells whether it does: right before the operation, or, if the part
// is only one of several that it may be, where that is chosen.
func (f *partsOfFunction) copy(at *ir.Op, i int) bool {
	v := at.Operand(i)
	if newBufferType(f.fn.Context(), v) == nil {
		return false
	}
	choice := f.choiceOf(at, v)
	if own := f.isOwn(v); choice == nil || own && choice.onlyParts() {
		if own {
			f.copyBefore(at, i)
		}
		return own
	}
	return choice.copy()
}

func (f *partsOfFunction) copyBefore(at *ir.Op, i int) {
	v := at.Operand(i)
	b, t := f.b, newBufferType(f.fn.Context(), v)
	b.SetBefore(at)
	b.Loc = at.Loc()
	var sizes []*ir.Value
	for k, n := range t.Shape {
		if n == ir.Dynamic {
			sizes = append(sizes, memref.KnownSizeOf(b, v, k).Value)
		}
	}
	alloc := memref.NewAlloc(b, t, sizes, 64)
	memref.NewCopy(b, v, alloc)
	if ir.Type(t) != v.Type() {
		alloc = memref.NewCast(b, v.Type(), alloc)
	}
	at.SetOperand(i, alloc)
	f.copies++
	f.bytes += max(0, staticBytes(v))
}
