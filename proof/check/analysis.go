package check

import (
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
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

	objects    []*object
	cells      int // number of elements of buffers that are followed
	opaque     int64
	equalities map[comparison]lit // of objects from outside
	decisions  []decision
	trees      map[decision]int32
	compared   map[comparison]lit // trees
	numbered   map[string]value
	sites      map[site]int // objects that are the same one each time
	within     *loop        // that is being followed
	shapes     map[loopSite]*shape
	loopOf     map[int32]*loop // by variable
	// loopValue numbers the values that are defined in a loop of blocks and used
	// after it.
	loopValue  map[*ir.Value]int
	blockFlows map[*ir.Region]*blockFlow

	// promise is what the returns so far have in common.
	promise promise
	// precise tells to follow calls into bodies that relate their results; coarse that
	// some weren't.
	precise, coarse bool
	// apart tells that entries of a loop don't share what they carry; entries that
	// there is a loop with several.
	apart, entries bool

	// chosen are the numbers that are chosen of known ones, by their identities.
	chosen map[int64]chosen
	// thresholds are the known numbers that others are compared with, by their identities.
	thresholds map[string][]threshold
	// terms are what numbers are computed of, by their identities, and facts what variables say about
	// numbers, if a path is to be shown; tried is what some say of numbers that were tried, asking how
	// often formulas were asked with that.
	terms  map[int64]term
	facts  map[int32]fact
	tried  map[string][]map[int32]lit
	asking int
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
	steps  int
	frames map[site]int // numbers of the frames of calls
	shifts map[string]int64
	// windows are the sizes of memrefs that see the first elements of an object.
	windows [][]int64
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
	lost    persistent[bool]
	allLost bool
	// by are the contracts of recursive functions without rules of their own that get an
	// object, or returned it.
	by persistent[*contract]
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
	cond   lit
	// events is the number of events before it.
	events int
	// detail completes the message.
	detail string
}

// frame is a function, or an operation's region, at work.
type frame struct {
	id     int
	outer  *frame // of the call
	fn     *ir.Op
	values map[*ir.Value]value
	// unroll tells to execute loops of known length step by step.
	unroll bool
	// stepwise tells that some loop is executed step by step, so that a value
	// defined in a loop may be another one each time it is used after it.
	stepwise bool
	depth    int
	// path is how certificates call the frame.
	path string

	st state
	// cond is the condition of being here, relative to base.
	cond, base lit
}

func newAnalysis(p *program, fn *ir.Op, f *formulas, unroll, precise bool) *analysis {
	f.reset()
	return &analysis{p: p, fn: fn, opts: p.opts, f: f, unroll: unroll, precise: precise, equalities: map[comparison]lit{}, trees: map[decision]int32{}, compared: map[comparison]lit{}, numbered: map[string]value{}, determined: map[string]*ir.Op{}, chosen: map[int64]chosen{}, thresholds: map[string][]threshold{}, informed: map[int]bool{}, terms: map[int64]term{}, facts: map[int32]fact{}, tried: map[string][]map[int32]lit{},
		sites: map[site]int{}, loopOf: map[int32]*loop{}, shifts: map[string]int64{},
		frames: map[site]int{}, loopValue: map[*ir.Value]int{}, blockFlows: map[*ir.Region]*blockFlow{}, shapes: map[loopSite]*shape{},
		promise: promise{same: map[[2]int]bool{}, parts: map[int]bool{}, shifted: map[int]bool{}, backed: map[backing]bool{}}}
}

func (a *analysis) newFrame(fn *ir.Op, outer *frame, call *ir.Op) *frame {
	fr := &frame{fn: fn, outer: outer, values: a.f.takeValues(), cond: yes, base: yes}
	if outer != nil {
		fr.depth, fr.unroll = outer.depth+1, outer.unroll
		fr.base = a.here(outer)
		// A call that is executed again has the same frame.
		k := site{frame: outer.id, op: call}
		if a.frames[k] == 0 {
			a.frames[k] = len(a.frames) + 1 // 0 is the frame of the function
		}
		fr.id = a.frames[k]
		if a.notes != nil {
			fr.path = a.notes.opName(outer, call) + "/"
		}
	}
	fr.stepwise = a.unroll || fr.unroll
	return fr
}

// leave gives the room for a frame's values back, unless a certificate is made of them.
func (a *analysis) leave(fr *frame) {
	if a.notes == nil {
		a.f.giveValues(fr.values)
	}
}

// here returns the condition of control being where the frame is.
func (a *analysis) here(fr *frame) lit { return a.f.and(fr.base, fr.cond) }

func (a *analysis) newObject(o object) int {
	a.objects = append(a.objects, &o)
	return len(a.objects) - 1
}

// event notes what happens here where c holds, if a path is to be shown.
func (a *analysis) event(fr *frame, e event, c lit) {
	if a.unroll {
		e.cond = a.f.and(a.here(fr), c)
		a.events = append(a.events, e)
	}
}

// exhausted tells whether the analysis has done as much as it may.
func (a *analysis) exhausted() bool {
	if a.asked++; a.asked%64 == 0 && a.p.interrupted() {
		a.interrupted = true
	}
	return a.interrupted || a.steps > a.opts.MaxSteps || len(a.f.nodes) > a.opts.MaxNodes
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

// maxCells is the size of the largest buffer whose contents are followed.
const maxCells = 1 << 12

// follow makes the analysis follow the contents of a new buffer, if it is a small
// one of booleans or indices.
func (a *analysis) follow(o int, t ir.Type) {
	m, ok := t.(*ir.MemRefType)
	// Elements with other indices may be the same one in another layout.
	if !ok || m.Elem != ir.Type(ir.I1) && m.Elem != ir.Type(ir.Index) || m.Layout != nil {
		return
	}
	if n, static := ir.NumElements(m.Shape); static && n <= maxCells {
		x := a.objects[o]
		x.cells, x.size, x.shape = a.cells, int(n), m.Shape
		a.cells += int(n)
	}
}

// allocate makes a new object that is live from here on.
func (a *analysis) allocate(fr *frame, op *ir.Op, t ir.Type, kind objectKind) int {
	o := a.newObject(object{kind: kind, op: op, loc: op.Loc(), frame: fr.id, born: fr.st.live, vacant: kind == stack && mayBeEmpty(t)})
	a.notes.object(fr, o, op, 0)
	a.follow(o, t)
	fr.st.live = fr.st.live.set(o, yes)
	a.event(fr, event{kind: allocated, op: op, object: o}, yes)
	return o
}

// mayBeEmpty tells whether a buffer of the type may have no elements.
func mayBeEmpty(t ir.Type) bool {
	n, static := ir.NumElementsOf(t)
	return !static || n == 0
}

// isLost tells whether an operation that can't be judged got hold of the object.
func (a *analysis) isLost(o int) bool { return a.allLost || a.lost.get(o) }

// tracked tells whether the object has an end.
func (a *analysis) tracked(o int) bool { return a.objects[o].kind.owned() && !a.isLost(o) }

// use checks that what v points to is live when the operation uses it.
func (a *analysis) use(fr *frame, op *ir.Op, v value) {
	for _, t := range v.targets {
		if !a.tracked(t.object) {
			continue
		}
		if dead := fr.st.live.get(t.object).not(); dead != no {
			a.violate(fr, UseAfterFree, op, t.object, a.f.and(t.guard, dead), "")
		}
	}
}

// free checks that what v points to may be freed where c holds, and frees it.
func (a *analysis) free(fr *frame, op *ir.Op, v value, c lit) {
	for _, t := range v.targets {
		a.freePart(fr, op, t.object, a.f.and(v.part, a.f.and(c, t.guard)))
		a.freeObject(fr, op, t.object, a.f.and(c, t.guard))
	}
}

// freePart notes that an object is freed, where c holds, by a memref that may be a part
// of it.
func (a *analysis) freePart(fr *frame, op *ir.Op, o int, c lit) {
	if x := a.objects[o]; x.kind == heap && !a.isLost(o) {
		a.violate(fr, PartialFree, op, o, c, "")
	}
}

func (a *analysis) freeObject(fr *frame, op *ir.Op, o int, c lit) {
	if c == no {
		return
	}
	switch x := a.objects[o]; {
	case a.isLost(o):
		return
	case x.kind == foreign:
		if a.f.and(a.here(fr), c) != no {
			a.violate(fr, ForeignFree, op, o, c, "")
		}
		return
	case x.kind != heap:
		a.violate(fr, InvalidFree, op, o, c, "")
		return
	}
	live := fr.st.live.get(o)
	if twice := a.f.and(c, live.not()); twice != no {
		a.violate(fr, DoubleFree, op, o, twice, "")
	}
	fr.st.live = fr.st.live.set(o, a.f.and(live, c.not()))
	a.event(fr, event{kind: freed, op: op, object: o}, c)
}

// violate notes that something wrong happens here where c holds.
func (a *analysis) violate(fr *frame, k Kind, op *ir.Op, o int, c lit, detail string) {
	if c = a.f.and(a.here(fr), c); c != no {
		a.violations = append(a.violations, violation{kind: k, op: op, object: o, cond: c, events: len(a.events), detail: detail})
	}
}

// get returns what is known about a value.
func (a *analysis) get(fr *frame, v *ir.Value) value {
	if fr.stepwise {
		if n, ok := a.loopValue[v]; ok {
			if x := fr.st.loopValues.get(n); x != nil {
				return *x
			}
		}
	}
	if x, ok := fr.values[v]; ok {
		return x
	}
	x := a.fresh(fr, v)
	fr.values[v] = x
	return x
}

func (a *analysis) set(fr *frame, v *ir.Value, x value) {
	if fr.stepwise {
		if n, ok := a.loopValue[v]; ok {
			kept := x // so that x itself needs no memory
			fr.st.loopValues = fr.st.loopValues.set(n, &kept)
			return
		}
	}
	fr.values[v] = x
	if !a.each {
		for _, t := range x.targets {
			if o := a.objects[t.object]; o.kind == heap {
				o.holders = append(o.holders, v)
			}
		}
	}
}

// fresh returns a value of which only the type is known.
func (a *analysis) fresh(fr *frame, v *ir.Value) value {
	switch t := v.Type(); {
	case t == ir.Type(ir.I1):
		return truthOf(a.f.variable())
	case ir.IsMemRef(t):
		return a.foreign(fr, v)
	case isOwner(t):
		return a.derivedValue()
	case ir.IsIntOrIndex(t):
		return a.number(t, nil)
	}
	return a.unknown()
}

// foreign returns a pointer to a buffer that belongs to somebody else.
func (a *analysis) foreign(fr *frame, v *ir.Value) value {
	k := site{frame: fr.id, value: v}
	o, ok := a.sites[k]
	if !ok {
		o = a.newObject(object{kind: foreign, op: v.DefiningOp(), loc: v.Loc()})
		a.sites[k] = o
	}
	x := a.pointTo(o)
	x.window = anyWindow
	return x
}

func (a *analysis) truth(fr *frame, v *ir.Value) lit {
	if x := a.get(fr, v); x.kind == boolean {
		return x.truth
	}
	return a.f.variable()
}
