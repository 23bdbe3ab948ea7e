// Package footprint tells how much memory programs need, without executing them: the peak
// of each function, where it is, and what is alive there.
//
// Buffers, and tensors where there still are some, are alive as [analysis.Lifetimes] says. At
// a time, what a value that joins several paths may be counts once, with the largest; a body
// of a loop counts once, with what it gets from the iteration before, but what nothing frees in
// it counts for each iteration; a call adds the peak of what it calls, and what that never frees. Arguments and constants are counted apart: they are there before and after.
// It is an upper bound: paths may be impossible.
package footprint

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Program is what is known about all functions with a body of a program.
type Program struct {
	// Functions are in the order of the text.
	Functions []*Function
	byOp      map[*ir.Op]*Function
	tables    *ir.SymbolTables
	freed     func(fn *ir.Op) bool // nil is always
	computed  bool                 // tensors that nothing computes are left out
	// counts tells of the type of what takes memory whether it is counted; nil is always.
	counts func(t ir.Type) bool
}

// Function is how much memory a function needs, with what it calls.
type Function struct {
	Op   *ir.Op
	Name string
	// Allocations is the number of its allocations of buffers, Tensors that of the tensors
	// that it computes, each of which counts as a buffer.
	Allocations, Tensors int
	// Copies is the number of copies, each once, and Copied what they copy.
	Copies int
	Copied Size
	// ConditionalFrees is the number of frees under conditions, or of what isn't known before.
	ConditionalFrees int
	// Arguments is the size of all arguments, Constants that of the constants that the
	// function and those that it calls use.
	Arguments, Constants Size
	// Peaks are the largest sizes of what is alive at a time: one if all sizes are known,
	// else those of which none is above another whatever the unknown sizes are.
	Peaks []Peak
	// Unknown tells that it calls what has no peak: itself, or what can't be seen.
	Unknown   bool
	constants map[any]Size
	// left is what is there for ever after the function was called: not freed, and not returned.
	left      Size
	symbols   *symbols
	returns   []returnedBuffer   // by result
	written   []bool             // by argument: whether a tensor may be written in place
	held      map[*ir.Value]Size // what the buffers of results of calls have, of which these may be parts
	lifetimes *analysis.Lifetimes
	timeline  *timeline
	counts    func(t ir.Type) bool
}

// Peak is a largest size of what is alive at a time.
type Peak struct {
	Size Size
	// Time is that of [analysis.Lifetimes], Op the operation at that time.
	Time int64
	Op   *ir.Op
}

// Item is something that is alive at a time.
type Item struct {
	Size Size
	// Value is the buffer or tensor; nil for what a call needs.
	Value *ir.Value
	// Op is what made it: an allocation, an operation on tensors, control flow that may
	// have got it from several places, or a call.
	Op *ir.Op
	// Callee is the name of the function whose peak a call adds.
	Callee string
	// Copy tells that it is a copy of the value, a tensor that the operation passes on, which bufferization may need.
	Copy bool
	// Leaked tells that nothing frees it, or, if Freed, that some paths don't.
	Leaked, Freed bool
}

// Analyze looks at all functions in root, callees first. It takes what
// [analysis.Lifetimes] takes, and in functions in which paths join buffers, at worst as many
// steps as there are operations times holders of buffers.
func Analyze(root *ir.Op) *Program { return analyze(root, &Program{}) }

// AnalyzeInDoubt is [Analyze] of a program that may leave buffers: freed tells of a function whether it frees all that it
// allocates, and is asked where that isn't seen.
func AnalyzeInDoubt(root *ir.Op, freed func(fn *ir.Op) bool) *Program {
	return analyze(root, &Program{freed: freed})
}

// AnalyzeComputed is [AnalyzeInDoubt] without the tensors that nothing computes ([IsPlace]).
func AnalyzeComputed(root *ir.Op, freed func(fn *ir.Op) bool) *Program {
	return analyze(root, &Program{freed: freed, computed: true})
}

func analyze(root *ir.Op, p *Program) *Program {
	p.byOp, p.tables = map[*ir.Op]*Function{}, ir.NewSymbolTables()
	var calls *analysis.CallSummaries
	if root.Has(ir.TraitSymbolTable) {
		calls = analysis.NewCallSummaries(root)
	}
	for _, group := range analysis.NewCallGraph(root).BottomUp() {
		for _, fn := range group {
			if fn.NumRegions() > 0 && !fn.RegionAt(0).Empty() {
				p.byOp[fn] = p.function(fn, calls)
			}
		}
	}
	root.Walk(func(op *ir.Op) bool {
		if f := p.byOp[op]; f != nil {
			p.Functions = append(p.Functions, f)
		}
		return true
	})
	return p
}

// Of returns what is known about a function; nil if that is nothing.
func (p *Program) Of(fn *ir.Op) *Function { return p.byOp[fn] }

// Largest returns the function with the largest peak, of the first; nil if there is none.
func (p *Program) Largest() (largest *Function) {
	for _, f := range p.Functions {
		if largest == nil || !largest.Peak().AtLeast(f.Peak()) && f.Peak().Bytes >= largest.Peak().Bytes {
			largest = f
		}
	}
	return largest
}

// PeakSizes returns the sizes of the peaks.
func (f *Function) PeakSizes() (s Sizes) {
	for _, x := range f.Peaks {
		s = s.with(x.Size)
	}
	return s
}

// Peak returns a size that all peaks keep within: the peak, if all sizes are known.
func (f *Function) Peak() (s Size) {
	for _, x := range f.Peaks {
		s = s.Max(x.Size)
	}
	return s
}

// At returns what is alive at a time, the largest first. Linear.
func (f *Function) At(time int64) []Item {
	items, _ := f.timeline.at(time)
	items = slices.DeleteFunc(items, func(x Item) bool { return x.Size.IsStatic() && x.Size.Bytes == 0 })
	sortItems(items)
	return items
}

// function looks at one function.
func (p *Program) function(fn *ir.Op, calls *analysis.CallSummaries) *Function {
	f := &Function{Op: fn, constants: map[any]Size{}, held: map[*ir.Value]Size{}, symbols: newSymbols(), counts: p.counts}
	f.Name, _ = ir.SymbolName(fn)
	for _, a := range fn.BodyBlock(0).Args() {
		if s, ok := f.sizeOf(a); ok {
			f.Arguments = f.Arguments.Plus(s)
		}
	}
	if p.freed == nil {
		f.lifetimes = analysis.NewLifetimes(fn)
	} else {
		f.lifetimes = analysis.NewLifetimesInDoubt(fn, func() bool { return !p.freed(fn) })
	}
	callees := f.scan(p)
	for _, s := range f.constants {
		f.Constants = f.Constants.Plus(s)
	}
	b := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	owned := func(v *ir.Value) bool {
		op := v.DefiningOp()
		if interfaces.Call.Has(op) {
			callee := p.callee(op)
			return callee == nil || v.Index() >= len(callee.returns) || callee.returns[v.Index()].owned
		}
		return interfaces.HasEffect(op, interfaces.Allocate, v)
	}
	f.returns = f.returned(b, owned)
	written := func(call *ir.Op, operand int) bool {
		m, _ := interfaces.Call.Of(call)
		start, _ := m.Args(call)
		callee := p.callee(call)
		return callee == nil || operand-start >= len(callee.written) || callee.written[operand-start]
	}
	for _, a := range fn.BodyBlock(0).Args() {
		f.written = append(f.written, ir.IsTensor(a.Type()) && f.lifetimes.Written(a, written))
	}
	owns := ownsTensor
	if p.computed {
		owns = func(v *ir.Value) bool { return ownsTensor(v) && !IsPlace(v) }
	}
	tensors, copies := f.lifetimes.Tensors(owns, written)
	for i := range tensors {
		size, _ := f.sizeOf(tensors[i].Value)
		for _, k := range tensors[i].Returned {
			if k < len(f.returns) {
				f.returns[k] = returnedBuffer{true, f.returns[k].size.Max(size)}
			}
		}
	}
	t := newTimeline(f, f.lifetimes.Buffers(b, owned), tensors, copies)
	f.Tensors = t.tensors
	t.calls = callees
	t.find()
	f.timeline = t
	return f
}

// sizeOf returns the size of a tensor or buffer; false for other values.
func (f *Function) sizeOf(v *ir.Value) (Size, bool) {
	if !ir.IsTensor(v.Type()) && !ir.IsMemRef(v.Type()) {
		return Size{}, false
	}
	if f.counts != nil && !f.counts(v.Type()) {
		return Size{}, true
	}
	size := f.symbols.size(v)
	if s, ok := f.held[v]; ok && size.IsStatic() {
		size = size.Max(s)
	}
	return size, true
}

// SizeOf returns the size of a tensor or buffer of the function, with the names that sizes have in its peak.
func (f *Function) SizeOf(v *ir.Value) Size {
	size, _ := f.sizeOf(v)
	return size
}

// callee returns what is known about the function that an operation calls, or nil.
func (p *Program) callee(call *ir.Op) *Function {
	m, ok := interfaces.Call.Of(call)
	if !ok {
		return nil
	}
	ref, _ := m.Callee(call)
	if ref == nil {
		return nil
	}
	return p.byOp[p.tables.Lookup(call, ref)]
}

// scan counts operations, and returns the calls of what has a peak.
func (f *Function) scan(p *Program) (calls []call) {
	f.Op.Walk(func(op *ir.Op) bool {
		if interfaces.Function.Has(op) && op != f.Op {
			return false
		}
		effects, _ := interfaces.EffectsOf(op)
		for _, e := range effects {
			switch {
			case e.AllocatesMemRef(op):
				f.Allocations++
			case e.Kind == interfaces.Free && e.IsOnOperand() && op.Parent() != f.Op && allocatedOutside(e.Value(op), op):
				f.ConditionalFrees++
			}
		}
		if interfaces.ConditionalFree.Has(op) {
			f.ConditionalFrees++
		}
		if m, ok := interfaces.Copy.Of(op); ok {
			f.Copies++
			source, _ := m(op)
			if ir.IsShaped(source.Type()) {
				f.Copied = f.Copied.Plus(f.symbols.contents(source))
			}
		}
		f.constant(p, op)
		if m, ok := interfaces.Call.Of(op); ok {
			if c := p.callee(op); c != nil {
				start, n := m.Args(op)
				args := op.Operands()[start : start+n]
				calls = append(calls, call{op, c, f.symbols.inCall(c.Peak(), c.symbols, c.Name, args), f.symbols.inCall(c.left, c.symbols, c.Name, args)})
				f.Unknown = f.Unknown || c.Unknown
				for key, s := range c.constants {
					f.constants[key] = s
				}
				for i := range min(op.NumResults(), len(c.returns)) {
					if r := c.returns[i]; r.owned && (ir.IsMemRef(op.Result(i).Type()) || ir.IsTensor(op.Result(i).Type())) {
						f.held[op.Result(i)] = f.symbols.inCall(r.size, c.symbols, c.Name, args)
					}
				}
			} else if ref, _ := m.Callee(op); ref == nil || hasBody(p.tables.Lookup(op, ref)) {
				f.Unknown = true
			}
		}
		return true
	})
	return calls
}

// allocatedOutside tells whether a free is in a branch or loop that the buffer's value isn't in.
func allocatedOutside(v *ir.Value, free *ir.Op) bool { return v.ParentRegion() != free.Region() }

func hasBody(fn *ir.Op) bool {
	return fn == nil || fn.NumRegions() > 0 && !fn.RegionAt(0).Empty()
}

// constant adds an operation that is a constant, or the buffer of one.
func (f *Function) constant(p *Program, op *ir.Op) {
	if op.NumResults() != 1 {
		return
	}
	s, ok := f.sizeOf(op.Result(0))
	if !ok {
		return
	}
	if m, ok := interfaces.GlobalBuffer.Of(op); ok {
		f.constants[p.tables.Lookup(op, m(op))] = s
	} else if op.Has(ir.TraitConstantLike) {
		f.constants[op.Attr("value")] = s
	}
}

// IsPlace tells whether a result is a tensor without contents, such as that of tensor.empty, that operations only write to: each of them computes a tensor of its own, and nothing
// computes this one.
func IsPlace(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil {
		return false
	}
	m, ok := interfaces.Bufferizable.Of(op)
	if !ok || op.NumRegions() > 0 || !m.Allocates(v) || slices.ContainsFunc(op.Operands().Types(), func(t ir.Type) bool { _, size := t.(*ir.IndexType); return !size }) {
		return false
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !interfaces.IsInit(u) {
			return false
		}
	}
	return true
}

// ownsTensor tells whether the result of an operation is a tensor of its own: it is no
// constant, and not what is in a buffer.
func ownsTensor(v *ir.Value) bool {
	op := v.DefiningOp()
	return !op.Has(ir.TraitConstantLike) && !(op.OnlyOperand() != nil && ir.IsMemRef(op.OnlyOperand().Type()) && op.NumRegions() == 0)
}

// returnedBuffer tells whether a result of a function may be a buffer or tensor that it has made, or a part of it,
// and the size of that.
type returnedBuffer struct {
	owned bool
	size  Size
}

// returned finds out which buffers that a function owns its results may be.
func (f *Function) returned(b *analysis.Buffers, owned func(v *ir.Value) bool) []returnedBuffer {
	m, _ := interfaces.Function.Of(f.Op)
	out := make([]returnedBuffer, len(m.Type(f.Op).Results))
	for block := range f.Op.RegionAt(0).Blocks() {
		t := block.Last()
		if t == nil || !interfaces.IsRegionTerminator(t) {
			continue
		}
		for i := range min(len(out), t.NumOperands()) {
			if v := t.Operand(i); ir.IsMemRef(v.Type()) {
				b.Terminals(v, func(x *ir.Value) {
					if x.DefiningOp() != nil && owned(x) {
						s, _ := f.sizeOf(x)
						out[i] = returnedBuffer{true, out[i].size.Max(s)}
					}
				})
			}
		}
	}
	return out
}

// sortItems puts the largest first.
func sortItems(items []Item) {
	slices.SortStableFunc(items, func(a, b Item) int { return largerFirst(a.Size, b.Size) })
}

// largerFirst orders what isn't known before what is, and that by size.
func largerFirst(a, b Size) int {
	if a.IsStatic() != b.IsStatic() {
		if a.IsStatic() {
			return 1
		}
		return -1
	}
	return cmp.Compare(b.Bytes, a.Bytes)
}
