package reuse

import (
	"context"
	"fmt"
	"slices"
	"time"

	"freehold/dialect/memref"
	"freehold/footprint"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/plan"
)

// ArenaKind says where the memory of an arena comes from.
type ArenaKind string

// The kinds of arenas.
const (
	// ArenaAlloc is allocated and freed by the function that needs it, unless all its
	// callers are known: these bring it then.
	ArenaAlloc ArenaKind = "alloc"
	// ArenaArgument is the last argument of each function that needs one; callers bring it.
	ArenaArgument ArenaKind = "argument"
	// ArenaGlobal is a global of the module. Functions that may be active several times
	// at once allocate theirs.
	ArenaGlobal ArenaKind = "global"
)

// PlanOptions say how [PlanMemory] makes arenas.
type PlanOptions struct {
	Arena ArenaKind
	// Alignment is what the offsets of buffers are multiples of whose allocation asks for
	// none, and that of the arena if no buffer needs more: a power of two, in bytes.
	Alignment int64
	Solver    plan.Solver
	// TimeLimit ends the search for a better plan; 0 is never. NodeLimit ends it after about
	// so many steps, whatever the machine.
	TimeLimit time.Duration
	NodeLimit int64
	// Capacity is what an arena must not exceed, in bytes; 0 is no limit.
	Capacity int64
	// Space limits planning to the buffers of a memory space, as it is spelled; "default" is
	// that without a name, and no text is all.
	Space string
	// StackBelow puts buffers of the default space of at most so many bytes on the stack
	// instead.
	StackBelow int64
}

// Arena is what [PlanMemory] did for a memory space of a function.
type Arena struct {
	Function *ir.Op
	// Space is the memory space, or nil.
	Space ir.Attribute
	// Solution is the plan for Problem, whose buffers are those of Parts.
	Problem  *plan.Problem
	Solution *plan.Solution
	// Parts are the values that are views of the arena now.
	Parts []*ir.Value
	// Alignment is that of the arena.
	Alignment int64
}

// Planned is what [PlanMemory] did.
type Planned struct {
	Arenas []Arena
	// Promoted is the number of buffers on the stack.
	Promoted int
}

// PlanMemory makes the buffers of static size that functions allocate and free, wherever in
// their control flow, views at fixed offsets of one buffer for each memory space, the arena: the
// pass plan-memory. Buffers that are never alive at the same time may share. What a function
// calls that all callers are known of, or with [ArenaArgument] any, gets its arena from its
// caller's.
//
// Buffers stay as they are that are returned, whose address leaves what can be seen, that
// are passed to functions that may free them, that several iterations of a loop hold at the
// same time, or that are in bodies whose executions may overlap in time; and a function
// stays as it is whose peak would get larger, since the arena lives longer than what is in it.
//
// The error tells that there is no plan within the capacity. It takes what
// [analysis.Lifetimes] and [plan.Solve] take, for each function once.
func PlanMemory(root *ir.Op, o PlanOptions) (*Planned, error) {
	p := &memoryPlanner{
		options: o, root: root, tables: ir.NewSymbolTables(), before: footprint.Analyze(root),
		freed: map[*ir.Op][]bool{}, needs: map[*ir.Op]*callNeeds{}, known: map[*ir.Op]bool{}, concurrent: map[*ir.Op]bool{},
		callers: map[*ir.Op][]*ir.Op{}, comesBack: map[*ir.Op]bool{},
	}
	if root.Has(ir.TraitSymbolTable) {
		p.calls = analysis.NewCallSummaries(root)
		p.findCallers()
	}
	groups := analysis.NewCallGraph(root).BottomUp()
	for _, group := range groups {
		for _, fn := range group {
			if !hasBody(fn) {
				continue
			}
			recursive := p.isRecursive(group)
			p.comesBack[fn] = recursive || p.mayComeBack(fn)
			f := p.function(fn, recursive)
			if err := f.plan(); err != nil {
				return nil, err
			}
		}
	}
	return &p.out, nil
}

// memoryPlanner plans a module, callees first.
type memoryPlanner struct {
	options PlanOptions
	root    *ir.Op
	tables  *ir.SymbolTables
	calls   *analysis.CallSummaries
	before  *footprint.Program
	out     Planned

	callers map[*ir.Op][]*ir.Op // the calls of a function
	known   map[*ir.Op]bool     // functions all of whose callers are known
	// concurrent are functions that are called where executions may overlap.
	concurrent map[*ir.Op]bool
	// comesBack are functions that may be called again while they are active: directly, or by
	// what they call and nobody sees.
	comesBack map[*ir.Op]bool
	freed     map[*ir.Op][]bool     // which arguments functions may free; all, if there is no list
	needs     map[*ir.Op]*callNeeds // of functions that are planned
}

// callNeeds is what a function needs when it is called.
type callNeeds struct {
	arenas []broughtArena // that callers bring
	other  int64          // bytes beside these
}

// broughtArena is an arena that callers bring, as an argument.
type broughtArena struct {
	space           ir.Attribute
	size, alignment int64
}

func hasBody(fn *ir.Op) bool { return fn.NumRegions() > 0 && !fn.RegionAt(0).Empty() }

// findCallers finds the calls of each function, and those that nothing else refers to.
func (p *memoryPlanner) findCallers() {
	other := map[*ir.Op]bool{}
	p.root.Walk(func(op *ir.Op) bool {
		var callee *ir.SymbolRefAttr
		if m, ok := iface.Call.Of(op); ok {
			callee, _ = m.Callee(op)
		}
		ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
			switch fn := p.tables.Lookup(op, ref); {
			case fn == nil:
			case ref == callee:
				p.callers[fn] = append(p.callers[fn], op)
			default:
				other[fn] = true
			}
		})
		return true
	})
	p.root.Walk(func(fn *ir.Op) bool {
		if _, ok := iface.Function.Of(fn); ok {
			p.known[fn] = !other[fn] && (ir.IsPrivate(fn) && len(p.callers[fn]) > 0 || p.options.Arena == ArenaArgument)
		}
		return true
	})
}

func (p *memoryPlanner) isRecursive(group []*ir.Op) bool {
	for _, call := range p.callers[group[0]] {
		for fn := call.Parent(); fn != nil; fn = fn.Parent() {
			if slices.Contains(group, fn) {
				return true
			}
		}
	}
	return false
}

// mayComeBack tells whether a function calls what isn't known, which may call it again, or a
// function that does.
func (p *memoryPlanner) mayComeBack(fn *ir.Op) (may bool) {
	fn.Walk(func(op *ir.Op) bool {
		if _, call := iface.Call.Of(op); call {
			callee := p.callee(op)
			may = may || callee == nil || p.comesBack[callee]
		}
		return !may
	})
	return may
}

// callee returns the function with a body that an operation calls; nil if there is none, or
// it isn't known.
func (p *memoryPlanner) callee(op *ir.Op) *ir.Op {
	m, ok := iface.Call.Of(op)
	if !ok {
		return nil
	}
	ref, _ := m.Callee(op)
	if ref == nil {
		return nil
	}
	if fn := p.tables.Lookup(op, ref); fn != nil && hasBody(fn) {
		return fn
	}
	return nil
}

// function returns the planner of a function.
func (p *memoryPlanner) function(fn *ir.Op, recursive bool) *functionPlanner {
	f := &functionPlanner{memoryPlanner: p, fn: fn, recursive: recursive}
	f.buffers = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: p.calls})
	f.times = analysis.NewLifetimes(fn)
	f.scan()
	p.freed[fn] = f.freedArguments()
	return f
}

// functionPlanner plans the memory of one function.
type functionPlanner struct {
	*memoryPlanner
	fn        *ir.Op
	recursive bool
	buffers   *analysis.Buffers
	times     *analysis.Lifetimes

	sequential []*ir.Op // allocations that are executed one after the other
	calling    []*ir.Op // calls of functions with a body, in order
	parallel   map[*ir.Op]bool
	frees      []*ir.Op

	lifetimes map[*ir.Value]*analysis.Lifetime
	parts     []part
	others    []other // what is not planned
	// space is the memory space that is at work; planned holds the parts of the arenas.
	space     ir.Attribute
	planned   [][]part
	hosts     []host
	addresses map[*ir.Value]bool // whether addresses are written to a buffer
	// The arena is in use between these operations of the function's only block; nil is its
	// start, or that there are several.
	previous, next *ir.Op
}

// part is what becomes a part of an arena: a buffer, or what a call needs.
type part struct {
	alloc     *ir.Op   // nil for what a call needs
	frees     []*ir.Op // that go
	call      *ir.Op
	space     ir.Attribute
	size      int64
	alignment int64
	live      []plan.Interval
	alone     bool // no free is that of another part, too
	stack     bool
}

// scan lists the allocations, calls and frees of the function.
func (f *functionPlanner) scan() {
	f.parallel = map[*ir.Op]bool{}
	var walk func(op *ir.Op, overlaps bool)
	walk = func(op *ir.Op, overlaps bool) {
		if _, fn := iface.Function.Of(op); fn && op != f.fn {
			return
		}
		if !overlaps && op.NumResults() == 1 && op.Is(memref.Alloc) {
			f.sequential = append(f.sequential, op)
		}
		if callee := f.callee(op); callee != nil {
			f.calling = append(f.calling, op)
			f.parallel[op] = overlaps
			f.concurrent[callee] = f.concurrent[callee] || overlaps || f.recursive
		}
		for i := range op.NumOperands() {
			if analysis.MayFree(op, i) {
				f.frees = append(f.frees, op)
				break
			}
		}
		_, branch := iface.RegionBranch.Of(op)
		overlaps = overlaps || op != f.fn && op.NumRegions() > 0 && (!branch || op.Has(ir.TraitParallelRegion))
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					walk(x, overlaps)
				}
			}
		}
	}
	walk(f.fn, false)
}

// freedArguments tells which arguments the function, or what it calls, may free.
func (f *functionPlanner) freedArguments() []bool {
	args := f.fn.BodyBlock(0).Args()
	out := make([]bool, len(args))
	may := func(v *ir.Value) {
		f.buffers.Terminals(v, func(t *ir.Value) {
			if t.IsBlockArg() && t.ParentBlock() == f.fn.BodyBlock(0) {
				out[t.Index()] = true
			}
		})
	}
	for _, op := range f.frees {
		for i := range op.NumOperands() {
			if analysis.MayFree(op, i) {
				may(op.Operand(i))
			}
		}
	}
	for _, op := range f.calling {
		m, _ := iface.Call.Of(op)
		start, n := m.Args(op)
		for i := range n {
			if v := op.Operand(start + i); ir.IsMemRef(v.Type()) && f.freesArgument(op, i) {
				may(v)
			}
		}
	}
	return out
}

// freesArgument tells whether what a call calls may free an argument.
func (f *functionPlanner) freesArgument(call *ir.Op, i int) bool {
	list, known := f.freed[f.callee(call)]
	return !known || i >= len(list) || list[i]
}

// plan plans the function and rewrites it.
func (f *functionPlanner) plan() error {
	alive := f.times.Buffers(f.buffers, func(v *ir.Value) bool {
		_, call := iface.Call.Of(v.DefiningOp())
		return call || iface.HasEffect(v.DefiningOp(), iface.Allocate, v)
	})
	f.lifetimes = map[*ir.Value]*analysis.Lifetime{}
	for i := range alive.Buffers {
		f.lifetimes[alive.Buffers[i].Value] = &alive.Buffers[i]
	}
	f.find(alive)
	need := &callNeeds{}
	f.needs[f.fn] = need
	stack := int64(0)
	var kept []part
	for _, x := range f.parts {
		if x.stack {
			f.promote(x)
			stack += x.size
			f.out.Promoted++
		} else {
			kept = append(kept, x)
		}
	}
	f.parts = kept
	kind := f.kind()
	all := f.parts
	var arenas []Arena
	f.parts = nil
	for _, space := range spacesOf(all) {
		f.space = space
		parts := all
		f.parts = nil
		for _, x := range parts {
			if x.space == space {
				f.parts = append(f.parts, x)
			}
		}
		before := f.peakBefore()
		mine, hosts, others := f.parts, f.hosts, slices.Clone(f.others)
		if kind != ArenaArgument {
			f.findHosts(before)
		}
		a, err := f.solve()
		if err != nil {
			return err
		}
		if f.worthwhile(kind, a.Solution.Peak, before) {
			arenas = append(arenas, a)
			f.planned = append(f.planned, f.parts)
			continue
		}
		f.parts, f.hosts, f.others = mine, hosts, others
		for _, x := range f.parts {
			if x.call != nil {
				f.bringAlone(x)
				x.alloc = nil
			}
			f.others = append(f.others, other{Buffer: plan.Buffer{Size: x.size, Live: x.live}, space: space})
		}
	}
	f.parts = nil
	for _, parts := range f.planned {
		f.parts = append(f.parts, parts...)
	}
	if first, last := f.firstAndLast(); first != nil {
		f.previous, f.next = first.Prev(), last.Next()
	}
	f.rewriteHosts()
	need.other = stack
	for i := range arenas {
		f.rewrite(kind, &arenas[i], f.planned[i])
		if kind == ArenaAlloc {
			need.other += arenas[i].Solution.Peak
		}
	}
	f.out.Arenas = append(f.out.Arenas, arenas...)
	f.space = nil
	need.other += f.peakOf(f.allOthers(), nil)
	return nil
}

// spacesOf returns the memory spaces of parts, in their order.
func spacesOf(parts []part) (spaces []ir.Attribute) {
	for _, x := range parts {
		if !slices.Contains(spaces, x.space) {
			spaces = append(spaces, x.space)
		}
	}
	return spaces
}

// kind returns where the arena of the function comes from.
func (f *functionPlanner) kind() ArenaKind {
	switch {
	case f.recursive:
		return ArenaAlloc
	case f.known[f.fn] && !f.anyParallelCall():
		return ArenaArgument
	case f.options.Arena == ArenaGlobal && !f.comesBack[f.fn] && !f.concurrent[f.fn] && len(f.callers[f.fn]) == 0:
		return ArenaGlobal
	}
	return ArenaAlloc
}

// anyParallelCall tells whether the function may be called where executions overlap; such
// callers can't bring memory.
func (f *functionPlanner) anyParallelCall() bool {
	for _, call := range f.callers[f.fn] {
		for op := call.Parent(); op != nil; op = op.Parent() {
			if _, fn := iface.Function.Of(op); fn {
				break
			}
			if _, branch := iface.RegionBranch.Of(op); !branch || op.Has(ir.TraitParallelRegion) {
				return true
			}
		}
	}
	return false
}

// peakBefore returns the peak, in the memory space, of the function without an arena.
func (f *functionPlanner) peakBefore() int64 {
	sum := f.peakOf(f.otherBuffers(), f.parts)
	// What joins paths is counted better there.
	if x := f.before.Of(f.fn); x != nil && x.Peak().IsStatic() && !x.Unknown {
		sum = min(sum, x.Peak().Bytes)
	}
	return sum
}

// worthwhile tells whether arenas of total bytes are better than what there was: a peak
// before. Alignment, which an allocator takes for each buffer alone, may take a thousandth.
func (f *functionPlanner) worthwhile(kind ArenaKind, total, before int64) bool {
	if total == 0 || kind == ArenaAlloc && len(f.parts) == 1 && f.parts[0].call == nil {
		return false
	}
	if kind == ArenaArgument && f.options.Arena == ArenaArgument {
		return true // it is asked for
	}
	whole := plan.Buffer{Size: total, Live: []plan.Interval{{Lower: 0, Upper: f.times.End()}}}
	if kind == ArenaAlloc {
		from, to := f.range_()
		whole.Live[0] = plan.Interval{Lower: from, Upper: to}
	}
	return f.peakOf(append(f.otherBuffers(), whole), nil) <= before+before/1000
}

// peakOf returns the largest sum of the sizes of what is alive at the same time.
func (f *functionPlanner) peakOf(others []plan.Buffer, parts []part) int64 {
	all := plan.Problem{Buffers: slices.Clone(others)}
	for _, x := range parts {
		all.Buffers = append(all.Buffers, plan.Buffer{Size: x.size, Live: x.live})
	}
	return plan.LowerBound(&all).Bytes
}

// solve finds the offsets of the parts in the memory space.
func (f *functionPlanner) solve() (a Arena, err error) {
	o := f.options
	a = Arena{Function: f.fn, Space: f.space, Problem: &plan.Problem{Capacity: o.Capacity}, Alignment: o.Alignment}
	for i, x := range f.parts {
		a.Problem.Buffers = append(a.Problem.Buffers, plan.Buffer{ID: fmt.Sprint(i), Size: x.size, Alignment: x.alignment, Live: x.live})
		a.Alignment = max(a.Alignment, x.alignment)
	}
	a.Solution, err = plan.Solve(context.Background(), a.Problem, plan.Options{Solver: o.Solver, TimeLimit: o.TimeLimit, NodeLimit: o.NodeLimit, Threads: 1})
	if err != nil {
		return a, f.fn.PlainErrorf("no plan for the memory: %v", err)
	}
	if err := plan.Verify(a.Problem, a.Solution); err != nil {
		return a, f.fn.PlainErrorf("a wrong plan for the memory: %v", err)
	}
	return a, nil
}

// find lists what can be planned, and what is alive beside it.
func (f *functionPlanner) find(alive *analysis.Alive) {
	candidates := map[*ir.Value]bool{}
	for _, alloc := range f.sequential {
		v := alloc.Result(0)
		if l := f.lifetimes[v]; l != nil && f.canPlan(v, l) {
			candidates[v] = true
		}
	}
	// What may free something else as well must stay, with all that it may free.
	for more := true; more; {
		more = false
		for v := range candidates {
			for _, free := range f.lifetimes[v].Frees {
				if !f.onlyFrees(free, candidates) {
					delete(candidates, v)
					more = true
					break
				}
			}
		}
	}
	for i := range alive.Buffers {
		l := &alive.Buffers[i]
		v := l.Value
		live := intervals(l.Spans)
		if !candidates[v] {
			if n := bytesOf(v); n < unknownBytes {
				x := other{Buffer: plan.Buffer{Size: n, Live: live}, space: v.Type().(*ir.MemRefType).Space}
				if f.canHost(l) {
					x.alloc = v.DefiningOp()
				}
				f.others = append(f.others, x)
			}
			continue
		}
		x := part{alloc: v.DefiningOp(), frees: l.Frees, space: v.Type().(*ir.MemRefType).Space, size: storageOf(v), live: live}
		x.alignment = max(f.options.Alignment, ir.StorageBytes(ir.ElementType(v.Type())))
		if a := alignmentOf(x.alloc); a > 1 {
			x.alignment = max(a, ir.StorageBytes(ir.ElementType(v.Type())))
		}
		f.parts = append(f.parts, x)
	}
	// What shares a free with others goes where these go.
	sharers := map[*ir.Op]int{}
	for _, x := range f.parts {
		for _, free := range x.frees {
			sharers[free]++
		}
	}
	for i := range f.parts {
		x := &f.parts[i]
		x.alone = !slices.ContainsFunc(x.frees, func(free *ir.Op) bool { return sharers[free] > 1 })
		x.stack = x.alone && x.size <= f.options.StackBelow && x.space == nil
	}
	for _, call := range f.calling {
		n := f.needs[f.callee(call)]
		begin, _ := f.times.Of(call)
		live := []plan.Interval{{Lower: begin, Upper: begin + 1}}
		if n == nil {
			continue
		}
		if n.other > 0 {
			f.others = append(f.others, other{Buffer: plan.Buffer{Size: n.other, Live: live}})
		}
		for _, a := range n.arenas {
			f.parts = append(f.parts, part{call: call, space: a.space, size: a.size, alignment: a.alignment, live: live})
		}
	}
}

func intervals(spans []analysis.Span) []plan.Interval {
	out := make([]plan.Interval, len(spans))
	for i, s := range spans {
		out[i] = plan.Interval{Lower: s.Lower, Upper: s.Upper}
	}
	return out
}

// canPlan tells whether a buffer can become a part of an arena, if its frees can go.
func (f *functionPlanner) canPlan(v *ir.Value, l *analysis.Lifetime) bool {
	t := v.Type().(*ir.MemRefType)
	if l.Escape != 0 || l.Leaked || l.Overlaps || t.Layout != nil || storageOf(v) == 0 || !f.inSpace(t.Space) {
		return false
	}
	ok := true
	f.buffers.Names(v, func(name *ir.Value) {
		if ok = ok && ir.IsMemRef(name.Type()); !ok {
			return
		}
		for u := name.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			m, call := iface.Call.Of(op)
			if f.storesAddress(op) {
				ok = false // what is freed may be decided by it
			}
			if !call {
				continue
			}
			for i := range op.NumOperands() {
				ok = ok && !f.holdsAddress(op.Operand(i))
			}
			if callee := f.callee(op); callee == nil {
				// What has no body uses its arguments only.
				ok = ok && !f.calls.HasBody(op)
			} else if start, _ := m.Args(op); f.freesArgument(op, u.Index()-start) {
				ok = false
			}
		}
	})
	return ok
}

// storesAddress tells whether an operation writes an address to memory.
func (f *functionPlanner) storesAddress(op *ir.Op) bool {
	effects, _ := iface.EffectsOf(op)
	if !slices.ContainsFunc(effects, func(e iface.Effect) bool { return e.Kind == iface.Write }) {
		return false
	}
	for i := range op.NumOperands() {
		if v := op.Operand(i); !ir.IsMemRef(v.Type()) && !ir.IsTensor(v.Type()) && f.buffers.IsAddress(v) {
			return true
		}
	}
	return false
}

// holdsAddress tells whether addresses are written to a buffer.
func (f *functionPlanner) holdsAddress(v *ir.Value) bool {
	if !ir.IsMemRef(v.Type()) {
		return false
	}
	t, only := f.buffers.Only(v)
	if !only {
		return false
	}
	holds, known := f.addresses[t]
	if !known {
		f.buffers.Uses(t, func(u *ir.Use) { holds = holds || f.storesAddress(u.Owner()) })
		if f.addresses == nil {
			f.addresses = map[*ir.Value]bool{}
		}
		f.addresses[t] = holds
	}
	return holds
}

func (f *functionPlanner) inSpace(space ir.Attribute) bool {
	switch f.options.Space {
	case "":
		return true
	case "default":
		return space == nil
	}
	return space != nil && spaceName(space) == f.options.Space
}

// onlyFrees tells whether an operation does nothing but free one buffer that is one of the
// candidates.
func (f *functionPlanner) onlyFrees(op *ir.Op, candidates map[*ir.Value]bool) bool {
	if !op.Is(memref.Dealloc) || !f.buffers.IsLocal(op.Operand(0)) {
		return false
	}
	ok := true
	f.buffers.Terminals(op.Operand(0), func(t *ir.Value) { ok = ok && candidates[t] })
	return ok
}

// storageOf returns how many bytes a buffer of static size takes; 0 if that isn't known.
func storageOf(v *ir.Value) int64 {
	if _, vectors := ir.ElementType(v.Type()).(*ir.VectorType); vectors {
		return 0 // how they are padded, and aligned, depends on the machine
	}
	if n, static := footprint.StaticSize(v.Type()); static && n < 1<<61 {
		return n
	}
	return 0
}
