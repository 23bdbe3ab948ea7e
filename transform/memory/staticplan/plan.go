package staticplan

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Algorithm is how buffers get their places.
type Algorithm uint8

const (
	// Trivial puts one buffer behind the other.
	Trivial Algorithm = iota
	// BestFit lets buffers share memory that aren't alive at the same time.
	BestFit
)

// Where the arena comes from.
const (
	// Allocate has the function allocate and free it.
	Allocate = "allocate"
	// Argument takes the first argument of the function, of which the caller knows that it is large enough.
	Argument = "arg"
)

// Options of [Run].
type Options struct {
	Algorithm Algorithm
	// Mode is Allocate or Argument.
	Mode string
}

// Result is what [Run] did.
type Result struct {
	// Planned is the number of buffers that became views of the arena, Dynamic that of those whose size isn't constant, and Nested that
	// of those that aren't allocated directly in the function's entry block, or are freed by what may free such a one.
	Planned, Dynamic, Nested int
}

// candidate is an allocation that may become a view of the arena.
type candidate struct {
	lifetime
	alloc    memref.AllocOp
	deallocs []*ir.Op
}

// planner plans one function.
type planner struct {
	fn      *ir.Op
	entry   *ir.Block
	index   map[*ir.Op]int // of the operations in the entry block
	buffers *analysis.Buffers
	// freed are the allocations that a deallocation may free.
	freed map[*ir.Op][]*ir.Op
	Result
}

// Run puts the buffers of constant size that fn allocates directly in its entry block, and frees, into one arena. Errors are those of the
// planner of LLVM: a function that returns a buffer, an allocation that nothing frees, or that is freed outside of the entry block
// and what is nested in it, an unknown mode, or an argument that is no arena. The time is that of the names of all buffers, and quadratic in the number of planned ones.
func Run(fn *ir.Op, o Options) (Result, error) {
	f, ok := interfaces.Function.Of(fn)
	if ok && slices.ContainsFunc(f.Type(fn).Results, ir.IsMemRef) {
		return Result{}, fn.PlainErrorf("static-memory-planner does not support functions with memref return types")
	}
	if fn.RegionAt(0).Empty() {
		return Result{}, nil
	}
	p := &planner{fn: fn, entry: fn.BodyBlock(0)}
	candidates, err := p.candidates()
	if err != nil || len(candidates) == 0 {
		return p.Result, err
	}
	list := make([]*lifetime, len(candidates))
	for i, c := range candidates {
		list[i] = &c.lifetime
	}
	if o.Algorithm == BestFit {
		placeBestFit(list)
	} else {
		placeInTurn(list)
	}
	arena, err := p.arena(o.Mode, candidates, list)
	if err != nil {
		return Result{}, err
	}
	p.Planned = len(candidates)
	p.rewrite(arena, candidates)
	return p.Result, nil
}

// candidates returns the allocations that can be planned, in order.
func (p *planner) candidates() ([]*candidate, error) {
	var allocs []memref.AllocOp
	p.fn.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Alloc) {
			allocs = append(allocs, memref.AllocOp{Op: op})
		}
		return true
	})
	if len(allocs) == 0 {
		return nil, nil
	}
	p.number()
	p.buffers = analysis.NewBuffers(p.fn, analysis.BufferOptions{})
	p.findFreed(allocs)
	var out []*candidate
	for _, a := range allocs {
		switch {
		case ir.NumDynamic(a.Type().Shape) > 0:
			p.Dynamic++
		case a.Block() != p.entry:
			p.Nested++
		default:
			c, err := p.candidate(a)
			if err != nil {
				return nil, err
			}
			if c != nil {
				out = append(out, c)
			}
		}
	}
	return p.freedTogether(out), nil
}

func (p *planner) number() {
	p.index = map[*ir.Op]int{}
	for op := range p.entry.Ops() {
		p.index[op] = len(p.index)
	}
}

// findFreed finds what each deallocation may free.
func (p *planner) findFreed(allocs []memref.AllocOp) {
	p.freed = map[*ir.Op][]*ir.Op{}
	for _, a := range allocs {
		p.buffers.Uses(a.Result(0), func(u *ir.Use) {
			if u.Owner().Is(memref.Dealloc) {
				p.freed[u.Owner()] = append(p.freed[u.Owner()], a.Op)
			}
		})
	}
}

// candidate returns what is known of an allocation in the entry block; nil if it can't become a view of bytes, or what uses it can't be
// followed.
func (p *planner) candidate(a memref.AllocOp) (*candidate, error) {
	c := &candidate{alloc: a}
	movable := true
	p.buffers.Uses(a.Result(0), func(u *ir.Use) {
		op := u.Owner()
		at := p.entry.AncestorIn(op)
		switch {
		case op.Is(memref.Dealloc):
			c.deallocs = append(c.deallocs, op)
		case at == nil || interfaces.HasEffect(op, interfaces.Free, u.Value()):
			movable = false
		}
		if at != nil {
			// A use behind all deallocations is one on a path without them.
			c.end = max(c.end, p.index[at])
		}
	})
	if len(c.deallocs) == 0 {
		return nil, a.PlainErrorf("no dealloc found; run the deallocation pipeline before this pass")
	}
	nested := false
	for _, d := range c.deallocs {
		if p.entry.AncestorIn(d) == nil {
			return nil, a.PlainErrorf("unstructured control flow is not supported")
		}
		nested = nested || slices.ContainsFunc(p.freed[d], func(x *ir.Op) bool { return x.Block() != p.entry })
	}
	if nested {
		p.Nested++
		return nil, nil
	}
	size, known := bytesOf(a.Type())
	if !movable || !known || len(a.SymbolOperands()) > 0 {
		return nil, nil
	}
	c.size, c.align, c.natural, c.start = size, 1, ir.StorageAlignment(a.Type().Elem), p.index[a.Op]
	if n, ok := a.Alignment(); ok {
		c.align = n
	}
	return c, nil
}

// freedTogether returns the candidates of which no deallocation may free anything else.
func (p *planner) freedTogether(list []*candidate) []*candidate {
	for {
		in := map[*ir.Op]bool{}
		for _, c := range list {
			in[c.alloc.Op] = true
		}
		n := len(list)
		list = slices.DeleteFunc(list, func(c *candidate) bool {
			return slices.ContainsFunc(c.deallocs, func(d *ir.Op) bool {
				return !p.buffers.IsLocal(memref.DeallocOp{Op: d}.MemRef()) || slices.ContainsFunc(p.freed[d], func(a *ir.Op) bool { return !in[a] })
			})
		})
		if len(list) == n {
			return list
		}
	}
}

// bytesOf returns the size of a buffer that may be a view of bytes.
func bytesOf(t *ir.MemRefType) (int64, bool) {
	n := ir.StorageBytes(t.Elem)
	if n <= 0 || t.Space != nil || !t.HasIdentityLayout() {
		return 0, false
	}
	for _, d := range t.Shape {
		if d != 0 && n > math.MaxInt64/16/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// arena makes the buffer that holds all candidates, which have their places.
func (p *planner) arena(mode string, candidates []*candidate, list []*lifetime) (*ir.Value, error) {
	size, align := extent(list)
	switch mode {
	case Allocate:
		return p.allocate(candidates, size, align), nil
	case Argument:
		if p.entry.NumArgs() == 0 {
			return nil, p.fn.PlainErrorf("arena-mode=arg requires at least one function argument")
		}
		t, ok := p.entry.Arg(0).Type().(*ir.MemRefType)
		if !ok || len(t.Shape) != 1 || t.Elem != ir.Type(ir.I8) {
			return nil, p.fn.PlainErrorf("arena-mode=arg requires first argument to be memref<...xi8>")
		}
		return p.entry.Arg(0), nil
	}
	return nil, p.fn.PlainErrorf("invalid arena-mode: '%s' (must be 'allocate' or 'arg')", mode)
}

// allocate allocates the arena before the first candidate, and frees it when the last one isn't needed any more.
func (p *planner) allocate(candidates []*candidate, size, align int64) *ir.Value {
	first, last := candidates[0].alloc.Op, 0
	for _, c := range candidates {
		last = max(last, c.end)
	}
	b := ir.NewBuilder(p.fn.Context())
	b.SetBefore(first)
	b.Loc = first.Loc()
	arena := memref.NewAlloc(b, p.fn.Context().MemRefOf([]int64{size}, ir.I8, nil, nil), nil, align)
	for op, i := range p.index {
		if i == last {
			b.SetAfter(op)
			memref.NewDealloc(b, arena)
		}
	}
	return arena
}

// rewrite makes the candidates views of the arena.
func (p *planner) rewrite(arena *ir.Value, candidates []*candidate) {
	b := ir.NewBuilder(p.fn.Context())
	for _, c := range candidates {
		b.SetBefore(c.alloc.Op)
		b.Loc = c.alloc.Loc()
		view := memref.NewView(b, c.alloc.Type(), arena, arith.ConstantIndex(b, c.offset))
		c.alloc.Result(0).ReplaceAllUsesWith(view)
	}
	erased := map[*ir.Op]bool{}
	for _, c := range candidates {
		for _, d := range c.deallocs {
			if !erased[d] {
				erased[d] = true
				d.Erase()
			}
		}
	}
	for _, c := range candidates {
		c.alloc.Erase()
	}
}
