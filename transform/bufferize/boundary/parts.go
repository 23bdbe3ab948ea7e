package boundary

import (
	"math"
	"slices"

	funcd "freehold/dialect/funcd"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// PartOptions say which parts of buffers [CopyReturnedParts] copies.
type PartOptions struct {
	// KeepFrom lets private functions that don't call themselves return parts as they are which have, as far as sizes are static, at least so many
	// percent of the bytes of their buffers; 0 lets them return all parts so.
	KeepFrom int
	// Arguments takes it that callers of private functions may hand buffers over to them, and that what a function returns of
	// other arguments is copied later: parts of arguments of private functions are copied then.
	Arguments bool
}

// Parts is what [CopyReturnedParts] did.
type Parts struct {
	// Copies are the copies that it made, and Bytes what those have whose sizes are static.
	Copies int
	Bytes  int64
	// Casts are the views that turned out to be of all of a buffer, and became casts.
	Casts int
}

// CopyReturnedParts lets the functions in a module return copies where they return parts of buffers that they have allocated,
// or got from calls, so that what they return is a buffer as large as it looks, which its owner can free. A view that has
// all of a buffer, in sizes that aren't static, becomes a cast.
//
// It doesn't copy what may be a part of a global, or of a buffer that is still reached in another way; what
// callers see as more than the part, or can tell from the part since they write to its buffer by another result; and what has a type that a new buffer can't be cast to. Calls are taken to
// return buffers that belong to the caller. Parts of arguments are copied in private functions only, with the
// option for that. Linear in the program, apart from
// functions that call each other, which are looked at again for each result that turns out to be a part.
func CopyReturnedParts(module *ir.Op, o PartOptions) Parts {
	p := &parts{options: o, b: ir.NewBuilder(module.Context()), tables: ir.NewSymbolTables(), returned: map[*ir.Op][]int64{}, copied: map[result]bool{}}
	module.Walk(func(op *ir.Op) bool {
		p.any = p.any || memref.Narrows(op)
		return !p.any
	})
	if !p.any {
		return p.done
	}
	p.values, p.summaries, p.uses = usedAsValues(module), analysis.NewCallSummaries(module), newResultUses(module, p.tables)
	graph := analysis.NewCallGraph(module)
	for _, group := range graph.BottomUp() {
		for more := true; more; {
			more = false
			for _, fn := range group {
				if fn.Is(funcd.Func) && !funcd.Body(fn).Empty() {
					recursive := len(group) > 1 || slices.Contains(graph.Callees(fn), fn)
					more = p.function(fn, p.isPrivate(fn) && !recursive) && recursive || more
				}
			}
		}
	}
	return p.done
}

// parts copies what functions return.
type parts struct {
	options   PartOptions
	b         *ir.Builder
	tables    *ir.SymbolTables
	summaries *analysis.CallSummaries
	values    map[*ir.Op]bool // functions that are used as values
	uses      *resultUses
	// returned holds, by function and result, the bytes of the buffers that it may be a part of, which the caller owns: -1 if they aren't known, 0 if it is no part.
	returned map[*ir.Op][]int64
	copied   map[result]bool // those that are copies at all returns
	any      bool
	done     Parts
}

// result is result number i of a function.
type result struct {
	fn *ir.Op
	i  int
}

// isPrivate tells whether all callers of a function are known.
func (p *parts) isPrivate(fn *ir.Op) bool { return ir.IsPrivate(fn) && !p.values[fn] }

// function copies the parts that a function returns, and tells whether it turned out that results are parts which weren't known to be.
func (p *parts) function(fn *ir.Op, keeps bool) (more bool) {
	starts := p.narrowed(fn)
	if len(starts) == 0 {
		return false
	}
	f := &partsOfFunction{parts: p, fn: fn, buffers: analysis.NewBuffers(fn, analysis.BufferOptions{Boundary: true, Calls: p.summaries})}
	f.mark(starts)
	all := map[int]int{}
	list := returns(fn)
	for _, ret := range list {
		copied := map[*ir.Value]*ir.Value{}
		for i, v := range operands(ret) {
			if !f.marked[v] {
				continue
			}
			// What is written to an argument must be seen in the caller's buffer.
			f.handed = p.options.Arguments && p.isPrivate(fn) && !interfaces.HasIdentity(fn, i)
			switch {
			case keeps && f.isLarge(v):
			case copied[v] != nil:
				ret.SetOperand(i, copied[v])
				all[i]++
				continue
			case f.copyable(ret, i) && f.copy(ret, i):
				copied[v] = ret.Operand(i)
				all[i]++
				continue
			}
			if f.isOwn(v) || f.mayBeOwn(v) {
				more = p.setReturned(fn, i, f.wholeBytes(v)) || more
			}
		}
	}
	for i, n := range all {
		if n == len(list) {
			p.copied[result{fn, i}] = true
		}
	}
	return more
}

// setReturned notes that a result is a part of a buffer of a size, and tells whether that wasn't known.
func (p *parts) setReturned(fn *ir.Op, i int, whole int64) bool {
	list := p.returned[fn]
	if list == nil {
		list = make([]int64, len(funcd.Type(fn).Results))
		p.returned[fn] = list
	}
	switch old := list[i]; {
	case old < 0 || whole >= 0 && old >= whole:
		return false
	case old > 0 && whole > 0:
		list[i] = -1 // a function that calls itself may be looked at many times
	default:
		list[i] = whole
	}
	return true
}

// narrowed returns the values in a function that are parts of what their operations have as operands, and the results of calls that
// are parts. There are none if the function returns no buffer.
func (p *parts) narrowed(fn *ir.Op) (list []*ir.Value) {
	if !slices.ContainsFunc(funcd.Type(fn).Results, ir.IsMemRef) {
		return nil
	}
	var views []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if memref.Narrows(op) {
			views = append(views, op)
		}
		if op.Is(funcd.Call) && len(p.returned) > 0 {
			for i, whole := range p.returned[p.tables.Lookup(op, funcd.Callee(op))] {
				if whole != 0 {
					list = append(list, op.Result(i))
				}
			}
		}
		return true
	})
	for _, op := range views {
		if castFullView(p.b, op) {
			p.done.Casts++
		} else {
			list = append(list, op.Result(0))
		}
	}
	return list
}

// partsOfFunction are the parts that a function makes.
type partsOfFunction struct {
	*parts
	fn      *ir.Op
	buffers *analysis.Buffers
	marked  map[*ir.Value]bool // what may be a part of a buffer
	handed  bool               // callers may hand arguments over, since all callers are known
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
			if f.options.Arguments {
				work = f.handedBack(v, work)
			}
		}
	}
}

// handedBack appends the results of calls to a list that may be a value which the calls hand over.
func (f *partsOfFunction) handedBack(v *ir.Value, list []*ir.Value) []*ir.Value {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		call := u.Owner()
		if !call.Is(funcd.Call) || f.summaries.Stays(call, u.Index()) {
			continue
		}
		callee := f.tables.Lookup(call, funcd.Callee(call))
		if callee == nil || !f.isPrivate(callee) || funcd.Body(callee).Empty() {
			continue
		}
		for i := range call.NumResults() {
			if r := call.Result(i); ir.IsMemRef(r.Type()) && !f.summaries.Fresh(call, i) && !f.copied[result{callee, i}] {
				list = append(list, r)
			}
		}
	}
	return list
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
	if f.isArgument(t) {
		return f.handed && !f.buffers.Escapes(t).Has(analysis.Kept)
	}
	return t.DefinedBy(memref.Alloca) == nil && f.buffers.IsLocal(t)
}

// isArgument tells whether a value is an argument of the function.
func (f *partsOfFunction) isArgument(v *ir.Value) bool {
	return v.ArgOwner() == funcd.Body(f.fn).Entry()
}

// isLarge tells whether a part has so much of its buffer that a private function may return it. Parts of arguments, which are copied anyway
// unless the caller hands them over, haven't.
func (f *partsOfFunction) isLarge(v *ir.Value) bool {
	size, whole, argument := staticBytes(v), f.wholeBytes(v), false
	f.buffers.Terminals(v, func(t *ir.Value) { argument = argument || f.isArgument(t) })
	return !argument && (f.options.KeepFrom <= 0 || size >= 0 && whole >= 0 && size*100 >= whole*int64(f.options.KeepFrom))
}

// wholeBytes returns the size of the largest buffer that a value may be a part of; -1 if that isn't known.
func (f *partsOfFunction) wholeBytes(v *ir.Value) (whole int64) {
	f.buffers.Terminals(v, func(t *ir.Value) {
		size := staticBytes(t)
		if call := t.DefiningOp(); call != nil && call.Is(funcd.Call) {
			if list := f.returned[f.tables.Lookup(call, funcd.Callee(call))]; list != nil && list[t.Index()] != 0 {
				size = list[t.Index()]
			}
		}
		if whole = max(whole, size); size < 0 {
			whole = math.MaxInt64
		}
	})
	if whole == math.MaxInt64 {
		return -1
	}
	return max(whole, 1)
}

// staticBytes returns the size of a buffer; -1 if it isn't known, and 0 if it is none.
func staticBytes(v *ir.Value) int64 {
	if !ir.IsMemRef(v.Type()) {
		return 0
	}
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
	var shared []int
	for j, w := range ret.Operands().Values() {
		if w != v && ir.IsMemRef(w.Type()) && f.buffers.Query(v, w) != analysis.NeverAlias {
			shared = append(shared, j)
		}
	}
	return !f.uses.mayTell(f.fn, i, shared)
}

// newBufferType returns the type of a new buffer that can be cast to the type of a value; nil if there is none, or if it holds buffers.
func newBufferType(c *ir.Context, v *ir.Value) *ir.MemRefType {
	t, ok := v.Type().(*ir.MemRefType)
	if !ok || ir.IsMemRef(t.Elem) {
		return nil
	}
	if t.Layout == nil {
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
	f.done.Copies++
	f.done.Bytes += max(0, staticBytes(v))
}
