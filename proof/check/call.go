package check

import (
	"maps"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// contract is what callers may rely on.
type contract struct {
	// expand tells that the function has rules of ownership of its own, so that calls
	// have to be followed into its body.
	expand bool
	promise
	// proved tells that the function was proved to be safe.
	proved bool
	// recursive tells that the function may call itself, private that it is called by
	// name only, and by nobody but the program.
	recursive, private bool
	// lends are the results that callers, who may be anybody, don't free: buffers of theirs, global ones, or what another result is.
	lends map[int]bool
	// inside tells that a recursive function is called by name only, and by nobody but
	// the program, so that it may have rules of ownership of its own, which are rules if
	// they are known.
	inside bool
	rules  *rules
	// imagined tells to follow the function for a caller that there isn't, who hands all
	// buffers over, and knows which of them come back and are freed.
	imagined bool
	// unclear tells that the function may need rules of its own, and none were found, or that it
	// isn't judged.
	unclear bool
}

// promise is what a function's body shows about its results.
type promise struct {
	// same holds the pairs of buffers among them that may be the same allocation; nil if
	// any may.
	same map[[2]int]bool
	// parts are those that may be parts of allocations, shifted those whose base address
	// may not be that of the allocation. Where these hold too few, the promise is wrong.
	parts, shifted map[int]bool
	// truths are the booleans that are the same at every return.
	truths map[int]bool
	// addresses tells that some are numbers that carry addresses.
	addresses bool
	// backed are, if owners are among the results, the buffers that its results may be.
	backed map[backing]bool
}

// exceeds tells whether there are parts or shifted results in p that other doesn't have, or
// buffers that results may be, or results that may be the same.
func (p promise) exceeds(other promise) bool {
	for i := range p.parts {
		if !other.parts[i] {
			return true
		}
	}
	for i := range p.shifted {
		if !other.shifted[i] {
			return true
		}
	}
	for b := range p.backed {
		if !other.backed[b] {
			return true
		}
	}
	for pair := range p.same {
		if other.same != nil && !other.same[pair] {
			return true
		}
	}
	return false
}

// weaken adds the parts and shifted results of other to those of p, what may back them, and which
// may be the same.
func (p *promise) weaken(other promise) {
	p.parts, p.shifted = union(p.parts, other.parts), union(p.shifted, other.shifted)
	p.backed = union(p.backed, other.backed)
	if p.same != nil {
		p.same = union(p.same, other.same)
	}
}

func union[K comparable](a, b map[K]bool) map[K]bool {
	out := maps.Clone(a)
	if out == nil {
		out = map[K]bool{}
	}
	maps.Copy(out, b)
	return out
}

// givesParts tells whether callers may have to free what may be a part of an allocation.
func (c *contract) givesParts() bool {
	for i := range c.parts {
		if !c.lends[i] {
			return true
		}
	}
	return false
}

// maxDepth limits calls that are followed into bodies.
const maxDepth = 64

func (a *analysis) call(fr *kernel.Frame, op *ir.Op, m interfaces.CallModel) {
	start, n := m.Args(op)
	args := a.GetAll(fr, op.Operands()[start:start+n])
	for i := range args {
		if v := op.Operand(start + i); v.Type() == ir.Type(ir.I1) {
			args[i] = kernel.TruthOf(a.Truth(fr, v))
		}
	}
	var callee *ir.Op
	c := &contract{}
	if ref, _ := m.Callee(op); ref != nil {
		callee = a.p.lookup(op, ref)
		if known := a.p.contracts[callee]; known != nil {
			c = known
		}
	}
	unseen := func() {
		a.cannotJudge(op, "it gets a buffer that is lent, by what isn't followed")
		a.giveUp(fr, op)
	}
	if a.lendsUnseen(op, callee, c) {
		unseen()
		return
	}
	if callee != nil && !c.recursive {
		if r := callee.RegionAt(0); !r.Empty() && r.Entry().NumArgs() == len(args) {
			followed := false
			for i, v := range args {
				if o, ok := a.Single(v); ok && a.Objects[o].Size > 0 || v.Carries(op.Operand(start+i).Type()) {
					followed = ir.IsPrivate(callee)
				}
			}
			if c.proved && (len(c.lends) > 0 || a.precise && relatesResults(op)) {
				for _, v := range args {
					a.useArgument(fr, op, v)
				}
				c = &contract{expand: true}
			}
			if c.expand || followed {
				a.callBody(fr, op, callee, args, followed)
				return
			}
		}
		if c.private && lentResults(callee) != nil {
			unseen()
			return
		}
	}
	for i, v := range args {
		if v.Carries(op.Operand(start+i).Type()) || a.HoldsAddresses(fr.St, v) {
			a.cannotJudge(op, "it passes an address to a function")
			a.allLost = true
			a.giveUp(fr, op)
			return
		}
	}
	for _, v := range args {
		a.useArgument(fr, op, v)
		a.Written(fr, v)
	}
	a.handOver(fr, op, args, c)
	a.callResults(fr, op, args, c)
}

// useArgument checks that what an argument of a call points to is live, if it is a buffer.
func (a *analysis) useArgument(fr *kernel.Frame, op *ir.Op, v kernel.Value) {
	if v.Kind == kernel.Pointer {
		a.Use(fr, op, v)
	}
}

// lendsUnseen tells whether results of a call are lent, and not by a function whose body shows what they are: one that is followed, or that was
// proved. What calls itself isn't followed, and no rules of ownership tell which of its arguments it returns.
func (a *analysis) lendsUnseen(call, callee *ir.Op, c *contract) bool {
	switch {
	case callee == nil:
		return call.Attr(interfaces.BorrowedAttr) != nil || a.p.valueLends && slices.ContainsFunc(call.Results().Types(), ir.IsMemRef)
	case a.p.contracts[callee] == nil:
		return interfaces.LendsResults(callee)
	}
	if c.recursive {
		return interfaces.LendsResults(callee) && !slices.ContainsFunc(call.Results().Types(), a.Models.IsOwner)
	}
	return len(c.lends) > 0 && !c.proved
}

// handOver takes the buffers that a callee owns from the caller.
func (a *analysis) handOver(fr *kernel.Frame, op *ir.Op, args []kernel.Value, c *contract) {
	if c.open() {
		for _, v := range args {
			for _, t := range a.Targets(v) {
				a.by = a.by.Set(t.Object, c)
			}
		}
	}
	a.HandOver(fr, op, args, c.summary(), func(i, _ int, bad kernel.Lit) {
		a.violate(fr, HandedTwice, op, a.Targets(args[i])[0].Object, bad, "")
		if a.unroll && slices.ContainsFunc(op.Results().Types(), ir.IsMemRef) {
			fr.Cond = a.f.And(fr.Cond, bad.Not()) // what gets one buffer twice may return it twice: no path to a finding goes on there
		}
	})
}

// open tells whether nobody knows who owns which buffers that a function gets and returns.
func (c *contract) open() bool { return (c.inside || c.unclear) && c.rules == nil }

// callResults gives the results of a call their values.
func (a *analysis) callResults(fr *kernel.Frame, op *ir.Op, args []kernel.Value, c *contract) {
	var buffers []int
	for i := range op.NumResults() {
		r := op.Result(i)
		t, known := c.truths[i]
		switch {
		case ir.IsMemRef(r.Type()):
			buffers = append(buffers, i)
		case models.IsOwner(r.Type()):
		case known:
			a.Assign(fr, r, kernel.TruthOf(kernel.LitOf(t)))
		default:
			a.Assign(fr, r, a.fresh(fr, r))
			a.coarse = a.coarse || c.proved && r.Type() == ir.Type(ir.I1) && relatesResults(op)
		}
	}
	s := c.summary()
	if models.HasOwners(op.Results().Types()) {
		if c.backed == nil {
			a.cannotJudge(op, "nothing is known about the owners that it returns")
			a.giveUp(fr, op)
			return
		}
		a.coarse = a.coarse || c.proved
	}
	for n, i := range buffers {
		for _, j := range buffers[:n] {
			a.coarse = a.coarse || c.proved && (s.Any || s.Same[[2]int{j, i}])
		}
	}
	first, known := len(a.Objects), a.f.Len()
	a.ReturnBuffers(fr, op, args, s)
	if c.inside && !models.HasOwners(op.Results().Types()) {
		a.determineSince(known, op) // which of the buffers it returns, the body says, which can't be followed
	}
	for o := first; o < len(a.Objects) && c.open(); o++ {
		if a.Objects[o].Kind == kernel.Heap {
			a.by = a.by.Set(o, c)
		}
	}
}

// summary returns what callers may rely on, as certificates say it.
func (c *contract) summary() *certificate.Function {
	out := &certificate.Function{Any: c.same == nil, Same: c.same, Parts: c.parts, Shifted: c.shifted, Always: c.truths,
		Owns: map[int]int{}, Gives: map[int]int{}, Backed: map[certificate.Backing]bool{}}
	for b := range c.backed {
		out.Backed[certificate.Backing{Result: b.result, Argument: b.argument + 1, Owner: b.owner + 1}] = true
	}
	if c.rules == nil {
		return out
	}
	for i, o := range c.rules.arguments {
		switch o.kind {
		case callee:
			out.Owns[i] = -1
		case told:
			out.Owns[i] = o.by
		}
	}
	for i, o := range c.rules.results {
		if o.kind == told {
			out.Gives[i] = o.by
		}
	}
	return out
}

// relatesResults tells whether a call has a buffer and another buffer, an owner or a boolean
// as results: what they say about each other is known to the body alone.
func relatesResults(call *ir.Op) bool {
	buffers, booleans := 0, 0
	for i := range call.NumResults() {
		switch t := call.Result(i).Type(); {
		case ir.IsMemRef(t):
			buffers++
		case t == ir.Type(ir.I1) || models.IsOwner(t):
			booleans++
		}
	}
	return buffers > 0 && buffers+booleans > 1
}

// callBody follows a call into the body of the function. stepwise tells to execute
// loops of known length step by step.
func (a *analysis) callBody(fr *kernel.Frame, op, callee *ir.Op, args []kernel.Value, stepwise bool) {
	if fr.Depth >= maxDepth {
		a.cannotJudge(op, "calls are nested too deeply")
		a.giveUp(fr, op)
		return
	}
	in := a.newFrame(callee, fr, op)
	a.notes.followed(fr, op)
	if stepwise {
		in.Unroll, in.Stepwise = true, true
	}
	defer a.leave(in)
	out, returns := a.Merge(a.runRegion(in, callee.RegionAt(0), kernel.Edge{Cond: kernel.Yes, St: fr.St, Values: args}))
	if !returns {
		fr.Cond = kernel.No
		return
	}
	fr.St, fr.Cond = out.St, a.f.And(fr.Cond, out.Cond)
	for i := range op.NumResults() {
		v := out.Values[i]
		v.Window = nil
		a.Assign(fr, op.Result(i), v)
	}
	a.endFrame(fr, in)
}

// endFrame ends the stack objects of a function.
func (a *analysis) endFrame(fr, callee *kernel.Frame) {
	for o, x := range a.Objects {
		if x.Frame == callee.Number && x.Kind == kernel.Stack {
			fr.St.Live = fr.St.Live.Set(o, kernel.No)
		}
	}
}

// run executes the function of the analysis, from its arguments to its returns.
func (a *analysis) run() {
	body := a.fn.RegionAt(0)
	fr := a.newFrame(a.fn, nil, nil)
	args := make([]kernel.Value, 0, body.Entry().NumArgs())
	for i, v := range body.Entry().Args() {
		switch t := v.Type(); {
		case ir.IsTensor(t):
			a.tensors()
		case a.OutOfScope(t):
			a.cannotJudge(a.fn, "nothing is known about values of type %s", t)
		case models.IsOwner(t):
			a.cannotJudge(a.fn, "only its callers can say what the owners that it gets own")
		}
		if ir.IsMemRef(v.Type()) {
			x := a.AnyShape(a.PointTo(a.NewObject("", kernel.Object{Kind: kernel.Argument, Loc: v.Loc(), Number: i})))
			x.Window = nil
			args = append(args, x)
			continue
		}
		args = append(args, a.fresh(fr, v))
	}
	c := a.p.contracts[a.fn]
	s := c.summary()
	for i, v := range body.Entry().Args() {
		handed := kernel.Owns(s, i, args)
		if c.imagined {
			handed = kernel.Yes
		}
		if handed != kernel.No && ir.IsMemRef(v.Type()) {
			o := a.NewObject("", kernel.Object{Kind: kernel.Heap, Loc: v.Loc(), Number: i, Given: true, Born: fr.St.Live})
			fr.St.Live = fr.St.Live.Set(o, handed)
			args[i] = a.AnyShape(a.Choose(handed, a.PointTo(o), args[i]))
			args[i].Window = nil
		}
	}
	exits := a.runRegion(fr, body, kernel.Edge{Cond: kernel.Yes, St: fr.St, Values: args})
	if a.exhausted() {
		return
	}
	if len(exits) > maxReturns {
		e, ok := a.Merge(exits)
		if exits = nil; ok {
			exits = []kernel.Edge{e}
		}
	}
	for _, e := range exits {
		fr.St, fr.Cond = e.St, e.Cond
		a.endFrame(fr, fr)
		a.checkReturn(fr, e)
	}
	a.leave(fr)
}

// maxReturns is the number of returns of a function up to which each is checked by
// itself, for the sake of the message.
const maxReturns = 16

// checkReturn checks that a function leaves no object behind but those that it
// returns, and that its caller may free these.
func (a *analysis) checkReturn(fr *kernel.Frame, e kernel.Edge) {
	returned := map[int]kernel.Lit{}
	own, lent := a.p.contracts[a.fn].rules, a.p.contracts[a.fn].lends
	owners := models.HasOwners(e.From.Operands().Types())
	if owners {
		returned = a.checkOwners(fr, e)
	}
	for i, v := range e.Values {
		t := e.From.Operand(i).Type()
		if a.Here(fr) != kernel.No && !models.IsOwner(t) && (v.Carries(t) || a.HoldsAddresses(fr.St, v)) {
			a.promise.addresses = true
			if c := a.p.contracts[a.fn]; !c.private || c.recursive {
				a.cannotJudge(e.From, "it returns an address")
			}
		}
		if v.Kind != kernel.Pointer || !ir.IsMemRef(t) {
			continue
		}
		if a.f.And(a.Here(fr), v.Part) != kernel.No {
			a.promise.parts[i] = true
		}
		if v.Shift != 0 {
			a.promise.shifted[i] = true
		}
		if owners {
			continue
		}
		owned := kernel.Yes // that the caller gets to own it
		if own != nil && own.results[i].kind == told {
			owned = e.Values[own.results[i].by].Truth
		}
		for _, t := range a.Targets(v) {
			x := a.Objects[t.Object]
			if a.isLost(t.Object) {
				continue
			}
			switch x.Kind {
			case kernel.Heap:
				a.UseTarget(fr, e.From, t)
				if lent[i] {
					break // it is left behind, unless it is another result
				}
				returned[t.Object] = a.f.Or(returned[t.Object], t.Guard)
				a.violate(fr, Leak, e.From, t.Object, a.f.And(t.Guard, owned.Not()), "")
			case kernel.Argument:
				if lent[i] {
					break
				}
				a.violate(fr, BorrowedReturn, e.From, t.Object, a.f.And(t.Guard, owned), "")
			case kernel.Foreign:
				a.cannotJudge(e.From, "it returns a buffer of unknown origin")
			default:
				if x.Kind == kernel.Static && lent[i] {
					break
				}
				a.violate(fr, BorrowedReturn, e.From, t.Object, t.Guard, "")
			}
		}
	}
	if !owners {
		a.sameResults(fr, e)
	}
	a.sameTruths(e)
	for o, x := range a.Objects {
		if x.Kind != kernel.Heap || a.isLost(o) || x.Given && a.p.contracts[a.fn].imagined {
			continue
		}
		if left := a.f.And(fr.St.Live.Get(o), returned[o].Not()); left != kernel.No {
			a.violate(fr, Leak, e.From, o, left, "")
		}
	}
}

// sameResults promises callers which results may be the same buffer. Only those are compared that may be the same object of the
// heap, or are from elsewhere: of others both are live, as what is returned has to be.
func (a *analysis) sameResults(fr *kernel.Frame, e kernel.Edge) {
	by, others := map[int][]int{}, []int(nil)
	for i, v := range e.Values {
		if v.Kind != kernel.Pointer {
			continue
		}
		var before []int
		other := false
		for _, t := range a.Targets(v) {
			if a.Objects[t.Object].Kind != kernel.Heap {
				other = true
				continue
			}
			before = append(before, by[t.Object]...)
			by[t.Object] = append(by[t.Object], i)
		}
		if other {
			before = append(before, others...)
			others = append(others, i)
		}
		slices.Sort(before)
		for _, j := range slices.Compact(before) {
			if !a.f.impossible(a.f.And(a.Here(fr), a.EqualObjects(v, e.Values[j]))) {
				a.promise.same[[2]int{j, i}] = true
			}
		}
	}
}

// sameTruths keeps the boolean results that are what they were at earlier returns.
func (a *analysis) sameTruths(e kernel.Edge) {
	if e.Cond == kernel.No {
		return
	}
	here := map[int]bool{}
	known := a.promise.truths
	for i, v := range e.Values {
		if v.Kind == kernel.Boolean && v.Truth <= kernel.Yes {
			if t, ok := known[i]; known == nil || ok && t == (v.Truth == kernel.Yes) {
				here[i] = v.Truth == kernel.Yes
			}
		}
	}
	a.promise.truths = here
}
