// Package reuse makes programs on buffers need less memory.
package reuse

import (
	"fmt"
	"sync"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/pass"
	"freehold/plan"
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

// elided is what elide-copies counts.
type elided struct{ filled, elided pass.Counter }

func (n *elided) declare(d *pass.Decl) {
	d.Counter(&n.filled, "num-filled", "copies of constants that became fills")
	d.Counter(&n.elided, "num-elided", "copies whose source is made in the target")
}

// views is what views-for-moves counts.
type views struct{ views pass.Counter }

func (n *views) declare(d *pass.Decl) {
	d.Counter(&n.views, "num-views", "buffers that became views")
}

// planPass is the options of plan-memory as they are written, and what it counts.
type planPass struct {
	alignment, capacity, steps int
	solver                     string
	planned, arena, bound      pass.Counter
}

func (p *planPass) declare(d *pass.Decl) {
	d.Int(&p.alignment, "alignment", 16, "Alignment in bytes of buffers that ask for none, a power of two")
	d.Int(&p.capacity, "capacity", 0, "Fail if an arena would take more bytes than these; 0 is no limit")
	d.String(&p.solver, "solver", "auto", "How offsets are found: `auto`, `heuristic`, `best-fit`, `first-fit`, `skyline` or `exact`")
	d.Int(&p.steps, "search-steps", 100000, "End the search for a better plan after about so many steps; 0 is never")
	d.Check(func() error {
		_, err := p.options()
		return err
	})
	d.Counter(&p.planned, "num-planned", "buffers that became parts of an arena")
	d.Counter(&p.arena, "arena-bytes", "bytes of all arenas")
	d.Counter(&p.bound, "lower-bound-bytes", "bytes that no plan can do with less")
}

func (p *planPass) options() (o PlanOptions, err error) {
	o = PlanOptions{Alignment: int64(p.alignment), Capacity: int64(p.capacity), NodeLimit: int64(p.steps)}
	if o.Solver, err = plan.ParseSolver(p.solver); err != nil {
		return o, err
	}
	if a := o.Alignment; a <= 0 || a&(a-1) != 0 {
		return o, fmt.Errorf("the alignment %d is no power of two", a)
	}
	if o.Capacity < 0 || o.NodeLimit < 0 {
		return o, fmt.Errorf("capacity and search-steps can't be below zero")
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
		On: "func.func",
	}, (*liveness).declare, pass.OnModule(func(c *pass.Context, n *liveness, op *ir.Op) error {
		count(c, counts{int64(OptimizeAllocationLiveness(op))}, &n.moved)
		return nil
	}))
	ElideCopiesPass = pass.New(pass.Info{
		Name: "elide-copies", Title: "ElideCopies",
		Summary: "Remove copies of buffers whose source is constant or dies",
		Description: `A copy of a constant whose elements are all the same becomes a ` + "`linalg.fill`" + `. If a buffer is copied and then
only freed, it is made where it is copied to in the first place, also in a part of a larger buffer, whose allocation moves
up for that; nothing else may use the target meanwhile. The pass works on programs in which buffers are freed. It is
freehold's own.`,
	}, (*elided).declare, pass.OnModule(func(c *pass.Context, n *elided, op *ir.Op) error {
		count(c, inFunctions(op, c.Threads(), ElideCopies), &n.filled, &n.elided)
		return nil
	}))
	ViewsForMovesPass = pass.New(pass.Info{
		Name: "views-for-moves", Title: "ViewsForMoves",
		Summary: "Replace buffers that data is only moved to by views",
		Description: `What is copied or transposed into a buffer that is only read is read from where it was instead, by a view
(` + "`memref.transpose`" + `), if it isn't written meanwhile; it is freed after the last use of the view, if it is no larger than
the buffer. Readers get buffers with other strides then, of which nothing but the order of accesses changes. The pass works
on programs in which buffers are freed. It is freehold's own.`,
	}, (*views).declare, pass.OnModule(func(c *pass.Context, n *views, op *ir.Op) error {
		count(c, inFunctions(op, c.Threads(), ViewsForMoves), &n.views)
		return nil
	}))
	PlanMemoryPass = pass.New(pass.Info{
		Name: "plan-memory", Title: "PlanMemory",
		Summary: "Put the buffers of static size of a function into one arena",
		Description: `The buffers of static size that a function allocates and frees in one block each become views
(` + "`memref.view`" + `) of one buffer of bytes, the arena, at offsets that are computed when the program is compiled. Buffers
that are never alive at the same time share memory. What is dynamic, is returned, is passed to functions of the program, or
can be reached in ways that can't be followed, stays as it is; so do buffers in bodies of parallel loops. A function that
calls others which allocate, or whose peak would get larger, is left alone. The pass works on programs in which buffers are
freed. It is freehold's own.`,
	}, (*planPass).declare, pass.OnModule(func(c *pass.Context, p *planPass, op *ir.Op) error {
		o, err := p.options()
		if err != nil {
			return op.PlainErrorf("%v", err)
		}
		var mu sync.Mutex
		failed := map[*ir.Op]error{}
		count(c, inFunctions(op, c.Threads(), func(fn *ir.Op, calls *analysis.CallSummaries) counts {
			n, err := PlanMemory(fn, calls, o)
			if err != nil {
				mu.Lock()
				failed[fn] = err
				mu.Unlock()
			}
			return n
		}), &p.planned, &p.arena, &p.bound)
		// The first in the program is reported.
		op.Walk(func(fn *ir.Op) bool {
			if err == nil {
				err = failed[fn]
			}
			return err == nil
		})
		return err
	}))
)

// count adds what a pass did to its counters.
func count(c *pass.Context, n counts, counters ...*pass.Counter) {
	for i, counter := range counters {
		counter.Add(int(n[i]))
	}
	if n == (counts{}) {
		c.Unchanged()
	}
}

// Register adds the passes.
func Register(r *pass.Registry) {
	for _, programs := range []string{"buffers", "blocks", "views"} {
		for _, passes := range []string{"elide-copies", "views-for-moves", "plan-memory", "elide-copies,views-for-moves,free-after-last-use,plan-memory"} {
			r.RegisterTrials(pass.Trial{Pipeline: "builtin.module(complete-buffer-deallocation-pipeline," + passes + ")", Programs: []string{programs}, Frees: true})
		}
	}
	r.RegisterTrials(pass.Trial{Pipeline: "builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map}," +
		"canonicalize,complete-buffer-deallocation-pipeline,elide-copies,views-for-moves,free-after-last-use,plan-memory,canonicalize)", Programs: []string{"tensors"}, Frees: true})
	r.Register(LastUsePass, AllocationLivenessPass, ElideCopiesPass, ViewsForMovesPass, PlanMemoryPass)
}
