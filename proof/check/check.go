// Package check is a program verifier by symbolic execution and SAT: it proves that a program with frees in place handles memory right, on
// every path, each allocation being freed exactly once, and not used afterwards. It is
// independent of the passes that insert frees: it executes each function on the abstract
// interpreter of package kernel, on all paths at once, guesses loop invariants and the contracts of functions, and decides
// verification conditions by boolean reasoning.
//
// Each allocation is an object. A memref is a choice of objects, each with the
// formula under which the memref points to it; the life of an object is a formula as
// well, true from the allocation to the free. A violation is a formula that says
// when it happens; if none can be satisfied, the function is safe. A loop is cut at
// its head: one iteration is followed from a state of which only the loop's
// invariant is known. If no proof is found, loops are unrolled some times, to find a
// path to a violation that exists.
//
// What a proof assumes is in docs/check.md.
package check

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"freehold/internal/parallel"
	"freehold/ir"
	iranalysis "freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// Kind is a kind of violation.
type Kind uint8

// The kinds of violations.
const (
	// Leak: nothing frees an allocation, and no caller gets it.
	Leak Kind = iota
	// DoubleFree: an allocation is freed again.
	DoubleFree
	// UseAfterFree: an allocation is used after it was freed.
	UseAfterFree
	// InvalidFree: what is freed belongs to the caller, or isn't on the heap.
	InvalidFree
	// BorrowedReturn: a function returns a buffer that its caller must not free.
	BorrowedReturn
	// PartialFree: what is freed may be a part of an allocation.
	PartialFree
	// ForeignFree: what is freed may be anything.
	ForeignFree
	// HandedTwice: a call hands over a buffer that it may pass a second time.
	HandedTwice
	// Overlap: a part of an arena is read after another part that overlaps it was written.
	Overlap
)

func (k Kind) String() string {
	return [...]string{"leak", "double free", "use after free", "invalid free", "borrowed return", "free of a part", "free of an unknown buffer", "buffer that is handed over and passed as another argument as well", "parts of an arena that overlap"}[k]
}

// Finding is a violation with a path to it.
type Finding struct {
	Kind Kind
	// Function is where it happens.
	Function *ir.Op
	// Allocation is the operation that allocates the buffer; nil for what no operation allocates, such as an argument.
	Allocation *ir.Op
	// Result is which of its results is the buffer.
	Result int
	// Diagnostic describes it; its notes are the path, in the order of execution.
	Diagnostic *ir.Diagnostic
}

// Report is the answer of the check.
type Report struct {
	Functions int // that were checked
	// Findings are the violations, in the order of the program.
	Findings []*Finding
	// Unjudged says what the check can't judge, and why.
	Unjudged []*ir.Diagnostic
	// Arenas are those of the program, which were judged.
	Arenas []*footprint.Arena
	// Overlaps are what is wrong with them by [footprint.Arena.Check], of which Findings and Unjudged have what it means.
	Overlaps []*ir.Diagnostic
	// open has the functions that were not proved, and those that call them.
	open map[*ir.Op]bool
}

// Proved tells whether a function, and all functions in the same module that it calls, were proved to be right. Arenas aside.
func (r *Report) Proved(fn *ir.Op) bool { return !r.open[fn] }

// Safe tells whether the program was proved to be right.
func (r *Report) Safe() bool { return len(r.Findings) == 0 && len(r.Unjudged) == 0 }

// Options bound the work. A zero field stands for the default.
type Options struct {
	// Threads is the number of functions checked at the same time; by default as many
	// as there are processors.
	Threads int
	// Unroll is how many times loops are executed in the search for a path.
	Unroll int
	// Name returns the name of a value for messages, or "". May be nil. It is called by one
	// goroutine at a time.
	Name func(v *ir.Value) string
	// MaxSteps limits the operations executed for a function, MaxNodes the size of its
	// formulas, and MaxSolved the size of all questions about them together.
	MaxSteps, MaxNodes, MaxSolved int
	// MaxTargets is how many allocations pointers may point to before these get a common name:
	// fewer make long chains of loops and conditionals faster, if nothing needs the difference. So
	// do several pointers that may point to fewer.
	MaxTargets int
	// Interrupt ends the check soon after it is closed: functions that were not finished are not
	// judged then. May be nil.
	Interrupt <-chan struct{}
	// Unbound leaves it to the caller to bind the certificate to the program, by [verify.Digest], which prints it.
	Unbound bool
}

// program is what the analyses of functions share.
type program struct {
	opts      Options
	tables    map[*ir.Op]*ir.SymbolTable
	contracts map[*ir.Op]*contract
	results   map[*ir.Op]*result
	// valueLends tells that a function which is called by its value lends a result.
	valueLends bool
	// certify tells analyses to keep what a certificate is made of.
	certify bool
	naming  sync.Mutex // of calls of Options.Name
}

// name returns the name of a value for messages, or "".
func (p *program) name(v *ir.Value) string {
	if p.opts.Name == nil {
		return ""
	}
	p.naming.Lock()
	defer p.naming.Unlock()
	return p.opts.Name(v)
}

// interrupted tells whether somebody wants the check to end.
func (p *program) interrupted() bool {
	select {
	case <-p.opts.Interrupt:
		return true
	default:
		return false
	}
}

const wasInterrupted = "the check was interrupted"

// lookup returns the function that a call means, or nil.
func (p *program) lookup(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	if t := p.tables[ir.SymbolTableOp(from)]; t != nil {
		return t.LookupRef(ref)
	}
	return ir.LookupSymbol(from, ref)
}

// Module checks all functions in root, which must be valid. Functions that only
// their callers can judge are judged there. It takes time linear in the program
// for straight code; boolean reasoning takes more where frees depend on conditions.
func Module(root *ir.Op, o Options) *Report {
	return newProgram(o).check(root)
}

func newProgram(o Options) *program {
	if o.Unroll == 0 {
		o.Unroll = 2
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 4 << 20
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = 4 << 20
	}
	if o.MaxSolved == 0 {
		o.MaxSolved = 16 << 20
	}
	if o.MaxTargets == 0 {
		o.MaxTargets = 4
	}
	return &program{opts: o, tables: map[*ir.Op]*ir.SymbolTable{}, contracts: map[*ir.Op]*contract{}, results: map[*ir.Op]*result{}}
}

// check is [Module].
func (p *program) check(root *ir.Op) *Report {
	root.Walk(func(op *ir.Op) bool {
		if op.Has(ir.TraitSymbolTable) {
			p.tables[op] = ir.NewSymbolTable(op)
		}
		_, fn := interfaces.Function.Of(op)
		return !fn
	})
	g := iranalysis.NewCallGraph(root)
	valued, called := usedAsValues(root, p), calledOf(g)
	results, o := p.results, p.opts
	for fn, is := range valued {
		p.valueLends = p.valueLends || is && interfaces.Function.Has(fn) && len(lentResults(fn)) > 0
	}
	var arenas arenaReport
	judged := func() { arenas = p.judgeArenas(root, g, valued) }
	if o.Threads != 1 {
		// It needs nothing that is found out about functions, and takes a third of the time that the only function of Llama does.
		judged = parallel.Beside(judged)
	}
	for _, level := range levels(g) {
		out := make([]*result, len(level))
		for _, f := range level {
			private := ir.IsPrivate(f.fn) && !valued[f.fn]
			p.contracts[f.fn] = &contract{recursive: f.recursive, private: private, inside: f.recursive && private, promise: promise{backed: map[backing]bool{}}}
			if !private { // if it is valued, it isn't judged
				p.contracts[f.fn].lends = lentResults(f.fn)
			}
		}
		parallel.For(len(level), o.Threads, func() func(int) {
			formulas := newFormulas()
			return func(i int) {
				out[i] = p.function(level[i].fn, formulas)
			}
		})
		for i, f := range level {
			results[f.fn] = out[i]
			if f.recursive {
				continue
			}
			c := p.contracts[f.fn]
			c.unclear = c.private && (len(out[i].unjudged) > 0 || slices.ContainsFunc(g.Callees(f.fn), p.isUnclear))
			c.promise = out[i].promise
			c.proved = len(out[i].findings) == 0 && len(out[i].unjudged) == 0
			if c.private {
				c.expand = out[i].byCaller || c.addresses || lentResults(f.fn) != nil
				switch {
				case !out[i].byCaller:
				case called[f.fn]:
					out[i].findings, out[i].unjudged = nil, nil
				case p.rightForSomebody(f.fn):
					results[f.fn] = &result{}
				default:
					out[i].uncalled(f.fn)
				}
			}
		}
		for _, group := range recursiveGroups(level) {
			p.keepPromises(group, results)
			p.giveRules(group, results)
		}
		for _, f := range level {
			// A part can't be freed by its caller, and a base address tells another buffer.
			m, _ := interfaces.Function.Of(f.fn)
			if c := p.contracts[f.fn]; !c.private && c.givesParts() && !models.HasOwners(m.Type(f.fn).Results) || valued[f.fn] && len(c.shifted) > 0 {
				r := results[f.fn]
				r.unjudged = append(r.unjudged, f.fn.Errorf("can't be judged: it returns what may be a part of a buffer, or have another base address, to who may not know that"))
			}
			if valued[f.fn] && len(lentResults(f.fn)) > 0 {
				r := results[f.fn]
				r.unjudged = append(r.unjudged, f.fn.Errorf("can't be judged: it lends a result, and is called by its value, too, where nobody sees that"))
			}
		}
	}
	r := &Report{Unjudged: outsideFunctions(root)}
	for _, fn := range g.Functions {
		if x := results[fn]; x != nil {
			if len(x.unjudged) == 0 {
				r.Functions++
			}
			for _, f := range x.findings {
				if f.by == nil || !f.by.unclear {
					r.Findings = append(r.Findings, f.Finding)
					continue
				}
				d, what := *f.Diagnostic, "isn't judged"
				if f.by.recursive {
					what = "calls itself"
				}
				d.Message = "can't be judged: it is unclear which buffers belong to a function that " + what + "; by the usual rules: " + d.Message
				r.Unjudged = append(r.Unjudged, &d)
			}
			r.Unjudged = append(r.Unjudged, x.unjudged...)
		}
	}
	r.open = p.open(g)
	judged()
	r.Arenas, r.Overlaps = arenas.found, arenas.overlaps
	r.Findings, r.Unjudged = append(r.Findings, arenas.findings...), append(r.Unjudged, arenas.unjudged...)
	return r
}

// open returns the functions that were not proved, and those that call them; nil if there are none.
func (p *program) open(g *iranalysis.CallGraph) map[*ir.Op]bool {
	var work []*ir.Op
	for _, fn := range g.Functions {
		if r := p.results[fn]; r != nil && len(r.findings)+len(r.unjudged) > 0 {
			work = append(work, fn)
		}
	}
	if len(work) == 0 {
		return nil
	}
	callers := map[*ir.Op][]*ir.Op{}
	for _, fn := range g.Functions {
		for _, callee := range g.Callees(fn) {
			callers[callee] = append(callers[callee], fn)
		}
	}
	out := map[*ir.Op]bool{}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if !out[fn] {
			out[fn] = true
			work = append(work, callers[fn]...)
		}
	}
	return out
}

// isUnclear tells whether nobody knows which buffers belong to a function.
func (p *program) isUnclear(fn *ir.Op) bool { return p.contracts[fn] != nil && p.contracts[fn].unclear }

// calledOf returns the functions that are called.
func calledOf(g *iranalysis.CallGraph) map[*ir.Op]bool {
	out := map[*ir.Op]bool{}
	for _, fn := range g.Functions {
		for _, callee := range g.Callees(fn) {
			out[callee] = true
		}
	}
	return out
}

// lentResults returns the results of a function that its signature says are lent: callers don't free them. Where owners are among the results,
// these say what callers free.
func lentResults(fn *ir.Op) (out map[int]bool) {
	m, _ := interfaces.Function.Of(fn)
	results := m.Type(fn).Results
	for i, t := range results {
		if ir.IsMemRef(t) && interfaces.LendsResult(fn, i) && !models.HasOwners(results) {
			if out == nil {
				out = map[int]bool{}
			}
			out[i] = true
		}
	}
	return out
}

func argumentTypes(fn *ir.Op) []ir.Type {
	m, _ := interfaces.Function.Of(fn)
	return m.Type(fn).Inputs
}

// rightForSomebody tells whether a private function that nobody calls is right given that it owns
// its arguments, which are different buffers, and that its caller knows what becomes of them.
func (p *program) rightForSomebody(fn *ir.Op) bool {
	c := p.contracts[fn]
	if models.HasOwners(argumentTypes(fn)) {
		return false
	}
	c.imagined = true
	a, open, ok := p.prove(fn, newFormulas())
	c.imagined = false
	return ok && len(open) == 0 && len(a.unjudged) == 0
}

// uncalled makes of the result of a function that only its callers can judge that of one that
// nobody calls.
func (r *result) uncalled(fn *ir.Op) {
	const why = "can't be judged: nobody calls this private function, and it is unclear which buffers belong to it"
	for _, f := range r.findings {
		d := *f.Diagnostic
		d.Message = why + "; by the usual rules: " + d.Message
		r.unjudged = append(r.unjudged, &d)
	}
	if r.findings = nil; len(r.unjudged) == 0 {
		r.unjudged = append(r.unjudged, fn.Errorf(why))
	}
}

// keepPromises finds out what the results of functions that call each other may be. They
// were followed given that none of them is a part, or shifted, and that any of them may be the same
// buffer; they are followed again given that none are the same. If that is right, it is true of all calls that return, by induction on their
// depth, and says more. If they are right, their callers know what is the same at each return, too.
func (p *program) keepPromises(group []called, results map[*ir.Op]*result) {
	p.settle(group, results)
	if slices.ContainsFunc(group, returnsSeveral) {
		p.supposeDifferent(group)
		other := map[*ir.Op]*result{}
		for _, g := range group {
			other[g.fn] = p.function(g.fn, newFormulas())
		}
		p.settle(group, other)
		if areRight(group, other) {
			maps.Copy(results, other)
		} else {
			for _, g := range group {
				p.contracts[g.fn].same = nil
			}
		}
	}
	if !areRight(group, results) {
		return
	}
	for _, g := range group {
		c, found := p.contracts[g.fn], results[g.fn].promise
		c.truths, c.same = found.truths, found.same
	}
}

// settle follows functions that call each other again, as long as they promise less than was supposed.
func (p *program) settle(group []called, results map[*ir.Op]*result) {
	for again := true; again; {
		again = false
		for _, g := range group {
			if c := p.contracts[g.fn]; results[g.fn].promise.exceeds(c.promise) {
				c.promise.weaken(results[g.fn].promise)
				again = true
			}
		}
		for i := 0; again && i < len(group); i++ {
			results[group[i].fn] = p.function(group[i].fn, newFormulas())
		}
	}
}

// areRight tells whether functions are safe, given what was supposed of them.
func areRight(group []called, results map[*ir.Op]*result) bool {
	return !slices.ContainsFunc(group, func(g called) bool {
		r := results[g.fn]
		return len(r.findings) > 0 || len(r.unjudged) > 0
	})
}

// returnsSeveral tells whether a function returns more than one buffer.
func returnsSeveral(g called) bool {
	m, _ := interfaces.Function.Of(g.fn)
	n := 0
	for _, t := range m.Type(g.fn).Results {
		if ir.IsMemRef(t) {
			n++
		}
	}
	return n > 1
}

// outsideFunctions returns what can't be judged of what isn't in functions.
func outsideFunctions(root *ir.Op) (out []*ir.Diagnostic) {
	root.Walk(func(op *ir.Op) bool {
		if isFunction(op) {
			return false
		}
		r := ruleOf(op)
		if r != nil && r.does == declares {
			return true
		}
		empty := op.NumOperands() == 0 && op.NumResults() == 0 || r != nil && r.does == computes && !interfaces.HasMemRefTypes(op)
		for _, r := range op.Regions() {
			empty = empty && r.Empty()
		}
		if !empty {
			out = append(out, op.Errorf("can't be judged: it is in no function"))
		}
		return false
	})
	return out
}

// usedAsValues returns the functions that are mentioned other than by calls.
func usedAsValues(root *ir.Op, p *program) map[*ir.Op]bool {
	out := map[*ir.Op]bool{}
	root.Walk(func(op *ir.Op) bool {
		if r := ruleOf(op); r == nil || r.does != calls {
			ir.OpSymbolUses(op, func(ref *ir.SymbolRefAttr) {
				if fn := p.lookup(op, ref); fn != nil {
					out[fn] = true
				}
			})
		}
		return true
	})
	return out
}

// called is a function with a body.
type called struct {
	fn        *ir.Op
	recursive bool
	// group is the number of the functions that call each other.
	group int
}

// recursiveGroups returns the functions of a level that call themselves or each other.
func recursiveGroups(level []called) (out [][]called) {
	for i, f := range level {
		switch {
		case !f.recursive:
		case i > 0 && level[i-1].group == f.group:
			out[len(out)-1] = append(out[len(out)-1], f)
		default:
			out = append(out, []called{f})
		}
	}
	return out
}

// levels returns the functions with bodies in groups, callees in earlier ones.
func levels(g *iranalysis.CallGraph) [][]called {
	level := map[*ir.Op]int{}
	var out [][]called
	for i, group := range g.BottomUp() {
		n, recursive := 0, len(group) > 1
		for _, fn := range group {
			for _, callee := range g.Callees(fn) {
				recursive = recursive || callee == fn
				if l, done := level[callee]; done {
					n = max(n, l+1)
				}
			}
		}
		for _, fn := range group {
			level[fn] = n
		}
		for _, fn := range group {
			if fn.NumRegions() == 0 || fn.RegionAt(0).Empty() {
				continue
			}
			for len(out) <= n {
				out = append(out, nil)
			}
			out[n] = append(out[n], called{fn, recursive, i})
		}
	}
	return out
}

// finding is a finding that may be wrong if a recursive function has other rules of
// ownership than the usual ones; by is the contract of that function, or nil.
type finding struct {
	*Finding
	by       *contract
	argument bool // tells that it is about an argument
}

// result is what was found out about a function.
type result struct {
	findings []finding
	unjudged []*ir.Diagnostic
	// byCaller tells that there is nothing wrong but that buffers of the caller are
	// freed or returned, which it may know about.
	byCaller bool
	promise  promise
	written  *written // for a certificate
}

// prove executes a function, and returns the violations that couldn't be ruled out;
// ok is false if the conditions are too complex. If what calls promise isn't enough
// for a proof, and their bodies may tell more, these are followed; what loops with
// several entries carry is seen as the same for all of them, or else as something else
// for each; allocations are gathered, or else none; and last, what counters of loops tell is known.
func (p *program) prove(fn *ir.Op, f *formulas) (a *analysis, open []violation, ok bool) {
	var proved *analysis // but not certified
	var best *analysis   // that leaves open only what the caller may answer for
	var left []violation // by best
	for i := range 9 {
		precise, apart, each, counting := i&2 != 0, i&4 != 0, i&1 != 0, i == 8
		if a != nil && (precise && !a.coarse || apart && !a.entries || each && !a.gathered || counting && !a.countable) {
			continue
		}
		a = newAnalysis(p, fn, f, false, precise)
		a.apart, a.each, a.counting = apart, each, counting
		if p.certify {
			a.notes, a.Naming = newNotes(a.Machine), true
		}
		a.run()
		switch large := a.exhausted(); {
		case large && proved != nil:
			return proved, nil, true
		case large && a.gathered && !a.interrupted:
			continue
		case large:
			why := "it is too large"
			if a.interrupted {
				why = wasInterrupted
			}
			a.cannotJudge(fn, "%s", why)
			return a, nil, true
		}
		if open, ok = a.open(); ok && len(open) == 0 {
			if a.write(); a.proof == nil || a.proof.err == nil || !a.gathered {
				return a, nil, true
			}
			proved = a
		} else if !ok && !a.gathered {
			break
		} else if ok && best == nil && a.byCaller(open) {
			best, left = a, open
		}
	}
	switch {
	case proved != nil:
		return proved, nil, true
	case best != nil:
		return best, left, true
	}
	return a, open, ok
}

// byCaller tells whether all of the violations are right if the caller gives buffers away, or knows what it gets.
func (a *analysis) byCaller(open []violation) bool {
	for _, v := range open {
		x := a.Objects[v.object]
		if v.kind != InvalidFree && v.kind != BorrowedReturn || x.Kind == kernel.Stack || x.Kind == kernel.NullObject {
			return false
		}
	}
	return true
}

// function checks a function.
func (p *program) function(fn *ir.Op, f *formulas) *result {
	if p.interrupted() {
		return &result{unjudged: []*ir.Diagnostic{fn.Errorf("can't be judged: " + wasInterrupted)}}
	}
	if r := ruleOf(fn); r == nil || r.does != declares {
		return &result{unjudged: []*ir.Diagnostic{fn.Errorf("can't be judged: the check knows nothing about functions of this kind")}}
	}
	if c := p.contracts[fn]; c.private && !c.recursive && models.HasOwners(argumentTypes(fn)) {
		return &result{byCaller: true} // what owners own that it gets, they say
	}
	a, open, ok := p.prove(fn, f)
	r := &result{promise: a.promise, unjudged: a.reasons()}
	if !ok {
		r.unjudged = append(r.unjudged, fn.Errorf("can't be judged: its conditions are too complex"))
		return r
	}
	if len(open) == 0 {
		r.written = a.proof
		return r
	}
	s := newAnalysis(p, fn, f, true, a.precise)
	s.run()
	r.byCaller = len(r.unjudged) == 0 && a.byCaller(open)
	findings, doubt := s.findings()
	r.findings = findings
	if len(r.findings) == 0 {
		v := open[0]
		what := fmt.Sprintf("can't prove that there is no %s", v.kind)
		switch v.kind {
		case ForeignFree:
			what = "can't be judged: it frees a buffer of unknown origin"
		case HandedTwice:
			what = "can't be judged: the function that is called frees an argument that may be another one as well"
		}
		d := v.op.Errorf("%s", what)
		if x := a.Objects[v.object]; x.Op != nil && x.Op != v.op {
			d.WithNote(x.Loc, "of the buffer from here")
		}
		if doubt != nil && doubt != fn {
			what := "is read"
			if interfaces.Call.Has(doubt) {
				what = "is returned"
			} else if interfaces.IsMemoryEffectFree(doubt) {
				what = "is computed"
			}
			d.WithNote(doubt.Loc(), "it may depend on what %s here, of which not enough is known", what)
		}
		r.unjudged = append(r.unjudged, d)
	}
	return r
}

// open returns the violations that couldn't be ruled out.
func (a *analysis) open() (out []violation, ok bool) {
	a.violations = a.possible()
	if len(a.violations) == 0 {
		return nil, true
	}
	for _, how := range []thoroughness{likely, all} {
		if !a.findInvariants(how) {
			return nil, false
		}
		if out, ok = a.satisfiable(); !ok || len(out) == 0 || len(a.loops) == 0 {
			break
		}
	}
	return out, ok
}

// violationsAtOnce is how many violations the solver is asked for at once. That none
// of many can happen is harder to prove than that each can't; one by one, what they
// have in common is solved again.
const violationsAtOnce = 8

// possible returns the violations that can happen, as far as decision diagrams of
// their formulas tell.
func (a *analysis) possible() (out []violation) {
	for _, v := range a.violations {
		if !a.f.impossible(v.cond) {
			out = append(out, v)
		}
	}
	return out
}

// satisfiable returns the violations that can happen, as far as the invariants of
// loops tell.
func (a *analysis) satisfiable() (out []violation, ok bool) {
	for part := range slices.Chunk(a.violations, violationsAtOnce) {
		rest := part
		for len(rest) > 0 {
			// One of them may be certain, which says nothing about the others.
			any, conds := kernel.No, make([]kernel.Lit, len(rest))
			for i, v := range rest {
				any, conds[i] = a.f.Or(any, v.cond), v.cond
			}
			m, ok := a.satisfy(conds, any)
			if !ok {
				return nil, false
			}
			if m == nil {
				break
			}
			e := a.f.in(m)
			var next []violation
			for _, v := range rest {
				if e.holds(v.cond) {
					out = append(out, v)
				} else {
					next = append(next, v)
				}
			}
			rest = next
		}
	}
	return out, true
}
