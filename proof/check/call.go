package check

import (
	"maps"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
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

func (a *analysis) call(fr *frame, op *ir.Op, m interfaces.CallModel) {
	start, n := m.Args(op)
	args := a.getAll(fr, op.Operands()[start:start+n])
	for i := range args {
		if v := op.Operand(start + i); v.Type() == ir.Type(ir.I1) {
			args[i] = truthOf(a.truth(fr, v))
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
				if o, ok := v.single(); ok && a.objects[o].size > 0 || v.carries(op.Operand(start+i).Type()) {
					followed = ir.IsPrivate(callee)
				}
			}
			if c.proved && (len(c.lends) > 0 || a.precise && relatesResults(op)) {
				for _, v := range args {
					a.use(fr, op, v)
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
		if v.carries(op.Operand(start+i).Type()) || a.holdsAddresses(fr.st, v) {
			a.cannotJudge(op, "it passes an address to a function")
			a.allLost = true
			a.giveUp(fr, op)
			return
		}
	}
	for _, v := range args {
		a.use(fr, op, v)
		a.written(fr, v)
	}
	a.handOver(fr, op, args, c)
	a.callResults(fr, op, args, c)
}

// lendsUnseen tells whether results of a call are lent, and not by a function whose body shows what they are: one that is followed, or that was
// proved. What calls itself isn't followed, and no rules of ownership tell which of its arguments it returns.
func (a *analysis) lendsUnseen(call, callee *ir.Op, c *contract) bool {
	switch {
	case callee == nil:
		return call.Attr(interfaces.BorrowedAttr) != nil
	case a.p.contracts[callee] == nil:
		return interfaces.LendsResults(callee)
	}
	if c.recursive {
		return interfaces.LendsResults(callee) && !hasOwners(call.Results().Types())
	}
	return len(c.lends) > 0 && !c.proved
}

// handOver takes the buffers that a callee owns from the caller. The callee relies
// on their being none of the other arguments.
func (a *analysis) handOver(fr *frame, op *ir.Op, args []value, c *contract) {
	for i, v := range args {
		if v.kind != pointer {
			continue
		}
		for _, t := range v.targets {
			if (c.inside || c.unclear) && c.rules == nil {
				a.by = a.by.set(t.object, c)
			}
		}
		handed := c.rules.handed(i, args)
		if handed == no {
			continue
		}
		for j, w := range args {
			if j != i && w.kind == pointer {
				a.violate(fr, HandedTwice, op, v.targets[0].object, a.f.and(handed, a.equalObjects(v, w)), "")
			}
		}
	}
	for i, v := range args {
		if v.kind == pointer {
			a.free(fr, op, v, c.rules.handed(i, args))
		}
	}
}

// callResults gives the results of a call their values. A buffer is the same as an
// earlier one, or the caller gets to own it: a new one, or one that it handed over; or
// it is one of the arguments that it didn't hand over.
func (a *analysis) callResults(fr *frame, op *ir.Op, args []value, c *contract) {
	for i := range op.NumResults() {
		r := op.Result(i)
		if ir.IsMemRef(r.Type()) || isOwner(r.Type()) {
			continue
		}
		if t, ok := c.truths[i]; ok {
			a.set(fr, r, truthOf(boolLit(t)))
		} else {
			a.set(fr, r, a.fresh(fr, r))
			a.coarse = a.coarse || c.proved && r.Type() == ir.Type(ir.I1) && relatesResults(op)
		}
	}
	if hasOwners(op.Results().Types()) {
		a.ownedResults(fr, op, args, c)
		return
	}
	owned := make([]lit, op.NumResults()) // of buffers, that the caller gets to own it
	returned := make([]lit, len(args))    // of arguments that were handed over
	var made []int
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		var borrowed value
		owned[i] = yes
		if c.rules != nil && c.rules.results[i].kind == told {
			var any lit
			borrowed, any = a.borrowed(args, c)
			owned[i] = a.f.or(a.truth(fr, op.Result(c.rules.results[i].by)), any.not())
		}
		same := map[int]lit{}
		mine := owned[i] // and that it is none of the earlier results
		for j := range i {
			if !ir.IsMemRef(op.Result(j).Type()) || c.same != nil && !c.same[[2]int{j, i}] {
				continue
			}
			a.coarse = a.coarse || c.proved
			same[j] = a.f.and(a.f.variable(), a.f.iff(owned[i], owned[j]))
			mine = a.f.and(mine, same[j].not())
		}
		o := a.newObject(object{kind: heap, op: op, loc: op.Loc(), number: i})
		made = append(made, o)
		a.notes.object(fr, o, op, i)
		if (c.inside || c.unclear) && c.rules == nil {
			a.by = a.by.set(o, c)
		}
		v := a.pointTo(o)
		for k, w := range args {
			handed := c.rules.handed(k, args)
			if w.kind != pointer || handed == no {
				continue
			}
			back := a.f.and(a.f.and(mine, a.f.variable()), a.f.and(handed, returned[k].not()))
			returned[k] = a.f.or(returned[k], back)
			mine = a.f.and(mine, back.not())
			for _, t := range w.targets {
				fr.st.live = fr.st.live.set(t.object, a.f.or(fr.st.live.get(t.object), a.f.and(back, t.guard)))
			}
			v = a.choose(back, w, v)
		}
		fr.st.live = fr.st.live.set(o, mine)
		a.event(fr, event{kind: allocated, op: op, object: o}, mine)
		if owned[i] != yes {
			v = a.choose(owned[i], v, borrowed)
		}
		for j := range i {
			if l, ok := same[j]; ok {
				v = a.choose(l, a.get(fr, op.Result(j)), v)
			}
		}
		a.set(fr, r, c.seen(i, v))
	}
	for _, o := range made {
		a.objects[o].born = fr.st.live // with what comes back
	}
}

// borrowed returns any of the arguments that are not handed over, and the condition
// that there is one.
func (a *analysis) borrowed(args []value, c *contract) (v value, any lit) {
	any = no
	for _, chosen := range []bool{false, true} {
		for i, w := range args {
			if w.kind != pointer {
				continue
			}
			kept := c.rules.handed(i, args).not()
			any = a.f.or(any, kept)
			if chosen {
				kept = a.f.and(kept, a.f.variable())
			}
			if v.kind != pointer {
				v = w
			}
			v = a.choose(kept, w, v)
		}
	}
	return v, any
}

// relatesResults tells whether a call has a buffer and another buffer, an owner or a boolean
// as results: what they say about each other is known to the body alone.
func relatesResults(call *ir.Op) bool {
	buffers, booleans := 0, 0
	for i := range call.NumResults() {
		switch t := call.Result(i).Type(); {
		case ir.IsMemRef(t):
			buffers++
		case t == ir.Type(ir.I1) || isOwner(t):
			booleans++
		}
	}
	return buffers > 0 && buffers+booleans > 1
}

// callBody follows a call into the body of the function. stepwise tells to execute
// loops of known length step by step.
func (a *analysis) callBody(fr *frame, op, callee *ir.Op, args []value, stepwise bool) {
	if fr.depth >= maxDepth {
		a.cannotJudge(op, "calls are nested too deeply")
		a.giveUp(fr, op)
		return
	}
	in := a.newFrame(callee, fr, op)
	a.notes.followed(fr, op)
	if stepwise {
		in.unroll, in.stepwise = true, true
	}
	defer a.leave(in)
	out, returns := a.returnOf(a.runRegion(in, callee.RegionAt(0), edge{cond: yes, st: fr.st, values: args}))
	if !returns {
		fr.cond = no
		return
	}
	fr.st, fr.cond = out.st, a.f.and(fr.cond, out.cond)
	for i := range op.NumResults() {
		v := out.values[i]
		v.window = anyWindow
		a.set(fr, op.Result(i), v)
	}
	a.endFrame(fr, in)
}

// endFrame ends the stack objects of a function.
func (a *analysis) endFrame(fr, callee *frame) {
	for o, x := range a.objects {
		if x.frame == callee.id && x.kind == stack {
			fr.st.live = fr.st.live.set(o, no)
		}
	}
}

// returnOf joins the returns of a function.
func (a *analysis) returnOf(exits []edge) (edge, bool) {
	kept := exits[:0]
	for _, e := range exits {
		if e.cond != no {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return edge{}, false
	}
	return a.merge(kept), true
}

// run executes the function of the analysis, from its arguments to its returns.
func (a *analysis) run() {
	body := a.fn.RegionAt(0)
	fr := a.newFrame(a.fn, nil, nil)
	args := make([]value, 0, body.Entry().NumArgs())
	for i, v := range body.Entry().Args() {
		switch t := v.Type(); {
		case ir.IsTensor(t):
			a.tensors()
		case outOfScope(t):
			a.cannotJudge(a.fn, "nothing is known about values of type %s", t)
		case isOwner(t):
			a.cannotJudge(a.fn, "only its callers can say what the owners that it gets own")
		}
		if ir.IsMemRef(v.Type()) {
			x := a.pointTo(a.newObject(object{kind: argument, loc: v.Loc(), number: i}))
			x.window = anyWindow
			args = append(args, x)
			continue
		}
		args = append(args, a.fresh(fr, v))
	}
	c := a.p.contracts[a.fn]
	for i, v := range body.Entry().Args() {
		handed := c.rules.handed(i, args)
		if c.imagined {
			handed = yes
		}
		if handed != no && ir.IsMemRef(v.Type()) {
			o := a.newObject(object{kind: heap, loc: v.Loc(), number: i, given: true, born: fr.st.live})
			fr.st.live = fr.st.live.set(o, handed)
			args[i] = a.choose(handed, a.pointTo(o), args[i])
			args[i].window = anyWindow
		}
	}
	exits := a.runRegion(fr, body, edge{cond: yes, st: fr.st, values: args})
	if a.exhausted() {
		return
	}
	if len(exits) > maxReturns {
		e, ok := a.returnOf(exits)
		if exits = nil; ok {
			exits = []edge{e}
		}
	}
	for _, e := range exits {
		fr.st, fr.cond = e.st, e.cond
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
func (a *analysis) checkReturn(fr *frame, e edge) {
	returned := map[int]lit{}
	own, lent := a.p.contracts[a.fn].rules, a.p.contracts[a.fn].lends
	owners := hasOwners(e.from.Operands().Types())
	if owners {
		returned = a.checkOwners(fr, e)
	}
	for i, v := range e.values {
		t := e.from.Operand(i).Type()
		if a.here(fr) != no && !isOwner(t) && (v.carries(t) || a.holdsAddresses(fr.st, v)) {
			a.promise.addresses = true
			if c := a.p.contracts[a.fn]; !c.private || c.recursive {
				a.cannotJudge(e.from, "it returns an address")
			}
		}
		if v.kind != pointer || !ir.IsMemRef(t) {
			continue
		}
		if a.f.and(a.here(fr), v.part) != no {
			a.promise.parts[i] = true
		}
		if v.shift != 0 {
			a.promise.shifted[i] = true
		}
		if owners {
			continue
		}
		owned := yes // that the caller gets to own it
		if own != nil && own.results[i].kind == told {
			owned = e.values[own.results[i].by].truth
		}
		for _, t := range v.targets {
			x := a.objects[t.object]
			if a.isLost(t.object) {
				continue
			}
			switch x.kind {
			case heap:
				a.use(fr, e.from, value{kind: pointer, targets: []target{t}})
				if lent[i] {
					break // it is left behind, unless it is another result
				}
				returned[t.object] = a.f.or(returned[t.object], t.guard)
				a.violate(fr, Leak, e.from, t.object, a.f.and(t.guard, owned.not()), "")
			case argument:
				if lent[i] {
					break
				}
				a.violate(fr, BorrowedReturn, e.from, t.object, a.f.and(t.guard, owned), "")
			case foreign:
				a.cannotJudge(e.from, "it returns a buffer of unknown origin")
			default:
				if x.kind == global && lent[i] {
					break
				}
				a.violate(fr, BorrowedReturn, e.from, t.object, t.guard, "")
			}
		}
	}
	if !owners {
		a.sameResults(fr, e)
	}
	a.sameTruths(e)
	for o, x := range a.objects {
		if x.kind != heap || a.isLost(o) || x.given && a.p.contracts[a.fn].imagined {
			continue
		}
		if left := a.f.and(fr.st.live.get(o), returned[o].not()); left != no {
			a.violate(fr, Leak, e.from, o, left, "")
		}
	}
}

// sameResults promises callers which results may be the same buffer. Only those are compared that may be the same object of the
// heap, or are from elsewhere: of others both are live, as what is returned has to be.
func (a *analysis) sameResults(fr *frame, e edge) {
	by, others := map[int][]int{}, []int(nil)
	for i, v := range e.values {
		if v.kind != pointer {
			continue
		}
		var before []int
		other := false
		for _, t := range v.targets {
			if a.objects[t.object].kind != heap {
				other = true
				continue
			}
			before = append(before, by[t.object]...)
			by[t.object] = append(by[t.object], i)
		}
		if other {
			before = append(before, others...)
			others = append(others, i)
		}
		slices.Sort(before)
		for _, j := range slices.Compact(before) {
			if !a.f.impossible(a.f.and(a.here(fr), a.equalObjects(v, e.values[j]))) {
				a.promise.same[[2]int{j, i}] = true
			}
		}
	}
}

// sameTruths keeps the boolean results that are what they were at earlier returns.
func (a *analysis) sameTruths(e edge) {
	if e.cond == no {
		return
	}
	here := map[int]bool{}
	known := a.promise.truths
	for i, v := range e.values {
		if v.kind == boolean && v.truth <= yes {
			if t, ok := known[i]; known == nil || ok && t == (v.truth == yes) {
				here[i] = v.truth == yes
			}
		}
	}
	a.promise.truths = here
}
