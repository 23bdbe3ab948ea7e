package pass

import "freehold/ir"

// Body is what a pass does. Make one with [OnModule], [Prepared], [OnFunction] or
// [OnFunctions].
type Body[O any] struct {
	start func(c *ir.Context, o *O) work
}

// work is what the runs of an instance have in common during one run of its pipeline.
type work struct {
	// run does the work on an operation as a whole; if it is nil, the rest does it on
	// functions.
	run    func(c *Context, op *ir.Op) error
	parts  func(op *ir.Op) []*ir.Op
	begin  func(c *Context, op *ir.Op) any
	worker func(*ir.Arena) worker
	end    func(c *Context, op *ir.Op, shared any) []*ir.Op
}

// worker runs a pass on one function after another.
type worker func(c *Context, shared any, fn *ir.Op) error

// OnModule is the body of a pass that works on an operation as a whole. run touches
// nothing outside of the operation. An [ir.Diagnostic] or [ir.Diagnostics] that it returns
// is reported as it is; empty Diagnostics mean that the pass failed without a message of
// its own.
func OnModule[O any](run func(c *Context, o *O, op *ir.Op) error) Body[O] {
	return Prepared(func(_ *ir.Context, o *O) func(*Context, *ir.Op) error {
		return func(c *Context, op *ir.Op) error { return run(c, o, op) }
	})
}

// Prepared is [OnModule] for a pass whose runs share something, such as a set of patterns:
// start makes it, once for each place of the pass in a pipeline, and returns what runs on
// operations, possibly on several at a time.
func Prepared[O any](start func(c *ir.Context, o *O) func(c *Context, op *ir.Op) error) Body[O] {
	return Body[O]{func(c *ir.Context, o *O) work { return work{run: start(c, o)} }}
}

// OnFunction is the body of a pass that works on one function after another, and needs
// to know nothing of the others. The runner works on several functions at a time, and
// sends each through neighbouring passes of this kind, and the verifier, before it turns
// to the next: its operations are in the processor's cache then.
//
// What run gets is a function, or another operation that is isolated from above, with
// something in it. If the pass is run on an operation that also holds others, such as a
// module with an scf.for, it is that operation: then fn is the module.
func OnFunction[O any](run func(c *Context, o *O, fn *ir.Op) error) Body[O] {
	return OnFunctions(func(_ *ir.Context, o *O) Functions[None] {
		return Functions[None]{Worker: func(*ir.Arena) func(*Context, None, *ir.Op) error {
			return func(c *Context, _ None, fn *ir.Op) error { return run(c, o, fn) }
		}}
	})
}

// Functions is how a pass works on functions, in full. S is what it knows about the
// operation around them.
type Functions[S any] struct {
	// Parts lists the operations in op that the pass changes, each without looking at what
	// may change in the others, in the order of the program: op itself, or isolated
	// operations in it (see [ir.Divide]). All else in op stays as it is until End. Parts
	// is called before other passes have worked on the parts, so it looks only at what is
	// around them. If it is nil, the parts are all functions in op.
	Parts func(op *ir.Op) []*ir.Op
	// Begin looks at what is around the parts of op, and returns what the work on them
	// shares, on several goroutines. May be nil.
	Begin func(c *Context, op *ir.Op) S
	// Worker returns what runs the pass on one part after another, of any operation, on
	// one goroutine. So it may keep memory from one part to the next. The arena is for
	// what it creates, and for what it erases and nobody needs when the part has gone
	// through the passes that work on it in turn.
	Worker func(*ir.Arena) func(c *Context, shared S, part *ir.Op) error
	// End ends the work on op when it has succeeded on all parts, and returns parts that
	// it added to the program, on which later passes have to work, too. It changes nothing
	// else. May be nil.
	End func(c *Context, shared S, op *ir.Op) (added []*ir.Op)
}

// OnFunctions is [OnFunction] for a pass that keeps memory from one function to the next,
// or knows something about the operation around them. start is called once for each place
// of the pass in a pipeline.
func OnFunctions[O, S any](start func(c *ir.Context, o *O) Functions[S]) Body[O] {
	return Body[O]{func(c *ir.Context, o *O) work {
		f := start(c, o)
		w := work{parts: f.Parts}
		if w.parts == nil {
			w.parts = functionsIn
		}
		w.begin = func(c *Context, op *ir.Op) any {
			var shared S
			if f.Begin != nil {
				shared = f.Begin(c, op)
			}
			return shared
		}
		w.worker = func(a *ir.Arena) worker {
			run := f.Worker(a)
			return func(c *Context, shared any, part *ir.Op) error { return run(c, shared.(S), part) }
		}
		if f.End != nil {
			w.end = func(c *Context, op *ir.Op, shared any) []*ir.Op { return f.End(c, shared.(S), op) }
		}
		return w
	}}
}

// functionsIn lists the functions in op, or op if it doesn't hold only functions and
// other symbols.
func functionsIn(op *ir.Op) []*ir.Op { return ir.Divide(op, func(*ir.Op) bool { return true }) }
