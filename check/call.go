package check

import (
	"freehold/iface"
	"freehold/ir"
)

// contract is what callers may rely on.
type contract struct {
	// expand tells that the function has rules of ownership of its own, so that calls
	// have to be followed into its body.
	expand bool
	// same holds the pairs of results that may be the same buffer; nil if any may.
	same map[[2]int]bool
	// truths are the boolean results that are the same at every return.
	truths map[int]bool
	// proved tells that the function was proved to be safe.
	proved bool
	// recursive tells that the function may call itself.
	recursive bool
}

// maxDepth limits calls that are followed into bodies.
const maxDepth = 64

func (a *analysis) call(fr *frame, op *ir.Op, m iface.CallModel) {
	start, n := m.Args(op)
	args := a.getAll(fr, op.Operands()[start:start+n])
	var callee *ir.Op
	c := &contract{}
	if ref, _ := m.Callee(op); ref != nil {
		callee = a.p.lookup(op, ref)
		if known := a.p.contracts[callee]; known != nil {
			c = known
		}
	}
	if callee != nil && !c.recursive {
		if r := callee.RegionAt(0); !r.Empty() && r.Entry().NumArgs() == len(args) {
			followed := false
			for _, v := range args {
				if o, ok := v.single(); ok && a.objects[o].size > 0 {
					followed = ir.IsPrivate(callee)
				}
			}
			if a.precise && c.proved && relatesResults(op) {
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
	}
	for i, v := range args {
		if v.kind != pointer {
			continue
		}
		if !ir.IsMemRef(op.Operand(start + i).Type()) {
			a.cannotJudge(op, "it passes an address to a function")
			a.giveUp(fr, op)
			return
		}
		a.use(fr, op, v)
		a.written(fr, v)
	}
	var made []int
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			if t, ok := c.truths[i]; ok {
				a.set(fr, r, truthOf(boolLit(t)))
			} else {
				a.set(fr, r, a.fresh(fr, r))
				a.coarse = a.coarse || c.proved && r.Type() == ir.Type(ir.I1) && relatesResults(op)
			}
			made = append(made, -1)
			continue
		}
		v := a.pointTo(a.newObject(object{kind: heap, op: op, loc: op.Loc(), number: i}))
		o := v.targets[0].object
		v.whole = false
		made = append(made, o)
		fr.st.live = fr.st.live.set(o, yes)
		a.event(fr, event{kind: allocated, op: op, object: o}, yes)
		for j := range i {
			if made[j] < 0 || c.same != nil && !c.same[[2]int{j, i}] {
				continue
			}
			a.coarse = a.coarse || c.proved
			// It may be the same as an earlier one; then there is no other object.
			x := a.f.variable()
			earlier := a.get(fr, op.Result(j))
			fr.st.live = fr.st.live.set(o, a.f.and(fr.st.live.get(o), x.not()))
			v = a.choose(x, earlier, v)
		}
		a.set(fr, r, v)
	}
}

// relatesResults tells whether a call has a buffer and another buffer, or a boolean,
// as results: what they say about each other is known to the body alone.
func relatesResults(call *ir.Op) bool {
	buffers, booleans := 0, 0
	for i := range call.NumResults() {
		switch t := call.Result(i).Type(); {
		case ir.IsMemRef(t):
			buffers++
		case t == ir.Type(ir.I1):
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
	if stepwise {
		in.unroll, in.stepwise = true, true
	}
	out, returns := a.returnOf(a.runRegion(in, callee.RegionAt(0), edge{cond: yes, st: fr.st, values: args}))
	if !returns {
		fr.cond = no
		return
	}
	fr.st, fr.cond = out.st, a.f.and(fr.cond, out.cond)
	for i := range op.NumResults() {
		v := out.values[i]
		v.whole = false
		a.set(fr, op.Result(i), v)
	}
	a.endFrame(fr, in)
}

// endFrame ends the stack objects of a function.
func (a *analysis) endFrame(fr, callee *frame) {
	for k, o := range a.sites {
		if k.frame == callee.id && a.objects[o].kind == stack {
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
	var args []value
	for i, v := range body.Entry().Args() {
		if ir.IsMemRef(v.Type()) {
			x := a.pointTo(a.newObject(object{kind: argument, loc: v.Loc(), number: i}))
			x.whole = false
			args = append(args, x)
			continue
		}
		args = append(args, a.fresh(fr, v))
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
}

// maxReturns is the number of returns of a function up to which each is checked by
// itself, for the sake of the message.
const maxReturns = 16

// checkReturn checks that a function leaves no object behind but those that it
// returns, and that its caller may free these.
func (a *analysis) checkReturn(fr *frame, e edge) {
	returned := map[int]lit{}
	for i, v := range e.values {
		if v.kind != pointer || !ir.IsMemRef(e.from.Operand(i).Type()) {
			continue
		}
		for _, t := range v.targets {
			x := a.objects[t.object]
			if x.lost {
				continue
			}
			if x.kind == heap {
				a.use(fr, e.from, value{kind: pointer, targets: []target{t}})
				returned[t.object] = a.f.or(returned[t.object], t.guard)
				continue
			}
			a.violate(fr, BorrowedReturn, e.from, t.object, t.guard, "")
		}
	}
	if a.shared == nil {
		a.shared = map[[2]int]bool{}
	}
	for i, v := range e.values {
		for j := range i {
			if v.kind == pointer && a.equal(v, e.values[j]) != no {
				a.shared[[2]int{j, i}] = true
			}
		}
	}
	a.sameTruths(e)
	for o, x := range a.objects {
		if x.kind != heap || x.lost {
			continue
		}
		if left := a.f.and(fr.st.live.get(o), returned[o].not()); left != no {
			a.violate(fr, Leak, e.from, o, left, "")
		}
	}
}

// sameTruths keeps the boolean results that are what they were at earlier returns.
func (a *analysis) sameTruths(e edge) {
	if e.cond == no {
		return
	}
	here := map[int]bool{}
	for i, v := range e.values {
		if v.kind == boolean && v.truth <= yes {
			if t, ok := a.truths[i]; a.truths == nil || ok && t == (v.truth == yes) {
				here[i] = v.truth == yes
			}
		}
	}
	a.truths = here
}
