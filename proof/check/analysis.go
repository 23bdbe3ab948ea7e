package check

import (
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// analysis is the symbolic execution of one function. All paths are followed at
// once: where they join, values and states become conditional on the path.
type analysis struct {
	p    *program
	fn   *ir.Op
	opts Options
	f    *formulas
	// interrupted tells that somebody wants the check to end; asked counts the questions.
	interrupted bool
	asked       uint
	// unrolled loops are executed some times; others are cut at the head, where
	// anything may hold that the loop's invariant allows.
	unroll bool

	*kernel.Machine
	// holders are, of each object on the heap, the values that pointed to it when they were computed.
	holders [][]*ir.Value
	// stack tells that one of the first seen objects is on the stack.
	stack bool
	seen  int
	// pointers are the objects that are arrays of pointers on the stack.
	pointers   map[int]bool
	sites      map[site]int // objects that are the same one each time
	within     *loop        // that is being followed
	shapes     map[loopSite]*shape
	loopOf     map[int32]*loop // by variable
	loopCount  int             // of those that were cut
	blockFlows map[*ir.Region]*blockFlow

	// promise is what the returns so far have in common.
	promise promise
	// precise tells to follow calls into bodies that relate their results; coarse that
	// some weren't.
	precise, coarse bool
	// apart tells that entries of a loop don't share what they carry; entries that
	// there is a loop with several.
	apart, entries bool

	// counting tells to follow loops that count up with what their counters tell; countable that there are some.
	counting, countable bool

	// terms are what numbers are computed of, by their identities, and facts what variables say about
	// numbers, if a path is to be shown; tried is what some say of numbers that were tried, asking how
	// often formulas were asked with that, and computing how often numbers were computed.
	terms             map[int64]term
	facts             map[int32]fact
	tried             map[string][]map[int32]kernel.Lit
	asking, computing int
	// determined are the variables and numbers that the program determines in a way that isn't
	// followed, by their identities, and where each comes from; informed are the objects whose
	// contents may depend on what is known.
	determined map[string]*ir.Op
	informed   map[int]bool

	// each tells that allocations keep their names; gathered that some didn't.
	each, gathered bool
	liveness       *iranalysis.Liveness // of the function; nil as long as nobody asked
	// notes are what a certificate is made of; nil if none is.
	notes *notes
	proof *written // nil if none is wanted

	found
	frames map[site]int // numbers of the frames of calls
}

// found is all that following the program has found out so far. Where a loop is followed
// again, knowing more about it, what was found out is forgotten by assigning the value
// from before: so nothing can be left out. It must have value semantics: slices are only
// appended to, and the rest is persistent.
//
// What else an analysis has is no finding about the program: names of objects, sites and
// variables, which mean the same no matter what is forgotten, the work that was done, and
// what loops were seen to change, which following them again confirms.
type found struct {
	violations []violation
	loops      []*loop
	events     []event
	unjudged   []unjudged
	// lost are the objects that an operation that can't be judged got hold of; allLost
	// tells that it may have been any.
	lost    kernel.Table[bool]
	allLost bool
	// by are the contracts of recursive functions without rules of their own that get an
	// object, or returned it.
	by kernel.Table[*contract]
}

// unjudged is an operation that is beyond the analysis.
type unjudged struct {
	op  *ir.Op
	why *ir.Diagnostic
}

// site is an operation, or a value, in a frame.
type site struct {
	frame int
	op    *ir.Op
	value *ir.Value
}

// violation is something wrong that happens under a condition.
type violation struct {
	kind   Kind
	op     *ir.Op
	object int
	cond   kernel.Lit
	// events is the number of events before it.
	events int
	// detail completes the message.
	detail string
}

func newAnalysis(p *program, fn *ir.Op, f *formulas, unroll, precise bool) *analysis {
	f.reset()
	a := &analysis{p: p, fn: fn, opts: p.opts, f: f, Machine: kernel.NewMachine(f.Formulas, &models.Dialects), unroll: unroll, precise: precise,
		pointers: map[int]bool{}, determined: map[string]*ir.Op{}, informed: map[int]bool{},
		terms: map[int64]term{}, facts: map[int32]fact{}, tried: map[string][]map[int32]kernel.Lit{},
		sites: map[site]int{}, frames: map[site]int{}, loopOf: map[int32]*loop{}, blockFlows: map[*ir.Region]*blockFlow{}, shapes: map[loopSite]*shape{},
		promise: promise{same: map[[2]int]bool{}, parts: map[int]bool{}, shifted: map[int]bool{}, backed: map[backing]bool{}}}
	a.Eager = true
	a.Demand, a.Made, a.Allocated, a.Freed, a.Stored, a.Hidden = a.demand, a.name, a.allocated, a.freed, a.stored, a.hide
	a.Refused = func(op *ir.Op, why string) { a.cannotJudge(op, "%s", why) }
	if unroll {
		a.Spared = a.spared
	}
	a.Unknown, a.Assigned, a.Exhausted, a.Joined, a.Compared = a.unknown, a.hold, a.exhausted, a.joined, a.compared
	return a
}

func (a *analysis) newFrame(fn *ir.Op, outer *kernel.Frame, call *ir.Op) *kernel.Frame {
	fr := &kernel.Frame{Fn: fn, Outer: outer, Values: a.f.takeValues(), Cond: kernel.Yes, Base: kernel.Yes}
	if outer != nil {
		fr.Depth, fr.Unroll = outer.Depth+1, outer.Unroll
		fr.Base = a.Here(outer)
		// A call that is executed again has the same frame.
		k := site{frame: outer.Number, op: call}
		if a.frames[k] == 0 {
			a.frames[k] = len(a.frames) + 1 // 0 is the frame of the function
		}
		fr.Number = a.frames[k]
		if a.notes != nil {
			fr.Path = a.OpName(outer, call) + "/"
		}
	}
	fr.Stepwise = a.unroll || fr.Unroll
	return fr
}

// leave gives the room for a frame's values back, unless a certificate is made of them.
func (a *analysis) leave(fr *kernel.Frame) {
	if a.notes == nil {
		a.f.giveValues(fr.Values)
	}
}

// event notes what happens here where c holds, if a path is to be shown.
func (a *analysis) event(fr *kernel.Frame, e event, c kernel.Lit) {
	if a.unroll {
		e.cond = a.f.And(a.Here(fr), c)
		a.events = append(a.events, e)
	}
}

// exhausted tells whether the analysis has done as much as it may.
func (a *analysis) exhausted() bool {
	if a.asked++; a.asked%64 == 0 && a.p.interrupted() {
		a.interrupted = true
	}
	return a.interrupted || a.Steps > a.opts.MaxSteps || a.f.Len() > a.opts.MaxNodes
}

// cannotJudge notes that an operation is beyond the analysis.
func (a *analysis) cannotJudge(op *ir.Op, format string, args ...any) {
	if n := len(a.unjudged); n > 0 && a.unjudged[n-1].op == op {
		return
	}
	a.unjudged = append(a.unjudged, unjudged{op, op.Errorf("can't be judged: "+format, args...)})
}

// reasons returns why the analysis is no judgement, one reason an operation.
func (a *analysis) reasons() (out []*ir.Diagnostic) {
	seen := map[*ir.Op]bool{}
	for _, u := range a.unjudged {
		if !seen[u.op] {
			seen[u.op] = true
			out = append(out, u.why)
		}
	}
	return out
}

// name notes an object that may be result i of an operation, and allocated where it is allocated.
func (a *analysis) name(fr *kernel.Frame, op *ir.Op, i, o int) {
	if a.notes.object(fr, o, op, i); a.Objects[o].Kind == kernel.Stack {
		a.Objects[o].Frame = fr.Number
	}
}

func (a *analysis) allocated(fr *kernel.Frame, op *ir.Op, o int, c kernel.Lit) {
	a.event(fr, event{kind: allocated, op: op, object: o}, c)
}

// isLost tells whether an operation that can't be judged got hold of the object.
func (a *analysis) isLost(o int) bool { return a.allLost || a.lost.Get(o) }

// demand notes a violation where what must not happen to an object does, unless nothing is known about it any more.
func (a *analysis) demand(fr *kernel.Frame, op *ir.Op, d kernel.Demand, o int, bad kernel.Lit) {
	kind, x := [...]Kind{UseAfterFree, DoubleFree, InvalidFree, PartialFree}[d], a.Objects[o]
	switch {
	case a.isLost(o) || d == kernel.PartialFree && x.Kind != kernel.Heap:
		return
	case d == kernel.InvalidFree && x.Kind == kernel.Foreign:
		kind = ForeignFree
	}
	a.violate(fr, kind, op, o, bad, "")
}

// freed notes that an operation frees an object where c holds, spared that it doesn't.
func (a *analysis) freed(fr *kernel.Frame, op *ir.Op, o int, c kernel.Lit) {
	a.event(fr, event{kind: freed, op: op, object: o}, c)
}

func (a *analysis) spared(fr *kernel.Frame, op *ir.Op, o int, c kernel.Lit) {
	a.event(fr, event{kind: spared, op: op, object: o}, c)
}

// violate notes that something wrong happens here where c holds.
func (a *analysis) violate(fr *kernel.Frame, k Kind, op *ir.Op, o int, c kernel.Lit, detail string) {
	if c = a.f.And(a.Here(fr), c); c != kernel.No {
		a.violations = append(a.violations, violation{kind: k, op: op, object: o, cond: c, events: len(a.events), detail: detail})
	}
}

// unknown gives a value that nothing gave one.
func (a *analysis) unknown(fr *kernel.Frame, v *ir.Value) kernel.Value {
	x := a.fresh(fr, v)
	fr.Values[v] = x
	return x
}

// hold notes that a value gets something, and what it points to.
func (a *analysis) hold(v *ir.Value, x kernel.Value) {
	a.notes.assigned(v)
	if a.each || x.Kind != kernel.Pointer {
		return
	}
	for _, t := range a.Targets(x) {
		if a.Objects[t.Object].Kind == kernel.Heap {
			for len(a.holders) <= t.Object {
				a.holders = append(a.holders, nil)
			}
			a.holders[t.Object] = append(a.holders[t.Object], v)
		}
	}
}

// fresh returns a value of which only the type is known.
func (a *analysis) fresh(fr *kernel.Frame, v *ir.Value) kernel.Value {
	switch t := v.Type(); {
	case t == ir.Type(ir.I1):
		return kernel.TruthOf(a.f.Variable())
	case ir.IsMemRef(t):
		return a.foreign(fr, v)
	case models.IsOwner(t):
		return a.Fresh(kernel.Derived)
	case ir.IsIntOrIndex(t):
		return a.number(t, nil)
	}
	return a.Fresh(kernel.Number)
}

// foreign returns a pointer to a buffer that belongs to somebody else.
func (a *analysis) foreign(fr *kernel.Frame, v *ir.Value) kernel.Value {
	k := site{frame: fr.Number, value: v}
	o, ok := a.sites[k]
	if !ok {
		o = a.NewObject("", kernel.Object{Kind: kernel.Foreign, Op: v.DefiningOp(), Loc: v.Loc()})
		a.sites[k] = o
	}
	x := a.AnyShape(a.PointTo(o))
	x.Window = nil
	return x
}
