// Package reuse makes programs on buffers need less memory.
package reuse

import (
	"fmt"
	"sync/atomic"
	"time"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/memory/plan"
	"freehold/pass"
)

// lastUse is what free-after-last-use counts.
type lastUse struct{ frees, moved pass.Counter }

func (n *lastUse) declare(d *pass.Decl) {
	d.Counter(&n.frees, "num-frees", "operations that free buffers")
	d.Counter(&n.moved, "num-moved", "those that were moved to an earlier place")
}

// liveness is what optimize-allocation-liveness counts.
type liveness struct{ moved pass.Counter }

func (n *liveness) declare(d *pass.Decl) {
	d.Counter(&n.moved, "num-moved", "deallocations that were moved")
}

// elided is the option of elide-copies, and what it counts.
type elided struct {
	near                  bool
	filled, elided, early pass.Counter
	tookEarly             atomic.Bool
}

// TookEarly tells whether the pass, at this place of a pipeline, has made anything in a target that is there earlier for that, while other buffers are allocated.
func (n *elided) TookEarly() bool { return n.tookEarly.Load() }

func (n *elided) declare(d *pass.Decl) {
	d.Bool(&n.near, "near", false, "Leave copies for which the target would be there while other buffers are allocated, for when `reuse-buffers` has run")
	d.Counter(&n.filled, "num-filled", "copies of constants that became fills")
	d.Counter(&n.elided, "num-elided", "copies whose source is made in the target")
	d.Counter(&n.early, "num-early", "those of them whose target is there earlier for that, while other buffers are allocated")
}

// views is what views-for-moves counts.
type views struct{ views pass.Counter }

func (n *views) declare(d *pass.Decl) {
	d.Counter(&n.views, "num-views", "buffers that became views")
}

// reused is the options of reuse-buffers, and what it counts.
type reused struct {
	ReuseOptions
	inPlace, served pass.Counter
}

func (p *reused) declare(d *pass.Decl) {
	d.Bool(&p.InPlace, "in-place", true, "Let operations write over operands that die there")
	d.Bool(&p.Rotate, "rotate", true, "Let loops use one buffer again, or two in turn, instead of allocating one in each iteration")
	d.Bool(&p.Static, "static", true, "Let freed buffers of static size serve others; before plan-memory, which does that better, it is of no use")
	d.Counter(&p.inPlace, "num-in-place", "operations that write over an operand")
	d.Counter(&p.served, "num-served", "buffers that one that was freed serves for")
}

// planPass is the options of plan-memory as they are written, and what it counts.
type planPass struct {
	arena                                   ArenaKind
	alignment, capacity, steps, stackBelow  int
	solver, space, limit                    string
	memories                                []string
	report                                  bool
	planned, arenas, bytes, bound, promoted pass.Counter
}

func (p *planPass) declare(d *pass.Decl) {
	pass.Enum(d, &p.arena, "arena", ArenaAlloc, "Where the memory comes from: `alloc`, `argument` (callers bring it) or `global`",
		pass.Choice[ArenaKind]{Name: "alloc", Value: ArenaAlloc}, pass.Choice[ArenaKind]{Name: "argument", Value: ArenaArgument}, pass.Choice[ArenaKind]{Name: "global", Value: ArenaGlobal})
	d.Int(&p.alignment, "alignment", 16, "Alignment in bytes of buffers that ask for none, a power of two")
	d.Int(&p.capacity, "capacity", 0, "Fail if an arena would take more bytes than these; 0 is no limit")
	d.String(&p.space, "memory-space", "", "Plan only the buffers of this memory space, as it is written; `default` is that without a name")
	d.Strings(&p.memories, "memories", "The memories that there are, as NAME:BYTES:SPACE:COST: each buffer goes to one of them, and to the one that costs least for each byte that is read or written, "+
		"of equal ones the first, as long as it has room")
	d.String(&p.solver, "solver", "auto", "How offsets are found: `auto`, `heuristic`, `best-fit`, `first-fit`, `skyline` or `exact`")
	d.String(&p.limit, "time-limit", "", "End the search for a better plan after this time, such as `500ms`; then plans may differ from run to run")
	d.Int(&p.steps, "search-steps", 100000, "End the search for a better plan after about so many steps; 0 is never")
	d.Int(&p.stackBelow, "stack-below", 0, "Put buffers of at most so many bytes on the stack")
	d.Bool(&p.report, "report", false, "Print the plans to the error stream")
	d.Check(func() error {
		_, err := p.options()
		return err
	})
	d.Counter(&p.planned, "num-planned", "buffers that became parts of an arena")
	d.Counter(&p.arenas, "num-arenas", "arenas")
	d.Counter(&p.bytes, "arena-bytes", "bytes of all arenas")
	d.Counter(&p.bound, "lower-bound-bytes", "bytes that no plan can do with less")
	d.Counter(&p.promoted, "num-on-stack", "buffers that were put on the stack")
}

func (p *planPass) options() (o PlanOptions, err error) {
	o = PlanOptions{Arena: p.arena, Alignment: int64(p.alignment), Capacity: int64(p.capacity), NodeLimit: int64(p.steps), Space: p.space, StackBelow: int64(p.stackBelow)}
	if o.Memories, err = parseMemories(p.memories); err != nil {
		return o, err
	}
	if len(o.Memories) > 0 && (p.space != "" || p.capacity != 0) {
		return o, fmt.Errorf("memories has the capacities, and all memory spaces: capacity and memory-space can't be given with it")
	}
	if o.Solver, err = plan.ParseSolver(p.solver); err != nil {
		return o, err
	}
	if p.limit != "" {
		if o.TimeLimit, err = time.ParseDuration(p.limit); err != nil || o.TimeLimit <= 0 {
			return o, fmt.Errorf("the time limit %q is no time above zero, such as 500ms", p.limit)
		}
	}
	if a := o.Alignment; a <= 0 || a&(a-1) != 0 {
		return o, fmt.Errorf("the alignment %d is no power of two", a)
	}
	if o.Capacity < 0 || o.NodeLimit < 0 || o.StackBelow < 0 {
		return o, fmt.Errorf("capacity, search-steps and stack-below can't be below zero")
	}
	return o, nil
}

// The passes.
var (
	LastUsePass = pass.New(pass.Info{
		Name: "free-after-last-use", Title: "FreeAfterLastUse",
		Summary: "Free buffers after their last use in a block",
		Description: `Moves what only frees buffers up to the place after the last operation of its block that may use the
buffer, by whatever name: ` + "`bufferization.dealloc`, `memref.dealloc`" + `, and these under conditions. The peak of
live memory gets smaller. On a module, the pass knows what functions do with the buffers that are passed to them, and
which results are theirs alone. This pass is freehold's own.`,
	}, (*lastUse).declare, pass.OnModule(func(c *pass.Context, n *lastUse, op *ir.Op) error {
		count(c, inFunctions(op, c.Threads(), freeEarly), &n.moved, &n.frees)
		return nil
	}))
	AllocationLivenessPass = pass.New(pass.Info{
		Name: "optimize-allocation-liveness", Title: "OptimizeAllocationLiveness",
		Summary: "Free each allocation after the last operation in its block that uses it",
		Description: `Moves the only deallocation of an allocation, if both are in the same block, behind the last operation of
the block that uses the buffer by one of its names. This is the pass of LLVM 22; MLIR 19 has none of that name.
` + "`free-after-last-use`" + ` also knows frees under conditions, results of calls, and addresses. Where the pass of LLVM 22
makes programs invalid (the only free of a buffer is a ` + "`memref.realloc`" + `), this one leaves them alone.`,
		On: pass.Function,
	}, (*liveness).declare, pass.OnModule(func(c *pass.Context, n *liveness, op *ir.Op) error {
		count(c, counts{OptimizeAllocationLiveness(op)}, &n.moved)
		return nil
	}))
	ExchangePass = pass.New(pass.Info{
		Name: "exchange-carried-buffers", Title: "ExchangeCarriedBuffers",
		Summary: "Let the buffers that a loop carries change places",
		Description: `Lets the iterations of a loop that hand on new copies of the buffers that they were given, and free these, each of them once, in whatever order, hand on the buffers
themselves: as in a simulation that writes each state over the last but one. The loop must be given new buffers that nothing else uses then. Linear time. This pass is freehold's own.`,
	}, nil, pass.OnFunction(func(c *pass.Context, _ *pass.None, fn *ir.Op) error {
		if ExchangeBuffers(fn) == 0 {
			c.Unchanged()
		}
		return nil
	}))
	ElideCopiesPass = pass.New(pass.Info{
		Name: "elide-copies", Title: "ElideCopies",
		Summary: "Remove copies of buffers whose source is constant or dies",
		Description: `A copy of a constant whose elements are all the same becomes a ` + "`linalg.fill`" + `, and so does a copy of
a buffer that holds what it was filled with; the buffer goes if nothing else reads it. If a buffer is copied and then
only freed, it is made where it is copied to in the first place, also in a part of a larger buffer, whose allocation moves
up for that, unless the function would need more memory at a time then; nothing else may use the target meanwhile. What
sees parts of the buffer, or sees it in another shape, does so there. If the buffer is still read after it was copied, it is read where
it was copied to, which is freed later, as long as nothing is written there. The pass works on programs in which buffers are freed. It is
freehold's own.`,
	}, (*elided).declare, pass.OnModule(func(c *pass.Context, n *elided, op *ir.Op) error {
		all := inFunctions(op, c.Threads(), func(fn *ir.Op, calls *analysis.CallSummaries) counts {
			filled, elided, early := ElideCopies(fn, calls, n.near)
			return counts{filled, elided, early}
		})
		if all[2] > 0 {
			n.tookEarly.Store(true)
		}
		count(c, all, &n.filled, &n.elided, &n.early)
		return nil
	}))
	ViewsForMovesPass = pass.New(pass.Info{
		Name: "views-for-moves", Title: "ViewsForMoves",
		Summary: "Replace buffers that data is only moved to by views",
		Description: `What is copied or transposed into a buffer that is only read is read from where it was instead, by a view
(` + "`memref.transpose`" + `), if it isn't written meanwhile; other parts of its buffer, in slices that are apart, may be. It is freed after the last
use of the view, unless the function would need more memory at a time then. Readers, and what sees parts of the buffer or sees it in
another shape, get other strides then, of which nothing but the order of accesses changes. The pass works on programs in which buffers are freed. It is freehold's own.`,
	}, (*views).declare, pass.OnModule(func(c *pass.Context, n *views, op *ir.Op) error {
		count(c, inFunctions(op, c.Threads(), func(fn *ir.Op, calls *analysis.CallSummaries) counts { return counts{ViewsForMoves(fn, calls)} }), &n.views)
		return nil
	}))
	ReuseBuffersPass = pass.New(pass.Info{
		Name: "reuse-buffers", Title: "ReuseBuffers",
		Summary: "Let operations write over operands that die, and freed buffers serve again",
		Description: `A structured operation that writes each element of a new buffer once, and reads an operand of the same type at
the same place, writes over that operand, if nothing needs it any more; where it writes a part of a buffer, or to another
layout, such as inside of a padding, the operand is made there, unless the function would need more memory at a time then. So it
writes over an operand that comes from elsewhere, such as from the iteration before, and that is freed in its block; a copy goes then. A loop that in each iteration copies
what it hands on, and frees it but in the first one, copies before the first one instead. A loop that allocates a buffer in
each iteration (of scf.for, or of either region of scf.while) and frees the one of the iteration before uses that one again, if it isn't needed any more then, or two in turn, with the same condition. A buffer that is freed serves the next one in its
block that has the same type and sizes, also dynamic ones, or, where both are of static size, is no larger: as another view, or, if the
elements are others, both are views of bytes; not if the function would need more memory at a time then. The pass works on programs in which buffers are freed. It is freehold's own.`,
	}, (*reused).declare, pass.OnModule(func(c *pass.Context, p *reused, op *ir.Op) error {
		count(c, inFunctions(op, c.Threads(), func(fn *ir.Op, calls *analysis.CallSummaries) counts {
			inPlace, served := ReuseBuffers(fn, calls, p.ReuseOptions)
			return counts{inPlace, served}
		}), &p.inPlace, &p.served)
		return nil
	}))
	PlanMemoryPass = pass.New(pass.Info{
		Name: "plan-memory", Title: "PlanMemory",
		Summary: "Put the buffers of a function into one arena",
		Description: `The buffers that a function allocates and frees, wherever in its control flow, become views
(` + "`memref.view`" + `) of one buffer of bytes for each memory space, the arena. The offsets of buffers of static size are computed when the program
is compiled; if a function has others whose sizes can be computed when it begins, its offsets and the size of the arena are computed then. Buffers that are never alive at the same time share memory. The arena is marked ` + "`freehold.arena`" + `, by which
` + "`freehold run`" + ` knows that a part of it must not be read after another one that overlaps was written.

A private function all of whose callers are known gets its arena from them, as an argument; theirs has a part for it.
With ` + "`arena=argument`" + ` all functions do: the type of the last arguments tells how many bytes they need, and the attribute
` + "`freehold.arena`" + ` of the arguments with which alignment; where the type doesn't tell, ` + "`freehold.arena_size`" + ` names a function that returns how many for the
arguments before. With ` + "`arena=global`" + ` functions that nothing in the program
calls have their arena in a global.

What has a size that is only known later, is returned, may be freed by a function that it is passed to, is held by several iterations of a loop
at the same time, or can be reached in ways that can't be followed, stays as it is; so do buffers in bodies of parallel
loops. Where the peak would get larger, since the arena lives longer than what is in it, a few large buffers stay apart, or all but those that are alive only before, after or between some moments, in arenas of their
own if they can, or the function is left alone; where it would by alignment, parts are aligned to what they need, and no longer to what they ask for. An arena whose size is computed is made where its size, and what is alive beside it, is no more than
a peak before, whatever the sizes are, or where it is asked for.

With ` + "`memories=fast:262144:1:1,slow:67108864:0:4`" + ` each buffer goes to one of several memories, and gets the memory space of it: the one that costs least for the bytes that
are read and written in it, of equal ones the first, as long as it has room. What the program itself has in a memory space stays there, and what is returned or passed on in the default one. Arguments, constants, and
buffers that are read often are copied to a cheaper memory before, if that saves more than it costs. Each memory has an arena of its own, and no more is needed in it at a time than it has; else the program
is refused, as it is if that isn't known. The pass works on programs in which buffers are freed. It
is freehold's own.`,
	}, (*planPass).declare, pass.OnModule(func(c *pass.Context, p *planPass, op *ir.Op) error {
		o, err := p.options()
		if err != nil {
			return op.PlainErrorf("%v", err)
		}
		done, err := PlanMemory(op, o)
		if err != nil {
			return err
		}
		for i := range done.Arenas {
			a := &done.Arenas[i]
			p.planned.Add(a.buffers())
			if a.dynamic == nil {
				p.bytes.Add(int(a.Solution.Peak))
				p.bound.Add(int(a.Solution.LowerBound))
			}
			if p.report {
				c.Print(a.report())
			}
		}
		p.arenas.Add(len(done.Arenas))
		p.promoted.Add(done.Promoted)
		if len(done.Arenas)+done.Promoted == 0 {
			c.Unchanged()
		}
		return nil
	}))
)

// count adds what a pass did to its counters.
func count(c *pass.Context, n counts, counters ...*pass.Counter) {
	for i, counter := range counters {
		counter.Add(n[i])
	}
	if n == (counts{}) {
		c.Unchanged()
	}
}

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LastUsePass, ExchangePass, AllocationLivenessPass, ElideCopiesPass, ViewsForMovesPass, ReuseBuffersPass, PlanMemoryPass)
}
