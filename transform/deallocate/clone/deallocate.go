package clone

import (
	"sync"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Options say what [Deallocate] may rely on.
type Options struct {
	// Boundary tells that functions follow the function boundary ABI: the caller frees what a call returns. So results of
	// calls are freed like allocations, and what a function returns is copied unless it is its own.
	Boundary bool
}

// Counts tell what [Deallocate] did.
type Counts struct {
	Clones, Frees, Moved int
	// Edges is the number of blocks that were added.
	Edges int
}

// Deallocate frees all that a function allocates: MLIR's buffer-deallocation. dom must be the dominance of fn; it isn't that of the
// result if blocks were added. It fails if control flow forms loops, if allocations don't say how they are
// freed, or if fn frees its arguments though its callers do, all with fn as it was, or if an operation frees what the function doesn't pass on and a copy would be passed on, or if somebody may see what is written to one of a buffer and its copy and not to the other, in functions that
// are marked by [interfaces.IdentityAttr], and returns warnings for operations with regions that it doesn't understand, as MLIR does,
// or with function boundaries fails if these pass buffers on.
//
// It is near-linear in the program, but for owners that have to be freed in several places: each of them takes time in
// the blocks in which it is alive.
func Deallocate(fn *ir.Op, dom *ir.Dominance, o Options) (n Counts, unknown []*ir.Diagnostic, err error) {
	if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
		return n, nil, nil
	}
	if err := checkLoops(fn); err != nil {
		return n, nil, err
	}
	if err := analysis.CheckPending(fn); err != nil {
		return n, nil, err
	}
	if !o.Boundary {
		unknown = unknownControl(fn)
	} else if err := unknownBuffers(fn); err != nil {
		return n, nil, err
	}
	d := &deallocation{fn: fn, dom: dom, opts: o, b: ir.NewBuilder(fn.Context()),
		copied: map[*ir.Value]bool{}, inFlight: map[*ir.Value]bool{}, added: map[*ir.Block]bool{}}
	d.decides = sync.OnceValue(func() bool { return decidesIn(fn) })
	d.identity = fn.Attr(interfaces.IdentityAttr) != nil
	d.analyse()
	if err := d.findOwners(); err != nil {
		return n, unknown, err
	}
	if err := d.checkArguments(); err != nil {
		return n, unknown, err
	}
	if len(d.owners) == 0 && !o.Boundary {
		return n, unknown, nil
	}
	if o.Boundary && d.takeFrees() {
		if err := d.findCopied(); err != nil {
			return n, unknown, err
		}
	}
	d.findInFlight()
	if err := d.findMoved(); err != nil {
		return n, unknown, err
	}
	if err := d.clone(); err != nil {
		return n, unknown, err
	}
	if d.clones > 0 {
		d.analyse()
	}
	for _, v := range d.order {
		if !d.inFlight[v] {
			d.addAllocation(owner{value: v})
		}
	}
	if err := d.cloneReturned(); err != nil {
		return n, unknown, err
	}
	if len(d.added) > 0 {
		d.dom = ir.NewDominance()
	}
	d.postDom = ir.NewPostDominance()
	d.free()
	return Counts{d.clones, d.frees, d.moved, len(d.added)}, unknown, nil
}

// deallocation is the work on one function.
type deallocation struct {
	fn      *ir.Op
	opts    Options
	dom     *ir.Dominance
	postDom *ir.PostDominance
	buffers *analysis.Buffers
	b       *ir.Builder
	// identity tells that it matters which buffer a value is.
	identity bool
	// decides tells whether some operation decides by what is passed on what it frees.
	decides func() bool
	// owners are the allocations, and then the values that get copies.
	owners []owner
	// several are the values that would be owners if several operations didn't free them.
	several []*ir.Value
	// copied are the values that get copies, in the order in which they do.
	copied map[*ir.Value]bool
	order  []*ir.Value
	// inFlight are copies, and other buffers, that are passed on to such a value already, for good.
	inFlight map[*ir.Value]bool
	added    map[*ir.Block]bool // blocks that were put on edges

	clones, frees, moved int
}

// analyse looks at the buffers of the function as it is now.
func (d *deallocation) analyse() {
	d.buffers = analysis.NewBuffers(d.fn, analysis.BufferOptions{Boundary: d.opts.Boundary, Calls: &analysis.CallSummaries{}})
}
